import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { percentOf } from '#platform/money.ts';
import type { BatchFunnel } from './batches.schemas.ts';

export interface FunnelRow {
  id: string;
  batch_tag: string | null;
  product_id: string;
  product: string;
  reseller: string | null;
  created_at: Date;
  generated: number;
  handed_out: number;
  redeemed: number;
  activated: number;
}

interface FunnelFilter {
  developerId: string;
  product: string | undefined;
  reseller: string | undefined;
  after: string | null;
  limit: number;
}

/** Each count reads a partial index of what it counts and no rows; a sum that is kept would queue all activations of a batch. */
const counted = (condition: string) => `select count(*)::int as n from serials s
  where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.${condition} is not null`;

/** @param which the batches, in the order and number asked for */
const funnels = (which: string) => `with page as materialized (
    select b.developer_id, b.id, b.batch_tag, b.product_id, p.name as product, coalesce(h.name, t.name) as reseller, b.created_at, b.quantity
    from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)
      left join partnerships h on (h.developer_id, h.id) = (t.developer_id, t.merged_into)
    where b.developer_id = $1 and p.deleted_at is null and ${which}
  )
  select b.id, b.batch_tag, b.product_id, b.product, b.reseller, b.created_at, b.quantity as generated,
    o.n as handed_out, r.n as redeemed, a.n as activated
  from page b cross join lateral (${counted('handed_out_at')}) o cross join lateral (${counted('redeemed_at')}) r
    cross join lateral (${counted('activated_at')}) a
  order by b.id desc`;

/** How far the serials of batches came, the newest batch first. */
export async function funnelsOf(
  sql: Sql,
  { developerId, product, reseller, after, limit }: FunnelFilter,
): Promise<FunnelRow[]> {
  return sql.query<FunnelRow>(
    funnels(`${listOf('b')} and ($2::uuid is null or b.product_id = $2)
      and ($3::text is null or case when $3 = 'none' then t.id is null else coalesce(h.id, t.id)::text = $3 end)
      and ($4::uuid is null or b.id < $4)
    order by b.id desc limit $5`),
    [developerId, product ?? null, reseller ?? null, after, limit],
  );
}

/** How far the serials of one batch came; undefined for a batch that is not there. */
export async function funnelOf(sql: Sql, developerId: string, batchId: string): Promise<BatchFunnel | undefined> {
  const [row] = await sql.query<FunnelRow>(funnels('b.id = $2'), [developerId, batchId]);
  return row && { batch_id: batchId, stages: stagesOf(row) };
}

/** A customer may redeem what a reseller gave away without handing it out, so a later stage can be larger than the one before. */
function stagesOf(counts: FunnelRow): BatchFunnel['stages'] {
  const { generated, reseller, handed_out, redeemed, activated } = counts;
  const stages = [
    { stage: 'generated' as const, count: generated },
    ...(reseller !== null || handed_out > 0 ? [{ stage: 'handed_out' as const, count: handed_out }] : []),
    { stage: 'redeemed' as const, count: redeemed },
    { stage: 'activated' as const, count: activated },
  ];
  return stages.map((stage, index) => {
    const before = stages[index - 1]?.count ?? 0;
    return {
      ...stage,
      share: percentOf(stage.count, generated),
      of_previous: before > 0 ? percentOf(stage.count, before) : null,
    };
  });
}
