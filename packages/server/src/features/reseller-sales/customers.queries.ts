import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#features/partnerships';
import { csvExport } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import type { Sql } from '#platform/db/database.ts';
import { COUNT_LIMIT } from '#platform/db/statements/count-limit.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { ofTenants, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import type { Export } from '#platform/spool/exports.ts';
import { also, type EntryFilter, type Match, matchOf, type Place, redemptionsIn, redemptionsOf } from './entries.ts';
import { eachPartner, partnersOf } from './partners.ts';
import type { ResellerCustomer } from './sales.schemas.ts';
import { tables } from './tables.ts';

/**
 * The redemptions `r` of one customer, as a column of `of` names it, at the family of partnership `t`. Found by the customer: the
 * comparison of partnerships is one that no index answers, because a customer has a few redemptions and a partnership has
 * thousands.
 */
const sameCustomer = (of: string, column: string, filter: EntryFilter) => sql`redemptions r
  where ${inScope('r', of, filter)} and r.customer_id = ${sql.ref(`${of}.${column}`)}
    and t.family @> array[r.partnership_id] ${also(redemptionsIn('r', filter.period, null))}`;

/** Customers are listed where their newest redemption `n` of the partnership in the period is. */
const isNewest = (filter: EntryFilter) =>
  sql`n.id = (select (array_agg(r.id order by r.redeemed_at desc, r.id desc))[1] from ${sameCustomer('n', 'customer_id', filter)})`;

interface Reading {
  match: Match;
  after: Place | null;
  /** Only customers who redeemed something since; null: all. */
  since: Date | null;
  /** Null: all of them, in no order. */
  limit: number | null;
}

/** The columns of a row. */
const ROW = sql`n.developer_id, n.partnership_id, n.customer_id, n.product_id, n.id, n.redeemed_at as at`;

function customersOf(filter: EntryFilter, { match, after, since, limit }: Reading): RawBuilder<unknown> {
  const period = { ...filter.period, ...(since ? { from: since } : {}) };
  const all = () => [];
  const { people, listed, fit } = match.parts ?? { people: null, listed: all, fit: all };
  const newest = limit === null ? sql`` : sql`order by n.redeemed_at desc, n.id desc limit ${limit}`;
  const queries = [
    ...(listed
      ? [
          sql`select h.* from ${eachPartner(filter)} cross join lateral (
            select ${ROW} from redemptions n
            where ${inScope('n', 't', filter)} and n.partnership_id = t.id
              ${also([...redemptionsIn('n', period, after), ...listed('n')])} and ${isNewest(filter)} ${newest}) h`,
        ]
      : []),
    // looked up before anything else is asked about them, or it is asked about all redemptions
    ...(people
      ? [
          sql`select ${ROW} from (
              select r.* ${redemptionsOf(people)} where ${ofTenants('r', filter.developers)} ${also([...redemptionsIn('r', period, after), ...fit('r')])} offset 0) n
            join linked t on ${ownMatch('t.id', 'n.partnership_id')} where ${isNewest(filter)}`,
        ]
      : []),
  ];
  // a customer who fits both is listed once
  return sql`${sql.join(queries, sql` union `)}`;
}

/** People who redeemed a serial that the reseller was given, by their newest redemption. */
export async function listCustomers(
  handle: Sql,
  filter: EntryFilter,
  page: { match: Match; after: Place | null; since: Date | null; offset: number; limit: number },
): Promise<(ResellerCustomer & { redemption_id: string })[]> {
  if (page.match.nothing) return [];
  const found = customersOf(filter, { ...page, limit: page.offset + page.limit });
  const { rows } = await sql<ResellerCustomer & { redemption_id: string }>`${partnersOf(filter)}, hit as materialized (
      select * from (${found}) e order by at desc, id desc limit ${page.limit} offset ${page.offset})
    select c.id, h.id as redemption_id, c.first_name, c.last_name, nullif(c.email, '') as email, t.developer_id, t.developer_name,
      p.name as product_name, h.at as last_redeemed_at,
      (select count(*) from ${sameCustomer('c', 'id', filter)})::int as redemptions
    from hit h join linked t on ${ownMatch('t.id', 'h.partnership_id')}
      ${ownJoin('products as p', 'p.id', 'h.product_id')}
      ${ownJoin('customers as c', 'c.id', 'h.customer_id')}
    where ${ofTenants('p', filter.developers)} and ${ofTenants('c', filter.developers)}
    order by h.at desc, h.id desc`.execute(tables.in(handle));
  return rows;
}

/** How many there are, up to one more than are counted. */
export async function countCustomers(handle: Sql, filter: EntryFilter, match: Match): Promise<number> {
  if (match.nothing) return 0;
  const most = COUNT_LIMIT + 1;
  const found = customersOf(filter, { match, after: null, since: null, limit: most });
  const { rows } = await sql<{ n: number }>`${partnersOf(filter)}
    select count(*)::int as n from (select 1 from (${found}) e limit ${most}) counted`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

const csvColumns = (timeZone: string, redemptions: RawBuilder<unknown>) => ({
  'First Name': csvSafe('c.first_name'),
  'Last Name': csvSafe('c.last_name'),
  Email: csvSafe("nullif(c.email, '')"),
  Developer: csvSafe('t.developer_name'),
  'Last Product': csvSafe('p.name'),
  Redemptions: redemptions,
  [`Last Redeemed (${timeZone})`]: csvMoment('h.at', timeZone, 's'),
  Id: 'c.id',
});

/** All that fit the filter, the newest redemption first. */
export async function customersExport(handle: Sql, filter: EntryFilter, timeZone: string): Promise<Export> {
  const match = await matchOf(handle, filter);
  const parts = match.nothing ? null : match.parts;
  const found = customersOf(filter, { match: { ...match, parts }, after: null, since: null, limit: null });
  const redemptions = sql`(select count(*) from ${sameCustomer('c', 'id', filter)})`;
  const select = (row: RawBuilder<unknown>) => sql`${partnersOf(filter)}, hit as materialized (
      select e.* from (${found}) e where ${sql.lit(!match.nothing)})
    select ${row}
    from hit h join linked t on ${ownMatch('t.id', 'h.partnership_id')}
      ${ownJoin('products as p', 'p.id', 'h.product_id')}
      ${ownJoin('customers as c', 'c.id', 'h.customer_id')}
    where ${ofTenants('p', filter.developers)} and ${ofTenants('c', filter.developers)}
    order by h.at desc, h.id desc`;
  return csvExport(tables, csvColumns(timeZone, redemptions), select, { timeZone });
}
