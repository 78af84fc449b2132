import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { csvExport } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import type { Sql } from '#platform/db/database.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import type { KindCount } from '#platform/db/statements/choices.ts';
import { COUNT_LIMIT, countedTo } from '#platform/db/statements/count-limit.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { joinOwn, lookUpOwn, ownJoin } from '#platform/db/tenant.ts';
import { notFound } from '#platform/errors.ts';
import { pageOf, placeOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import type { Period } from '#platform/time/days.ts';
import { type CustomerKind, type CustomerSort, choiceQuery } from './customer-filter.ts';
import { matchingCustomers } from './customer-search.ts';
import type { CustomerDetail, CustomerView } from './customers.schemas.ts';
import { type CustomersDb, type CustomersHandle, tables } from './tables.ts';

export interface CustomerFilter {
  developerId: string;
  search: string | undefined;
  searchDay: Period | null;
  period: Period;
  /** The other chosen filters: conditions on customer `c`. */
  chosen: Expression<SqlBool>[];
}

/** Conditions on customer `c`. */
async function condition(
  handle: Sql,
  { developerId, search, searchDay, period, chosen }: CustomerFilter,
): Promise<Expression<SqlBool>> {
  const within = (range: Period) => [
    ...(range.from ? [sql`c.created_at >= ${range.from}`] : []),
    ...(range.to ? [sql`c.created_at <= ${range.to}`] : []),
  ];
  const all = (conditions: Expression<unknown>[]) => sql<boolean>`${sql.join(conditions, sql` and `)}`;
  const like = search ? [await matchingCustomers(handle, developerId, search)] : [];
  const found = searchDay ? [sql`(${sql.join([...like, sql`(${all(within(searchDay))})`], sql` or `)})`] : like;
  return all([
    sql`c.developer_id = ${developerId}`,
    inList('c.created_at'),
    sql`c.erased_at is null`,
    ...within(period),
    ...found,
    ...chosen,
  ]);
}

interface Key {
  value: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
}

const keysOf: Record<string, Key> = {
  signup_date: { value: sql`c.created_at`, type: sql`timestamptz` },
  name: {
    value: sql`lower(coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email))`,
    type: sql`text`,
  },
  email: { value: sql`c.email_key`, type: sql`text collate "C"` },
  last_login: { value: sql`c.last_login_at`, type: sql`timestamptz` },
};

/** The customer that a page ended with; `key` is what they are sorted by, null: none, which is always last. */
export interface CustomerPlace {
  key: string | null;
  at: Date;
  id: string;
}

/** An order: among equals the newest first, and who never signed in is always last. */
function orderOf(sort: CustomerSort) {
  const [way, beyond] = sort.startsWith('-') ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const { value, type } = keysOf[sort.replace('-', '')] as Key;
  if (sort.endsWith('signup_date'))
    return {
      key: sql`null`,
      order: sql`c.created_at ${way}, c.id ${way}`,
      after: ({ at, id }: CustomerPlace) => sql`(c.created_at, c.id) ${beyond} (${at}::timestamptz, ${id}::uuid)`,
    };
  return {
    key: sql`${value}::text`,
    order: sql`${value} ${way} nulls last, c.created_at desc, c.id desc`,
    after({ key, at, id }: CustomerPlace) {
      const older = sql`(c.created_at, c.id) < (${at}::timestamptz, ${id}::uuid)`;
      if (key === null) return sql`${value} is null and ${older}`;
      const last = sql`${key}::${type}`;
      return sql`(${value} ${beyond} ${last} or (${value} = ${last} and ${older}) or ${value} is null)`;
    },
  };
}

interface Wanted {
  sort: CustomerSort;
  offset: number;
  limit: number;
  after: CustomerPlace | null;
  count: boolean;
}
export type PlacedCustomer = CustomerView & { sort_key: string | null };

/** A page of customers; `counted` is null when they were not. */
export async function customersPage(
  db: CustomersDb,
  filter: CustomerFilter,
  { sort, offset, limit, after: place, count }: Wanted,
): Promise<{ found: PlacedCustomer[]; counted: { total: number; total_exact: boolean } | null }> {
  const { developerId } = filter;
  const where = await condition(db, filter);
  const { key, order, after } = orderOf(sort);
  // templates: they are built for every page, several times as fast
  const shown = sql<PlacedCustomer>`
    select c.id, c.first_name, c.last_name, c.email, c.created_at as signup_date, c.last_login_at as last_login,
      n.name as product_name, n.code as serial_code, ${key} as sort_key,
      (select count(*) from serials s where s.developer_id = ${developerId} and s.customer_id = c.id) as serials
    from (select * from customers c where ${where} ${place ? sql`and ${after(place)}` : sql``} order by ${order}
        limit ${sql.lit(limit)} offset ${offset}) c
      left join lateral (
        select s.code, p.name from (
            select s.code, s.batch_id from serials s where s.developer_id = ${developerId} and s.customer_id = c.id
            order by s.redeemed_at desc, s.id desc limit 1) s
          ${lookUpOwn('batches as b', developerId, sql`s.batch_id`)} ${lookUpOwn('products as p', developerId, sql`b.product_id`)}) n on true
    order by ${order}`;
  const countedRows = sql<{ n: number }>`
    select count(*) as n from (select 1 from customers c where ${where} limit ${sql.lit(COUNT_LIMIT + 1)}) counted`;
  // a search has indexes that only a bitmap can read
  const counting = () =>
    filter.search
      ? countedRows.execute(db)
      : db.work({ tx: true, settings: BY_INDEX }, (tx) => countedRows.execute(tx));
  const [{ rows: found }, counted] = await Promise.all([shown.execute(db), count ? counting() : null]);
  return { found, counted: counted && countedTo(counted.rows[0]?.n ?? 0) };
}

/** The choices of filters, with the number of customers that each choice leaves among the newest. */
export async function customerChoiceCounts(
  db: CustomersDb,
  kinds: readonly CustomerKind[],
  filter: CustomerFilter,
): Promise<KindCount<CustomerKind>[]> {
  const where = await condition(db, filter);
  const newest = sql`select c.id from customers c where ${where} order by c.created_at desc, c.id desc`;
  return (await choiceQuery(kinds, filter.developerId, newest).execute(db)).rows;
}

/** All that fit, newest first. @param codes whether the column of the serials is filled */
export async function customersExport(
  db: CustomersDb,
  filter: CustomerFilter,
  { timeZone, codes }: { timeZone: string; codes: boolean },
): Promise<Export> {
  const { developerId } = filter;
  const where = await condition(db, filter);
  const cells = {
    'Signup Date': csvMoment('c.created_at', timeZone, 's'),
    'First Name': csvSafe('c.first_name'),
    'Last Name': csvSafe('c.last_name'),
    Email: csvSafe('c.email'),
    ID: 'c.id',
    'Last Login': csvMoment('c.last_login_at', timeZone, 's'),
    Product: 'b.name',
    Serial: codes ? csvSafe('n.code') : 'null',
  };
  // one look into an index for each person; what the serials' batches are called is known beforehand
  const select = (row: RawBuilder<unknown>) => sql`select ${row} from customers c
    left join lateral (select s.code, s.batch_id from serials s where s.developer_id = ${developerId} and s.customer_id = c.id
      order by s.redeemed_at desc, s.id desc limit 1) n on true
    left join (select b.id, ${sql.raw(csvSafe('p.name'))} as name from batches b
        ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where b.developer_id = ${developerId} and ${inList('b.created_at')} offset 0) b on b.id = n.batch_id
    where ${where} order by c.created_at desc, c.id desc`;
  return csvExport(tables, cells, select, { timeZone, settings: { enable_seqscan: 'off' }, lineEnd: '\n' });
}

/** A customer as it is stored, before its standing is added. */
export type FoundCustomer = Omit<CustomerDetail, 'standing' | 'serials'> & {
  serials: Omit<CustomerDetail['serials'][number], 'standing'>[];
};

/**
 * Reads everything that is kept about one person.
 * @param most of serials, machines and activity each; null for all of it.
 * @throws {AppError} not_found
 */
export async function findCustomer(
  handle: Sql,
  developerId: string,
  id: string,
  most: number | null,
): Promise<FoundCustomer> {
  const own = tables.in(handle);
  const person = await findPerson(own, developerId, id);
  if (!person) throw notFound('Customer');
  const { spent_cents, ...rest } = person;
  const serials = await serialsOf(own, developerId, id, most);
  const machines = await machinesOf(own, developerId, id, most);
  const happened = await listActivity(own, { developerId, id, kind: null }, null, most === null ? null : most + 1);
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

const findPerson = (handle: CustomersHandle, developerId: string, id: string) =>
  handle
    .selectFrom('customers as c')
    .select(['c.id', 'c.first_name', 'c.last_name', 'c.email', 'c.created_at as signup_date'])
    .select(['c.last_login_at as last_login', 'c.language', 'c.no_updates_at', 'c.erased_at'])
    .select(
      sql<number>`(select coalesce(sum(r.final_price_cents), 0)::int8 from redemptions r
        where r.developer_id = ${developerId} and r.customer_id = c.id)`.as('spent_cents'),
    )
    .where('c.developer_id', '=', developerId)
    .where('c.id', '=', id)
    .executeTakeFirst();

/** The serials that a customer owns, with the product of each. */
const selectOwned = (handle: CustomersHandle, developerId: string, id: string) =>
  handle
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .where('s.developer_id', '=', developerId)
    .where('s.customer_id', '=', id);

const serialsOf = (handle: CustomersHandle, developerId: string, id: string, most: number | null) =>
  selectOwned(handle, developerId, id)
    .$call(joinOwn('redemptions as r', 'r.serial_id', 's.id'))
    .select([
      's.id',
      's.code',
      'b.product_id',
      'p.name as product_name',
      'p.image_url',
      's.download_count',
      's.seats_used',
    ])
    .select(['r.final_price_cents as cents', 'r.country'])
    .select(sql<Date>`s.redeemed_at`.as('redeemed_at'))
    .select(sql<boolean>`s.revoked_at is not null`.as('revoked'))
    .select((eb) => eb.fn.coalesce('s.max_activations', 'p.max_activations').as('max_activations'))
    .orderBy('s.redeemed_at', 'desc')
    .orderBy('s.id', 'desc')
    .$if(most !== null, (all) => all.limit(most as number))
    .execute();

const machinesOf = (handle: CustomersHandle, developerId: string, id: string, most: number | null) =>
  selectOwned(handle, developerId, id)
    .$call(joinOwn('activations as a', 'a.serial_id', 's.id'))
    .select(['a.id', 's.id as serial_id', 's.code as serial_code', 'p.name as product_name', 'a.machine_id', 'a.label'])
    .select(['a.os', 'a.version', 'a.created_at', 'a.last_seen_at', 'a.released_at'])
    .orderBy(sql`a.released_at is not null`)
    .orderBy('a.last_seen_at', 'desc')
    .$if(most !== null, (all) => all.limit(most as number))
    .execute();

/** The last entry of a page of the history. */
export interface HappenedAt {
  at: string;
  kind: string;
  id: string;
}

type Entry = CustomerDetail['activity'][number] & { id: string };

/**
 * The history of a customer and their serials, newest first.
 * @param after where the page before ended
 * @param most null for all
 */
export async function listActivity(
  handle: Sql,
  { developerId, id, kind }: { developerId: string; id: string; kind: string | null },
  after: HappenedAt | null,
  most: number | null,
): Promise<Entry[]> {
  const conditions = [
    ...(after
      ? [
          sql`(at, kind <> 'redeemed', kind, id)
            < (${after.at}::timestamptz, ${after.kind}::text <> 'redeemed', ${after.kind}::text, ${after.id}::uuid)`,
        ]
      : []),
    ...(kind === null ? [] : [sql`kind = ${kind}`]),
  ];
  const { rows } = await sql<Entry>`
    with own as (select id, code from serials where developer_id = ${developerId} and customer_id = ${id})
    select * from (
      select e.id, e.kind, e.at, own.id as serial_id, own.code as serial_code, e.detail from own join (
        select r.id, r.serial_id, 'redeemed' as kind, r.redeemed_at as at, p.name as detail
          from redemptions r ${ownJoin('products as p', 'p.id', 'r.product_id')}
          where r.developer_id = ${developerId} and r.serial_id in (select id from own)
        union all
        select a.id, a.serial_id, 'activated', a.created_at, a.machine_id from activations a
          where a.developer_id = ${developerId} and a.serial_id in (select id from own)
        union all
        select a.id, a.serial_id, 'released', a.released_at, a.machine_id from activations a
          where a.developer_id = ${developerId} and a.serial_id in (select id from own) and a.released_at is not null
        union all
        select r.id, r.serial_id, case r.action when 'redeem' then 'redemption_refused' else 'refused' end, r.at, r.status
          from license_refusals r where r.developer_id = ${developerId} and r.serial_id in (select id from own)
        union all
        select v.id, v.serial_id, v.kind, v.happened_at, case when v.kind not in ('revoked', 'reassigned') then v.detail end
          from serial_events v
          where v.developer_id = ${developerId} and v.serial_id in (select id from own) and v.kind <> 'transferred'
      ) e on e.serial_id = own.id
      union all
      select v.id, v.kind, v.happened_at, null, null, v.detail from customer_events v
        where v.developer_id = ${developerId} and v.customer_id = ${id}
    ) activity
    ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
    order by at desc, kind <> 'redeemed' desc, kind desc, id desc
    ${most === null ? sql`` : sql`limit ${most}`}`.execute(tables.in(handle));
  return rows;
}
