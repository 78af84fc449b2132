import type { Sql } from '../../platform/db/database.ts';
import { percentOf } from '../../platform/money.ts';
import type { BatchFunnel } from './batches.schemas.ts';

interface Counts {
  quantity: number;
  of_reseller: boolean;
  handed_out: number;
  redeemed: number;
  activated: number;
}

/** How far the serials of a batch came; undefined for a batch that is not there. One look at each of them. */
export async function funnelOf(sql: Sql, developerId: string, batchId: string): Promise<BatchFunnel | undefined> {
  const [counts] = await sql.query<Counts>(
    `select b.quantity, b.partnership_id is not null as of_reseller, each.* from batches b
       join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       cross join lateral (
         select count(*) filter (where s.handed_out_at is not null)::int as handed_out,
           count(s.redeemed_at)::int as redeemed,
           count(*) filter (where exists (
             select 1 from activations a where (a.developer_id, a.serial_id) = (s.developer_id, s.id)))::int as activated
         from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id)
           and (s.handed_out_at is not null or s.redeemed_at is not null)) each
     where b.developer_id = $1 and b.id = $2 and p.deleted_at is null`,
    [developerId, batchId],
  );
  return counts && { batch_id: batchId, stages: stagesOf(counts) };
}

/** A buyer may redeem what a reseller gave away without handing it out, so a later stage can be larger than the one before. */
export function stagesOf(counts: Counts): BatchFunnel['stages'] {
  const { quantity, of_reseller, handed_out, redeemed, activated } = counts;
  const stages = [
    { stage: 'generated' as const, count: quantity },
    ...(of_reseller || handed_out > 0 ? [{ stage: 'handed_out' as const, count: handed_out }] : []),
    { stage: 'redeemed' as const, count: redeemed },
    { stage: 'activated' as const, count: activated },
  ];
  return stages.map((stage, index) => {
    const before = stages[index - 1]?.count ?? 0;
    return {
      ...stage,
      share: percentOf(stage.count, quantity),
      of_previous: before > 0 ? percentOf(stage.count, before) : null,
    };
  });
}
