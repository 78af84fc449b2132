import type { Base } from '../../platform/feature.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { Catalog } from './catalog/catalog.service.ts';

export const deals = {
  create(base: Base) {
    return { routes: [catalogRoutes(new Catalog(base))] };
  },
};
