import { sql } from 'kysely';
import type { Moved, StockMove } from '#features/partnerships';
import type { Sql } from '#platform/db/database.ts';
import { isInStock } from '../rules/availability-rules.ts';
import { B, OPEN, P } from '../rules/rows.ts';
import { noteResellerRestock } from '../stock/low-stock.ts';
import { tables } from '../tables.ts';

/** Gives all batches of a partnership to another one of the same developer, in the caller's transaction. */
export async function moveBatches(handle: Sql, { developerId, from, into, now }: StockMove): Promise<Moved> {
  const { rows } = await sql<Moved>`
    with moved as (
      update batches set partnership_id = ${into} where developer_id = ${developerId} and partnership_id = ${from}
      returning id, product_id, expires_at)
    select count(*)::int as batches,
      coalesce(sum(case when ${isInStock({ batch: B, product: P }, sql`${now}`)} then (
        select count(*) from serials s
        where s.developer_id = ${developerId} and s.batch_id = b.id and ${OPEN}) else 0 end), 0)::int as serials
    from moved b join products p on p.developer_id = ${developerId} and p.id = b.product_id`.execute(tables.in(handle));
  await noteResellerRestock(handle, developerId, now);
  return rows[0] as Moved;
}
