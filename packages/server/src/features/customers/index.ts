import type { Base } from '../../platform/feature.ts';
import { Customer } from './customers.entity.ts';
import { customerRoutes } from './customers.routes.ts';
import { Customers, type ForgetAddress } from './customers.service.ts';

export { customersLike } from './customer-search.ts';
export { Customer } from './customers.entity.ts';
export type { Customers } from './customers.service.ts';

export const customers = {
  entities: [Customer],

  create(base: Base, { mails }: { mails: { forget: ForgetAddress } }) {
    const customers = new Customers({
      ...base,
      forgetAddress: (sql, developerId, address) => mails.forget(sql, developerId, address),
    });
    return { api: { customers }, routes: [customerRoutes(customers)] };
  },
};
