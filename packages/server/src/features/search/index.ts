import type { Base } from '#platform/feature.ts';
import { searchRoutes } from './search.routes.ts';
import { Search } from './search.service.ts';

export const search = {
  create(base: Base) {
    return { routes: [searchRoutes(new Search(base))] };
  },
};
