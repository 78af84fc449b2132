import type { Base } from '#platform/feature.ts';
import { CustomerChanges, type CustomerEmails } from './customer-changes.service.ts';
import { CustomerLists, type CustomerStandings } from './customer-lists.service.ts';
import { customerRoutes } from './customers.routes.ts';
import { Customers } from './customers.service.ts';
import { tables } from './tables.ts';

export { hasRedeemed, isProven } from './customer-conditions.ts';
export type { CustomerStanding } from './customer-lists.service.ts';
export { matchingCustomers, PERSON } from './customer-search.ts';
export { Customer } from './customers.entity.ts';
export type { Customers } from './customers.service.ts';
export type { CustomerRow } from './ensure-customer.ts';
export {
  addCustomers,
  addCustomersInto,
  broughtCustomers,
  deleteImportedCustomers,
  forgetImportedNames,
  holdImportedCustomers,
  touchedSince,
} from './imported-customers.ts';
export { addressMark, DownloadProofs, type Emailed } from './proofs.ts';
export { type Finding, RowStanding, Standing, type StandingCode, standingCodes } from './standing.schemas.ts';

export const customers = {
  entities: tables.entities,

  create(base: Base, needs: { standings: CustomerStandings; emails: CustomerEmails }) {
    const deps = { ...base, ...needs, db: tables.of(base.db) };
    const routes = customerRoutes(new CustomerLists(deps), new CustomerChanges(deps));
    return { api: { customers: new Customers(base) }, routes: [routes] };
  },
};
