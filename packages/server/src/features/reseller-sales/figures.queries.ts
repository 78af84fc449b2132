import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#features/partnerships';
import { SEEN_BY_RESELLERS } from '#features/products';
import { HANDED_OUT, inStock, OPEN, sellable } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { eachInZone, partnersOf, type Seller } from './partners.ts';
import { tables } from './tables.ts';

/** Days `YYYY-MM-DD`, both inclusive, in the reseller's time zone, with their first and last moments. */
export interface Days extends Seller {
  from: string;
  to: string;
  timeZone: string;
  begins: Date;
  ends: Date;
}

/** The columns that sums are grouped by, in each of the tables that they come from. */
interface Key {
  /** The columns of each of the three tables, and its day. */
  columns(table: 'd' | 'r' | 'a', day: RawBuilder<unknown>): RawBuilder<unknown>;
  /** How many columns they are, as places. */
  places: RawBuilder<unknown>;
}

const BY_DAY: Key = { columns: (_, day) => sql`${day} as day`, places: sql`1` };
// includes the name: a later join for it could read the sums again, because a reseller is expected to have few
// partnerships until the database's statistics know of them
const BY_DEVELOPER: Key = { columns: () => sql`t.developer_id, t.developer_name as name`, places: sql`1, 2` };
export const BY_PRODUCT: Key = {
  columns: (table) => sql`t.developer_id, ${sql.ref(`${table}.product_id`)}`,
  places: sql`1, 2`,
};

/**
 * The sums of days. A partnership whose days are in another zone yet is counted from the ledger, so that figures are right from the
 * moment a reseller moves. Each table is summed up by itself: put together first, each day of each partnership would be carried
 * through all steps.
 */
