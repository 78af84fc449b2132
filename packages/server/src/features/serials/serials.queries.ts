import type { StockSql } from '#features/products';
import type { Database, Prepared, Sql } from '#platform/db/database.ts';
import { toDollars } from '#platform/money.ts';
import { BY_ID, inStock, OF_BATCH, OPEN } from './rules/availability-rules.ts';
import type { SerialView } from './serials.schemas.ts';

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

/** SQL about the serials of product `p`. */
export const stockSql: StockSql = {
  available: (now) =>
    `(select coalesce(sum((select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN})), 0)
      from batches b where (b.developer_id, b.product_id) = (p.developer_id, p.id) and ${inStock(now)})`,
  anyAvailable: (now) =>
    // not `exists`, which may become a list of all that have any, whoever's they are
    `coalesce((select true from batches b cross join lateral (
        select 1 from serials s where ${OF_BATCH} and ${OPEN} order by ${BY_ID} limit 1) s
      where (b.developer_id, b.product_id) = (p.developer_id, p.id) and ${inStock(now)} limit 1), false)`,
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
