import { type Expression, type SqlBool, sql } from 'kysely';
import { recordWebhooks, wantsWebhook } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { madeIds } from '#platform/db/statements/ids-at.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { StockPool } from '../stock/low-stock.ts';
import { tables } from '../tables.ts';

interface Order {
  developerId: string;
  action: 'revoke' | 'reassign';
  now: Date;
  /** A condition on serials `s`. */
  which: Expression<SqlBool>;
}

/** The detail of an event in a serial's history that webhooks heard of by its batch, so that undoing it is told alike. */
export const BY_BATCH = 'batch';

/** So many batches are told of in one statement. */
const EVENTS_AT_ONCE = 1000;

interface ChangedBatch extends StockPool, Columns<'serials', 'batch_id'> {
  quantity: number;
}

/**
 * Revokes serials of whole batches or undoes it, in the caller's transaction, and lets webhooks know once for each batch. The serials
 * are changed by one statement, because a batch can have a million of them.
 * @returns how many were changed, and whose stock they were or are.
 */
export async function changeByBatch(
  handle: Sql,
  { developerId, action, now, which }: Order,
): Promise<{ count: number; pools: StockPool[] }> {
  const { to, from, kind } = CHANGES[action](developerId, now);
  // batches and products are looked up one by one, because statistics know nothing yet of a batch that was just made
  const { rows: changed } = await sql<ChangedBatch>`
    with changed as (
      update serials s set revoked_at = ${to}
      where s.developer_id = ${developerId} and ${which} and ${from} returning s.id, s.batch_id
    ), noted as (
      insert into serial_events (developer_id, id, serial_id, kind, happened_at, detail)
      select own.developer_id, ${madeIds(now, sql`changed.id::text || ${sql.lit(kind)}`)}, changed.id, ${sql.lit(kind)}, ${now}::timestamptz,
        ${sql.lit(BY_BATCH)}
      from changed join batches own on own.developer_id = ${developerId}::uuid and own.id = changed.batch_id
    )
    select c.batch_id, b.product_id, b.partnership_id, c.quantity
    from (select batch_id, count(*)::int as quantity from changed group by batch_id) c
      cross join lateral (
        select b.product_id, b.partnership_id from batches b where b.developer_id = ${developerId} and b.id = c.batch_id limit 1) b`.execute(
    tables.in(handle),
  );
  const type = `batch.${kind}` as const;
  if (changed.length > 0 && (await wantsWebhook(handle, developerId, type)))
    for (let start = 0; start < changed.length; start += EVENTS_AT_ONCE) {
      const events = changed
        .slice(start, start + EVENTS_AT_ONCE)
        .map(({ batch_id, product_id, quantity }) => ({ type, at: now, data: { batch_id, product_id, quantity } }));
      await recordWebhooks(handle, developerId, events);
    }
  return { count: changed.reduce((sum, { quantity }) => sum + quantity, 0), pools: poolsOf(changed) };
}

function poolsOf(changed: readonly ChangedBatch[]): StockPool[] {
  const pools = new Map<string, StockPool>();
  for (const { product_id, partnership_id } of changed)
    pools.set(`${product_id} ${partnership_id}`, { product_id, partnership_id });
  return [...pools.values()];
}

const CHANGES = {
  revoke: (_: string, now: Date) => ({
    kind: 'revoked' as const,
    to: sql`${now}::timestamptz`,
    from: sql`s.revoked_at is null`,
  }),
  reassign: (developerId: string) => ({
    kind: 'reassigned' as const,
    to: sql`null`,
    // not written as `is not null`: the planner would take the index of what is revoked, of which it knows nothing yet either
    from: sql`coalesce(s.revoked_at, '-infinity') > '-infinity' and (
      select p.deleted_at is null from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where b.developer_id = ${developerId} and b.id = s.batch_id)`,
  }),
};
