import { sql } from 'kysely';
import { recordAudit } from '#features/audit';
import { recordWebhooks, wantsWebhook } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { madeIds } from '#platform/db/statements/ids-at.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { notFound } from '#platform/errors.ts';
import type { SerialEventKind } from '../serials.entity.ts';
import { ownSerials } from '../serials.queries.ts';
import { type LowStockDependencies, noteLowPools, noteRestock, poolsOf } from '../stock/low-stock.ts';
import { tables } from '../tables.ts';

export type BulkAction = 'revoke' | 'reassign' | 'delete';

/** A change to serials, with their developer and its moment. */
interface Change {
  developerId: string;
  action: BulkAction;
  ids: string[];
  now: Date;
}

/** Whether serial `s` is one of these. */
export const among = (developerId: string, ids: readonly string[]) =>
  sql<boolean>`s.developer_id = ${developerId} and s.id = any(${ids}::uuid[])`;

/**
 * The part of a WITH that adds to the history of each serial that `changed` has (id, batch_id). Its rows are made of those of their
 * batches, which is where the account is on many machines.
 */
export const noted = (kind: SerialEventKind, { developerId, now }: { developerId: string; now: Date }) => sql`
  noted as (
    insert into serial_events (developer_id, id, serial_id, kind, happened_at)
    select own.developer_id, ${madeIds(now, sql`changed.id::text || ${sql.lit(kind)}`)}, changed.id, ${sql.lit(kind)}, ${now}::timestamptz
    from changed join batches own on own.developer_id = ${developerId}::uuid and own.id = changed.batch_id
  )`;

interface Changed extends Columns<'serials', 'id' | 'batch_id'> {
  was_open: boolean;
}

// serials of a reseller or customer are no stock: only the others can make it run low
const CHANGES = {
  revoke: ({ developerId, ids, now }: Change) => sql<Changed>`
    with changed as (
      update serials s set revoked_at = ${now} where ${among(developerId, ids)} and s.revoked_at is null
      returning s.id, s.batch_id, s.redeemed_at is null and s.handed_out_at is null as was_open
    ), ${noted('revoked', { developerId, now })}
    select id, batch_id, was_open from changed`,
  reassign: ({ developerId, ids, now }: Change) => sql<Changed>`
    with changed as (
      update serials s set revoked_at = null
      from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where ${among(developerId, ids)} and ${ownMatch('b.id', 's.batch_id')} and p.deleted_at is null
        and s.revoked_at is not null
      returning s.id, s.batch_id
    ), ${noted('reassigned', { developerId, now })}
    select id, batch_id, false as was_open from changed`,
  delete: ({ developerId, ids }: Change) => sql<Changed>`
    delete from serials s where ${among(developerId, ids)} and s.redeemed_at is null and s.handed_out_at is null
    returning s.id, s.batch_id, s.revoked_at is null as was_open`,
} satisfies Record<BulkAction, unknown>;

/**
 * Revokes, reassigns or deletes serials, in the caller's transaction. Those that do not exist or are in the requested state
 * already stay as they are.
 * @returns how many were changed.
 */
export async function changeSerials(deps: LowStockDependencies, handle: Sql, change: Change): Promise<number> {
  const { developerId, action, now } = change;
  const { rows } = await CHANGES[action](change).execute(tables.in(handle));
  const changed = rows.map(({ id }) => id);
  if (action !== 'delete' && changed.length > 0) await recordEvents(handle, { developerId, action, ids: changed, now });
  if (action !== 'revoke') await noteRestock(handle, developerId, now);
  const batches = [...new Set(rows.filter((row) => row.was_open).map((row) => row.batch_id))];
  if (batches.length > 0) await noteLowPools(deps, handle, developerId, await poolsOf(handle, developerId, batches));
  return changed.length;
}

async function recordEvents(handle: Sql, { developerId, action, ids, now }: Change): Promise<void> {
  const type = action === 'revoke' ? 'serial.revoked' : 'serial.reassigned';
  if (!(await wantsWebhook(handle, developerId, type))) return;
  const serials = await serialFactsOf(handle, developerId, ids);
  await recordWebhooks(
    handle,
    developerId,
    serials.map((serial) =>
      type === 'serial.revoked'
        ? { type, at: now, data: { ...serial, revoked_at: now } }
        : { type, at: now, data: { ...serial, reassigned_at: now } },
    ),
  );
}

/** The facts about serials that webhooks get. */
export function serialFactsOf(handle: Sql, developerId: string, ids: readonly string[]) {
  return tables
    .in(handle)
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .select(['s.id as serial_id', 's.code', 'b.product_id'])
    .where(among(developerId, ids))
    .orderBy('s.id')
    .execute();
}

/**
 * Revokes one serial or undoes it, in the caller's transaction. Idempotent.
 * @throws {AppError} not_found when it is not this developer's, or its product was deleted.
 */
export async function setRevoked(
  deps: LowStockDependencies,
  handle: Sql,
  change: { developerId: string; action: 'revoke' | 'reassign'; id: string; now: Date },
): Promise<void> {
  const found = await ownSerials(tables.in(handle), change.developerId)
    .select('s.id')
    .where('s.id', '=', change.id)
    .where('p.deleted_at', 'is', null)
    .forNoKeyUpdate('s')
    .executeTakeFirst();
  if (!found) throw notFound('Serial');
  if ((await changeSerials(deps, handle, { ...change, ids: [change.id] })) === 0) return;
  const action = change.action === 'revoke' ? 'serial_revoked' : 'serial_reassigned';
  await recordAudit(handle, change.developerId, { action, at: change.now, objectId: change.id });
}
