import { recordAudit } from '#features/audit';
import { recordWebhooks, wantsWebhook } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import { notFound } from '#platform/errors.ts';
import { toDollars } from '#platform/money.ts';
import { MOST_AT_ONCE } from '../list/serial-list.queries.ts';
import type { SerialEventKind } from '../serials.entity.ts';
import { noteLowPools, poolsOf } from '../stock/low-pools.ts';
import { type LowStockDependencies, noteRestock } from '../stock/low-stock.ts';
import { BY_BATCH, changeByBatch } from './by-batch.ts';

export type BulkAction = 'revoke' | 'reassign' | 'delete';

const OWN = 's.id = any($1) and s.developer_id = $2';
// what a reseller or customer has is no stock: only the others can make it run low
const WAS_OPEN = '(s.redeemed_at is null and s.handed_out_at is null) as was_open';
const note = (kind: string) =>
  `noted as (insert into serial_events (developer_id, id, serial_id, kind, happened_at)
     select $2, ${uuidV7('$3')}, id, '${kind}', $3 from changed)`;
const CHANGES: Record<BulkAction, string> = {
  revoke: `with changed as (update serials s set revoked_at = $3 where ${OWN} and s.revoked_at is null returning s.id, s.batch_id, ${WAS_OPEN}), ${note('revoked')}
    select id, batch_id, was_open from changed`,
  reassign: `with changed as (
      update serials s set revoked_at = null from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      where ${OWN} and (b.developer_id, b.id) = (s.developer_id, s.batch_id) and p.deleted_at is null and s.revoked_at is not null returning s.id, s.batch_id), ${note('reassigned')}
    select id, batch_id, false as was_open from changed`,
  delete: `with changed as (delete from serials s where ${OWN} and s.redeemed_at is null and s.handed_out_at is null returning s.id, s.batch_id, s.revoked_at is null as was_open)
    select id, batch_id, was_open from changed where $3::timestamptz is not null`,
};

/** What changes, for whom and when. */
interface Change {
  developerId: string;
  action: BulkAction;
  ids: string[];
  now: Date;
}

/**
 * Revokes, reassigns or deletes serials, in the caller's transaction. Those that do not exist or are in the requested state
 * already stay as they are.
 * @returns how many were changed.
 */
export async function changeSerials(
  deps: LowStockDependencies,
  sql: Sql,
  { developerId, action, ids, now }: Change,
): Promise<number> {
  const rows = await sql.query<{ id: string; batch_id: string; was_open: boolean }>(CHANGES[action], [
    ids,
    developerId,
    now,
  ]);
  const changed = rows.map(({ id }) => id);
  if (action !== 'delete' && changed.length > 0) await tell(sql, { developerId, action, ids: changed, now });
  if (action !== 'revoke') await noteRestock(sql, developerId, now);
  const batches = [...new Set(rows.filter((row) => row.was_open).map((row) => row.batch_id))];
  if (batches.length > 0) await noteLowPools(deps, sql, developerId, await poolsOf(sql, developerId, batches));
  return changed.length;
}

/** What a change that can be taken back answers. */
export const undoable = (action: string, now: Date, count: number, dryRun: boolean) =>
  count > 0 && !dryRun && (action === 'revoke' || action === 'reassign') ? { changed_at: now } : {};

