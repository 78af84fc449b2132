import type { Base } from '../../platform/feature.ts';
import { Customer } from './customers.entity.ts';
import { customerRoutes } from './customers.routes.ts';
import { Customers } from './customers.service.ts';

export { upsertCustomers } from './bulk.ts';
export { customersLike } from './customer-search.ts';
export { Customer } from './customers.entity.ts';
export type { Customers } from './customers.service.ts';

export const customers = {
  entities: [Customer],

  create(base: Base) {
    const customers = new Customers(base);
    return { api: { customers }, routes: [customerRoutes(customers)] };
  },
};
