import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { COUNTED, type KindCount, LOOKED_AT, mostFrequentOf } from '#platform/db/statements/choices.ts';
import { escapeLike } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { lookUpOwn } from '#platform/db/tenant.ts';
import { AppError } from '#platform/errors.ts';
import { searchedCode, serialKey } from '../generate/codes.ts';
import { B, BATCHES, HANDED_OUT, lookUpBatch, NEWEST_FIRST, OPEN, ofBatch } from '../rules/rows.ts';
import { COLUMNS, type Row, view } from '../serials.queries.ts';
import type { SerialView } from '../serials.schemas.ts';
import { tables } from '../tables.ts';
import type { SerialListState } from './list.schemas.ts';
import { batchValues, type ChosenSerials, type SerialKind, type SerialStateName, UNNAMED } from './serial-filter.ts';

/** As many as one change by a filter may be about. */
export const MOST_AT_ONCE = 100_000;
/** So few codes that begin alike are looked at one by one. */
const FEW = LOOKED_AT;

export interface SerialFilter {
  developerId: string;
  state: SerialListState | undefined;
  productId: string | undefined;
  batchIds: string[] | undefined;
  search: string | undefined;
  /** The other chosen filters. */
  chosen?: ChosenSerials;
  now: Date;
}

type Condition = Expression<SqlBool>;

/** Serials of one batch that an index of their own has. Each serial is in one part. */
interface Part {
  state: SerialStateName;
  /** About serial `s`, as the index has it. */
  serial: Condition;
  /** About batch `b`, which has `ends`. */
  batch: Condition | null;
}

const all = (conditions: readonly Condition[]) => sql<boolean>`${sql.join(conditions, sql` and `)}`;
const union = (queries: readonly Expression<unknown>[]) => sql`${sql.join(queries, sql` union all `)}`;

const REDEEMED = sql<boolean>`s.redeemed_at is not null`;
const REVOKED = sql<boolean>`s.revoked_at is not null`;

function partsOf({ now, state, chosen }: SerialFilter): Part[] {
  const lasts = sql<boolean>`(b.ends is null or b.ends > ${now})`;
  const over = sql<boolean>`b.ends <= ${now}`;
  const parts: Part[] = [
    { state: 'available', serial: OPEN, batch: lasts },
    { state: 'expired', serial: OPEN, batch: over },
    { state: 'handed_out', serial: HANDED_OUT, batch: lasts },
    { state: 'expired', serial: HANDED_OUT, batch: over },
    { state: 'redeemed', serial: sql<boolean>`${REDEEMED} and s.revoked_at is null`, batch: null },
    { state: 'revoked', serial: REVOKED, batch: null },
  ];
  const among: Record<SerialListState, (part: Part) => Part | null> = {
    available: (part) => (part.serial === OPEN && part.batch === lasts ? part : null),
    handed_out: (part) => (part.serial === HANDED_OUT ? part : null),
    redeemed: (part) =>
      part.state === 'revoked'
        ? { ...part, serial: sql<boolean>`${REVOKED} and ${REDEEMED}` }
        : part.state === 'redeemed'
          ? part
          : null,
    revoked: (part) => (part.state === 'revoked' ? part : null),
  };
  return parts
    .filter((part) => !chosen?.states || chosen.states.includes(part.state))
    .map((part) => (state ? among[state](part) : part))
    .filter((part) => part !== null);
}

const conditionOf = ({ serial, batch }: Pick<Part, 'serial' | 'batch'>) => all(batch ? [serial, batch] : [serial]);

/** How each batch is read: in parts, or all of it by one index. */
function readsOf(filter: SerialFilter): Pick<Part, 'serial' | 'batch'>[] {
  return !filter.state && !filter.chosen?.states ? [{ serial: sql<boolean>`true`, batch: null }] : partsOf(filter);
}

/** The same as one condition on serial `s` of batch `b`. */
export function serialCondition(filter: SerialFilter): Condition {
  const reads = readsOf(filter).map((part) => sql`(${conditionOf(part)})`);
  return reads.length > 0 ? sql<boolean>`(${sql.join(reads, sql` or `)})` : sql<boolean>`false`;
}

