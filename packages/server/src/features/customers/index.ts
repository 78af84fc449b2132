export { Customer } from './customers.entity.ts';
export { Customers } from './customers.service.ts';
