import { accountName } from '#features/accounts';
import { familyOf } from '#features/partnerships';
import { SEEN_BY_RESELLERS } from '#features/products';
import { notForSale, OPEN, sellable } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { toDollars } from '#platform/money.ts';
import type { ResellerDeal, ResellerProduct, Sort } from './catalog.schemas.ts';

export interface CatalogFilter {
  resellerId: string;
  developerId: string | undefined;
  search: string | undefined;
  sort: Sort;
  now: Date;
}

/** What the page before ended with, in the order of the sort. */
export interface Place {
  /** The name, or the number of redemptions; empty where the id alone decides. */
  key: string;
  id: string;
}

interface Base {
  product_id: string;
  product_name: string;
  developer_id: string;
  developer_name: string;
  developer_time_zone: string;
  image_url: string | null;
  price_cents: number | null;
  sale_price_cents: number | null;
  commission_bps: number;
  redeemed: number;
  available: number;
  not_for_sale: number;
  created_at: Date;
  /** What the page is ordered by, for the cursor. */
  sort_key: string;
}

/** $1: the reseller, $2: the only developer or null. Nothing of a partnership that is not active is for sale. */
export const LINKED = `/* across tenants: a reseller works with many developers */
  linked as (
    select t.developer_id, t.id, t.commission_bps, ${accountName('u')} as developer_name, u.time_zone as developer_time_zone,
      ${familyOf('t')} as family
    from partnerships t join users u on u.id = t.developer_id
    where t.reseller_id = $1 and t.status = 'active' and u.deleted_at is null and ($2::uuid is null or t.developer_id = $2)
  )`;

const BATCHES = 'batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)';

/** Serials of the batch `b`. */
export const COUNT = {
  redeemed: `(select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.redeemed_at is not null)`,
  open: `(select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN})`,
};

/** Of the batches in `given`, in `$7` the time. */
const stockOf = (given: string) => `
       coalesce((select sum(${COUNT.open})::int ${given} and ${sellable('$7')}), 0) as available,
       coalesce((select sum(${COUNT.open})::int ${given} and ${notForSale('$7')}), 0) as not_for_sale`;

const COLUMNS = `x.product_id, x.product_name, x.developer_id, x.developer_name, x.developer_time_zone, x.image_url, x.price_cents, x.sale_price_cents,
  x.commission_bps, x.created_at`;

/** By sort: what it orders by as a column of `x`, and the condition of a page, for the place in $4 and $5. */
const ORDERS: Record<Sort, { key: string; order: string; after: string }> = {
  recent: { key: `''::text`, order: 'x.id desc', after: `$4::text is not null and x.id < $5::uuid` },
  alphabetical: { key: 'x.name_key', order: 'x.name_key, x.id', after: '(x.name_key, x.id) > ($4, $5::uuid)' },
  popular: {
    key: 'x.redeemed::text',
    order: 'x.redeemed desc, x.id desc',
    after: '(x.redeemed, x.id) < ($4::int, $5::uuid)',
  },
};

/** The submitted products of the developers that a reseller works with. Counts are of what the reseller was given. */
export async function listCatalog(sql: Sql, filter: CatalogFilter, place: Place | null, limit: number) {
  const { key, order, after } = ORDERS[filter.sort];
  const given = `from ${BATCHES} where (b.developer_id, b.product_id, b.partnership_id) = (x.developer_id, x.product_id, x.partnership_id)`;
  const search = `($3::text is null or ${folded('p.name')} like $3 or ${folded('t.developer_name')} like $3 or exists (
    select 1 from batches b where (b.developer_id, b.product_id, b.partnership_id) = (p.developer_id, p.id, t.id) and ${folded('b.batch_tag')} like $3))`;
  const products = `linked t join products p on p.developer_id = t.developer_id and ${listOf('p')}`;
  const rows = await sql.query<Base>(
    `with ${LINKED}, page as (
       select x.*, ${key} as sort_key from (
         select p.id, p.id as product_id, p.name as product_name, p.name_key, p.image_url, p.price_cents, p.sale_price_cents, p.created_at,
           t.developer_id, t.developer_name, t.developer_time_zone, t.id as partnership_id, t.commission_bps, coalesce((
             select sum(n.redemptions + n.imports)::int from partner_totals n
             where n.developer_id = t.developer_id and n.partnership_id = any(t.family) and n.product_id = p.id), 0) as redeemed
         from ${products}
         where ${SEEN_BY_RESELLERS} and ${search}) x
       where ($5::uuid is null or ${after}) order by ${order} limit $6
     )
     select ${COLUMNS}, x.sort_key, x.redeemed,${stockOf(given)}
     from page x order by ${order}`,
    [...scope(filter), place?.key ?? null, place?.id ?? null, limit, filter.now],
  );
  const [total] = await sql.query<{ n: number }>(
    `with ${LINKED} select count(*)::int as n from ${products} where ${SEEN_BY_RESELLERS} and ${search}`,
    scope(filter),
  );
  return { rows, total: total?.n ?? 0 };
}

