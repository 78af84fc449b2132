import type { Sql } from '../../platform/db/database.ts';
import { uuidV7 } from '../../platform/db/uuid-v7.ts';
import { patternsFor, recordEachCtes } from '../webhooks/index.ts';

interface Order {
  developerId: string;
  now: Date;
  /** SQL about serials `s`, with `$5` and so on for its values. */
  which: string;
  values: readonly unknown[];
}

/**
 * Revokes serials of whole batches, in the caller's transaction, and lets webhooks know once for each batch. All of it is one
 * statement, because a batch can have a million serials, and a product as many batches.
 * @returns how many were revoked.
 */
export async function revokeByBatch(sql: Sql, { developerId, now, which, values }: Order): Promise<number> {
  const type = 'batch.revoked';
  const [row] = await sql.query<{ n: number }>(statement(which), [
    developerId,
    now,
    type,
    patternsFor(type),
    ...values,
  ]);
  return row?.n ?? 0;
}

// the product of each batch is looked up by itself, because statistics know nothing yet of a batch that was just made
const statement = (which: string) => `
  with changed as (
    update serials s set revoked_at = $2 where s.developer_id = $1 and s.revoked_at is null and ${which} returning s.id, s.batch_id
  ), noted as (
    insert into serial_events (developer_id, id, serial_id, kind, happened_at)
    select $1, ${uuidV7('$2')}, id, 'revoked', $2 from changed
  ), told as (
    select null::uuid as id, row_to_json(t)::text as data, null::text as personal, array[t.batch_id, t.product_id] as objects from (
      select c.batch_id, b.product_id, c.quantity from (select batch_id, count(*) as quantity from changed group by batch_id) c
        cross join lateral (select product_id from batches b where b.developer_id = $1 and b.id = c.batch_id limit 1) b) t
  ), ${recordEachCtes('told', { account: '$1', at: '$2', type: '$3', patterns: '$4' })}
  select (select count(*)::int from changed) as n, (select count(*) from recorded) as told`;
