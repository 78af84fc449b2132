import { type ChoiceCount, COUNTED, MOST_CHOICES } from '../../platform/db/choices.ts';
import type { Database, Prepared, Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { AppError } from '../../platform/errors.ts';
import { toDollars } from '../../platform/money.ts';
import type { StockSql } from '../products/index.ts';
import { HANDED_OUT, inStock, OPEN } from './availability-rules.ts';
import { searchedCode, serialKey } from './codes.ts';
import { type SerialKind, serialChoice } from './serial-filter.ts';
import type { SerialListState, SerialView } from './serials.schemas.ts';

/** As many as one change by a filter may be about. */
export const MOST_AT_ONCE = 100_000;

export interface Row {
  id: string;
  code: string;
  product_id: string;
  product_name: string;
  image_url: string | null;
  partnership_id: string | null;
  promo_price_cents: number | null;
  promo_start: Date | null;
  promo_expires: Date | null;
  expires_at: Date | null;
  batch_id: string;
  batch_tag: string | null;
  notes: string | null;
  revoked_at: Date | null;
  redeemed_at: Date | null;
  handed_out_at: Date | null;
  download_count: number;
  created_at: Date;
}

export const COLUMNS = `s.id, s.code, b.product_id, p.name as product_name, p.image_url, b.partnership_id, b.promo_price_cents,
  b.promo_start, b.promo_expires, b.expires_at, b.id as batch_id, b.batch_tag, b.notes, s.revoked_at, s.redeemed_at,
  s.handed_out_at, s.download_count, b.created_at`;
export const TABLES =
  'serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)';

export interface SerialFilter {
  developerId: string;
  state: SerialListState | undefined;
  productId: string | undefined;
  batchIds: string[] | undefined;
  search: string | undefined;
  /** What was chosen besides: conditions on batch `b` and on serial `s`. */
  chosen?: { batches: string[]; serials: string[] };
  now: Date;
}

const STATES = {
  available: `${OPEN} and ${inStock('$2')}`,
  handed_out: HANDED_OUT,
  redeemed: 's.redeemed_at is not null',
  revoked: 's.revoked_at is not null',
};

function where(filter: SerialFilter): { sql: string; values: unknown[] } {
  const sql = `b.developer_id = $1 and ${listOf('b')} and ($2::timestamptz is not null) and ($3::uuid is null or b.product_id = $3)
    and ($4::uuid[] is null or b.id = any($4)) and ($5::text is null or s.code_key like $5)
    ${[...(filter.state ? [STATES[filter.state]] : []), ...(filter.chosen?.batches ?? []), ...(filter.chosen?.serials ?? [])].map((each) => `and ${each}`).join(' ')}`;
  return {
    sql,
    values: [
      filter.developerId,
      filter.now,
      filter.productId ?? null,
      filter.batchIds ?? null,
      codePattern(filter.search),
    ],
  };
}

/** Newest first; `after` is the id the page before ended with. */
export async function listSerials(
  sql: Sql,
  filter: SerialFilter,
  after: string | null,
  limit: number,
): Promise<SerialView[]> {
  const { sql: condition, values } = where(filter);
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from ${TABLES} where ${condition} and ($6::uuid is null or s.id < $6) order by s.id desc limit $7`,
    [...values, after, limit],
  );
  return rows.map(view);
}

export async function countSerials(sql: Sql, filter: SerialFilter): Promise<number> {
  const { sql: condition, values } = where(filter);
  const [row] = await sql.query<{ n: number }>(`select count(*) as n from ${TABLES} where ${condition}`, values);
  return row?.n ?? 0;
}

/** The serials of all that fit. @throws {AppError} domain_rule when they are too many. */
export async function serialIds(sql: Sql, filter: SerialFilter): Promise<string[]> {
  const { sql: condition, values } = where(filter);
  const rows = await sql.query<{ id: string }>(
    `select s.id from ${TABLES} where ${condition} limit ${MOST_AT_ONCE + 1}`,
    values,
  );
  if (rows.length > MOST_AT_ONCE) throw new AppError('domain_rule', 'More than 100,000 match. Narrow the filter.');
  return rows.map(({ id }) => id);
}

/** What can be chosen of one filter, with how many serials each choice leaves. */
export async function serialChoiceCounts(sql: Sql, kind: SerialKind, filter: SerialFilter): Promise<ChoiceCount[]> {
  const { sql: condition, values } = where(filter);
  const { value, label } = serialChoice(kind, filter.now);
  return sql.query<ChoiceCount>(
    `select coalesce(v.value, 'none') as value, max(v.label) as label, count(*)::int as count
     from (select ${value}::text as value, ${label} as label from ${TABLES} where ${condition} order by s.id desc limit ${COUNTED}) v
     group by 1 order by 3 desc, 1 limit ${MOST_CHOICES}`,
    values,
  );
}

/** SQL about the serials of product `p`. */
export const stockSql: StockSql = {
  available: (now) =>
    `(select coalesce(sum((select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN})), 0)
      from batches b where (b.developer_id, b.product_id) = (p.developer_id, p.id) and ${inStock(now)})`,
  anyAvailable: (now) =>
    `exists (select 1 from batches b where (b.developer_id, b.product_id) = (p.developer_id, p.id) and ${inStock(now)}
      and exists (select 1 from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}))`,
  generated:
    '(select coalesce(sum(b.quantity), 0) from batches b where (b.developer_id, b.product_id) = (p.developer_id, p.id))',
};

export async function countAvailable(
  sql: Sql,
  developerId: string,
  productIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ product_id: string; n: number }>(
    `select b.product_id, sum((select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}))::int as n
     from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where b.developer_id = $1 and b.product_id = any($2) and ${inStock('$3')} group by 1`,
    [developerId, productIds, now],
  );
  return new Map(rows.map((row) => [row.product_id, row.n]));
}

export async function findSerial(sql: Sql, developerId: string, id: string): Promise<SerialView | undefined> {
  const [row] = await sql.query<Row>(`select ${COLUMNS} from ${TABLES} where s.id = $2 and b.developer_id = $1`, [
    developerId,
    id,
  ]);
  return row && view(row);
}

export async function serialsOfBatch(
  sql: Sql,
  developerId: string,
  batchId: string,
): Promise<{ id: string; code: string }[]> {
  return sql.query('select id, code from serials where developer_id = $1 and batch_id = $2 order by id', [
    developerId,
    batchId,
  ]);
}

/** What the codes that begin like this look like to LIKE, or null. */
export function codePattern(search: string | undefined): string | null {
  const key = search ? serialKey(searchedCode(search)) : '';
  return key === '' ? null : `${escapeLike(key)}%`;
}

export function view(row: Row): SerialView {
  return {
    id: row.id,
    code: row.code,
    serial: row.code,
    product: row.product_name,
    product_id: row.product_id,
    product_name: row.product_name,
    reseller_id: row.partnership_id,
    image_url: row.image_url,
    promo_price: toDollars(row.promo_price_cents),
    promo_start: row.promo_start,
    promo_expires: row.promo_expires,
    expires_at: row.expires_at,
    batch_id: row.batch_id,
    batch_tag: row.batch_tag,
    notes: row.notes,
    revoked: row.revoked_at !== null,
    status: row.revoked_at === null ? 'active' : 'revoked',
    redeemed_at: row.redeemed_at,
    handed_out_at: row.handed_out_at,
    download_count: row.download_count,
    created_at: row.created_at,
  };
}

const DOWNLOADS_OPEN: Prepared = {
  name: 'downloads_open',
  text: `select 1 from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
      join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
    where s.developer_id = $1 and s.id = $2 and s.revoked_at is null and s.redeemed_at is not null and p.deleted_at is null`,
};

/** Asked for every piece of a file that a serial has handed out. */
export async function downloadsOpen(db: Database, developerId: string, serialId: string): Promise<boolean> {
  return (await db.prepared(DOWNLOADS_OPEN, [developerId, serialId])).length > 0;
}
