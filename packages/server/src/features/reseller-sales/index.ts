import type { Base } from '#platform/feature.ts';
import { SalesFigures } from './figures.service.ts';
import { salesRoutes } from './sales.routes.ts';
import { tables } from './tables.ts';
import { transactionRoutes } from './transactions.routes.ts';
import { SalesLists } from './transactions.service.ts';

export const sales = {
  create(platform: Base) {
    const base = { ...platform, db: tables.of(platform.db) };
    return { routes: [salesRoutes(new SalesFigures(base)), transactionRoutes(new SalesLists(base))] };
  },
};
