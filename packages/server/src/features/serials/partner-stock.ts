import type { Sql } from '../../platform/db/database.ts';
import { SEEN_BY_RESELLERS } from '../products/index.ts';
import { recordWebhook } from '../webhooks/index.ts';
import { BY_ID, HANDED_OUT, inStock, notForSale, OF_BATCH, OPEN, sellable } from './availability-rules.ts';
import type { LowStockDependencies } from './stock.ts';

/**
 * How many serials of product `p` partner `t` has left, counted no further than `most`. Those not for sale now are among
 * them: a deal that begins tomorrow is stock that its developer has thought of already.
 */
const left = (now: string, most: string) => `(
  select count(*) from (
    select 1 from batches b cross join lateral (
        select 1 from serials s where ${OF_BATCH} and ${OPEN}
        order by ${BY_ID} limit ${most}) s
    where (b.developer_id, b.partnership_id, b.product_id) = (t.developer_id, t.id, p.id) and ${inStock(now)}
    limit ${most}) few)`;

interface Low {
  /** Null without an account, while the partnership is paused, and for a draft: the reseller doesn't see the stock then. */
  reseller_id: string | null;
  name: string;
  product: string;
  n: number;
  threshold: number;
}

const NOTE = `
  with stock as (
    select t.developer_id, t.id as partnership_id, p.id as product_id, t.name, p.name as product,
      case when t.status = 'active' and ${SEEN_BY_RESELLERS} then t.reseller_id end as reseller_id,
      t.low_stock_threshold as threshold, ${left('$4', 't.low_stock_threshold')} as n
    from partnerships t join products p on p.developer_id = t.developer_id
    where t.developer_id = $1 and t.id = $2 and p.id = $3 and t.low_stock_threshold is not null and t.status <> 'ended'
  ), noted as (
    insert into partner_low_stock as l (developer_id, partnership_id, product_id, threshold, since)
    select developer_id, partnership_id, product_id, threshold, $4 from stock where n < threshold
    on conflict (developer_id, partnership_id, product_id) do update
      set threshold = excluded.threshold, since = excluded.since where l.threshold > excluded.threshold
    returning l.developer_id
  )
  select stock.reseller_id, stock.name, stock.product, stock.n, stock.threshold
  from stock join noted on noted.developer_id = stock.developer_id`;

/**
 * Called after a serial of a partnership with a threshold is taken or handed out: reports, once each time it happens,
 * that the reseller has fewer of the product left.
 */
export async function notePartnerLowStock(
  deps: LowStockDependencies,
  sql: Sql,
  { developerId, partnershipId, productId }: { developerId: string; partnershipId: string; productId: string },
): Promise<void> {
  // of two that cross the threshold together, the later one must see what the earlier one took
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${partnershipId} ${productId}`]);
  const [low] = await sql.query<Low>(NOTE, [developerId, partnershipId, productId, deps.clock.now()]);
  if (!low) return;
  const { reseller_id: resellerId, name, product, n, threshold } = low;
  const partner = { partnershipId, name, resellerId };
  const data = {
    product_id: productId,
    developer_id: developerId,
    partnership_id: partnershipId,
    product_name: product,
    available: n,
    threshold,
  };
  for (const accountId of [developerId, resellerId])
    if (accountId !== null) await recordWebhook(sql, accountId, { type: 'stock.low', at: deps.clock.now(), data });
  await deps.onLowStock(sql, developerId, { product, left: n, threshold, partner });
}

/** After serials came: what a reseller has enough of again can become low again. */
export async function notePartnerRestock(sql: Sql, developerId: string, now: Date): Promise<void> {
  await sql.query(
    `delete from partner_low_stock l using partnerships t, products p
     where l.developer_id = $1 and (t.developer_id, t.id) = (l.developer_id, l.partnership_id)
       and (p.developer_id, p.id) = (l.developer_id, l.product_id)
       and ${left('$2', 't.low_stock_threshold')} >= coalesce(t.low_stock_threshold, 0)`,
    [developerId, now],
  );
}

export interface PartnerStockRow {
  product_id: string;
  product_name: string;
  image_url: string | null;
  given: number;
  available: number;
  not_for_sale: number;
  handed_out: number;
  redeemed: number;
  low: boolean;
}

// each of these is a partial index
const count = (which: string) =>
  `(select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${which})`;

export interface StockPage {
  /** Who reads it: a reseller sees nothing of drafts. */
  reader: 'developer' | 'reseller';
  developerId: string;
  partnershipId: string;
  now: Date;
  /** Where the page before ended: the `sort_key` and the product. */
  after: { name: string; id: string } | null;
  limit: number;
}

/** What a partner was given of each product and what became of it: a page of products by name. */
export async function partnerStock(
  sql: Sql,
  { reader, developerId, partnershipId, now, after, limit }: StockPage,
): Promise<{ rows: (PartnerStockRow & { sort_key: string })[]; total: number }> {
  const seen = reader === 'reseller' ? SEEN_BY_RESELLERS : 'p.deleted_at is null';
  const given = `from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
    where b.developer_id = $1 and b.partnership_id = $2 and ${seen}`;
  // the page is chosen first, so that only its batches are counted
  const rows = await sql.query<PartnerStockRow & { sort_key: string }>(
    `select p.name_key as sort_key, p.id as product_id, p.name as product_name, p.image_url, sum(n.given)::int as given, sum(n.available)::int as available,
       sum(n.not_for_sale)::int as not_for_sale, sum(n.handed_out)::int as handed_out, sum(n.redeemed)::int as redeemed,
       coalesce(sum(n.available + n.not_for_sale) < t.low_stock_threshold, false) as low
     from partnerships t join batches b on (b.developer_id, b.partnership_id) = (t.developer_id, t.id)
       join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       cross join lateral (
         select b.quantity as given, ${count(HANDED_OUT)} as handed_out, ${count('s.redeemed_at is not null')} as redeemed,
           case when ${sellable('$3')} then ${count(OPEN)} else 0 end as available,
           case when ${notForSale('$3')} then ${count(OPEN)} else 0 end as not_for_sale) n
     where t.developer_id = $1 and t.id = $2 and p.id = any(array(
       select p.id ${given} and ($4::text is null or (p.name_key, p.id) > ($4, $5::uuid))
       group by p.name_key, p.id order by p.name_key, p.id limit $6))
     group by p.id, p.name, p.image_url, p.name_key, t.low_stock_threshold order by p.name_key, p.id`,
    [developerId, partnershipId, now, after?.name ?? null, after?.id ?? null, limit],
  );
  const [counted] = await sql.query<{ n: number }>(`select count(distinct p.id)::int as n ${given}`, [
    developerId,
    partnershipId,
  ]);
  return { rows, total: counted?.n ?? 0 };
}