/** Conditions on batch `b` of product `p`. */
export function batchesThatFit({ developerId, state, productId, batchIds, chosen }: SerialFilter): Condition {
  return all([
    sql<boolean>`b.developer_id = ${developerId}`,
    inList('b.created_at'),
    ...(state === 'available' ? [sql<boolean>`p.deleted_at is null`] : []),
    ...(productId ? [sql<boolean>`b.product_id = ${productId}`] : []),
    ...(batchIds ? [sql<boolean>`b.id = any(${batchIds}::uuid[])`] : []),
    ...(chosen?.batches ?? []),
  ]);
}

const batchesThatAreRead = (filter: SerialFilter) => sql`
  select b.developer_id, b.id, b.product_id, b.partnership_id, b.expires_at as ends from ${BATCHES}
  where ${batchesThatFit(filter)}`;

/** WITH entry of the batches that are read. */
const batchesOf = (filter: SerialFilter) =>
  sql`batch as materialized (${batchesThatAreRead(filter)} order by b.id desc)`;

/** WITH entry of the serials whose codes begin like this, in the order of their index. */
const coded = (developerId: string, like: string, limit: number) => sql`coded as materialized (
  select s.developer_id, s.id, s.batch_id, s.redeemed_at, s.revoked_at, s.handed_out_at from serials s
  where s.developer_id = ${developerId} and s.code_key like ${like} order by s.code_key limit ${sql.lit(limit)})`;

/** {@link coded} with their batches: each is looked up by itself, because all of one are expected to be a few, and may be thousands. */
const ofCoded = (filter: SerialFilter) =>
  sql`coded s cross join lateral (${batchesThatAreRead(filter)} and b.id = s.batch_id offset 0) b`;

/** A search, once it is known how many codes begin like it. */
interface Codes {
  like: string;
  few: boolean;
}

async function codesOf(handle: Sql, { developerId, search }: SerialFilter): Promise<Codes | null> {
  const like = codePattern(search);
  if (!like) return null;
  const { rows } = await sql<{ n: number }>`
    with ${coded(developerId, like, FEW + 1)} select count(*)::int as n from coded`.execute(tables.in(handle));
  return { like, few: (rows[0]?.n ?? 0) <= FEW };
}

/** A query for the serials that fit, as many as `limit`: of few codes each, of all others batch by batch. */
function found(filter: SerialFilter, codes: Codes | null, limit: number): RawBuilder<{ id: string }> {
  if (codes?.few)
    return sql`with ${coded(filter.developerId, codes.like, FEW)}
      select s.id from ${ofCoded(filter)} where ${serialCondition(filter)} limit ${sql.lit(limit)}`;
  const most = sql.lit(limit);
  return sql`with ${batchesOf(filter)}
    select s.id from batch b cross join lateral (${reading(filter, codes, null, most)}) s limit ${most}`;
}

/** The newest of batch `b`, each part by its index; `limit` of each part. */
function reading(
  filter: SerialFilter,
  codes: Codes | null,
  before: string | null,
  limit: Expression<unknown>,
): Expression<unknown> {
  const also = [
    ...(codes ? [sql<boolean>`s.code_key like ${codes.like}`] : []),
    ...(before ? [sql<boolean>`s.id < ${before}`] : []),
  ];
  const parts = readsOf(filter).map(
    (part) => sql`(
      select s.id from serials s where ${all([ofBatch(filter.developerId, B), conditionOf(part), ...also])}
      order by ${NEWEST_FIRST} limit ${limit})`,
  );
  return parts.length > 0 ? union(parts) : sql`select null::uuid as id where false`;
}

/**
 * Newest first; `after` is the id the page before ended with. A page is in the batches whose newest serials are the newest, and
 * of the second of these one less is wanted than of the first.
 */
export async function listSerials(
  handle: Sql,
  filter: SerialFilter,
  after: string | null,
  limit: number,
): Promise<SerialView[]> {
  const { developerId } = filter;
  const codes = await codesOf(handle, filter);
  const most = sql.lit(limit);
  const page = codes?.few
    ? sql`${coded(developerId, codes.like, FEW)}, page as materialized (
         select s.id from ${ofCoded(filter)}
         where ${serialCondition(filter)}${after ? sql` and s.id < ${after}` : sql``} order by s.id desc limit ${most})`
    : sql`${batchesOf(filter)}, page as materialized (
         select s.id from (
           select b.*, row_number() over (order by h.id desc) as place
           from batch b cross join lateral (
             select h.id from (${reading(filter, codes, after, sql.lit(1))}) h order by h.id desc limit 1) h
           order by h.id desc limit ${most}) b
         cross join lateral (${reading(filter, codes, after, sql`${sql.lit(limit + 1)} - b.place`)}) s
         order by s.id desc limit ${most})`;
  const { rows } = await sql<Row>`with ${page}
     select ${COLUMNS} from page x ${lookUpOwn('serials as s', developerId, sql`x.id`)} ${lookUpBatch(developerId)}
     order by s.id desc`.execute(tables.in(handle));
  return rows.map(view);
}

