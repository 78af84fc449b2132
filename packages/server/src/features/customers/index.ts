export { customersLike } from './customer-search.ts';
export { Customer } from './customers.entity.ts';
export { customerRoutes } from './customers.routes.ts';
export { Customers } from './customers.service.ts';
