import { sql } from 'kysely';
import { notifyRecorded, partsOf, patternsFor, RECORDED, recordParts } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { idAt } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { tables } from './tables.ts';

export type CustomerRow = Columns<'customers', 'id' | 'email' | 'first_name' | 'last_name'>;

export interface Person {
  email: string;
  firstName?: string | null;
  lastName?: string | null;
  language?: Language | null;
}

/** A new one has the id that was made for it: of a table with partitions, `xmax` cannot be returned. */
const ensure = tables.named(
  'ensure',
  (
    _,
    id: string,
    developerId: string,
    email: string,
    key: string,
    firstName: string | null,
    lastName: string | null,
    now: Date,
    visited: Date | null,
    language: Language | null,
    event: string,
    patterns: readonly string[],
    data: string,
    personal: string | null,
  ) => {
    const eventParts = recordParts(sql`(select from kept where is_new)`, {
      id: sql`${event}`,
      account: sql`${developerId}`,
      type: sql.lit('customer.created'),
      patterns: sql`${patterns}`,
      at: sql`${now}`,
      data: sql`${data}`,
      personal: sql`${personal}`,
      objects: sql`array[${id}::uuid]`,
    });
    return sql<CustomerRow & { told: string | null }>`
      with kept as (
        insert into customers as c (id, developer_id, email, email_key, first_name, last_name, created_at, last_login_at, language)
        values (${id}, ${developerId}, ${email}, ${key}, ${firstName}, ${lastName}, ${now}, ${visited}, ${language})
        on conflict (developer_id, email_key) do update set
          first_name = coalesce(c.first_name, excluded.first_name),
          last_name = coalesce(c.last_name, excluded.last_name),
          last_login_at = coalesce(excluded.last_login_at, c.last_login_at),
          language = coalesce(excluded.language, c.language)
        returning c.id, c.email, c.first_name, c.last_name, c.id = ${id} as is_new
      ), ${eventParts}
      select id, email, first_name, last_name, ${RECORDED} as told from kept`;
  },
);

interface Needed {
  /** The customer's id, if there is none with this address yet. */
  id: string;
  developerId: string;
  now: Date;
  person: Person;
  /** Whether the customer is here, and not only spoken of. */
  visits: boolean;
}

/** The customer with an address, who stays until the caller's transaction ends. */
export async function ensureCustomer(
  handle: Sql,
  { id, developerId, now, person, visits }: Needed,
): Promise<CustomerRow> {
  const email = person.email.trim();
  const [first_name, last_name] = [person.firstName || null, person.lastName || null];
  const { shown, personal } = partsOf({ customer_id: id, email, first_name, last_name });
  const [row] = await ensure(
    handle,
    id,
    developerId,
    email,
    emailKey(email),
    first_name,
    last_name,
    now,
    visits ? now : null,
    person.language ?? null,
    idAt(now),
    patternsFor('customer.created'),
    shown,
    personal,
  );
  const { told, ...customer } = row as CustomerRow & { told: string | null };
  if (told !== null) await notifyRecorded(handle, { account: developerId, id: told, type: 'customer.created' });
  return customer;
}
