import type { Moved, StockMove } from '#features/partnerships';
import type { Sql } from '#platform/db/database.ts';
import { inStock, OPEN } from '../rules/availability-rules.ts';
import { notePartnerRestock } from '../stock/low-stock.ts';

/** Gives all batches of a partnership to another one of the same developer, in the caller's transaction. */
export async function moveBatches(sql: Sql, { developerId, from, into, now }: StockMove): Promise<Moved> {
  const [moved] = await sql.query<Moved>(
    `with moved as (
       update batches set partnership_id = $3 where developer_id = $1 and partnership_id = $2
       returning developer_id, id, product_id, promo_expires, expires_at)
     select count(*)::int as batches, coalesce(sum(case when ${inStock('$4')} then (
         select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}) else 0 end), 0)::int as serials
     from moved b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)`,
    [developerId, from, into, now],
  );
  await notePartnerRestock(sql, developerId, now);
  return moved as Moved;
}