/** Ids of UUIDv7 grow with time: the smallest of a millisecond. */
function firstId(at: Date, later = 0): string {
  const hex = (at.getTime() + later).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

// The history of one serial, by the one index that fits: statistics know nothing of what was revoked a moment ago, and with
// the account among the conditions the planner would read all that the account has just written, for each serial of it.
const LATER = `
  select true as later from (select h.developer_id, h.happened_at, h.kind from serial_events h where h.serial_id = e.serial_id offset 0) h
  where h.developer_id = e.developer_id and h.happened_at > e.happened_at and h.kind in ('revoked', 'reassigned') limit 1`;

/**
 * Takes back what was revoked or reassigned at a moment, in the caller's transaction. Serials that were revoked or reassigned
 * since stay as they are. What webhooks were told of by batch, they are told of by batch again.
 */
export async function undoChanges(
  deps: LowStockDependencies,
  sql: Sql,
  { developerId, at, now }: { developerId: string; at: Date; now: Date },
): Promise<{ revoke: number; reassign: number; skipped: number }> {
  const then = [firstId(at), firstId(at, 1), at];
  const groups = await sql.query<{ kind: 'revoked' | 'reassigned'; by_batch: boolean; n: number }>(
    `select e.kind, ${TOLD_BY_BATCH} as by_batch, count(*)::int as n from serial_events e
     where e.developer_id = $1 and e.id >= $2 and e.id < $3 and e.happened_at = $4 and e.kind in ('revoked', 'reassigned')
     group by 1, 2`,
    [developerId, ...then],
  );
  const done = { revoke: 0, reassign: 0, skipped: 0 };
  // sorted, so that what was reassigned is revoked before what was revoked is reassigned
  for (const { kind, by_batch, n } of groups.sort((one, other) => one.kind.localeCompare(other.kind))) {
    const action = kind === 'revoked' ? 'reassign' : 'revoke';
    const of = [...then, kind, by_batch];
    // so many at once were a batch, also where its history does not say so yet
    let count: number;
    if (by_batch || n > MOST_AT_ONCE) {
      const which = `s.id = any(array(${lastOf(5)}))`;
      const changed = await changeByBatch(sql, { developerId, action, now, which, values: of });
      if (action === 'revoke') await noteLowPools(deps, sql, developerId, changed.pools);
      count = changed.count;
    } else {
      const ids = await undoneIds(sql, developerId, of);
      count = await changeSerials(deps, sql, { developerId, action, now, ids });
    }
    done[action] += count;
    done.skipped += n - count;
  }
  if (done.reassign > 0) await noteRestock(sql, developerId, now);
  return done;
}

const TOLD_BY_BATCH = `coalesce(e.detail = '${BY_BATCH}', false)`;

/** SQL of the serials that changed at a moment and not since; its five values begin at `$n`. */
const lastOf = (n: number) => `
  select e.serial_id from serial_events e left join lateral (${LATER}) l on true
  where e.developer_id = $1 and e.id >= $${n} and e.id < $${n + 1} and e.happened_at = $${n + 2} and e.kind = $${n + 3}
    and ${TOLD_BY_BATCH} = $${n + 4} and l.later is null`;

async function undoneIds(sql: Sql, developerId: string, values: readonly unknown[]): Promise<string[]> {
  const rows = await sql.query<{ serial_id: string }>(lastOf(2), [developerId, ...values]);
  return rows.map(({ serial_id }) => serial_id);
}

async function tell(sql: Sql, { developerId, action, ids, now }: Change): Promise<void> {
  const type = action === 'revoke' ? 'serial.revoked' : 'serial.reassigned';
  if (!(await wantsWebhook(sql, developerId, type))) return;
  const serials = await toldOf(sql, developerId, ids);
  await recordWebhooks(
    sql,
    developerId,
    serials.map((serial) =>
      type === 'serial.revoked'
        ? { type, at: now, data: { ...serial, revoked_at: now } }
        : { type, at: now, data: { ...serial, reassigned_at: now } },
    ),
  );
}

/** What webhooks hear of serials. */
function toldOf(sql: Sql, developerId: string, ids: string[]) {
  return sql.query<{ serial_id: string; code: string; product_id: string }>(
    `select s.id as serial_id, s.code, b.product_id from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
     where s.developer_id = $1 and s.id = any($2::uuid[]) order by s.id`,
    [developerId, ids],
  );
}

/**
 * Revokes one serial or undoes it, in the caller's transaction. Idempotent.
 * @throws {AppError} not_found when it is not this developer's, or its product was deleted.
 */
export async function setRevoked(
  deps: LowStockDependencies,
  sql: Sql,
  change: { developerId: string; action: 'revoke' | 'reassign'; id: string; now: Date },
): Promise<void> {
  const found = await sql.query(
    `select 1 from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where s.id = $1 and s.developer_id = $2 and p.deleted_at is null for no key update of s`,
    [change.id, change.developerId],
  );
  if (found.length === 0) throw notFound('Serial');
  if ((await changeSerials(deps, sql, { ...change, ids: [change.id] })) === 0) return;
  const action = change.action === 'revoke' ? 'serial_revoked' : 'serial_reassigned';
  await recordAudit(sql, change.developerId, { action, at: change.now, objectId: change.id });
}

/** Gives a serial to another customer, in the caller's transaction, which holds its row. */
export async function giveSerial(
  sql: Sql,
  order: { developerId: string; serialId: string; from: string; to: string; now: Date },
): Promise<void> {
  const { developerId, serialId, from, to, now } = order;
  await sql.query('update serials set customer_id = $3 where developer_id = $1 and id = $2', [
    developerId,
    serialId,
    to,
  ]);
  // the id, not the address, because erasing the customer must leave nothing here
  await noteSerialEvent(sql, { developerId, serialId, kind: 'transferred', detail: from, now });
}

/** Adds to a serial's history, in the caller's transaction. */
export async function noteSerialEvent(
  sql: Sql,
  event: { developerId: string; serialId: string; kind: SerialEventKind; detail?: string; now: Date },
): Promise<void> {
  await sql.query(
    `insert into serial_events (developer_id, id, serial_id, kind, happened_at, detail) values ($1, ${uuidV7('$4')}, $2, $3, $4, $5)`,
    [event.developerId, event.serialId, event.kind, event.now, event.detail ?? null],
  );
}

/**
 * Sets download counts back to 0, in the caller's transaction.
 * @returns the serials that had downloads: what is to be charged.
 */
export async function resetDownloads(
  sql: Sql,
  { developerId, ids, now }: { developerId: string; ids: string[]; now: Date },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `with changed as (
       update serials s set download_count = 0, recent_downloads = null from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where ${OWN} and (b.developer_id, b.id) = (s.developer_id, s.batch_id) and p.deleted_at is null and s.download_count > 0
       returning s.id), ${note('refreshed')}
     select id from changed`,
    [ids, developerId, now],
  );
  return rows.map(({ id }) => id);
}

