import type { Base } from '#platform/feature.ts';
import { customerRoutes } from './customers.routes.ts';
import { type CustomerEmails, type CustomerStandings, Customers } from './customers.service.ts';
import { tables } from './tables.ts';

export { came, isProven } from './came.ts';
export { matchingCustomers, PERSON } from './customer-search.ts';
export { Customer } from './customers.entity.ts';
export type { CustomerStanding, Customers } from './customers.service.ts';
export type { CustomerRow } from './ensure-customer.ts';
export {
  addCustomers,
  addCustomersInto,
  broughtCustomers,
  deleteImportedCustomers,
  holdImportedCustomers,
  touchedSince,
} from './imported-customers.ts';
export { addressMark, DownloadProofs, type Emailed } from './proofs.ts';
export { type Finding, RowStanding, Standing, type StandingCode, standingCodes } from './standing.schemas.ts';

export const customers = {
  entities: tables.entities,

  create(base: Base, needs: { standings: CustomerStandings; emails: CustomerEmails }) {
    const customers = new Customers({
      ...base,
      db: tables.of(base.db),
      standings: needs.standings,
      emails: needs.emails,
    });
    return { api: { customers }, routes: [customerRoutes(customers)] };
  },
};
