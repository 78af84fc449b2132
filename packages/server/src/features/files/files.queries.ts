import { patternsFor, recordCtes } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { fileUrl } from '#platform/storage/file-url.ts';
import { type FileView, PART_SIZE } from './files.schemas.ts';

export interface FileRow {
  id: string;
  developer_id: string;
  name: string;
  size: number;
  received: number;
  upload_id: string;
  /** What the storage answered for each part; behind them, while a part is awaited, the number of attempts at it. */
  parts: (string | number)[];
  created_at: Date;
  completed_at: Date | null;
}

/** Which file of which developer. */
export type FileKey = Pick<FileRow, 'developer_id' | 'id'>;

const COLUMNS = 'id, developer_id, name, size, received, upload_id, parts, created_at, completed_at';

export async function findFile(sql: Sql, developerId: string, id: string): Promise<FileRow | undefined> {
  const rows = await sql.query<FileRow>(`select ${COLUMNS} from files where developer_id = $1 and id = $2`, [
    developerId,
    id,
  ]);
  return rows[0];
}

/** Newest first. `after` is the id the page before ended with. */
export async function findFiles(
  sql: Sql,
  filter: { developerId: string; after: string | null; limit: number },
): Promise<{ rows: FileRow[]; total: number }> {
  const rows = await sql.query<FileRow>(
    `select ${COLUMNS} from files where developer_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [filter.developerId, filter.after, filter.limit],
  );
  const [counted] = await sql.query<{ total: number }>('select count(*) as total from files where developer_id = $1', [
    filter.developerId,
  ]);
  return { rows, total: Number(counted?.total ?? 0) };
}

/** Adds a file, or leaves the one that a repeated request finds in its place. True when it was added. */
export async function insertFile(
  sql: Sql,
  file: { id: string; developerId: string; name: string; size: number; uploadId: string; now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into files (id, developer_id, name, size, received, upload_id, parts, created_at, updated_at)
     values ($1, $2, $3, $4, 0, $5, '[]', $6, $6) on conflict (developer_id, id) do nothing returning id`,
    [file.id, file.developerId, file.name, file.size, file.uploadId, file.now],
  );
  return rows.length === 1;
}

/** Counts an attempt at the part that begins at `offset`; null when another part is awaited by now. */
export async function countAttempt(sql: Sql, { developer_id, id }: FileKey, offset: number): Promise<number | null> {
  const rows = await sql.query<{ attempt: number }>(
    `update files set parts = jsonb_set(parts, array[$3::text], to_jsonb(coalesce((parts->>($3::text)::int)::int, 0) + 1))
     where developer_id = $4 and id = $1 and received = $2 and completed_at is null returning (parts->>($3::text)::int)::int as attempt`,
    [id, offset, String(offset / PART_SIZE), developer_id],
  );
  return rows[0]?.attempt ?? null;
}

/** The one statement that decides among simultaneous attempts at a part. */
export async function acceptPart(
  sql: Sql,
  part: FileKey & { offset: number; size: number; receipt: string; now: Date },
): Promise<FileRow | undefined> {
  const rows = await sql.query<FileRow>(
    `update files set received = received + $3::bigint, updated_at = $6,
       parts = jsonb_set(parts, array[$4::text], to_jsonb($5::text))
     where developer_id = $7 and id = $1 and received = $2 and completed_at is null returning ${COLUMNS}`,
    [part.id, part.offset, part.size, String(part.offset / PART_SIZE), part.receipt, part.now, part.developer_id],
  );
  return rows[0];
}

const COMPLETE = `
  with done as (
    update files set completed_at = $3, updated_at = $3
    where developer_id = $1 and id = $2 and received = size and completed_at is null returning developer_id, id, name, size
  ), ${recordCtes('done', {
    account: '$1',
    type: "'file.uploaded'",
    patterns: '$4',
    at: '$3',
    data: "(select json_build_object('file_id', id, 'name', name, 'size', size)::text from done)",
    personal: 'null',
    objects: '(select array[id] from done)',
  })}
  select count(*) as told from recorded`;

/** Of concurrent calls one marks it, and tells webhooks, in the same statement. */
export async function markComplete(sql: Sql, { developer_id, id }: FileKey, now: Date): Promise<void> {
  await sql.query(COMPLETE, [developer_id, id, now, patternsFor('file.uploaded')]);
}

/** Complete files of one developer by id, held against deletion until the transaction ends. */
export async function lockComplete(sql: Sql, developerId: string, ids: readonly string[]): Promise<FileRow[]> {
  return sql.query<FileRow>(
    `select ${COLUMNS} from files where id = any($1::uuid[]) and developer_id = $2 and completed_at is not null
     order by id for share`,
    [ids, developerId],
  );
}

export async function completeAmong(
  sql: Sql,
  developerId: string,
  ids: readonly string[],
): Promise<{ id: string; size: number; uploaded_at: Date }[]> {
  return sql.query(
    `select id, size, completed_at as uploaded_at from files
     where developer_id = $1 and id = any($2::uuid[]) and completed_at is not null`,
    [developerId, ids],
  );
}

/** The name of a product that is not deleted and has this file. */
export async function productWith(sql: Sql, file: FileRow): Promise<string | undefined> {
  const rows = await sql.query<{ name: string }>(
    `select name from products p where developer_id = $1 and ${listOf('p')} and deleted_at is null and file_urls @> $2::jsonb
     order by id limit 1`,
    [file.developer_id, JSON.stringify([{ url: fileUrl(file.id) }])],
  );
  return rows[0]?.name;
}

/** The version of a product that is not deleted and that keeps this file. */
export async function versionWith(sql: Sql, file: FileRow): Promise<{ name: string; product: string } | undefined> {
  const rows = await sql.query<{ name: string; product: string }>(
    `select v.name, p.name as product from file_versions v join products p on (p.developer_id, p.id) = (v.developer_id, v.product_id)
     where v.developer_id = $1 and p.deleted_at is null and v.files @> $2::jsonb order by v.id limit 1`,
    [file.developer_id, JSON.stringify([{ url: fileUrl(file.id) }])],
  );
  return rows[0];
}

/** Unfinished uploads that nothing has come for since `before`. */
export async function staleUploads(sql: Sql, before: Date): Promise<FileRow[]> {
  return sql.query<FileRow>(
    `/* across tenants: housekeeping */ select ${COLUMNS} from files where completed_at is null and updated_at <= $1 order by updated_at limit 500`,
    [before],
  );
}

/** Deletes what is still unfinished and untouched. True when it was. */
export async function deleteStale(sql: Sql, { developer_id, id }: FileKey, before: Date): Promise<boolean> {
  const rows = await sql.query(
    `delete from files where developer_id = $1 and id = $2 and completed_at is null and updated_at <= $3 returning id`,
    [developer_id, id, before],
  );
  return rows.length === 1;
}

export function viewOf(row: FileRow): FileView {
  return {
    id: row.id,
    name: row.name,
    size: Number(row.size),
    received: Number(row.received),
    part_size: PART_SIZE,
    complete: row.completed_at !== null,
    url: fileUrl(row.id),
    created_at: row.created_at,
  };
}
