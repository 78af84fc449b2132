import { sql } from 'kysely';
import type { ArchiveProgress } from '#platform/archive/write-archive.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { ArchivesDb, ArchivesHandle } from './tables.ts';

export interface ArchiveKey {
  developerId: string;
  id: string;
}

const SHOWN = [
  'id',
  'state',
  'tables_done',
  'tables_total',
  'files_done',
  'files_total',
  'rows',
  'size',
  'sha256',
  'error',
  'created_at',
  'finished_at',
] as const;

export const listArchives = (db: ArchivesHandle, developerId: string) =>
  db
    .selectFrom('account_archives')
    .select(SHOWN)
    .where('developer_id', '=', developerId)
    .orderBy('id', 'desc')
    .execute();

export const findArchive = (db: ArchivesHandle, { developerId, id }: ArchiveKey) =>
  db
    .selectFrom('account_archives')
    .select(SHOWN)
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .executeTakeFirst();
export type ArchiveRow = NonNullable<Awaited<ReturnType<typeof findArchive>>>;

/** @returns false when another one of the account is being made. */
export async function addArchive(
  tx: ArchivesHandle,
  { developerId, id }: ArchiveKey,
  row: { fileKey: Buffer; head: string; now: Date },
): Promise<boolean> {
  const added = await tx
    .insertInto('account_archives')
    .values({
      developer_id: developerId,
      id,
      state: 'waiting',
      file_key: row.fileKey,
      head: row.head,
      created_at: row.now,
      seen_at: row.now,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

const updateArchive = (db: ArchivesHandle, { developerId, id }: ArchiveKey) =>
  db.updateTable('account_archives').where('developer_id', '=', developerId).where('id', '=', id);

/** Begins, or begins anew what died with its process. Undefined when it was deleted or has ended. */
export const beginArchive = (db: ArchivesHandle, key: ArchiveKey, now: Date) =>
  updateArchive(db, key)
    .set({ state: 'running', seen_at: now, attempt: sql<number>`attempt + 1`, rows: 0, tables_done: 0, files_done: 0 })
    .where('state', 'in', ['waiting', 'running'])
    .where('file_key', 'is not', null)
    .returning(['attempt', 'file_key', 'head'])
    .executeTakeFirst();

/** @returns false when it was deleted meanwhile, or another process has begun with it. */
export async function noteProgress(
  db: ArchivesHandle,
  key: ArchiveKey & { attempt: number },
  { tables, tablesDone, files, filesDone, rows }: ArchiveProgress,
  now: Date,
): Promise<boolean> {
  const noted = await updateArchive(db, key)
    .set({
      tables_total: tables,
      tables_done: tablesDone,
      files_total: files,
      files_done: filesDone,
      rows,
      seen_at: now,
    })
    .where('attempt', '=', key.attempt)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

export async function finishArchive(
  db: ArchivesHandle,
  key: ArchiveKey & { attempt: number },
  { size, sha256 }: { size: number; sha256: Buffer },
  now: Date,
): Promise<boolean> {
  const done = await updateArchive(db, key)
    .set({ state: 'complete', size, sha256, file_key: null, seen_at: now, finished_at: now })
    .where('attempt', '=', key.attempt)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return done !== undefined;
}

export async function failArchive(
  db: ArchivesHandle,
  key: ArchiveKey & { attempt: number },
  error: string,
  now: Date,
): Promise<void> {
  await updateArchive(db, key)
    .set({ state: 'failed', error, file_key: null, finished_at: now })
    .where('attempt', '=', key.attempt)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}

/** Those of an account that nobody works on any longer, so that the next one can begin. */
export async function failSilent(
  db: ArchivesHandle,
  developerId: string,
  { before, error, now }: { before: Date; error: string; now: Date },
): Promise<void> {
  await db
    .updateTable('account_archives')
    .set({ state: 'failed', error, file_key: null, finished_at: now })
    .where('developer_id', '=', developerId)
    .where('state', '=', 'running')
    .where('seen_at', '<', before)
    .execute();
}

/** The same for all accounts. @param waiting those that no process took within this time */
export async function failAllSilent(
  db: ArchivesDb,
  { before, waiting, error, now }: { before: Date; waiting: Date; error: string; now: Date },
): Promise<void> {
  await db
    .updateTable('account_archives')
    .set({ state: 'failed', error, file_key: null, finished_at: now })
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'running'), eb('seen_at', '<', before)]),
        eb.and([eb('state', '=', 'waiting'), eb('seen_at', '<', waiting)]),
      ]),
    )
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}

export async function deleteArchive(db: ArchivesHandle, { developerId, id }: ArchiveKey): Promise<boolean> {
  const deleted = await db
    .deleteFrom('account_archives')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function deleteAllOf(tx: ArchivesHandle, developerId: string): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('account_archives')
    .where('developer_id', '=', developerId)
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}

export async function findOld(db: ArchivesDb, before: Date): Promise<ArchiveKey[]> {
  const rows = await db
    .selectFrom('account_archives')
    .select(['developer_id', 'id'])
    .where('finished_at', '<', before)
    .limit(1000)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
  return rows.map(({ developer_id, id }) => ({ developerId: developer_id, id }));
}
