import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { newIds } from '#platform/db/statements/ids-at.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { SerialEventKind } from '../serials.entity.ts';
import { tables } from '../tables.ts';

/** Gives a serial to another customer, in the caller's transaction, which holds its row. */
export async function giveSerial(
  handle: Sql,
  order: { developerId: string; serialId: string; from: string; to: string; now: Date },
): Promise<void> {
  const { developerId, serialId, from, to, now } = order;
  await tables
    .in(handle)
    .updateTable('serials')
    .set({ customer_id: to })
    .where('developer_id', '=', developerId)
    .where('id', '=', serialId)
    .execute();
  // the id, not the address, because erasing the customer must leave nothing here
  await noteSerialEvent(handle, { developerId, serialId, kind: 'transferred', detail: from, now });
}

/** Adds to a serial's history, in the caller's transaction. */
export async function noteSerialEvent(
  handle: Sql,
  event: { developerId: string; serialId: string; kind: SerialEventKind; detail?: string; now: Date },
): Promise<void> {
  await tables
    .in(handle)
    .insertInto('serial_events')
    .values({
      developer_id: event.developerId,
      id: newIds(event.now),
      serial_id: event.serialId,
      kind: event.kind,
      happened_at: event.now,
      detail: event.detail ?? null,
    })
    .execute();
}

/** Those of some serials that were given to another customer since a moment, which is taken for a whole second. */
export async function handedOnSince(
  handle: Sql,
  serials: { developerId: string; id: string }[],
  at: Date,
): Promise<{ id: string }[]> {
  if (serials.length === 0) return [];
  const developers = serials.map(({ developerId }) => developerId);
  const ids = serials.map(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    select distinct s.id from unnest(${developers}::uuid[], ${ids}::uuid[]) as s (developer_id, id)
      ${ownJoin('serial_events as e', 'e.serial_id', 's.id')}
    where e.developer_id = any(${[...new Set(developers)]}::uuid[]) and e.kind = 'transferred'
      and e.happened_at >= ${new Date(at.getTime() + 1000)}`.execute(tables.in(handle));
  return rows;
}
