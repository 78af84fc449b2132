import pg from 'pg';
import type { Sql } from '#platform/db/database.ts';
import { COUNTED, type KindCount, LOOKED_AT, mostFrequent } from '#platform/db/statements/choices.ts';
import { escapeLike } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { AppError } from '#platform/errors.ts';
import { searchedCode, serialKey } from '../generate/codes.ts';
import { HANDED_OUT, NEWEST_FIRST, OF_BATCH, OPEN } from '../rules/availability-rules.ts';
import { COLUMNS, type Row, TABLES, view } from '../serials.queries.ts';
import type { SerialListState, SerialView } from '../serials.schemas.ts';
import { BATCH_VALUES, type SerialKind, type SerialStateName } from './serial-filter.ts';

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
  /** What was chosen besides: conditions on batch `b`, and states; null: all of them. */
  chosen?: { batches: string[]; states: SerialStateName[] | null };
  now: Date;
}

/** Serials of one batch that an index of their own has. Each serial is in one part. */
interface Part {
  state: SerialStateName;
  /** Of serial `s`, as the index has it. */
  serial: string;
  /** Of batch `b`, which has `ends`. */
  batch: string | null;
}

const text = (value: string) => pg.escapeLiteral(value);
const uuids = (ids: readonly string[]) => `any(${text(`{${ids.join(',')}}`)}::uuid[])`;

