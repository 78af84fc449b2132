import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { developersOf } from '#features/partnerships';
import { PRICE, SEEN_BY_RESELLERS } from '#features/products';
import { notForSale, OPEN, sellable } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import { foldedOf, likeFolded } from '#platform/db/statements/like.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import { tables } from '../tables.ts';
import { MOST_COUNTED, type Offer } from './selling.schemas.ts';

export interface OfferFilter {
  resellerId: string;
  productId: string | undefined;
  search: string | undefined;
  now: Date;
}

/** The last offer of the previous page. */
export interface OfferPlace {
  nameKey: string;
  productId: string;
  cents: number;
}

/** An offer with the product's columns that the cursor needs. */
export interface OfferRow extends Omit<Offer, 'price' | 'regular_price'>, Columns<'products', 'id' | 'name_key'> {
  price_cents: number;
  regular_cents: number;
}

/** Batches `b` of products `p` that a reseller was given. Nothing of a partnership that is not active is for sale. */
const given = (resellerId: string, developers: readonly string[]) => sql`
  partnerships t join users u on u.id = t.developer_id
    ${ownJoin('batches as b', 'b.partnership_id', 't.id')}
    ${ownJoin('products as p', 'p.id', 'b.product_id')}
  where t.reseller_id = ${resellerId} and ${ofTenants('t', developers)} and ${ofTenants('b', developers)} and t.status = 'active' and u.deleted_at is null and ${SEEN_BY_RESELLERS}`;
const anyOpen = (developers: readonly string[]) => sql`exists (
  select 1 from serials s where ${ownMatch('s.batch_id', 'b.id')} and ${ofTenants('s', developers)} and ${OPEN})`;

/** Lists what can be sold now, by product and price, ordered by product name. Serials are counted for the page only. */
export async function listOffers(
  handle: Sql,
  { resellerId, productId, search, now }: OfferFilter,
  after: OfferPlace | null,
  limit: number,
): Promise<OfferRow[]> {
  const like = search && likeFolded(search);
  const fitting = [
    ...(productId ? [sql`and p.id = ${productId}`] : []),
    ...(like ? [sql`and (${foldedOf(sql`p.name`)} like ${like} or ${foldedOf(nameOf('u'))} like ${like})`] : []),
    ...(after
      ? [
          sql`and (p.name_key, p.id, ${PRICE}) > (${after.nameKey}::text, ${after.productId}::uuid, ${after.cents}::int)`,
        ]
      : []),
  ];
  const developers = await developersOf(handle, resellerId);
  const { rows } = await sql<OfferRow>`
    with page as (
      select p.id, p.id as product_id, p.name as product_name, p.name_key, p.developer_id, ${nameOf('u')} as developer_name,
        u.time_zone as developer_time_zone, p.image_url,
        ${PRICE} as price_cents, coalesce(p.price_cents, 0) as regular_cents,
        min(least(b.promo_expires, b.expires_at)) as sell_until, array_agg(b.id) as batch_ids
      from ${given(resellerId, developers)} and ${sellable(now)} and ${anyOpen(developers)} ${sql.join(fitting, sql` `)}
      group by p.developer_id, p.id, p.name, p.name_key, p.image_url, p.price_cents, ${PRICE}, ${nameOf('u')}, u.time_zone
      order by p.name_key, p.id, ${PRICE} limit ${limit}
    )
    select x.id, x.product_id, x.product_name, x.name_key, x.developer_id, x.developer_name, x.developer_time_zone, x.image_url, x.price_cents, x.regular_cents,
      x.sell_until, least((
        select sum(few.n) from batches b cross join lateral (
          select count(*) as n from (
            select 1 from serials s
            where ${ownMatch('s.batch_id', 'b.id')} and ${ofTenants('s', developers)} and ${OPEN} limit ${sql.lit(MOST_COUNTED)}
          ) first
        ) few where b.developer_id = own.developer_id and ${ofTenants('b', developers)} and b.id = any(x.batch_ids)), ${sql.lit(MOST_COUNTED)})::int as available
    from page x ${ownJoin('products as own', 'own.id', 'x.product_id')} and ${ofTenants('own', developers)}
    order by x.name_key, x.id, x.price_cents`.execute(tables.in(handle));
  return rows;
}

export function offerOf(row: OfferRow): Offer {
  const {
    product_id,
    product_name,
    developer_id,
    developer_name,
    developer_time_zone,
    image_url,
    available,
    sell_until,
  } = row;
  return {
    product_id,
    product_name,
    developer_id,
    developer_name,
    developer_time_zone,
    image_url,
    price: toDollars(row.price_cents),
    regular_price: row.regular_cents > row.price_cents ? toDollars(row.regular_cents) : null,
    available,
    sell_until,
  };
}

/** Whether the reseller holds codes of the product whose deal has not begun or is over. */
export async function hasCodesOutOfSeason(
  handle: Sql,
  resellerId: string,
  productId: string,
  now: Date,
): Promise<boolean> {
  const developers = await developersOf(handle, resellerId);
  const { rows } = await sql`
    select 1 from ${given(resellerId, developers)} and p.id = ${productId} and ${notForSale(now)} and ${anyOpen(developers)} limit 1`.execute(
    tables.in(handle),
  );
  return rows.length > 0;
}
