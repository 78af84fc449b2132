import type { Authenticate } from '../../platform/access/access.ts';
import type { Base } from '../../platform/feature.ts';
import { liveRoutes } from './live.routes.ts';

export const live = {
  create({ events }: Base, { sessions }: { sessions: { authenticate: Authenticate } }) {
    return { routes: [liveRoutes(events, sessions.authenticate)] };
  },
};
