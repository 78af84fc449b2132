import type { Sql } from '#platform/db/database.ts';
import { COUNTED, evenShare, type KindCount, mostFrequent } from '#platform/db/statements/choices.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { toDollars } from '#platform/money.ts';
import { type BatchKind, batchChoice } from '../list/serial-filter.ts';
import { HANDED_OUT, OPEN } from '../rules/availability-rules.ts';
import { type BatchSort, type BatchState, type BatchView, batchStates as states } from './batches.schemas.ts';

const STATES = {
  open: OPEN,
  handed_out: HANDED_OUT,
  redeemed: 's.redeemed_at is not null',
  revoked: 's.revoked_at is not null',
} as const satisfies Record<BatchState, string>;

interface Row extends Omit<BatchView, 'promo_price' | 'at_least' | BatchState> {
  promo_price_cents: number | null;
}
type Counts = Record<BatchState, number>;

const SELECT = `select b.id, b.product_id, p.name as product_name, p.image_url, b.partnership_id as reseller_id, t.name as reseller_name,
    b.origin, b.quantity, b.prefix, b.promo_price_cents, b.promo_start, b.promo_expires, b.expires_at, b.batch_tag, b.notes, b.created_at
  from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)`;

/** So many serials are counted for a page of batches. */
const COUNTED_OF_PAGE = 300_000;

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
  const found = await sql.query<Row & { key: string }>(
    `${SELECT.replace('select b.id', `select ${key} as key, b.id`)} where ${where}
       and ($4::uuid is null or ${byId ? `$5::text is not null and b.id ${beyond} $4` : `(${sorted}, b.id) ${beyond} ($5::text collate "C", $4)`})
     order by ${byId ? '' : `${sorted} ${way}, `}b.id ${way} limit $6`,
    [...values, after?.id ?? null, after?.key ?? '', limit],
  );
  const [counted] = await sql.query<{ n: number }>(`select count(*) as n from ${FROM} where ${where}`, values);
  const most = evenShare(
    found.map(({ quantity }) => quantity),
    COUNTED_OF_PAGE,
  );
  const counts = await countStates(sql, filter.developerId, found, most);
  const rows = found.map(({ key, ...row }) => ({ ...view(row, counts.get(row.id), most), key }));
  return { rows, total: counted?.n ?? 0 };
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

/** One batch, counted whole. */
export async function findBatchView(sql: Sql, developerId: string, id: string): Promise<BatchView | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} where b.developer_id = $1 and b.id = $2 and p.deleted_at is null`, [
    developerId,
    id,
  ]);
  return row && view(row, (await countStates(sql, developerId, [row], null)).get(id), null);
}

/** How many serials of each batch are in which state, each by an index of its own. @param most that are counted of each, and one more */
async function countStates(
  sql: Sql,
  developerId: string,
  batches: readonly { id: string }[],
  most: number | null,
): Promise<Map<string, Counts>> {
  const columns = states.map(
    (state) => `(select count(*)::int from (
      select 1 from serials s where (s.developer_id, s.batch_id) = ($1, b.id) and ${STATES[state]} limit $3::int) few) as ${state}`,
  );
  const rows = await sql.query<Counts & { id: string }>(
    `select b.id, ${columns.join(', ')} from unnest($2::uuid[]) b (id)`,
    [developerId, batches.map(({ id }) => id), most === null ? null : most + 1],
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

function view({ promo_price_cents, ...row }: Row, counts: Counts | undefined, most: number | null): BatchView {
  const of = (state: BatchState) => counts?.[state] ?? 0;
  const more = states.filter((state) => most !== null && of(state) > most);
  const known = Object.fromEntries(states.map((state) => [state, more.includes(state) ? (most as number) : of(state)]));
  return { ...row, ...(known as Counts), at_least: more, promo_price: toDollars(promo_price_cents) };
}
