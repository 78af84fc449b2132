import { SECOND } from '../clock.ts';
import type { Sql } from '../db/database.ts';

/** SQL: what comes before the number of a statement within its year: nothing, or a series since the last restore. */
export const NUMBER_SERIES = `coalesce((select r.series || '-' from restores r order by r.restored_at desc limit 1), '')`;

/** {@link NUMBER_SERIES}, read before the numbers are made. */
export async function numberSeries(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ series: string }>(`select ${NUMBER_SERIES} as series`);
  return row?.series ?? '';
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
  sql: Sql,
  { id, restoredAt, backupAt }: { id: string; restoredAt: Date; backupAt: Date },
): Promise<void> {
  await sql.query('insert into restores (id, restored_at, backup_at, series) values ($1, $2, $3, $4)', [
    id,
    restoredAt,
    backupAt,
    seriesOf(restoredAt),
  ]);
}

/** When the database was last set back; the beginning of time: never. */
export async function lastRestoredAt(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ at: Date | null }>('select max(restored_at) as at from restores');
  return row?.at ?? new Date(0);
}

/** Charging waits for an admin. */
export interface Hold {
  /** When the database was set back, the last time. */
  since: Date;
  /** What happened from then on may be forgotten here. */
  forgotten: Date;
}

export async function holdOf(sql: Sql): Promise<Hold | null> {
  const [row] = await sql.query<{ since: Date | null; forgotten: Date | null }>(
    'select max(restored_at) as since, min(backup_at) as forgotten from restores where collection_released_at is null',
  );
  return row?.since && row.forgotten ? { since: row.since, forgotten: row.forgotten } : null;
}

export async function releaseHold(sql: Sql, now: Date): Promise<void> {
  await sql.query('update restores set collection_released_at = $1 where collection_released_at is null', [now]);
}