export interface DealRow extends Base {
  id: string;
  promo_price_cents: number;
  promo_start: Date | null;
  promo_expires: Date | null;
  expires_at: Date | null;
  batch_tag: string | null;
  is_expired: boolean;
}

/** What makes batches one deal. */
export const TERMS = ['promo_price_cents', 'promo_start', 'promo_expires', 'expires_at', 'batch_tag'] as const;

const EXPIRED = `coalesce(least(b.promo_expires, b.expires_at) <= $7, false)`;

/** Batches with a promo price that a reseller was given; those with the same terms are one deal. */
export async function listDeals(
  sql: Sql,
  filter: CatalogFilter & { state: 'current' | 'expired' | undefined; batchIds?: string[] },
  place: Place | null,
  limit: number,
): Promise<{ rows: DealRow[]; total: number }> {
  const { key, order, after } = ORDERS[filter.sort];
  const terms = TERMS.map((term) => `b.${term}`).join(', ');
  // only a list in their order needs the redemptions of every deal, all others those of the page
  const popular = filter.sort === 'popular';
  // the first batch names the deal, so that the id stays when more serials are generated for it
  const deals = `
    select (array_agg(b.id order by b.id))[1] as id, array_agg(b.id) as batch_ids, min(b.created_at) as created_at, ${terms},
      ${EXPIRED} as is_expired, b.product_id, p.name as product_name, p.name_key, p.image_url, p.price_cents, p.sale_price_cents,
      t.developer_id, t.developer_name, t.developer_time_zone, t.commission_bps,
      ${popular ? `sum(${COUNT.redeemed})::int` : '0'} as redeemed
    from linked t join batches b on (b.developer_id, b.partnership_id) = (t.developer_id, t.id)
      join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
    where b.promo_price_cents is not null and ${SEEN_BY_RESELLERS} and ($4::text is null or true)
      and ($3::text is null or ${folded('p.name')} like $3 or ${folded('t.developer_name')} like $3 or ${folded('b.batch_tag')} like $3)
      and ($8::boolean is null or ${EXPIRED} = $8) and ($9::uuid[] is null or b.id = any($9))
    group by ${terms}, b.product_id, p.name, p.name_key, p.image_url, p.price_cents, p.sale_price_cents, t.developer_id,
      t.developer_name, t.developer_time_zone, t.commission_bps`;
  const given = `from ${BATCHES} where b.developer_id = x.developer_id and b.id = any(x.batch_ids)`;
  const expired = filter.state === undefined ? null : filter.state === 'expired';
  const values = (from: Place | null) => [
    ...scope(filter),
    from?.key ?? null,
    from?.id ?? null,
    limit,
    filter.now,
    expired,
    filter.batchIds ?? null,
  ];
  const rows = await sql.query<DealRow>(
    `with ${LINKED}, page as (
       select x.*, ${key} as sort_key from (${deals}) x where ($5::uuid is null or ${after}) order by ${order} limit $6
     )
     select x.id, ${COLUMNS}, x.sort_key, ${TERMS.map((term) => `x.${term}`).join(', ')}, x.is_expired,
       ${popular ? 'x.redeemed' : `(select sum(${COUNT.redeemed})::int ${given})`} as redeemed,${stockOf(given)}
     from page x order by ${order}`,
    values(place),
  );
  const [total] = await sql.query<{ n: number }>(
    `with ${LINKED} select count(*)::int as n from (${deals}) x where $5::uuid is null and $6::int is not null`,
    values(null),
  );
  return { rows, total: total?.n ?? 0 };
}

function scope({ resellerId, developerId, search }: CatalogFilter) {
  return [resellerId, developerId ?? null, search ? likeFolded(search) : null];
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
