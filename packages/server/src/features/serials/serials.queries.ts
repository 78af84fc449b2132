import type { Period } from '../../platform/days.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { toDollars } from '../../platform/money.ts';
import { serialKey } from './codes.ts';
import type { RedeemedSerial, SerialView } from './serials.schemas.ts';

interface Row {
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
  download_count: number;
  created_at: Date;
}

interface RedeemedRow extends Row {
  redeemed_at: Date;
  customer_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string;
  final_price_cents: number;
  sale_price_cents: number | null;
  price_cents: number | null;
  country: string | null;
}

const COLUMNS = `s.id, s.code, b.product_id, p.name as product_name, p.image_url, b.partnership_id, b.promo_price_cents,
  b.promo_start, b.promo_expires, b.expires_at, b.id as batch_id, b.batch_tag, b.notes, s.revoked_at, s.redeemed_at,
  s.download_count, b.created_at`;
const TABLES = 'serials s join batches b on b.id = s.batch_id join products p on p.id = b.product_id';

/** Redeemable now: what `serials_available` counts. `$now` is the placeholder of the time. */
const live = (now: string) => `p.deleted_at is null and (b.expires_at is null or b.expires_at > ${now})`;
const OPEN = 's.redeemed_at is null and s.revoked_at is null';

export interface SerialFilter {
  developerId: string;
  state: 'available' | 'redeemed' | 'revoked' | undefined;
  productId: string | undefined;
  batchId: string | undefined;
  search: string | undefined;
  now: Date;
}

const STATES = {
  available: `${OPEN} and ${live('$2')}`,
  redeemed: 's.redeemed_at is not null',
  revoked: 's.revoked_at is not null',
};

function where(filter: SerialFilter): { sql: string; values: unknown[] } {
  const sql = `b.developer_id = $1 and ($2::timestamptz is not null) and ($3::uuid is null or b.product_id = $3)
    and ($4::uuid is null or b.id = $4) and ($5::text is null or s.code_key like $5)
    ${filter.state ? `and ${STATES[filter.state]}` : ''}`;
  return {
    sql,
    values: [
      filter.developerId,
      filter.now,
      filter.productId ?? null,
      filter.batchId ?? null,
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

export async function findSerial(sql: Sql, developerId: string, id: string): Promise<SerialView | undefined> {
  const [row] = await sql.query<Row>(`select ${COLUMNS} from ${TABLES} where s.id = $2 and b.developer_id = $1`, [
    developerId,
    id,
  ]);
  return row && view(row);
}

export async function serialsOfBatch(sql: Sql, batchId: string): Promise<{ id: string; code: string }[]> {
  return sql.query('select id, code from serials where batch_id = $1 order by id', [batchId]);
}

interface Group {
  product_id: string;
  product_name: string;
  promo: boolean;
  tag: string | null;
  n: number;
  batch_ids: string[];
}

const PER_GROUP = 100;
const MAX_GROUPS = 100;

/** What can be redeemed now, by product and by promotion: counts, and the newest of each group. */
export async function availableGroups(
  db: Database,
  filter: { developerId: string; search: string | undefined; period: Period; now: Date },
): Promise<(Group & { serials: SerialView[] })[]> {
  const like = filter.search ? `%${escapeLike(filter.search)}%` : null;
  const values = [
    filter.developerId,
    filter.now,
    filter.period.from,
    filter.period.to,
    like,
    codePattern(filter.search),
  ];
  const match = '($5::text is null or p.name ilike $5 or b.batch_tag ilike $5 or s.code_key like $6)';
  const groups = await db.query<Group>(
    `with per_batch as (
       select b.id, b.product_id, p.name as product_name, b.promo_price_cents is not null as promo,
         case when b.promo_price_cents is not null then b.batch_tag end as tag,
         (select count(*) from serials s where s.batch_id = b.id and ${OPEN} and ${match}) as n
       from batches b join products p on p.id = b.product_id
       where b.developer_id = $1 and ${live('$2')}
         and ($3::timestamptz is null or b.created_at >= $3) and ($4::timestamptz is null or b.created_at <= $4)
     )
     select product_id, product_name, promo, tag, sum(n)::int as n, array_agg(id) as batch_ids
     from per_batch where n > 0 group by 1, 2, 3, 4 order by product_name, tag nulls first limit ${MAX_GROUPS}`,
    values,
  );
  return Promise.all(
    groups.map(async (group) => {
      const rows = await db.query<Row>(
        `select ${COLUMNS} from ${TABLES} where b.id = any($1) and ${OPEN}
           and ($2::text is null or p.name ilike $2 or b.batch_tag ilike $2 or s.code_key like $3)
         order by s.id desc limit ${PER_GROUP}`,
        [group.batch_ids, like, codePattern(filter.search)],
      );
      return { ...group, serials: rows.map(view) };
    }),
  );
}

export const REDEEMED_PAGE_SIZE = 20;

const LEDGER = `redemptions r join serials s on s.id = r.serial_id join batches b on b.id = s.batch_id
  join products p on p.id = r.product_id join customers c on c.id = r.customer_id`;

/** A page of the ledger, newest first. */
export async function redeemedPage(
  db: Database,
  filter: { developerId: string; search: string | undefined; searchDay: Period | null; period: Period; page: number },
): Promise<{ rows: RedeemedSerial[]; total: number }> {
  const like = filter.search ? `%${escapeLike(filter.search)}%` : null;
  const condition = `r.developer_id = $1 and ($2::timestamptz is null or r.redeemed_at >= $2) and ($3::timestamptz is null or r.redeemed_at <= $3)
    and ($4::text is null or c.email ilike $4 or c.first_name ilike $4 or c.last_name ilike $4
      or concat_ws(' ', c.first_name, c.last_name) ilike $4 or p.name ilike $4 or s.code_key like $5
      or (r.redeemed_at >= $6 and r.redeemed_at <= $7))`;
  const values = [
    filter.developerId,
    filter.period.from,
    filter.period.to,
    like,
    codePattern(filter.search),
    filter.searchDay?.from ?? null,
    filter.searchDay?.to ?? null,
  ];
  const [rows, counted] = await Promise.all([
    db.query<RedeemedRow>(
      `select ${COLUMNS}, c.id as customer_id, c.first_name, c.last_name, c.email, r.final_price_cents, p.sale_price_cents,
         p.price_cents, r.country
       from ${LEDGER} where ${condition} order by r.redeemed_at desc, r.id desc limit $8 offset $9`,
      [...values, REDEEMED_PAGE_SIZE, (filter.page - 1) * REDEEMED_PAGE_SIZE],
    ),
    db.query<{ n: number }>(`select count(*) as n from ${LEDGER} where ${condition}`, values),
  ]);
  return { rows: rows.map(redeemedView), total: counted[0]?.n ?? 0 };
}

function codePattern(search: string | undefined): string | null {
  const key = search ? serialKey(search) : '';
  return key === '' ? null : `${escapeLike(key)}%`;
}

function view(row: Row): SerialView {
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
    download_count: row.download_count,
    created_at: row.created_at,
  };
}

function redeemedView(row: RedeemedRow): RedeemedSerial {
  const finalPrice = toDollars(row.final_price_cents);
  const { first_name, last_name, email } = row;
  return {
    ...view(row),
    redeemed_at: row.redeemed_at,
    customer: { id: row.customer_id, first_name, last_name, email },
    first_name,
    last_name,
    email,
    total: finalPrice,
    final_price: finalPrice,
    sale_price: toDollars(row.sale_price_cents),
    price: toDollars(row.price_cents),
    country: row.country,
  };
}