/**
 * Lets webhooks know of download counts that were set back, in the transaction that charges for them.
 * @param cents what each of them cost.
 */
export async function tellRefreshed(
  sql: Sql,
  { developerId, ids, now }: { developerId: string; ids: string[]; now: Date },
  cents: number,
): Promise<void> {
  const type = 'serial.refreshed';
  if (!(await wantsWebhook(sql, developerId, type))) return;
  const serials = await toldOf(sql, developerId, ids);
  const data = { cost: toDollars(cents), refreshed_at: now };
  await recordWebhooks(
    sql,
    developerId,
    serials.map((serial) => ({ type, at: now, data: { ...serial, ...data } })),
  );
}

/** Those of some serials that were given to another customer since a moment, which is taken for a whole second. */
export async function handedOnSince(
  sql: Sql,
  serials: { developerId: string; id: string }[],
  at: Date,
): Promise<{ id: string }[]> {
  if (serials.length === 0) return [];
  return sql.query<{ id: string }>(
    `select s.id from unnest($1::uuid[], $2::uuid[]) as s (developer_id, id)
     where exists (select 1 from serial_events e where e.developer_id = s.developer_id and e.serial_id = s.id
       and e.kind = 'transferred' and e.happened_at >= $3::timestamptz + interval '1 second')`,
    [serials.map(({ developerId }) => developerId), serials.map(({ id }) => id), at],
  );
}
