import { patternsFor, recordEachCtes } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import type { StockPool } from '../stock/low-pools.ts';

interface Order {
  developerId: string;
  action: 'revoke' | 'reassign';
  now: Date;
  /** SQL about serials `s`, with `$5` and so on for its values. */
  which: string;
  values: readonly unknown[];
}

/** The detail of an event in a serial's history that webhooks heard of by its batch, so that undoing it is told alike. */
export const BY_BATCH = 'batch';

/**
 * Revokes serials of whole batches or undoes it, in the caller's transaction, and lets webhooks know once for each batch. All
 * of it is one statement, because a batch can have a million serials, and a product as many batches.
 * @returns how many were changed, and whose stock they were or are.
 */
export async function changeByBatch(
  sql: Sql,
  { developerId, action, now, which, values }: Order,
): Promise<{ count: number; pools: StockPool[] }> {
  const type = `batch.${KINDS[action]}` as const;
  const statement = statementOf(action, which);
  const parameters = [developerId, now, type, patternsFor(type), ...values];
  const [row] = await sql.query<{ n: number; pools: StockPool[] }>(statement, parameters);
  return { count: row?.n ?? 0, pools: row?.pools ?? [] };
}

const KINDS = { revoke: 'revoked', reassign: 'reassigned' } as const;

// Batches and products are looked up one by one, because statistics know nothing yet of a batch that was just made.
const CHANGES = {
  revoke: { to: '$2::timestamptz', from: 's.revoked_at is null' },
  reassign: {
    to: 'null',
    // not written as `is not null`: the planner would take the index of what is revoked, of which it knows nothing yet either
    from: `coalesce(s.revoked_at, '-infinity') > '-infinity' and (
      select p.deleted_at is null from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      where (b.developer_id, b.id) = (s.developer_id, s.batch_id))`,
  },
};

const statementOf = (action: keyof typeof CHANGES, which: string) => `
  with changed as (
    update serials s set revoked_at = ${CHANGES[action].to}
    where s.developer_id = $1 and ${which} and ${CHANGES[action].from} returning s.id, s.batch_id
  ), noted as (
    insert into serial_events (developer_id, id, serial_id, kind, happened_at, detail)
    select $1, ${uuidV7('$2')}, id, '${KINDS[action]}', $2, '${BY_BATCH}' from changed
  ), changed_batches as materialized (
    select c.batch_id, b.product_id, b.partnership_id, c.quantity
    from (select batch_id, count(*) as quantity from changed group by batch_id) c
      cross join lateral (select * from batches b where b.developer_id = $1 and b.id = c.batch_id limit 1) b
  ), told as (
    select null::uuid as id, row_to_json(t)::text as data, null::text as personal, array[t.batch_id, t.product_id] as objects
    from (select batch_id, product_id, quantity from changed_batches) t
  ), ${recordEachCtes('told', { account: '$1', at: '$2', type: '$3', patterns: '$4' })}
  select (select count(*)::int from changed) as n, (select count(*) from recorded) as told,
    (select coalesce(json_agg(p), '[]') from (select distinct product_id, partnership_id from changed_batches) p) as pools`;
