import { sql } from 'kysely';
import { connectors } from '../connectors/index.ts';
import type { OrderSnapshot, Reading, ReversalSnapshot } from '../connectors/port.ts';
import type { Shop } from '../settling/work.ts';
import type { ShopsHandle } from '../tables.ts';

// Reads what deliveries mean for orders, and notes the outcome.

/** News of an order that is not in its rows yet. */
export interface News {
  orders: readonly OrderSnapshot[];
  reversals: readonly ReversalSnapshot[];
  /** Whether it was found in the shop's own list: the shop has not reported it so far. */
  isFound?: boolean;
}

export function readingOf(
  { kind, mode }: Pick<Shop, 'kind' | 'mode'>,
  body: Buffer,
  headers: Record<string, string>,
): Reading {
  const connector = connectors[kind];
  const { test } = connector.label({ body, headers });
  if (test === true && mode === 'live') return { ignored: 'It is of the shop’s test mode, and this is a live shop.' };
  if (test === false && mode === 'test') return { ignored: 'It is a live sale, and this shop is for tests.' };
  return connector.read({ body, headers });
}

/** The order that something is about, once everything is known of it. */
export const keyOf = (reading: Reading, ofLabel: string): string =>
  ('orderKey' in reading ? reading.orderKey : undefined) ?? ofLabel;

export function newsOf(readings: readonly Reading[]): News {
  return {
    orders: readings.flatMap((reading) => ('order' in reading && reading.order ? [reading.order] : [])),
    reversals: readings.flatMap((reading) => ('reversals' in reading && reading.reversals ? reading.reversals : [])),
  };
}

export async function noteDone(
  tx: ShopsHandle,
  accountId: string,
  readings: readonly { id: string; reading: Reading }[],
  now: Date,
): Promise<void> {
  if (readings.length === 0) return;
  const outcomes = readings.map(({ id, reading }) =>
    'unusable' in reading
      ? { id, state: 'failed', why: reading.unusable }
      : 'ignored' in reading
        ? { id, state: 'ignored', why: reading.ignored }
        : { id, state: 'done', why: null },
  );
  await sql`
    update shop_deliveries d set state = t.state, why = t.why, done_at = ${now}
    from unnest(${outcomes.map(({ id }) => id)}::uuid[], ${outcomes.map(({ state }) => state)}::text[],
      ${outcomes.map(({ why }) => why)}::text[]) as t (id, state, why)
    where d.developer_id = ${accountId} and d.id = t.id`.execute(tx);
}

/** Deletes the content of deliveries about an order whose customer was erased: it is used, and not kept. */
export async function forgetErased(
  tx: ShopsHandle,
  { accountId, orderId, ids }: { accountId: string; orderId: string; ids: readonly string[] },
): Promise<void> {
  const order = await tx
    .selectFrom('shop_orders')
    .select('erased_at')
    .where('developer_id', '=', accountId)
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (!order?.erased_at) return;
  await tx
    .updateTable('shop_deliveries')
    .set({ body: Buffer.alloc(0), headers: '{}' })
    .where('developer_id', '=', accountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
