import type { Base } from '#platform/feature.ts';
import { SavedView } from './views.entity.ts';
import { viewRoutes } from './views.routes.ts';
import { SavedViews } from './views.service.ts';

export const views = {
  entities: [SavedView],

  create(base: Base) {
    const views = new SavedViews(base);
    return { routes: [viewRoutes(views)], housekeeping: [() => views.forgetDeleted()] };
  },
};
