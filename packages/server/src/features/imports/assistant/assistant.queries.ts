import { acrossTenants, joinOwn } from '#platform/db/tenant.ts';
import { json } from '#platform/db/work.ts';
import type { ImportKey } from '../imports.queries.ts';
import type { ImportKind } from '../kinds.ts';
import type { KeptProof } from '../proof/proof.ts';
import type { ImportsDb, ImportsHandle } from '../tables.ts';
import type { Checked, Plan, SourceFormat } from './plan.ts';

/** A plan as it is stored. */
export interface StoredPlan {
  format: SourceFormat;
  plan: Plan;
  checked: Checked | null;
  revision: number;
  /** The file's size, in bytes. */
  size: number;
}

export async function addImport(
  tx: ImportsHandle,
  { developerId, id }: ImportKey,
  row: { fileName: string; plan: Plan; size: number; now: Date },
): Promise<void> {
  const { plan, now } = row;
  await tx
    .insertInto('imports')
    .values({
      id,
      developer_id: developerId,
      kind: plan.kind,
      file_name: row.fileName,
      dry_run: false,
      state: 'open',
      started_at: now,
      seen_at: now,
    })
    .execute();
  await tx
    .insertInto('import_plans')
    .values({
      developer_id: developerId,
      import_id: id,
      format: plan.dialect.format,
      size: row.size,
      plan: json(plan),
      changed_at: now,
    })
    .execute();
}

export async function findPlan(handle: ImportsHandle, { developerId, id }: ImportKey): Promise<StoredPlan | undefined> {
  return handle
    .selectFrom('import_plans')
    .select(['format', 'plan', 'checked', 'revision', 'size'])
    .where('developer_id', '=', developerId)
    .where('import_id', '=', id)
    .executeTakeFirst();
}

/** Keeps a changed plan, and what was checked of it if that is still true. False when somebody else changed it, or it is not open. */
export async function changePlan(
  tx: ImportsHandle,
  { developerId, id }: ImportKey,
  { plan, checked, revision, now }: { plan: Plan; checked: Checked | null; revision: number; now: Date },
): Promise<boolean> {
  const open = await tx
    .updateTable('imports')
    .set({ kind: plan.kind, state: 'open', error: null, seen_at: now })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('state', 'in', ['open', 'failed'])
    .returning('id')
    .executeTakeFirst();
  if (!open) return false;
  const changed = await tx
    .updateTable('import_plans')
    .set({ plan: json(plan), checked: checked && json(checked), revision: revision + 1, changed_at: now })
    .where('developer_id', '=', developerId)
    .where('import_id', '=', id)
    .where('revision', '=', revision)
    .returning('import_id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Keeps what a check found of a plan, unless the plan has changed since. */
export async function noteChecked(
  handle: ImportsHandle,
  { developerId, id }: ImportKey,
  { checked, revision }: { checked: Checked; revision: number },
): Promise<void> {
  await handle
    .updateTable('import_plans')
    .set({ checked: json(checked) })
    .where('developer_id', '=', developerId)
    .where('import_id', '=', id)
    .where('revision', '=', revision)
    .execute();
}

type Begun = 'checking' | 'running' | 'undoing';

/** Lets an import begin, be checked or be taken back. False when it is not in one of these states. */
export async function enterState(
  tx: ImportsHandle,
  { developerId, id }: ImportKey,
  { from, to, now }: { from: readonly ('open' | 'failed' | 'complete')[]; to: Begun; now: Date },
): Promise<boolean> {
  const entered = await tx
    .updateTable('imports')
    .set({
      state: to,
      error: null,
      seen_at: now,
      ...(to === 'undoing' ? {} : { lines: 0, rejected: 0, finished_at: null }),
    })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returning('id')
    .executeTakeFirst();
  return entered !== undefined;
}

/** Forgets who is in a file that was imported. Its figures stay. */
export async function forgetPeople(
  handle: ImportsHandle,
  { developerId, id }: ImportKey,
  plan: Plan,
  proof: KeptProof,
): Promise<void> {
  const columns = plan.columns.map(({ head }) => ({ head, examples: [] }));
  await handle
    .updateTable('import_plans')
    .set({ plan: json({ ...plan, columns, unclear: [], proof }), checked: null })
    .where('developer_id', '=', developerId)
    .where('import_id', '=', id)
    .execute();
}

/** The state that an import gets when its process died while checking it or taking it back. */
const RELEASED = [
  { from: 'checking', to: 'open', error: 'The server stopped before the file was checked. Try again.' },
  { from: 'undoing', to: 'complete', error: 'The server stopped before the import was taken back. Try again.' },
] as const;

export async function releaseSilent(db: ImportsDb, before: Date): Promise<void> {
  for (const { from, to, error } of RELEASED) {
    await db
      .updateTable('imports')
      .set({ state: to, error })
      .where('state', '=', from)
      .where('seen_at', '<', before)
      .modifyEnd(acrossTenants('housekeeping'))
      .execute();
  }
}

/** Ends the check of an import, unless it was discarded meanwhile. */
export async function endCheck(
  tx: ImportsHandle,
  { developerId, id }: ImportKey,
  { error, now }: { error: string | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ state: 'open', error, lines: 0, rejected: 0, seen_at: now })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('state', '=', 'checking')
    .execute();
}

/** Ends the taking back of an import. */
export async function endUndo(
  tx: ImportsHandle,
  { developerId, id }: ImportKey,
  { to, error, now }: { to: 'undone' | 'complete'; error: string | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ state: to, error, seen_at: now, undone_at: to === 'undone' ? now : null })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('state', '=', 'undoing')
    .execute();
}

export async function findAccount(
  handle: ImportsHandle,
  developerId: string,
): Promise<{ timeZone: string } | undefined> {
  return handle
    .selectFrom('users')
    .select('time_zone as timeZone')
    .where('id', '=', developerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export async function productNames(handle: ImportsHandle, developerId: string): Promise<string[]> {
  const rows = await handle
    .selectFrom('products')
    .select('name')
    .where('developer_id', '=', developerId)
    .where('deleted_at', 'is', null)
    .orderBy('name_key')
    .limit(1000)
    .execute();
  return rows.map(({ name }) => name);
}

/** Imports whose files are kept and no longer of use: nobody has touched them since. */
export async function findAbandoned(
  db: ImportsDb,
  before: Date,
): Promise<(ImportKey & { format: SourceFormat; kind: ImportKind })[]> {
  return db
    .selectFrom('import_plans as p')
    .$call(joinOwn('imports as i', 'i.id', 'p.import_id'))
    .select(['p.developer_id as developerId', 'p.import_id as id', 'p.format', 'i.kind'])
    .where('p.changed_at', '<', before)
    .where('i.state', 'in', ['open', 'failed'])
    .modifyEnd(acrossTenants('housekeeping'))
    .limit(1000)
    .execute();
}

/** Deletes an import that has brought nothing, with its plan; its check ends by itself. False when it runs, or has run. */
export async function deleteDraft(tx: ImportsHandle, { developerId, id }: ImportKey): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('imports')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('state', 'in', ['open', 'checking', 'failed'])
    .returning('id')
    .executeTakeFirst();
  if (!deleted) return false;
  await tx.deleteFrom('import_plans').where('developer_id', '=', developerId).where('import_id', '=', id).execute();
  return true;
}
