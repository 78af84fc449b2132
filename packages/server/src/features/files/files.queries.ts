import { type InferResult, type NotNull, type RawBuilder, sql } from 'kysely';
import { recordWebhook } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { acrossTenants, joinOwn } from '#platform/db/tenant.ts';
import { json } from '#platform/db/work.ts';
import { fileUrl } from '#platform/storage/file-url.ts';
import { type FileView, PART_SIZE } from './files.schemas.ts';
import { type FilesDb, tables } from './tables.ts';

const COLUMNS = [
  'id',
  'developer_id',
  'name',
  'size',
  'received',
  'upload_id',
  'parts',
  'created_at',
  'completed_at',
  'sha256',
] as const;

const selectFiles = (handle: Sql) => tables.in(handle).selectFrom('files').select(COLUMNS);

export type FileRow = InferResult<ReturnType<typeof selectFiles>>[number];

/** The key of a file: its developer and its id. */
export type FileKey = Pick<FileRow, 'developer_id' | 'id'>;

export function findFile(handle: Sql, developerId: string, id: string): Promise<FileRow | undefined> {
  return selectFiles(handle).where('developer_id', '=', developerId).where('id', '=', id).executeTakeFirst();
}

/** Newest first. `after` is the id the page before ended with. */
export async function findFiles(
  db: FilesDb,
  { developerId, after, limit, count }: { developerId: string; after: string | null; limit: number; count: boolean },
): Promise<{ rows: FileRow[]; total: number | null }> {
  const rows = await selectFiles(db)
    .where('developer_id', '=', developerId)
    .$if(after !== null, (query) => query.where('id', '<', after as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  if (!count) return { rows, total: null };
  const { total } = await db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('developer_id', '=', developerId)
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** Adds a file, or leaves the one that a repeated request finds in its place. True when it was added. */
export async function insertFile(
  db: FilesDb,
  file: { id: string; developerId: string; name: string; size: number; uploadId: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('files')
    .values({
      id: file.id,
      developer_id: file.developerId,
      name: file.name,
      size: file.size,
      received: 0,
      upload_id: file.uploadId,
      parts: json([]),
      created_at: file.now,
      updated_at: file.now,
    })
    .onConflict((on) => on.columns(['developer_id', 'id']).doNothing())
    .executeTakeFirstOrThrow();
  return added === 1n;
}

/** The file while it awaits the part that begins at `offset`. */
const awaiting = (db: FilesDb, { developer_id, id }: FileKey, offset: number) =>
  db
    .updateTable('files')
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .where('received', '=', offset)
    .where('completed_at', 'is', null);

/** The index of a part in the list of parts. */
const indexOf = (offset: number) => offset / PART_SIZE;

/** Counts an attempt at the part that begins at `offset`; null when another part is awaited by now. */
export async function countAttempt(db: FilesDb, file: FileKey, offset: number): Promise<number | null> {
  const attempts = sql<number>`(parts->>${indexOf(offset)}::int)::int`;
  const row = await awaiting(db, file, offset)
    .set({ parts: partSet(offset, sql`(coalesce(${attempts}, 0) + 1)::text::jsonb`) })
    .returning(attempts.as('attempt'))
    .executeTakeFirst();
  return row?.attempt ?? null;
}

/** The one statement that decides among simultaneous attempts at a part. */
export function acceptPart(
  db: FilesDb,
  part: FileKey & { offset: number; size: number; receipt: string; now: Date },
): Promise<FileRow | undefined> {
  return awaiting(db, part, part.offset)
    .set({
      received: sql<number>`received + ${part.size}::bigint`,
      parts: partSet(part.offset, sql`to_jsonb(${part.receipt}::text)`),
      updated_at: part.now,
    })
    .returning(COLUMNS)
    .executeTakeFirst();
}

const partSet = (offset: number, value: RawBuilder<unknown>) =>
  sql<FileRow['parts']>`jsonb_set(parts, array[${String(indexOf(offset))}::text], ${value})`;

/** One of concurrent calls marks it, records its event and does what follows, in one transaction. */
export async function markComplete(
  db: FilesDb,
  { developer_id, id }: FileKey,
  now: Date,
  follow: (tx: Sql) => Promise<void>,
): Promise<void> {
  await db.work({ tx: true }, async (tx) => {
    const done = await tx
      .updateTable('files')
      .set({ completed_at: now, updated_at: now })
      .where('developer_id', '=', developer_id)
      .where('id', '=', id)
      .whereRef('received', '=', 'size')
      .where('completed_at', 'is', null)
      .returning(['name', 'size'])
      .executeTakeFirst();
    if (!done) return;
    await recordWebhook(tx, developer_id, { type: 'file.uploaded', at: now, data: { file_id: id, ...done } });
    await follow(tx);
  });
}

/** Complete files of one developer by id, held against deletion until the transaction ends. */
export function lockComplete(handle: Sql, developerId: string, ids: readonly string[]) {
  return selectComplete(handle, developerId, ids).orderBy('id').forShare().execute();
}

const selectComplete = (handle: Sql, developerId: string, ids: readonly string[]) =>
  tables
    .in(handle)
    .selectFrom('files')
    .select(['id', 'name', 'size', 'completed_at', 'sha256'])
    .where('developer_id', '=', developerId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('completed_at', 'is not', null)
    .$narrowType<{ completed_at: NotNull }>();

export function completeAmong(db: FilesDb, developerId: string, ids: readonly string[]) {
  return selectComplete(db, developerId, ids).execute();
}

/** The JSON that every list of files with this file contains. */
const listing = ({ id }: FileKey) => json([{ url: fileUrl(id) }]);

/** The name of a product that is not deleted and has this file. */
export async function productWith(handle: Sql, file: FileKey): Promise<string | undefined> {
  const product = await tables
    .in(handle)
    .selectFrom('products as p')
    .select('p.name')
    .where('p.developer_id', '=', file.developer_id)
    .where(inList('p.created_at'))
    .where('p.deleted_at', 'is', null)
    .where(sql<boolean>`p.file_urls @> ${listing(file)}`)
    .orderBy('p.id')
    .limit(1)
    .executeTakeFirst();
  return product?.name;
}

/** The version of a product that is not deleted and that keeps this file. */
export function versionWith(handle: Sql, file: FileKey): Promise<{ name: string; product: string } | undefined> {
  return tables
    .in(handle)
    .selectFrom('file_versions as v')
    .$call(joinOwn('products as p', 'p.id', 'v.product_id'))
    .select(['v.name', 'p.name as product'])
    .where('v.developer_id', '=', file.developer_id)
    .where('p.deleted_at', 'is', null)
    .where(sql<boolean>`v.files @> ${listing(file)}`)
    .orderBy('v.id')
    .limit(1)
    .executeTakeFirst();
}

/** Unfinished uploads that nothing has come for since `before`. */
export function staleUploads(db: FilesDb, before: Date): Promise<FileRow[]> {
  return selectFiles(db)
    .where('completed_at', 'is', null)
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(500)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}

/** Keeps the hash of a complete file. */
export async function keepHash(db: FilesDb, { developer_id, id }: FileKey, sha256: Buffer): Promise<void> {
  await db
    .updateTable('files')
    .set({ sha256 })
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .where('completed_at', 'is not', null)
    .execute();
}

/** Complete files without a hash, those first that were tried the longest ago. */
export function unhashedFiles(db: FilesDb, before: Date, most: number): Promise<FileKey[]> {
  return db
    .selectFrom('files')
    .select(['developer_id', 'id'])
    .where('completed_at', 'is not', null)
    .where('sha256', 'is', null)
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(most)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}

/** Lets other files go first. */
export async function noteTried(handle: Sql, { developer_id, id }: FileKey, now: Date): Promise<void> {
  await tables
    .in(handle)
    .updateTable('files')
    .set({ updated_at: now })
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .where('sha256', 'is', null)
    .execute();
}

/** Deletes what is still unfinished and untouched. True when it was. */
export async function deleteStale(db: FilesDb, { developer_id, id }: FileKey, before: Date): Promise<boolean> {
  const { numDeletedRows: gone } = await db
    .deleteFrom('files')
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .where('updated_at', '<=', before)
    .executeTakeFirst();
  return gone === 1n;
}

/** A file that nobody else deletes, or gives to a product, until the transaction ends. */
export function holdFile(handle: Sql, developerId: string, id: string): Promise<FileRow | undefined> {
  return selectFiles(handle)
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function deleteFile(handle: Sql, { developer_id, id }: FileKey): Promise<void> {
  await tables.in(handle).deleteFrom('files').where('developer_id', '=', developer_id).where('id', '=', id).execute();
}

export function hexOf(sha256: Uint8Array | null): string | null {
  return sha256 && Buffer.from(sha256).toString('hex');
}

export function viewOf(row: FileRow): FileView {
  return {
    id: row.id,
    name: row.name,
    size: row.size,
    received: row.received,
    part_size: PART_SIZE,
    complete: row.completed_at !== null,
    sha256: hexOf(row.sha256),
    url: fileUrl(row.id),
    created_at: row.created_at,
  };
}