export function daysBy({ columns, places }: Key, { developers, from, to, timeZone, begins, ends }: Days) {
  // whether the days of a partnership are those of the zone: not a plain comparison, which few of them are expected to pass
  const inZone = sql`case when t.time_zone = ${timeZone}::text then true else false end`;
  const dayOf = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone ${timeZone}::text)::date`;
  return sql`(
    select ${columns('d', sql`d.day`)}, sum(d.redemptions + d.imports) as redemptions, sum(d.adjustments) as adjustments,
      sum(d.commission_cents + d.adjustment_commission_cents) as commission_cents, sum(d.adjustment_commission_cents) as refunded_cents
    from linked t ${ownJoin('partner_days as d', 'd.partnership_id', 't.id')}
    where ${ofTenants('d', developers)} and d.day >= ${from}::date and d.day <= ${to}::date and ${inZone} group by ${places}
    union all
    select ${columns('r', dayOf(sql`r.redeemed_at`))}, count(*), 0, sum(r.commission_cents), 0
    from linked t ${ownJoin('redemptions as r', 'r.partnership_id', 't.id')}
    where ${ofTenants('r', developers)} and r.redeemed_at >= ${begins}::timestamptz and r.redeemed_at <= ${ends}::timestamptz and t.time_zone <> ${timeZone}::text group by ${places}
    union all
    select ${columns('a', dayOf(sql`a.created_at`))}, 0, count(*), sum(a.commission_cents), sum(a.commission_cents)
    from linked t ${ownJoin('ledger_adjustments as a', 'a.partnership_id', 't.id')}
    where ${ofTenants('a', developers)} and a.created_at >= ${begins}::timestamptz and a.created_at <= ${ends}::timestamptz and t.time_zone <> ${timeZone}::text group by ${places}
  ) d`;
}

type Part = Pick<Days, 'begins' | 'ends'>;

/**
 * The moment at which a partnership's part of a UNION begins: never, if it is in another part. Many machines refuse a
 * condition about the partnership alone beside outer joins.
 */
const beginIf = (is: RawBuilder<unknown>, begin: RawBuilder<unknown>) =>
  sql`case when ${is} then ${begin} else 'infinity' end`;

/**
 * Redemptions `r` and adjustments `a` of a partnership `t` between two moments, summed up, and those of a product.
 * @param begin where the partnership's begin
 */
function ledgerBetween(
  { begins, ends }: Part,
  { developers }: Seller,
  productId: string | null,
  begin: RawBuilder<unknown> = sql`${begins}::timestamptz`,
) {
  const within = (moment: RawBuilder<unknown>) => sql`${moment} >= ${begin} and ${moment} <= ${ends}::timestamptz`;
  return sql`
    select count(*) as redemptions, sum(r.commission_cents) as commission_cents,
      count(*) filter (where r.product_id = ${productId}::uuid) as product_redemptions
    from redemptions r
    where ${inScope('r', 't', { developers })} and r.partnership_id = t.id and ${within(sql`r.redeemed_at`)}
    union all
    select 0, sum(a.commission_cents), 0 from ledger_adjustments a
    where ${inScope('a', 't', { developers })} and a.partnership_id = t.id and ${within(sql`a.created_at`)}`;
}

/** The same days of each partnership, and what came in within the part of a day that another period is compared up to. */
function daysAndPart(days: Days, part: Part | null, productId: string | null) {
  const { from, to, timeZone } = days;
  return sql`${eachInZone(days)} cross join lateral (
    select sum(d.redemptions + d.imports) as redemptions, sum(d.commission_cents + d.adjustment_commission_cents) as commission_cents,
      sum(d.redemptions + d.imports) filter (where d.product_id = ${productId}::uuid) as product_redemptions
    from partner_days d
    where ${inScope('d', 't', days)} and d.partnership_id = t.id
      and d.day >= ${beginIf(sql`t.time_zone = ${timeZone}::text`, sql`${from}::date`)} and d.day <= ${to}::date
    union all ${ledgerBetween(days, days, productId, beginIf(sql`t.time_zone <> ${timeZone}::text`, sql`${days.begins}::timestamptz`))}
    ${part ? sql`union all ${ledgerBetween(part, days, productId)}` : sql``}) d`;
}

export interface DaySum {
  day: string;
  redemptions: number;
  commission_cents: number;
}

export async function sumByDay(handle: Sql, days: Days): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`${partnersOf(days)}
    select d.day::date as day, sum(d.redemptions)::int as redemptions, sum(d.commission_cents)::bigint as commission_cents
    from ${daysBy(BY_DAY, days)} group by 1 order by 1`.execute(tables.in(handle));
  return rows;
}

export interface NamedSum {
  id: string;
  name: string;
  redemptions: number;
  commission_cents: number;
}

/** Most redemptions first. */
export async function sumByDeveloper(handle: Sql, days: Days, limit: number): Promise<NamedSum[]> {
  const { rows } = await sql<NamedSum>`${partnersOf(days)}
    select d.developer_id as id, d.name, sum(d.redemptions)::int as redemptions, sum(d.commission_cents)::bigint as commission_cents
    from ${daysBy(BY_DEVELOPER, days)} group by 1, 2 order by 3 desc, 4 desc, 2, 1 limit ${limit}`.execute(
    tables.in(handle),
  );
  return rows;
}

export interface Overview {
  redemptions: number;
  commission_cents: number;
  refunded_cents: number;
  top_product_id: string | null;
  top_product: string | null;
  top_product_redemptions: number;
  top_developer_id: string | null;
  top_developer: string | null;
  top_developer_redemptions: number;
}

/** All of a period in one reading of its days. */
export async function sumUp(handle: Sql, days: Days): Promise<Overview> {
  const { rows } = await sql<Overview>`${partnersOf(days)}, sums as (
       select d.developer_id, d.product_id, grouping(d.product_id) as every_product, grouping(d.developer_id) as everybody,
         sum(d.redemptions)::int as redemptions, sum(d.commission_cents)::bigint as commission_cents,
         sum(d.refunded_cents)::bigint as refunded_cents
       from ${daysBy(BY_PRODUCT, days)} group by grouping sets ((d.developer_id, d.product_id), (d.developer_id), ())
     ),
     product as (
       select p.id, p.name, s.redemptions from sums s ${ownJoin('products as p', 'p.id', 's.product_id')}
       where ${ofTenants('p', days.developers)} and s.every_product = 0 and s.redemptions > 0 order by s.redemptions desc, s.commission_cents desc, p.name, p.id limit 1
     ),
     developer as (
       select t.developer_id as id, t.developer_name as name, s.redemptions from sums s join linked t on t.developer_id = s.developer_id
       where s.every_product = 1 and s.everybody = 0 and s.redemptions > 0
       order by s.redemptions desc, s.commission_cents desc, 1, t.developer_id limit 1
     )
     select coalesce(s.redemptions, 0) as redemptions, coalesce(s.commission_cents, 0) as commission_cents,
       coalesce(-s.refunded_cents, 0) as refunded_cents, p.id as top_product_id, p.name as top_product, coalesce(p.redemptions, 0) as top_product_redemptions,
       u.id as top_developer_id, u.name as top_developer, coalesce(u.redemptions, 0) as top_developer_redemptions
     from (select * from sums where everybody = 1) s left join product p on true left join developer u on true`.execute(
    tables.in(handle),
  );
  return rows[0] as Overview;
}

export interface Earlier {
  redemptions: number;
  commission_cents: number;
  /** Redemptions of one product of one developer, the one that leads now. */
  product_redemptions: number;
  developer_redemptions: number;
  /** Whether anything was redeemed by then. */
  sold: boolean;
}

/** Whole days, of which there may be none, and the part of one. */
export async function sumBefore(
  handle: Sql,
  days: Days,
  part: Part | null,
  of: { productId: string | null; developerId: string | null },
): Promise<Earlier> {
  const last = part
    ? sql`(${part.ends}::timestamptz at time zone ${days.timeZone}::text)::date`
    : sql`${days.to}::date`;
  const { rows: begun } = await sql`${partnersOf(days)}
    select 1 from linked e ${ownJoin('partner_days as x', 'x.partnership_id', 'e.id')}
    where ${ofTenants('x', days.developers)} and x.day <= ${last} and x.redemptions + x.imports > 0 limit 1`.execute(
    tables.in(handle),
  );
  const { rows } = await sql<Omit<Earlier, 'sold'>>`
    select coalesce(sum(d.redemptions), 0)::int as redemptions, coalesce(sum(d.commission_cents), 0)::bigint as commission_cents,
      coalesce(sum(d.product_redemptions), 0)::int as product_redemptions,
      coalesce(sum(d.redemptions) filter (where t.developer_id = ${of.developerId}::uuid), 0)::int as developer_redemptions
    from ${daysAndPart(days, part, of.productId)}`.execute(tables.in(handle));
  return { ...(rows[0] as Omit<Earlier, 'sold'>), sold: begun.length > 0 };
}

export interface Totals {
  redemptions: number;
  commission_cents: number;
  /** Redemptions and adjustments. */
  entries: number;
}

/** Over all time. */
export async function totalsOf(handle: Sql, seller: Seller): Promise<Totals> {
  const { rows } = await sql<Totals>`${partnersOf(seller)}
    select coalesce(sum(n.redemptions + n.imports), 0)::int as redemptions,
      coalesce(sum(n.commission_cents + n.adjustment_commission_cents), 0)::bigint as commission_cents,
      coalesce(sum(n.redemptions + n.imports + n.adjustments), 0)::int as entries
    from linked t ${ownJoin('partner_totals as n', 'n.partnership_id', 't.id')}
    where ${ofTenants('n', seller.developers)}`.execute(tables.in(handle));
  return rows[0] as Totals;
}

/** Redemptions and adjustments of a period. */
export async function countEntries(handle: Sql, days: Days): Promise<number> {
  const { rows } = await sql<{ n: number }>`${partnersOf(days)}
    select coalesce(sum(d.redemptions + d.adjustments), 0)::int as n from ${daysBy(BY_DEVELOPER, days)}`.execute(
    tables.in(handle),
  );
  return rows[0]?.n ?? 0;
}

/** Days with redemptions or adjustments, the last one first. */
export async function countByDay(handle: Sql, days: Days): Promise<{ day: string; entries: number }[]> {
  const { rows } = await sql<{ day: string; entries: number }>`${partnersOf(days)}
    select d.day::date as day, sum(d.redemptions + d.adjustments)::int as entries from ${daysBy(BY_DAY, days)}
    group by 1 order by 1 desc`.execute(tables.in(handle));
  return rows;
}

export interface GroupRow extends Columns<'partnerships', 'developer_id' | 'commission_bps'> {
  product_id: string;
  product_name: string;
  developer_name: string;
  redeemed: number;
  remaining: number;
  not_for_sale: number;
  handed_out: number;
  in_files: number;
  groups_total: number;
  available_total: number;
  not_for_sale_total: number;
  handed_out_total: number;
  in_files_total: number;
}

/** A reseller's serials of each published product, as long as the partnership is active; most redeemed first. */
export async function groupsOf(handle: Sql, seller: Seller, now: Date, limit: number): Promise<GroupRow[]> {
  const { developers } = seller;
  // figures of batch `b`
  const countOf = (condition: RawBuilder<unknown>) =>
    sql`(select count(*) from serials s where ${inScope('s', 'b', seller)} and s.batch_id = b.id and ${condition})`;
  const { rows } = await sql<GroupRow>`${partnersOf(seller)}, stock as (
       select b.developer_id, b.partnership_id, b.product_id, sum(case when k.for_sale then k.open else 0 end)::int as remaining,
         sum(case when k.for_sale then 0 else k.open end)::int as not_for_sale, sum(k.handed_out)::int as handed_out,
         sum(case when k.for_sale and k.in_file then k.open else 0 end)::int as in_files
       from linked t ${ownJoin('batches as b', 'b.partnership_id', 't.id')}
         ${ownJoin('products as p', 'p.id', 'b.product_id')}
         cross join lateral (
           select ${sellable(now)} as for_sale, ${countOf(OPEN)} as open, ${countOf(HANDED_OUT)} as handed_out, exists (
             select 1 from serial_downloads d where ${inScope('d', 'b', seller)} and d.batch_id = b.id) as in_file
           -- from a table, or many machines do not see whose they are
           from batches own where ${inScope('own', 'b', seller)} and own.id = b.id offset 0) k
       where ${ofTenants('b', developers)} and t.status = 'active' and t.open and ${inStock(now)} group by 1, 2, 3
     ),
     sold as (
       select t.developer_id, t.home as partnership_id, n.product_id, sum(n.redemptions + n.imports)::int as redeemed
       from linked t join linked h on ${ownMatch('h.id', 't.home')}
         ${ownJoin('partner_totals as n', 'n.partnership_id', 't.id')}
       where ${ofTenants('n', developers)} and h.status = 'active' and h.open group by 1, 2, 3
     ),
     given as materialized (
       select coalesce(k.developer_id, n.developer_id) as developer_id, coalesce(k.partnership_id, n.partnership_id) as partnership_id,
         coalesce(k.product_id, n.product_id) as product_id, coalesce(n.redeemed, 0) as redeemed,
         coalesce(k.remaining, 0) as remaining, coalesce(k.not_for_sale, 0) as not_for_sale,
         coalesce(k.handed_out, 0) as handed_out,
         coalesce(k.in_files, 0) as in_files
       from stock k full join sold n on (n.developer_id, n.partnership_id, n.product_id) = (k.developer_id, k.partnership_id, k.product_id)
     )
     select g.product_id, p.name as product_name, t.developer_id, t.developer_name, t.commission_bps, g.redeemed, g.remaining,
       g.not_for_sale, g.handed_out, g.in_files, count(*) over ()::int as groups_total, sum(g.remaining) over ()::int as available_total,
       sum(g.not_for_sale) over ()::int as not_for_sale_total,
       sum(g.handed_out) over ()::int as handed_out_total, sum(g.in_files) over ()::int as in_files_total
     from given g join linked t on ${ownMatch('t.id', 'g.partnership_id')}
       ${ownJoin('products as p', 'p.id', 'g.product_id')}
     where ${ofTenants('p', developers)} and ${SEEN_BY_RESELLERS} and g.redeemed + g.remaining + g.not_for_sale + g.handed_out > 0
     order by g.redeemed desc, g.remaining desc, p.name, p.id limit ${limit}`.execute(tables.in(handle));
  return rows;
}

/** Submitted products of the developers that a reseller works with. */
export async function countProducts(handle: Sql, seller: Seller): Promise<number> {
  const { rows } = await sql<{ n: number }>`${partnersOf(seller)}
    select count(*)::int as n from linked t join products p on p.developer_id = t.developer_id
    where ${ofTenants('p', seller.developers)} and ${SEEN_BY_RESELLERS} and t.status = 'active' and t.open`.execute(
    tables.in(handle),
  );
  return rows[0]?.n ?? 0;
}
