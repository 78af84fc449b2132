import { SEEN_BY_RESELLERS } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import { HANDED_OUT, notForSale, OPEN, sellable } from '../rules/availability-rules.ts';

export interface ResellerStockRow {
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

/** What a reseller was given of each product and what became of it: a page of products by name. */
export async function resellerStock(
  sql: Sql,
  { reader, developerId, partnershipId, now, after, limit }: StockPage,
): Promise<{ rows: (ResellerStockRow & { sort_key: string })[]; total: number }> {
  const seen = reader === 'reseller' ? SEEN_BY_RESELLERS : 'p.deleted_at is null';
  const given = `from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
    where b.developer_id = $1 and b.partnership_id = $2 and ${seen}`;
  // the page is chosen first, so that only its batches are counted
  const rows = await sql.query<ResellerStockRow & { sort_key: string }>(
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
