import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/db/statements/ids-at.ts';
import type { Columns } from '#platform/db/tables.ts';
import { MOST_AT_ONCE } from '../list/serial-list.queries.ts';
import { type LowStockDependencies, noteLowPools, noteRestock } from '../stock/low-stock.ts';
import { tables } from '../tables.ts';
import { BY_BATCH, changeByBatch } from './by-batch.ts';
import { changeSerials } from './revoke.ts';

/** The answer's part for a change that can be taken back. */
export const undoable = (action: string, now: Date, count: number, dryRun: boolean) =>
  count > 0 && !dryRun && (action === 'revoke' || action === 'reassign') ? { changed_at: now } : {};

interface Moment {
  developerId: string;
  at: Date;
}

/** The serials that were changed at a moment, in one way. */
interface ChangeThen extends Moment {
  kind: 'revoked' | 'reassigned';
  byBatch: boolean;
}

const after = (at: Date) => new Date(at.getTime() + 1);
const SENT_BY_BATCH = sql<boolean>`coalesce(e.detail = ${sql.lit(BY_BATCH)}, false)`;

/** Events `e` of a moment. Ids grow with time. */
const happenedAt = ({ developerId, at }: Moment) =>
  sql<boolean>`e.developer_id = ${developerId} and e.id >= ${firstIdAt(at)} and e.id < ${firstIdAt(after(at))} and e.happened_at = ${at}`;

/**
 * Takes back what was revoked or reassigned at a moment, in the caller's transaction. Serials that were revoked or reassigned
 * since stay as they are. What webhooks were told of by batch, they are told of by batch again.
 */
export async function undoChanges(
  deps: LowStockDependencies,
  handle: Sql,
  { developerId, at, now }: Moment & { now: Date },
): Promise<{ revoke: number; reassign: number; skipped: number }> {
  const { rows: groups } = await sql<Pick<ChangeThen, 'kind' | 'byBatch'> & { n: number }>`
    select e.kind, ${SENT_BY_BATCH} as "byBatch", count(*)::int as n from serial_events e
    where ${happenedAt({ developerId, at })} and e.kind in ('revoked', 'reassigned') group by 1, 2`.execute(
    tables.in(handle),
  );
  const done = { revoke: 0, reassign: 0, skipped: 0 };
  // sorted, so that what was reassigned is revoked before what was revoked is reassigned
  for (const { kind, byBatch, n } of groups.sort((one, other) => one.kind.localeCompare(other.kind))) {
    const action = kind === 'revoked' ? 'reassign' : 'revoke';
    const then = { developerId, at, kind, byBatch };
    // so many at once were a batch, even if the history does not show it yet
    let count: number;
    if (byBatch || n > MOST_AT_ONCE) {
      const which = sql<boolean>`s.id = any(array(${unchangedSince(then)}))`;
      const changed = await changeByBatch(handle, { developerId, action, now, which });
      if (action === 'revoke') await noteLowPools(deps, handle, developerId, changed.pools);
      count = changed.count;
    } else {
      const { rows } = await unchangedSince(then).execute(tables.in(handle));
      const ids = rows.map(({ serial_id }) => serial_id);
      count = await changeSerials(deps, handle, { developerId, action, now, ids });
    }
    done[action] += count;
    done.skipped += n - count;
  }
  if (done.reassign > 0) await noteRestock(handle, developerId, now);
  return done;
}

/**
 * The serials that changed at a moment and not since. What has happened since is read once for all of them: statistics know nothing of
 * what was revoked a moment ago, and with the account among the conditions the planner would read all that the account has just
 * written, for each serial of it.
 */
const unchangedSince = (then: ChangeThen) => sql<Columns<'serial_events', 'serial_id'>>`
  select e.serial_id from serial_events e
  where ${happenedAt(then)} and e.kind = ${then.kind} and ${SENT_BY_BATCH} = ${then.byBatch} and e.serial_id not in (
    select h.serial_id from serial_events h
    where h.developer_id = ${then.developerId} and h.id >= ${firstIdAt(after(then.at))} and h.kind in ('revoked', 'reassigned'))`;
