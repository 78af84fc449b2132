import type { Base } from '#platform/feature.ts';
import { searchRoutes } from './search.routes.ts';
import { Search } from './search.service.ts';
import { tables } from './tables.ts';

export const search = {
  create({ db }: Base) {
    return { routes: [searchRoutes(new Search({ db: tables.of(db) }))] };
  },
};
