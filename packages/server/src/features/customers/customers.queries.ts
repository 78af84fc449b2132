import pg from 'pg';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import type { KindCount } from '#platform/db/statements/choices.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { pageOf, placeOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import type { Period } from '#platform/time/days.ts';
import { type CustomerKind, type CustomerSort, choiceQuery } from './customer-filter.ts';
import { customersLike } from './customer-search.ts';
import type { CustomerDetail, CustomerView } from './customers.schemas.ts';

export const CUSTOMERS_PAGE_SIZE = 20;
const COUNT_LIMIT = 10_000;

export interface CustomerFilter {
  developerId: string;
  search: string | undefined;
  searchDay: Period | null;
  period: Period;
  /** What was chosen besides: conditions on customer `c`. */
  chosen: string[];
}

/** The serial a person got last. */
const NEWEST = `left join lateral (
  select s.code, s.redeemed_at, p.name from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
  where (s.developer_id, s.customer_id) = (c.developer_id, c.id) order by s.redeemed_at desc, s.id desc limit 1) n on true`;

/** COPY takes no parameters, so the driver quotes the filter into the text. */
async function condition(
  sql: Sql,
  { developerId, search, searchDay, period, chosen }: CustomerFilter,
): Promise<string> {
  const text = (value: string) => pg.escapeLiteral(value);
  const moment = (value: Date) => `${text(value.toISOString())}::timestamptz`;
  const within = (range: Period) => [
    ...(range.from ? [`c.created_at >= ${moment(range.from)}`] : []),
    ...(range.to ? [`c.created_at <= ${moment(range.to)}`] : []),
  ];
  const like = search ? [await customersLike(sql, developerId, search)] : [];
  const found = searchDay ? [`(${[...like, `(${within(searchDay).join(' and ')})`].join(' or ')})`] : like;
  return [
    `c.developer_id = ${text(developerId)}`,
    listOf('c'),
    'c.erased_at is null',
    ...within(period),
    ...found,
    ...chosen,
  ].join(' and ');
}

const keysOf: Record<string, string> = {
  signup_date: 'c.created_at',
  name: "lower(coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email))",
  email: 'c.email_key',
  last_login: 'c.last_login_at',
};

/** SQL of an order: among equals the newest first, and who never signed in is always last. */
function orderOf(sort: CustomerSort): string {
  const way = sort.startsWith('-') ? 'desc' : 'asc';
  const key = keysOf[sort.replace('-', '')] as string;
  return sort.endsWith('signup_date')
    ? `c.created_at ${way}, c.id ${way}`
    : `${key} ${way} nulls last, c.created_at desc, c.id desc`;
}

export async function customersPage(
  db: Database,
  filter: CustomerFilter,
  page: number,
  sort: CustomerSort,
): Promise<{ customers: CustomerView[]; total: number; total_exact: boolean }> {
  const where = await condition(db, filter);
  const offset = (page - 1) * CUSTOMERS_PAGE_SIZE;
  const [customers, counted] = await Promise.all([
    db.query<CustomerView>(
      `select c.id, c.first_name, c.last_name, c.email, c.created_at as signup_date, c.last_login_at as last_login,
         n.name as product_name, n.code as serial_code, (select count(*) from serials s where (s.developer_id, s.customer_id) = (c.developer_id, c.id)) as serials
       from (select * from customers c where ${where} order by ${orderOf(sort)}
         limit ${CUSTOMERS_PAGE_SIZE} offset ${offset}) c ${NEWEST} order by ${orderOf(sort)}`,
    ),
    db.query<{ n: number }>(
      `select count(*) as n from (select 1 from customers c where ${where} limit ${COUNT_LIMIT + 1}) counted`,
    ),
  ]);
  const total = counted[0]?.n ?? 0;
  return { customers, total: Math.min(total, COUNT_LIMIT), total_exact: total <= COUNT_LIMIT };
}

/** What can be chosen of filters, with how many customers each choice leaves among the newest. */
export async function customerChoiceCounts(
  db: Database,
  kinds: readonly CustomerKind[],
  filter: CustomerFilter,
): Promise<KindCount<CustomerKind>[]> {
  const where = await condition(db, filter);
  const newest = `select c.developer_id, c.id from customers c where ${where} order by c.created_at desc, c.id desc`;
  return db.query(choiceQuery(kinds, pg.escapeLiteral(filter.developerId), newest));
}

const EXPORT_COLUMNS = ['Signup Date', 'First Name', 'Last Name', 'Email', 'ID', 'Last Login', 'Product', 'Serial'];

/** All that fit, newest first. @param codes whether the column of the serials is filled */
export async function customersExport(
  db: Database,
  filter: CustomerFilter,
  { timeZone, codes }: { timeZone: string; codes: boolean },
): Promise<Export> {
  const where = await condition(db, filter);
  const own = pg.escapeLiteral(filter.developerId);
  const moment = (column: string) => csvMoment(column, timeZone, 's');
  const cells = [
    moment('c.created_at'),
    csvSafe('c.first_name'),
    csvSafe('c.last_name'),
    csvSafe('c.email'),
    'c.id',
    moment('c.last_login_at'),
    'b.name',
    codes ? csvSafe('n.code') : 'null',
  ];
  return {
    // one look into an index for each person; what the serials' batches are called is known beforehand
    query: `select ${cells.join(', ')} from customers c
      left join lateral (select s.code, s.batch_id from serials s where (s.developer_id, s.customer_id) = (c.developer_id, c.id) and s.developer_id = ${own}
        order by s.redeemed_at desc, s.id desc limit 1) n on true
      left join (select b.id, ${csvSafe('p.name')} as name from batches b
          join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
        where b.developer_id = ${own} and ${listOf('b')} offset 0) b on b.id = n.batch_id
      where ${where} order by c.created_at desc, c.id desc`,
    format: 'csv',
    timeZone,
    header: csvLine(EXPORT_COLUMNS).replace('\r\n', '\n'),
    settings: { enable_seqscan: 'off' },
  };
}

