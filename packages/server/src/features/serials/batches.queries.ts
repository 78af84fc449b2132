import { COUNTED, type KindCount, mostFrequent } from '../../platform/db/choices.ts';
import type { Sql } from '../../platform/db/database.ts';
import { folded, likeFolded } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { toDollars } from '../../platform/money.ts';
import { HANDED_OUT, OPEN } from './availability-rules.ts';
import type { BatchSort, BatchView } from './batches.schemas.ts';
import { type BatchKind, batchChoice } from './serial-filter.ts';

interface Row extends Omit<BatchView, 'promo_price'> {
  promo_price_cents: number | null;
}

// each count by an index of its own
const SELECT = `select b.id, b.product_id, p.name as product_name, p.image_url, b.partnership_id as reseller_id, t.name as reseller_name,
    b.origin, b.quantity, b.prefix, b.promo_price_cents, b.promo_start, b.promo_expires, b.expires_at, b.batch_tag, b.notes, b.created_at,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}) as open,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${HANDED_OUT}) as handed_out,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.redeemed_at is not null) as redeemed,
    (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.revoked_at is not null) as revoked
  from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)`;

export interface BatchFilter {
  developerId: string;
  productId: string | undefined;
  search: string | undefined;
  /** What was chosen besides: conditions on batch `b`. */
  chosen: string[];
  now: Date;
}

const FROM = `batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
  left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)`;

function condition(filter: BatchFilter): { sql: string; values: unknown[] } {
  const like = filter.search ? likeFolded(filter.search) : null;
  const own = `b.developer_id = $1 and ${listOf('b')} and p.deleted_at is null and ($2::uuid is null or b.product_id = $2)
    and ($3::text is null or ${['p.name', 'b.batch_tag', 'b.notes', 't.name'].map((each) => `${folded(each)} like $3`).join(' or ')})`;
  return {
    sql: [own, ...filter.chosen].join(' and '),
    values: [filter.developerId, filter.productId ?? null, like],
  };
}

/** What a page in this order ends with, as text, so that all fit into a cursor. */
const KEYS: Record<string, string> = {
  created_at: "''",
  product: 'lower(p.name)',
  tag: "lower(coalesce(b.batch_tag, ''))",
  reseller: "lower(coalesce(t.name, ''))",
  quantity: "lpad(b.quantity::text, 10, '0')",
};

/** `after` is what the page before ended with. */
export async function listBatches(
  sql: Sql,
  filter: BatchFilter,
  sort: BatchSort,
  after: { key: string; id: string } | null,
  limit: number,
): Promise<{ rows: (BatchView & { key: string })[]; total: number }> {
  const { sql: where, values } = condition(filter);
  const key = KEYS[sort.replace('-', '')] as string;
  const [way, beyond] = sort.startsWith('-') ? ['desc', '<'] : ['asc', '>'];
  const sorted = `(${key}) collate "C"`;
  // ids grow with time, so that the newest first needs no other key
  const byId = sort.endsWith('created_at');
  const rows = await sql.query<Row & { key: string }>(
    `${SELECT.replace('select b.id', `select ${key} as key, b.id`)} where ${where}
       and ($4::uuid is null or ${byId ? `$5::text is not null and b.id ${beyond} $4` : `(${sorted}, b.id) ${beyond} ($5::text collate "C", $4)`})
     order by ${byId ? '' : `${sorted} ${way}, `}b.id ${way} limit $6`,
    [...values, after?.id ?? null, after?.key ?? '', limit],
  );
  const [counted] = await sql.query<{ n: number }>(`select count(*) as n from ${FROM} where ${where}`, values);
  return { rows: rows.map((row) => ({ ...view(row), key: row.key })), total: counted?.n ?? 0 };
}

/** What can be chosen of filters, with how many batches each choice leaves. */
export async function batchChoiceCounts(
  sql: Sql,
  kinds: readonly BatchKind[],
  filter: BatchFilter,
): Promise<KindCount<BatchKind>[]> {
  const { sql: where, values } = condition(filter);
  const named = kinds.map((kind) => ({ kind, ...batchChoice(kind, filter.now) }));
  return sql.query<KindCount<BatchKind>>(
    `with batch as materialized (
       select ${named.map(({ kind, value }) => `${value} as ${kind}`).join(', ')} from ${FROM} where ${where} order by b.id desc limit ${COUNTED})
     ${named
       .map(({ kind, label }) =>
         mostFrequent(
           kind,
           `select ${kind}::text as value, count(*)::int as count, (select count(*) from batch) < ${COUNTED} as exact from batch group by 1`,
           label,
         ),
       )
       .join(' union all ')}`,
    values,
  );
}

export async function findBatchView(sql: Sql, developerId: string, id: string): Promise<BatchView | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} where b.developer_id = $1 and b.id = $2 and p.deleted_at is null`, [
    developerId,
    id,
  ]);
  return row && view(row);
}

function view({ promo_price_cents, ...row }: Row & { key?: string }): BatchView {
  return { ...row, promo_price: toDollars(promo_price_cents) };
}
