import { type Expression, type InferResult, type SqlBool, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Begins } from '#platform/db/handle.ts';
import { COUNTED, evenShare, type KindCount, mostFrequentOf } from '#platform/db/statements/choices.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Tables } from '#platform/db/tables.ts';
import { joinOwn, leftJoinOwn, ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import { type BatchKind, batchChoice } from '../list/serial-filter.ts';
import type { BatchDates } from '../rules/batch-dates.ts';
import { HANDED_OUT, OPEN, UNUSED } from '../rules/rows.ts';
import { tables } from '../tables.ts';
import { type BatchSort, type BatchState, type BatchView, batchStates as states } from './batches.schemas.ts';

/** Conditions on serials `s`, by state. */
const STATES = {
  open: OPEN,
  handed_out: HANDED_OUT,
  redeemed: sql<boolean>`s.redeemed_at is not null`,
  revoked: sql<boolean>`s.revoked_at is not null`,
} as const satisfies Record<BatchState, unknown>;

type Counts = Record<BatchState, number>;

/** Batches `b` of products `p` that are not deleted. */
const ownBatches = (begin: Begins<Tables, never>, developerId: string) =>
  begin
    .selectFrom('batches as b')
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .where('b.developer_id', '=', developerId)
    .where('p.deleted_at', 'is', null);

const columns = [
  'b.id',
  'b.product_id',
  'p.name as product_name',
  'p.image_url',
  'b.partnership_id as reseller_id',
  't.name as reseller_name',
  'b.origin',
  'b.quantity',
  'b.prefix',
  'b.promo_price_cents',
  'b.promo_start',
  'b.promo_expires',
  'b.expires_at',
  'b.batch_tag',
  'b.notes',
  'b.created_at',
] as const;

const selectBatches = (begin: Begins<Tables, never>, developerId: string) =>
  ownBatches(begin, developerId)
    .$call(leftJoinOwn('partnerships as t', 't.id', 'b.partnership_id'))
    .select(columns);
type Row = InferResult<ReturnType<typeof selectBatches>>[number];

/** So many serials are counted for a hundred batches. */
const COUNTED_OF_HUNDRED = 300_000;

export interface BatchFilter {
  developerId: string;
  productId: string | undefined;
  search: string | undefined;
  /** The other chosen filters: conditions on batch `b`. */
  chosen: Expression<SqlBool>[];
  now: Date;
}

/** Batches `b` that fit, of products `p` and partnerships `t`. */
function fitting({ developerId, productId, search, chosen }: BatchFilter): Expression<SqlBool> {
  const like = search && likeFolded(search);
  const texts = ['p.name', 'b.batch_tag', 'b.notes', 't.name'].map(
    (text) => sql`${sql.raw(folded(text))} like ${like}`,
  );
  const conditions: Expression<SqlBool>[] = [
    sql`b.developer_id = ${developerId}`,
    inList('b.created_at'),
    sql`p.deleted_at is null`,
    ...(productId ? [sql<boolean>`b.product_id = ${productId}`] : []),
    ...(like ? [sql<boolean>`(${sql.join(texts, sql` or `)})`] : []),
    ...chosen,
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

const FROM = sql`batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
  ${ownLeftJoin('partnerships as t', 't.id', 'b.partnership_id')}`;

/** The sort keys of a batch, as text, so that all fit into a cursor. */
const KEYS: Record<string, Expression<string>> = {
  created_at: sql`''`,
  product: sql`lower(p.name)`,
  tag: sql`lower(coalesce(b.batch_tag, ''))`,
  reseller: sql`lower(coalesce(t.name, ''))`,
  quantity: sql`lpad(b.quantity::text, 10, '0')`,
};

/** `after` is what the page before ended with. */
export async function listBatches(
  handle: Sql,
  filter: BatchFilter,
  sort: BatchSort,
  after: { key: string; id: string } | null,
  limit: number,
  count: boolean,
): Promise<{ rows: (BatchView & { key: string })[]; total: number | null }> {
  const own = tables.in(handle);
  const fits = fitting(filter);
  const key = KEYS[sort.replace('-', '')] as Expression<string>;
  const [way, beyond] = sort.startsWith('-') ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const sorted = sql`(${key}) collate "C"`;
  // ids grow with time, so that the newest first needs no other key
  const byId = sort.endsWith('created_at');
  const further = byId
    ? sql`and b.id ${beyond} ${after?.id}`
    : sql`and (${sorted}, b.id) ${beyond} (${after?.key}::text collate "C", ${after?.id}::uuid)`;
  const { rows: found } = await sql<Row & { key: string }>`
    select ${key} as key, ${sql.raw(columns.join(', '))} from ${FROM} where ${fits} ${after ? further : sql``}
    order by ${byId ? sql`` : sql`${sorted} ${way},`} b.id ${way} limit ${limit}`.execute(own);
  const most = evenShare(
    found.map(({ quantity }) => quantity),
    COUNTED_OF_HUNDRED * Math.ceil(found.length / 100),
  );
  const counts = await countStates(own, filter.developerId, found, most);
  const rows = found.map(({ key, ...row }) => ({ ...view(row, counts.get(row.id), most), key }));
  if (!count) return { rows, total: null };
  const counted = await sql<{ n: number }>`select count(*) as n from ${FROM} where ${fits}`.execute(own);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

/** The choices of filters, with the number of batches that each choice leaves. */
export async function batchChoiceCounts(
  handle: Sql,
  kinds: readonly BatchKind[],
  filter: BatchFilter,
): Promise<KindCount<BatchKind>[]> {
  const named = kinds.map((kind) => ({ kind, ...batchChoice(kind, filter) }));
  const values = named.map(({ kind, value }) => sql`${value} as ${sql.ref(kind)}`);
  const each = named.map(({ kind, label }) => {
    const grouped = sql`select ${sql.ref(kind)}::text as value, count(*)::int as count,
      (select count(*) from batch) < ${sql.lit(COUNTED)} as exact from batch group by 1`;
    return mostFrequentOf(kind, grouped, label);
  });
  const { rows } = await sql<KindCount<BatchKind>>`
    with batch as materialized (
      select ${sql.join(values)} from ${FROM} where ${fitting(filter)} order by b.id desc limit ${sql.lit(COUNTED)})
    ${sql.join(each, sql` union all `)}`.execute(tables.in(handle));
  return rows;
}

/** One batch, counted whole. */
export async function findBatchView(handle: Sql, developerId: string, id: string): Promise<BatchView | undefined> {
  const own = tables.in(handle);
  const row = await selectBatches(own, developerId).where('b.id', '=', id).executeTakeFirst();
  return row && view(row, (await countStates(own, developerId, [row], null)).get(id), null);
}

/** How many serials of each batch are in which state, each by an index of its own. @param most that are counted of each, and one more */
async function countStates(
  handle: Sql,
  developerId: string,
  batches: readonly { id: string }[],
  most: number | null,
): Promise<Map<string, Counts>> {
  const columns = states.map(
    (state) => sql`(select count(*)::int from (
      select 1 from serials s where s.developer_id = ${developerId} and s.batch_id = b.id and ${STATES[state]}
      limit ${most === null ? null : most + 1}::int) few) as ${sql.ref(state)}`,
  );
  const { rows } = await sql<Counts & { id: string }>`
    select b.id, ${sql.join(columns)} from unnest(${batches.map(({ id }) => id)}::uuid[]) b (id)`.execute(
    tables.in(handle),
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** The serials `s` of a batch that are neither redeemed nor revoked, handed out or not. */
export const unusedOf = (batchId: string) => sql<boolean>`s.batch_id = ${batchId} and ${UNUSED}`;

/** How many serials of a batch are neither redeemed nor revoked, handed out or not. */
export async function countUnused(handle: Sql, developerId: string, batchId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from serials s
    where s.developer_id = ${developerId} and ${unusedOf(batchId)}`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

/** When the serials of a batch can be redeemed, and whether it has a promo. Nobody else changes it until the transaction ends. */
export function lockDates(handle: Sql, developerId: string, id: string) {
  return ownBatches(tables.in(handle), developerId)
    .select(['b.promo_start as promoStart', 'b.promo_expires as promoExpires', 'b.expires_at as expiresAt'])
    .select(sql<boolean>`b.promo_price_cents is not null`.as('deal'))
    .where('b.id', '=', id)
    .forNoKeyUpdate('b')
    .executeTakeFirst();
}

export async function setDates(handle: Sql, developerId: string, id: string, dates: BatchDates): Promise<void> {
  await tables
    .in(handle)
    .updateTable('batches')
    .set({ promo_start: dates.promoStart, promo_expires: dates.promoExpires, expires_at: dates.expiresAt })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .execute();
}

function view({ promo_price_cents, ...row }: Row, counts: Counts | undefined, most: number | null): BatchView {
  const of = (state: BatchState) => counts?.[state] ?? 0;
  const more = states.filter((state) => most !== null && of(state) > most);
  const known = Object.fromEntries(states.map((state) => [state, more.includes(state) ? (most as number) : of(state)]));
  return { ...row, ...(known as Counts), at_least: more, promo_price: toDollars(promo_price_cents) };
}