function partsOf({ now, state, chosen }: SerialFilter): Part[] {
  const moment = `${text(now.toISOString())}::timestamptz`;
  const [lasts, over] = [`(b.ends is null or b.ends > ${moment})`, `b.ends <= ${moment}`];
  const parts: Part[] = [
    { state: 'available', serial: OPEN, batch: lasts },
    { state: 'expired', serial: OPEN, batch: over },
    { state: 'handed_out', serial: HANDED_OUT, batch: lasts },
    { state: 'expired', serial: HANDED_OUT, batch: over },
    { state: 'redeemed', serial: 's.redeemed_at is not null and s.revoked_at is null', batch: null },
    { state: 'revoked', serial: 's.revoked_at is not null', batch: null },
  ];
  const among: Record<SerialListState, (part: Part) => Part | null> = {
    available: (part) => (part.serial === OPEN && part.batch === lasts ? part : null),
    handed_out: (part) => (part.serial === HANDED_OUT ? part : null),
    redeemed: (part) =>
      part.state === 'revoked'
        ? { ...part, serial: `${part.serial} and s.redeemed_at is not null` }
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

/** What is read of each batch: its parts, or all of it by one index. */
function readsOf(filter: SerialFilter): Pick<Part, 'serial' | 'batch'>[] {
  return !filter.state && !filter.chosen?.states ? [{ serial: 'true', batch: null }] : partsOf(filter);
}

/** The same as one condition on serial `s` of batch `b`. */
export function serialCondition(filter: SerialFilter): string {
  const reads = readsOf(filter).map(({ serial, batch }) => `(${[serial, ...(batch ? [batch] : [])].join(' and ')})`);
  return reads.length > 0 ? `(${reads.join(' or ')})` : 'false';
}

/** Conditions on batch `b` of product `p`. @param own the developer's id, quoted or a parameter */
export function batchConditions(own: string, { state, productId, batchIds, chosen }: SerialFilter): string {
  return [
    `b.developer_id = ${own}`,
    listOf('b'),
    ...(state === 'available' ? ['p.deleted_at is null'] : []),
    ...(productId ? [`b.product_id = ${text(productId)}`] : []),
    ...(batchIds ? [`b.id = ${uuids(batchIds)}`] : []),
    ...(chosen?.batches ?? []),
  ].join(' and ');
}

const FROM = 'batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)';

/** WITH entry of the batches that are read. */
const batchesOf = (filter: SerialFilter) => `batch as materialized (
  select b.developer_id, b.id, b.product_id, b.partnership_id, b.expires_at as ends from ${FROM}
  where ${batchConditions('$1', filter)} order by b.id desc)`;

/** WITH entry of the serials whose codes begin like this, in the order of their index. */
const coded = (like: string, limit: number) => `coded as materialized (
  select s.developer_id, s.id, s.batch_id, s.redeemed_at, s.revoked_at, s.handed_out_at from serials s
  where s.developer_id = $1 and s.code_key like ${text(like)} order by s.code_key limit ${limit})`;

/** A search, once it is known how many codes begin like it. */
interface Codes {
  like: string;
  few: boolean;
}

async function codesOf(sql: Sql, { developerId, search }: SerialFilter): Promise<Codes | null> {
  const like = codePattern(search);
  if (!like) return null;
  const [found] = await sql.query<{ n: number }>(`with ${coded(like, FEW + 1)} select count(*)::int as n from coded`, [
    developerId,
  ]);
  return { like, few: (found?.n ?? 0) <= FEW };
}

/** A query for the serials that fit, as many as `limit`: of few codes each, of all others batch by batch. */
function found(filter: SerialFilter, codes: Codes | null, limit: number): string {
  if (codes?.few)
    return `with ${batchesOf(filter)}, ${coded(codes.like, FEW)}
      select s.id from coded s join batch b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
      where ${serialCondition(filter)} limit ${limit}`;
  return `with ${batchesOf(filter)} select s.id from batch b cross join lateral (${reading(filter, codes, '', limit)}) s limit ${limit}`;
}

/** The newest of batch `b`, each part by its index; `limit` of each part. */
function reading(filter: SerialFilter, codes: Codes | null, also: string, limit: number | string): string {
  const parts = readsOf(filter).map(
    ({
      serial,
      batch,
    }) => `(select s.id from serials s where ${OF_BATCH} and ${serial}${batch ? ` and ${batch}` : ''}${codes ? ` and s.code_key like ${text(codes.like)}` : ''}${also}
      order by ${NEWEST_FIRST} limit ${limit})`,
  );
  return parts.length > 0 ? parts.join(' union all ') : 'select null::uuid as id where false';
}

/**
 * Newest first; `after` is the id the page before ended with. A page is in the batches whose newest serials are the newest, and
 * of the second of these one less is wanted than of the first.
 */
export async function listSerials(
  sql: Sql,
  filter: SerialFilter,
  after: string | null,
  limit: number,
): Promise<SerialView[]> {
  const codes = await codesOf(sql, filter);
  const before = after ? ` and s.id < ${text(after)}` : '';
  const page = codes?.few
    ? `${coded(codes.like, FEW)}, page as materialized (
         select s.id from coded s join batch b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
         where ${serialCondition(filter)}${before} order by s.id desc limit ${limit})`
    : `page as materialized (
         select s.id from (
           select b.*, row_number() over (order by h.id desc) as place
           from batch b cross join lateral (
             select h.id from (${reading(filter, codes, before, 1)}) h order by h.id desc limit 1) h
           order by h.id desc limit ${limit}) b
         cross join lateral (${reading(filter, codes, before, `${limit + 1} - b.place`)}) s
         order by s.id desc limit ${limit})`;
  const rows = await sql.query<Row>(
    `with ${batchesOf(filter)}, ${page}
     select ${COLUMNS} from page x join ${TABLES.replace('serials s', 'serials s on s.developer_id = $1 and s.id = x.id')}
     order by s.id desc`,
    [filter.developerId],
  );
  return rows.map(view);
}

/** How many fit, as far as they are counted. */
export async function countSerials(sql: Sql, filter: SerialFilter): Promise<{ total: number; total_exact: boolean }> {
  const codes = await codesOf(sql, filter);
  const most = codes && !codes.few ? FEW : COUNTED;
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from (${found(filter, codes, most + 1)}) counted`,
    [filter.developerId],
  );
  const n = row?.n ?? 0;
  return { total: Math.min(n, most), total_exact: n <= most };
}

/** The serials of all that fit. @throws {AppError} domain_rule when they are too many. */
export async function serialIds(sql: Sql, filter: SerialFilter): Promise<string[]> {
  const codes = await codesOf(sql, filter);
  const rows = await sql.query<{ id: string }>(found(filter, codes, MOST_AT_ONCE + 1), [filter.developerId]);
  if (rows.length > MOST_AT_ONCE) throw new AppError('domain_rule', 'More than 100,000 match. Narrow the filter.');
  return rows.map(({ id }) => id);
}

/**
 * What can be chosen of filters, with how many serials each choice leaves. Every batch is looked at, but none further than its
 * share of what is counted in all, so that a large one hides no other.
 */
export async function serialChoiceCounts(
  sql: Sql,
  kinds: readonly SerialKind[],
  filter: SerialFilter,
): Promise<KindCount<SerialKind>[]> {
  const like = codePattern(filter.search);
  const counted = like ? countedCodes(filter, like) : await countedBatches(sql, filter);
  const grouped = (value: string) =>
    `select ${value}::text as value, sum(n)::int as count, bool_and(exact) as exact from counted b group by 1`;
  const each = kinds.map((kind) =>
    kind === 'status'
      ? mostFrequent(kind, grouped('b.state'), 'null::text')
      : mostFrequent(kind, grouped(BATCH_VALUES[kind].value), BATCH_VALUES[kind].label),
  );
  return sql.query<KindCount<SerialKind>>(`with ${batchesOf(filter)}, ${counted} ${each.join(' union all ')}`, [
    filter.developerId,
  ]);
}

async function countedBatches(sql: Sql, filter: SerialFilter): Promise<string> {
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from ${FROM} where ${batchConditions('$1', filter)}`,
    [filter.developerId],
  );
  const share = Math.ceil(COUNTED / Math.max(1, row?.n ?? 0));
  const parts = partsOf(filter).map(
    ({ state, serial, batch }) => `select '${state}' as state, (select count(*)::int from (
        select 1 from serials s where s.developer_id = b.developer_id and s.batch_id = b.id and ${serial}
        limit ${share + 1}) few) as n${batch ? ` where ${batch}` : ''}`,
  );
  const none = `select null::text as state, 0 as n`;
  return `counted as materialized (
    select b.id, b.product_id, b.partnership_id, s.state, least(s.n, ${share}) as n, s.n <= ${share} as exact
    from batch b cross join lateral (${[...parts, ...(parts.length > 0 ? [] : [none])].join(' union all ')}) s where s.n > 0)`;
}

function countedCodes(filter: SerialFilter, like: string): string {
  const parts = partsOf(filter);
  const states = parts.map(
    ({ state, serial, batch }) => `when ${[serial, ...(batch ? [batch] : [])].join(' and ')} then '${state}'`,
  );
  const state = parts.length > 0 ? `case ${states.join(' ')} end` : 'null::text';
  return `${coded(like, FEW + 1)}, counted as materialized (
    select b.id, b.product_id, b.partnership_id, ${state} as state, 1 as n, (select count(*) from coded) <= ${FEW} as exact
    from coded s join batch b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where ${state} is not null)`;
}

/** What the codes that begin like this look like to LIKE, or null. */
export function codePattern(search: string | undefined): string | null {
  const key = search ? serialKey(searchedCode(search)) : '';
  return key === '' ? null : `${escapeLike(key)}%`;
}