/** A customer as it is stored, before how it stands is added. */
export type FoundCustomer = Omit<CustomerDetail, 'standing' | 'serials'> & {
  serials: Omit<CustomerDetail['serials'][number], 'standing'>[];
};

/**
 * What is kept about one person.
 * @param most of serials, machines and activity each; null for all of it.
 */
export async function findCustomer(
  sql: Sql,
  developerId: string,
  id: string,
  most: number | null,
): Promise<FoundCustomer | undefined> {
  const [person] = await sql.query<
    Omit<FoundCustomer, 'serials' | 'machines' | 'activity' | 'activity_cursor'> & { spent_cents: number }
  >(
    `select c.id, c.first_name, c.last_name, c.email, c.created_at as signup_date, c.last_login_at as last_login, c.language, c.no_updates_at, c.erased_at,
       (select coalesce(sum(r.final_price_cents), 0)::int8 from redemptions r where (r.developer_id, r.customer_id) = (c.developer_id, c.id)) as spent_cents
     from customers c where c.developer_id = $1 and c.id = $2`,
    [developerId, id],
  );
  if (!person) return undefined;
  const { spent_cents, ...rest } = person;
  const serials = await sql.query<FoundCustomer['serials'][number] & { cents: number }>(
    `select s.id, s.code, b.product_id, p.name as product_name, p.image_url, s.revoked_at is not null as revoked, s.redeemed_at,
       s.download_count, r.final_price_cents as cents, r.country, s.seats_used, coalesce(s.max_activations, p.max_activations) as max_activations
     from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       join redemptions r on (r.developer_id, r.serial_id) = (s.developer_id, s.id)
     where s.developer_id = $1 and s.customer_id = $2 order by s.redeemed_at desc, s.id desc limit $3`,
    [developerId, id, most],
  );
  const machines = await sql.query<CustomerDetail['machines'][number]>(
    `select a.id, s.id as serial_id, s.code as serial_code, p.name as product_name, a.machine_id, a.label, a.os, a.version,
       a.created_at, a.last_seen_at, a.released_at
     from serials s join activations a on (a.developer_id, a.serial_id) = (s.developer_id, s.id) join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where s.developer_id = $1 and s.customer_id = $2 order by a.released_at is not null, a.last_seen_at desc limit $3`,
    [developerId, id, most],
  );
  const happened = await listActivity(sql, { developerId, id, kind: null }, null, most === null ? null : most + 1);
  const { rows: activity, next_cursor } = pageOf(happened, most ?? happened.length, placeOf);
  return {
    ...rest,
    total_spent: toDollars(spent_cents),
    serials: serials.map(({ cents, ...serial }) => ({ ...serial, total: toDollars(cents) })),
    machines,
    activity: activity.map(({ id: _, ...entry }) => entry),
    activity_cursor: next_cursor,
  };
}

/** Where a page of what happened ended. */
export interface HappenedAt {
  at: string;
  kind: string;
  id: string;
}

/** $3 how many, null for all; $4 to $6 where the page before ended; $7 of one kind only. */
const ACTIVITY = `
  with own as (select id, code from serials where developer_id = $1 and customer_id = $2)
  select * from (
  select e.id, e.kind, e.at, own.id as serial_id, own.code as serial_code, e.detail from own join (
    select r.id, r.serial_id, 'redeemed' as kind, r.redeemed_at as at, p.name as detail from redemptions r join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id)
      where r.developer_id = $1 and r.serial_id in (select id from own)
    union all
    select a.id, a.serial_id, 'activated', a.created_at, a.machine_id from activations a
      where a.developer_id = $1 and a.serial_id in (select id from own)
    union all
    select a.id, a.serial_id, 'released', a.released_at, a.machine_id from activations a
      where a.developer_id = $1 and a.serial_id in (select id from own) and a.released_at is not null
    union all
     select r.id, r.serial_id, case r.action when 'redeem' then 'redemption_refused' else 'refused' end, r.at, r.status from license_refusals r
       where r.developer_id = $1 and r.serial_id in (select id from own)
    union all
    select v.id, v.serial_id, v.kind, v.happened_at, case when v.kind not in ('revoked', 'reassigned') then v.detail end
      from serial_events v where v.developer_id = $1 and v.serial_id in (select id from own) and v.kind <> 'transferred'
  ) e on e.serial_id = own.id
  union all
  select v.id, v.kind, v.happened_at, null, null, v.detail from customer_events v where v.developer_id = $1 and v.customer_id = $2
  ) activity
  where ($4::timestamptz is null or (at, kind <> 'redeemed', kind, id) < ($4, $5 <> 'redeemed', $5::text, $6::uuid))
    and ($7::text is null or kind = $7)
  order by at desc, kind <> 'redeemed' desc, kind desc, id desc limit $3`;

type Entry = CustomerDetail['activity'][number] & { id: string };

/** What happened with a customer and their serials, newest first. */
export const listActivity = (
  sql: Sql,
  about: { developerId: string; id: string; kind: string | null },
  after: HappenedAt | null,
  most: number | null,
): Promise<Entry[]> =>
  sql.query<Entry>(ACTIVITY, [
    about.developerId,
    about.id,
    most,
    after?.at ?? null,
    after?.kind ?? null,
    after?.id ?? null,
    about.kind,
  ]);
