import { SECOND } from '../clock.ts';
import type { Sql } from '../db/database.ts';
import { tables } from '../tables.ts';

/** The prefix of the number of a statement within its year: nothing, or a series since the last restore. */
export async function numberSeries(handle: Sql): Promise<string> {
  const restore = await tables
    .in(handle)
    .selectFrom('restores')
    .select('series')
    .orderBy('restored_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return restore ? `${restore.series}-` : '';
}

/**
 * The series of the numbers since a restore. It is made of the moment alone: which numbers were given after the backup, nobody
 * here knows, and the same backup may be restored twice.
 */
export const seriesOf = (restoredAt: Date): string =>
  `R${Math.floor(restoredAt.getTime() / SECOND)
    .toString(36)
    .toUpperCase()}`;

/** Notes that the database was set back. From then on nothing is charged until an admin has looked. */
export async function noteRestore(
  handle: Sql,
  { id, restoredAt, backupAt }: { id: string; restoredAt: Date; backupAt: Date },
): Promise<void> {
  await tables
    .in(handle)
    .insertInto('restores')
    .values({ id, restored_at: restoredAt, backup_at: backupAt, series: seriesOf(restoredAt) })
    .execute();
}

/** When the database was last set back; the beginning of time: never. */
export async function lastRestoredAt(handle: Sql): Promise<Date> {
  const last = await tables
    .in(handle)
    .selectFrom('restores')
    .select('restored_at')
    .orderBy('restored_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.restored_at ?? new Date(0);
}

/** Charging waits for an admin. */
export interface Hold {
  /** When the database was set back, the last time. */
  since: Date;
  /** The moment from which on events may be forgotten here. */
  forgotten: Date;
}

export async function holdOf(handle: Sql): Promise<Hold | null> {
  const held = await tables
    .in(handle)
    .selectFrom('restores')
    .select((eb) => [eb.fn.max('restored_at').as('since'), eb.fn.min('backup_at').as('forgotten')])
    .where('collection_released_at', 'is', null)
    .groupBy('collection_released_at')
    .executeTakeFirst();
  return held ?? null;
}

export async function releaseHold(handle: Sql, now: Date): Promise<void> {
  await tables
    .in(handle)
    .updateTable('restores')
    .set({ collection_released_at: now })
    .where('collection_released_at', 'is', null)
    .execute();
}
