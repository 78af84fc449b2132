import { type Expression, type SqlBool, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { percentOf } from '#platform/money.ts';
import { tables } from '../tables.ts';
import type { BatchFunnel } from './batches.schemas.ts';

export interface FunnelRow extends Columns<'batches', 'id' | 'batch_tag' | 'product_id' | 'created_at'> {
  product: string;
  reseller: string | null;
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
const counted = (developerId: string, moment: 'handed_out_at' | 'redeemed_at' | 'activated_at') => sql`
  select count(*)::int as n from serials s
  where s.developer_id = ${developerId} and s.batch_id = b.id and ${sql.ref(`s.${moment}`)} is not null`;

/** @param which the batches, in the order and number asked for */
const funnels = (developerId: string, which: Expression<unknown>) => sql<FunnelRow>`
  with page as materialized (
    select b.developer_id, b.id, b.batch_tag, b.product_id, p.name as product, coalesce(h.name, t.name) as reseller, b.created_at, b.quantity
    from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      ${ownLeftJoin('partnerships as t', 't.id', 'b.partnership_id')}
      ${ownLeftJoin('partnerships as h', 'h.id', 't.merged_into')}
    where b.developer_id = ${developerId} and p.deleted_at is null and ${which}
  )
  select b.id, b.batch_tag, b.product_id, b.product, b.reseller, b.created_at, b.quantity as generated,
    o.n as handed_out, r.n as redeemed, a.n as activated
  from page b cross join lateral (${counted(developerId, 'handed_out_at')}) o
    cross join lateral (${counted(developerId, 'redeemed_at')}) r
    cross join lateral (${counted(developerId, 'activated_at')}) a
  order by b.id desc`;

/** The batches of a reseller, whichever of the names it had; `none`: those without one. */
const ofReseller = (reseller: string): Expression<SqlBool> =>
  reseller === 'none' ? sql`t.id is null` : sql`coalesce(h.id, t.id)::text = ${reseller}`;

/** How far the serials of batches came, the newest batch first. */
export async function funnelsOf(
  handle: Sql,
  { developerId, product, reseller, after, limit }: FunnelFilter,
): Promise<FunnelRow[]> {
  const which: Expression<SqlBool>[] = [
    inList('b.created_at'),
    ...(product !== undefined ? [sql<boolean>`b.product_id = ${product}`] : []),
    ...(reseller !== undefined ? [ofReseller(reseller)] : []),
    ...(after !== null ? [sql<boolean>`b.id < ${after}`] : []),
  ];
  const page = sql`${sql.join(which, sql` and `)} order by b.id desc limit ${limit}`;
  const { rows } = await funnels(developerId, page).execute(tables.in(handle));
  return rows;
}

/** How far the serials of one batch came; undefined for a batch that is not there. */
export async function funnelOf(handle: Sql, developerId: string, batchId: string): Promise<BatchFunnel | undefined> {
  const { rows } = await funnels(developerId, sql`b.id = ${batchId}`).execute(tables.in(handle));
  return rows[0] && { batch_id: batchId, stages: stagesOf(rows[0]) };
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
