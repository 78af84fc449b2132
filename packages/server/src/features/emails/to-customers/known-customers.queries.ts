import { sql } from 'kysely';
import { hasRedeemed } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { tables } from '../tables.ts';

export interface KnownCustomer {
  email_key: string;
  language: Language | null;
  /** Whether they came themselves; else somebody else has entered their address. */
  came: boolean;
}

/** The customers of a developer with these addresses, by the key of the address. */
export async function findKnown(
  handle: Sql,
  developerId: string,
  addresses: readonly string[],
): Promise<Map<string, KnownCustomer>> {
  const keys = addresses.map(emailKey);
  const customers = await tables
    .in(handle)
    .selectFrom('customers as c')
    .select(['c.email_key', 'c.language', hasRedeemed('c').as('came')])
    .where('c.developer_id', '=', developerId)
    .where('c.email_key', '=', sql<string>`any(${keys}::text[])`)
    .execute();
  return new Map(customers.map((customer) => [customer.email_key, customer]));
}
