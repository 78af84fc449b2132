import type { Base } from '#platform/feature.ts';
import { liveRoutes } from './live.routes.ts';

export const live = {
  create({ events }: Base) {
    return { routes: [liveRoutes(events)] };
  },
};