/** How many fit, as far as they are counted. */
export async function countSerials(
  handle: Sql,
  filter: SerialFilter,
): Promise<{ total: number; total_exact: boolean }> {
  const codes = await codesOf(handle, filter);
  const most = codes && !codes.few ? FEW : COUNTED;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${found(filter, codes, most + 1)}) counted`.execute(tables.in(handle));
  const n = rows[0]?.n ?? 0;
  return { total: Math.min(n, most), total_exact: n <= most };
}

/** The serials of all that fit. @throws {AppError} domain_rule when they are too many. */
export async function serialIds(handle: Sql, filter: SerialFilter): Promise<string[]> {
  const codes = await codesOf(handle, filter);
  const { rows } = await found(filter, codes, MOST_AT_ONCE + 1).execute(tables.in(handle));
  if (rows.length > MOST_AT_ONCE) throw new AppError('domain_rule', 'More than 100,000 match. Narrow the filter.');
  return rows.map(({ id }) => id);
}

/**
 * The choices of filters, with the number of serials that each choice leaves. Every batch is looked at, but none
 * further than its share of the total count, so that a large batch does not hide others.
 */
export async function serialChoiceCounts(
  handle: Sql,
  kinds: readonly SerialKind[],
  filter: SerialFilter,
): Promise<KindCount<SerialKind>[]> {
  const like = codePattern(filter.search);
  const counted = like
    ? countedCodes(filter, like)
    : sql`${batchesOf(filter)}, ${await countedBatches(handle, filter)}`;
  const grouped = (value: Expression<unknown>) =>
    sql`select ${value}::text as value, sum(n)::int as count, bool_and(exact) as exact from counted b group by 1`;
  const values = batchValues(filter.developerId);
  const each = kinds.map((kind) =>
    kind === 'status'
      ? mostFrequentOf(kind, grouped(sql`b.state`), UNNAMED)
      : mostFrequentOf(kind, grouped(values[kind].value), values[kind].label),
  );
  const { rows } = await sql<KindCount<SerialKind>>`
    with ${counted} ${union(each)}`.execute(tables.in(handle));
  return rows;
}

async function countedBatches(handle: Sql, filter: SerialFilter): Promise<Expression<unknown>> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${BATCHES} where ${batchesThatFit(filter)}`.execute(tables.in(handle));
  const share = Math.ceil(COUNTED / Math.max(1, rows[0]?.n ?? 0));
  const parts = partsOf(filter).map(
    ({ state, serial, batch }) => sql`select ${sql.lit(state)} as state, (select count(*)::int from (
        select 1 from serials s where s.developer_id = ${filter.developerId} and s.batch_id = b.id and ${serial}
        limit ${sql.lit(share + 1)}) few) as n${batch ? sql` where ${batch}` : sql``}`,
  );
  const none = sql`select null::text as state, 0 as n`;
  return sql`counted as materialized (
    select b.id, b.product_id, b.partnership_id, s.state, least(s.n, ${sql.lit(share)}) as n, s.n <= ${sql.lit(share)} as exact
    from batch b cross join lateral (${union(parts.length > 0 ? parts : [none])}) s where s.n > 0)`;
}

function countedCodes(filter: SerialFilter, like: string): Expression<unknown> {
  const states = partsOf(filter).map((part) => sql`when ${conditionOf(part)} then ${sql.lit(part.state)}`);
  const state = states.length > 0 ? sql`case ${sql.join(states, sql` `)} end` : sql`null::text`;
  return sql`${coded(filter.developerId, like, FEW + 1)}, counted as materialized (
    select b.id, b.product_id, b.partnership_id, ${state} as state, 1 as n, (select count(*) from coded) <= ${sql.lit(FEW)} as exact
    from ${ofCoded(filter)} where ${state} is not null)`;
}

/** The LIKE pattern of codes that begin like this, or null. */
export function codePattern(search: string | undefined): string | null {
  const key = search ? serialKey(searchedCode(search)) : '';
  return key === '' ? null : `${escapeLike(key)}%`;
}
