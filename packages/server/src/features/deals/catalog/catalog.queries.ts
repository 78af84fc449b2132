import { type RawBuilder, sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { developersOf, familyIn, inScope, type TenantScope } from '#features/partnerships';
import { SEEN_BY_RESELLERS } from '#features/products';
import { notForSale, OPEN, sellable } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import { foldedOf, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import { tables } from '../tables.ts';
import type { ResellerDeal, ResellerProduct, Sort } from './catalog.schemas.ts';

export interface CatalogFilter {
  resellerId: string;
  developerId: string | undefined;
  search: string | undefined;
  sort: Sort;
  now: Date;
}

/** The last row of the previous page, in the order of the sort. */
export interface Place {
  /** The name, or the number of redemptions; empty where the id alone decides. */
  key: string;
  id: string;
}

interface Base
  extends Columns<'partnerships', 'developer_id' | 'commission_bps'>,
    Columns<'products', 'image_url' | 'price_cents' | 'sale_price_cents'> {
  product_id: string;
  product_name: string;
  developer_name: string;
  developer_time_zone: string;
  redeemed: number;
  available: number;
  not_for_sale: number;
  created_at: Date;
  /** The value that the page is ordered by, for the cursor. */
  sort_key: string;
}

/** The developers of a reseller, or the one that is asked for. */
const among = async (handle: Sql, { resellerId, developerId }: CatalogFilter): Promise<readonly string[]> =>
  developerId === undefined ? developersOf(handle, resellerId) : [developerId];

/**
 * The beginning of a WITH: partnerships `linked` of the reseller with these developers. Nothing of a partnership that is not active is
 * for sale.
 */
const linked = ({ resellerId }: CatalogFilter, developers: readonly string[]) => sql`
  with linked as (
    select t.developer_id, t.id, t.commission_bps, ${nameOf('u')} as developer_name, u.time_zone as developer_time_zone,
      ${familyIn('t', { developers })} as family
    from partnerships t join users u on u.id = t.developer_id
    where t.reseller_id = ${resellerId} and ${ofTenants('t', developers)} and t.status = 'active' and u.deleted_at is null
  )`;

const BATCHES = sql`batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}`;

/** Serials of the batch `b`. */
export function serialCounts(scope: TenantScope) {
  const of = (condition: RawBuilder<unknown>) =>
    sql<number>`(select count(*) from serials s where ${inScope('s', 'b', scope)} and s.batch_id = b.id and ${condition})`;
  return { redeemed: of(sql`s.redeemed_at is not null`), open: of(OPEN) };
}

/** The stock of the batches in `given`. */
const stockOf = (given: RawBuilder<unknown>, open: RawBuilder<number>, now: Date) => sql`
  coalesce((select sum(${open})::int ${given} and ${sellable(now)}), 0) as available,
  coalesce((select sum(${open})::int ${given} and ${notForSale(now)}), 0) as not_for_sale`;

const COLUMNS = sql`x.product_id, x.product_name, x.developer_id, x.developer_name, x.developer_time_zone, x.image_url, x.price_cents, x.sale_price_cents,
  x.commission_bps, x.created_at`;

interface Order {
  /** The value that it orders by, as text. */
  key: RawBuilder<string>;
  order: RawBuilder<unknown>;
  /** The condition of a page. */
  after: (place: Place) => RawBuilder<boolean>;
}

/** The order of rows `x`, by sort. */
const ORDERS: Record<Sort, Order> = {
  recent: { key: sql`''::text`, order: sql`x.id desc`, after: ({ id }) => sql`x.id < ${id}::uuid` },
  alphabetical: {
    key: sql`x.name_key`,
    order: sql`x.name_key, x.id`,
    after: ({ key, id }) => sql`(x.name_key, x.id) > (${key}::text, ${id}::uuid)`,
  },
  popular: {
    key: sql`x.redeemed::text`,
    order: sql`x.redeemed desc, x.id desc`,
    after: ({ key, id }) => sql`(x.redeemed, x.id) < (${key}::int, ${id}::uuid)`,
  },
};

/** Rows `x` of a page with their product as `own`: counted beside a table, many machines see whose rows are counted. */
const withProduct = (developers: readonly string[]) => sql`
    from page x ${ownJoin('products as own', 'own.id', 'x.product_id')} and ${ofTenants('own', developers)}`;

/** A page of rows `x`. */
function pageOf(rows: RawBuilder<unknown>, sort: Sort, place: Place | null, limit: number) {
  const { key, order, after } = ORDERS[sort];
  return sql`select x.*, ${key} as sort_key from (${rows}) x ${place ? sql`where ${after(place)}` : sql``}
    order by ${order} limit ${limit}`;
}

/** The submitted products of the developers that a reseller works with. Counts are of what the reseller was given. */
export async function listCatalog(
  handle: Sql,
  filter: CatalogFilter,
  place: Place | null,
  limit: number,
  count: boolean,
) {
  const db = tables.in(handle);
  const like = filter.search && likeFolded(filter.search);
  const developers = await among(db, filter);
  const { open } = serialCounts({ developers });
  const given = sql`from ${BATCHES}
    where ${inScope('b', 'own', { developers })} and (b.product_id, b.partnership_id) = (x.product_id, x.partnership_id)`;
  const search = like
    ? sql`and (${foldedOf(sql`p.name`)} like ${like} or ${foldedOf(sql`t.developer_name`)} like ${like} or exists (
        select 1 from batches b where (b.developer_id, b.product_id, b.partnership_id) = (p.developer_id, p.id, t.id)
          and ${ofTenants('b', developers)} and ${foldedOf(sql`b.batch_tag`)} like ${like}))`
    : sql``;
  const products = sql`from linked t join products p on p.developer_id = t.developer_id and ${inList('p.created_at')}
    where ${ofTenants('p', developers)} and ${SEEN_BY_RESELLERS} ${search}`;
  const all = sql`
    select p.id, p.id as product_id, p.name as product_name, p.name_key, p.image_url, p.price_cents, p.sale_price_cents, p.created_at,
      t.developer_id, t.developer_name, t.developer_time_zone, t.id as partnership_id, t.commission_bps, coalesce((
        select sum(n.redemptions + n.imports)::int from partner_totals n
        where ${inScope('n', 't', { developers })} and n.partnership_id = any(t.family) and n.product_id = p.id), 0) as redeemed
    ${products}`;
  const { rows } = await sql<Base>`${linked(filter, developers)}, page as (${pageOf(all, filter.sort, place, limit)})
    select ${COLUMNS}, x.sort_key, x.redeemed, ${stockOf(given, open, filter.now)} ${withProduct(developers)}
    order by ${ORDERS[filter.sort].order}`.execute(db);
  if (!count) return { rows, total: null };
  const total = await sql<{ n: number }>`${linked(filter, developers)} select count(*)::int as n ${products}`.execute(
    db,
  );
  return { rows, total: total.rows[0]?.n ?? 0 };
}

/** The columns that batches of one deal have in common. */
const TERMS = ['promo_price_cents', 'promo_start', 'promo_expires', 'expires_at', 'batch_tag'] as const;

export interface DealRow extends Base, Columns<'batches', (typeof TERMS)[number]> {
  id: string;
  promo_price_cents: number;
  is_expired: boolean;
}

const termsOf = (alias: 'b' | 'd' | 'x') => TERMS.map((term) => sql.ref(`${alias}.${term}`));

/** Whether batch `d` is of the same deal as batch `b`. */
export const SAME_TERMS = sql<boolean>`${sql.join(
  TERMS.map((term) => sql`${sql.ref(`b.${term}`)} is not distinct from ${sql.ref(`d.${term}`)}`),
  sql` and `,
)}`;

/** Batches with a promo price that a reseller was given; those with the same terms are one deal. */
export async function listDeals(
  handle: Sql,
  filter: CatalogFilter & { state: 'current' | 'expired' | undefined; batchIds?: string[] },
  place: Place | null,
  limit: number,
  count: boolean,
): Promise<{ rows: DealRow[]; total: number | null }> {
  const db = tables.in(handle);
  const { sort, state, now, batchIds } = filter;
  const like = filter.search && likeFolded(filter.search);
  const developers = await among(db, filter);
  const { open, redeemed } = serialCounts({ developers });
  const terms = sql.join(termsOf('b'));
  const expired = sql`coalesce(least(b.promo_expires, b.expires_at) <= ${now}::timestamptz, false)`;
  // only a list in their order needs the redemptions of every deal, all others those of the page
  const popular = sort === 'popular';
  const fitting = [
    ...(like
      ? [
          sql`and (${foldedOf(sql`p.name`)} like ${like} or ${foldedOf(sql`t.developer_name`)} like ${like}
            or ${foldedOf(sql`b.batch_tag`)} like ${like})`,
        ]
      : []),
    ...(state ? [sql`and ${expired} = ${state === 'expired'}`] : []),
    ...(batchIds ? [sql`and b.id = any(${batchIds}::uuid[])`] : []),
  ];
  // the first batch names the deal, so that the id stays when more serials are generated for it
  const deals = sql`
    select (array_agg(b.id order by b.id))[1] as id, array_agg(b.id) as batch_ids, min(b.created_at) as created_at, ${terms},
      b.product_id, p.name as product_name, p.name_key, p.image_url, p.price_cents, p.sale_price_cents,
      t.developer_id, t.developer_name, t.developer_time_zone, t.commission_bps,
      ${popular ? sql`sum(${redeemed})::int` : sql`0`} as redeemed
    from linked t ${ownJoin('batches as b', 'b.partnership_id', 't.id')}
      ${ownJoin('products as p', 'p.id', 'b.product_id')}
    where ${ofTenants('b', developers)} and b.promo_price_cents is not null and ${SEEN_BY_RESELLERS} ${sql.join(fitting, sql` `)}
    group by ${terms}, b.product_id, p.name, p.name_key, p.image_url, p.price_cents, p.sale_price_cents, t.developer_id,
      t.developer_name, t.developer_time_zone, t.commission_bps`;
  const given = sql`from ${BATCHES} where ${inScope('b', 'own', { developers })} and b.id = any(x.batch_ids)`;
  const { rows } = await sql<DealRow>`${linked(filter, developers)}, page as (${pageOf(deals, sort, place, limit)})
    select x.id, ${COLUMNS}, x.sort_key, ${sql.join(termsOf('x'))},
      coalesce(least(x.promo_expires, x.expires_at) <= ${now}::timestamptz, false) as is_expired,
      ${popular ? sql`x.redeemed` : sql`(select sum(${redeemed})::int ${given})`} as redeemed, ${stockOf(given, open, now)} ${withProduct(developers)}
    order by ${ORDERS[sort].order}`.execute(db);
  if (!count) return { rows, total: null };
  const total = await sql<{
    n: number;
  }>`${linked(filter, developers)} select count(*)::int as n from (${deals}) x`.execute(db);
  return { rows, total: total.rows[0]?.n ?? 0 };
}

function baseOf(row: Base) {
  return {
    product_id: row.product_id,
    name: row.product_name,
    product_name: row.product_name,
    developer_id: row.developer_id,
    developer_name: row.developer_name,
    developer_time_zone: row.developer_time_zone,
    image_url: row.image_url,
    price: toDollars(row.price_cents),
    sale_price: toDollars(row.sale_price_cents),
    commission_rate: row.commission_bps / 100,
    total_redemptions: row.redeemed,
    available_serials: row.available,
    not_for_sale_serials: row.not_for_sale,
    created_at: row.created_at,
  };
}

export function productOf(row: Base): ResellerProduct {
  return { ...baseOf(row), batch_tag: null, promo_price: null, promo_expires: null, is_expired: false };
}

export function dealOf(row: DealRow): ResellerDeal {
  const { id, batch_tag, promo_start, promo_expires, expires_at, is_expired } = row;
  return {
    id,
    ...baseOf(row),
    batch_tag,
    promo_price: toDollars(row.promo_price_cents),
    promo_start,
    promo_expires,
    expires_at,
    is_expired,
  };
}
