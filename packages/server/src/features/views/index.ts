import type { Base } from '#platform/feature.ts';
import { tables } from './tables.ts';
import { viewRoutes } from './views.routes.ts';
import { SavedViews } from './views.service.ts';

export const views = {
  entities: tables.entities,

  create({ db, clock }: Base) {
    const views = new SavedViews({ db: tables.of(db), clock });
    return { routes: [viewRoutes(views)], housekeeping: [() => views.forgetDeleted()] };
  },
};
