import { sql } from 'kysely';
import { recordWebhook } from '#features/webhooks';
import { acrossTenants } from '#platform/db/tenant.ts';
import { json } from '#platform/db/work.ts';
import type { ImportView } from './imports.schemas.ts';
import type { ImportKind } from './kinds.ts';
import { READ_STATES } from './states.ts';
import type { ImportsDb, ImportsHandle } from './tables.ts';

interface Outcome {
  lines: number;
  added: number;
  known: number;
  rejected: number;
  unused: readonly string[];
}

/** The key of an import: its developer and its id. */
export interface ImportKey {
  developerId: string;
  id: string;
}

/** Starts an import, or restarts one that died with its process. False when it is complete. */
export async function startImport(
  db: ImportsDb,
  row: { id: string; developerId: string; kind: ImportKind; fileName: string; dryRun: boolean; now: Date },
): Promise<boolean> {
  const begun = await db
    .insertInto('imports')
    .values({
      id: row.id,
      developer_id: row.developerId,
      kind: row.kind,
      file_name: row.fileName,
      dry_run: row.dryRun,
      state: 'running',
      started_at: row.now,
      seen_at: row.now,
    })
    .onConflict((on) =>
      on
        .columns(['developer_id', 'id'])
        .doUpdateSet({
          file_name: row.fileName,
          state: 'running',
          lines: 0,
          rejected: 0,
          error: null,
          seen_at: row.now,
          finished_at: null,
        })
        .where('imports.state', '<>', 'complete'),
    )
    .returning('id')
    .executeTakeFirst();
  return begun !== undefined;
}

const updateImport = (handle: ImportsHandle, { developerId, id }: ImportKey) =>
  handle.updateTable('imports').where('developer_id', '=', developerId).where('id', '=', id);

export async function noteProgress(
  db: ImportsDb,
  key: ImportKey,
  { lines, rejected, now }: { lines: number; rejected: number; now: Date },
): Promise<void> {
  await updateImport(db, key).set({ lines, rejected, seen_at: now }).where('state', 'in', READ_STATES).execute();
}

export async function finishImport(
  handle: ImportsHandle,
  key: ImportKey,
  { unused, lines, added, known, rejected }: Outcome,
  now: Date,
): Promise<void> {
  const outcome = { lines, added, known, rejected };
  const done = await updateImport(handle, key)
    .set({ state: 'complete', ...outcome, unused_columns: json([...unused]), seen_at: now, finished_at: now })
    .returning(['kind', 'dry_run'])
    .executeTakeFirst();
  if (done) await notifyImportEnded(handle, key, done, { state: 'complete', ...outcome }, now);
}

/** Whether an import has ended: as the caller's transaction finds it now. */
export async function isOver(handle: ImportsHandle, { developerId, id }: ImportKey): Promise<boolean> {
  const over = await handle
    .selectFrom('imports')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('state', 'in', ['complete', 'undoing', 'undone'])
    .executeTakeFirst();
  return over !== undefined;
}

/** Marks an import as failed. A complete import stays complete, whatever fails after it. */
export async function failImport(handle: ImportsHandle, key: ImportKey, error: string, now: Date): Promise<void> {
  const failed = await updateImport(handle, key)
    .set({ state: 'failed', error, rejected: 0, seen_at: now, finished_at: now })
    .where('state', '=', 'running')
    .returning(['kind', 'dry_run'])
    .executeTakeFirst();
  if (failed) await notifyImportEnded(handle, key, failed, { state: 'failed', added: 0, rejected: 0 }, now);
}

async function notifyImportEnded(
  handle: ImportsHandle,
  { developerId, id }: ImportKey,
  { kind, dry_run }: { kind: ImportKind; dry_run: boolean },
  { state, added, rejected }: { state: string; added: number; rejected: number },
  now: Date,
): Promise<void> {
  if (dry_run) return;
  const data = { import_id: id, kind, state, added, rejected };
  await recordWebhook(handle, developerId, { type: 'import.finished', at: now, data });
}

/** Imports that run and have made no progress since a moment. */
export async function findSilent(db: ImportsDb, before: Date): Promise<ImportKey[]> {
  return db
    .selectFrom('imports')
    .select(['developer_id as developerId', 'id'])
    .where('state', '=', 'running')
    .where('seen_at', '<', before)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}

/** Marks an import as failed that is still silent. */
export async function failSilent(
  db: ImportsDb,
  key: ImportKey,
  { before, now }: { before: Date; now: Date },
): Promise<void> {
  await updateImport(db, key)
    .set({ state: 'failed', error: 'The server stopped in the middle.', finished_at: now })
    .where('state', '=', 'running')
    .where('seen_at', '<', before)
    .execute();
}

const selectImports = (db: ImportsHandle, developerId: string) =>
  db
    .selectFrom('imports')
    .select(['id', 'kind', 'file_name', 'state', 'dry_run', 'added as count', 'lines', 'known', 'rejected', 'error'])
    .select(['started_at', 'finished_at', 'undone_at'])
    .select(sql<string[]>`coalesce(unused_columns, '[]')`.as('unused_columns'))
    .where('developer_id', '=', developerId);

export function listImports(
  db: ImportsDb,
  filter: { developerId: string; kinds: readonly ImportKind[]; after: string | null; limit: number },
): Promise<ImportView[]> {
  return selectImports(db, filter.developerId)
    .where('kind', '=', sql<ImportKind>`any(${filter.kinds}::text[])`)
    .$if(filter.after !== null, (all) => all.where('id', '<', filter.after as string))
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .execute();
}

export function findImport(db: ImportsHandle, developerId: string, id: string): Promise<ImportView | undefined> {
  return selectImports(db, developerId).where('id', '=', id).executeTakeFirst();
}
