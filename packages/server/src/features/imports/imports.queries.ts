import { recordWebhook } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import type { ImportView } from './imports.schemas.ts';
import type { ImportKind } from './kinds.ts';

/** Which import of which developer. */
interface ImportKey {
  developerId: string;
  id: string;
}

/** Starts an import, or restarts one that died with its process. False when it is complete. */
export async function startImport(
  sql: Sql,
  row: { id: string; developerId: string; kind: ImportKind; fileName: string; dryRun: boolean; now: Date },
): Promise<boolean> {
  const begun = await sql.query(
    `insert into imports as i (id, developer_id, kind, file_name, dry_run, state, started_at, seen_at)
     values ($1, $2, $3, $4, $5, 'running', $6, $6)
     on conflict (developer_id, id) do update set file_name = excluded.file_name, state = 'running', lines = 0, rejected = 0, error = null,
       seen_at = excluded.seen_at, finished_at = null
     where i.developer_id = excluded.developer_id and i.state <> 'complete' returning id`,
    [row.id, row.developerId, row.kind, row.fileName, row.dryRun, row.now],
  );
  return begun.length === 1;
}

export async function noteProgress(
  sql: Sql,
  { developerId, id }: ImportKey,
  lines: number,
  rejected: number,
  now: Date,
): Promise<void> {
  await sql.query(
    `update imports set lines = $3, rejected = $4, seen_at = $5
     where developer_id = $1 and id = $2 and state = 'running'`,
    [developerId, id, lines, rejected, now],
  );
}

export async function finishImport(
  sql: Sql,
  { developerId, id }: ImportKey,
  outcome: { lines: number; added: number; known: number; rejected: number },
  now: Date,
): Promise<void> {
  const [done] = await sql.query<Ended>(
    `update imports set state = 'complete', lines = $2, added = $3, known = $4, rejected = $5, seen_at = $6, finished_at = $6
     where developer_id = $7 and id = $1 returning kind, dry_run`,
    [id, outcome.lines, outcome.added, outcome.known, outcome.rejected, now, developerId],
  );
  if (done) await tellEnded(sql, { developerId, id }, done, { state: 'complete', ...outcome }, now);
}

/** What is complete stays so, whatever fails after it. */
export async function failImport(sql: Sql, { developerId, id }: ImportKey, error: string, now: Date): Promise<void> {
  const [failed] = await sql.query<Ended>(
    `update imports set state = 'failed', error = $3, rejected = 0, seen_at = $4, finished_at = $4
     where developer_id = $1 and id = $2 and state = 'running' returning kind, dry_run`,
    [developerId, id, error, now],
  );
  if (failed) await tellEnded(sql, { developerId, id }, failed, { state: 'failed', added: 0, rejected: 0 }, now);
}

interface Ended {
  kind: ImportKind;
  dry_run: boolean;
}

async function tellEnded(
  sql: Sql,
  { developerId, id }: ImportKey,
  { kind, dry_run }: Ended,
  { state, added, rejected }: { state: string; added: number; rejected: number },
  now: Date,
): Promise<void> {
  if (dry_run) return;
  const data = { import_id: id, kind, state, added, rejected };
  await recordWebhook(sql, developerId, { type: 'import.finished', at: now, data });
}

const SELECT = `select id, kind, file_name, state, dry_run, added as count, lines, known, rejected, error, started_at, finished_at
  from imports`;

export async function listImports(
  sql: Sql,
  filter: { developerId: string; kinds: readonly ImportKind[]; after: string | null; limit: number },
): Promise<ImportView[]> {
  return sql.query(
    `${SELECT} where developer_id = $1 and kind = any($2) and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [filter.developerId, filter.kinds, filter.after, filter.limit],
  );
}

export async function findImport(sql: Sql, developerId: string, id: string): Promise<ImportView | undefined> {
  return (await sql.query<ImportView>(`${SELECT} where developer_id = $1 and id = $2`, [developerId, id]))[0];
}
