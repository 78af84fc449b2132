import { partsOf, patternsFor, recordCtes } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';

export interface CustomerRow {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
}

export interface Person {
  email: string;
  firstName?: string | null;
  lastName?: string | null;
  language?: Language | null;
}

/** In one statement, as not every caller has a transaction: a new customer and its event, or neither. */
const ENSURE = `with kept as (
    insert into customers as c (id, developer_id, email, email_key, first_name, last_name, created_at, last_login_at, language)
    values ($1::uuid, $2::uuid, $3, $4, $5, $6, $7::timestamptz, $12, $8)
    on conflict (developer_id, email_key) do update set
      first_name = coalesce(c.first_name, excluded.first_name),
      last_name = coalesce(c.last_name, excluded.last_name),
      last_login_at = coalesce(excluded.last_login_at, c.last_login_at),
      language = coalesce(excluded.language, c.language)
    returning c.id, c.email, c.first_name, c.last_name, c.xmax = 0 as is_new
  ), made as (select 1 from kept where is_new), ${recordCtes('made', {
    account: '$2',
    type: "'customer.created'",
    patterns: '$11',
    at: '$7',
    data: '$9',
    personal: '$10',
    objects: 'array[$1]',
  })}
  select id, email, first_name, last_name, (select count(*) from recorded) as told from kept`;

interface Needed {
  /** Of the customer, if there is none with this address yet. */
  id: string;
  developerId: string;
  now: Date;
  person: Person;
  /** Whether the customer is here, and not only spoken of. */
  visits: boolean;
}

/** The customer with an address, who stays until the transaction ends. */
export async function ensureCustomer(sql: Sql, { id, developerId, now, person, visits }: Needed): Promise<CustomerRow> {
  const email = person.email.trim();
  const [first_name, last_name] = [person.firstName || null, person.lastName || null];
  const { shown, personal } = partsOf({ customer_id: id, email, first_name, last_name });
  const rows = await sql.query<CustomerRow>(ENSURE, [
    id,
    developerId,
    email,
    emailKey(email),
    first_name,
    last_name,
    now,
    person.language ?? null,
    shown,
    personal,
    patternsFor('customer.created'),
    visits ? now : null,
  ]);
  return rows[0] as CustomerRow;
}
