import pg from 'pg';
import { PERSON } from '#features/customers';
import { codePattern } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import type { Period } from '#platform/time/days.ts';
import { PARTNERS } from './partners.ts';
import type { Chosen } from './transaction-choices.ts';

export interface EntryFilter {
  resellerId: string;
  search: string | undefined;
  period: Period;
  chosen: Chosen;
}

/** The entry that a page ended with. */
export interface Place {
  at: string;
  id: string;
}

/** A search that finds more is counted no further. */
export const COUNT_LIMIT = 10_000;
/** So few customers or serials are looked up one by one. */
const FEW = 10_000;

const text = (value: string) => pg.escapeLiteral(value);
const moment = (value: Date) => `${text(value.toISOString())}::timestamptz`;

/** {@link PARTNERS} with the reseller in its text: COPY takes no parameters, so the driver quotes the values. */
export const partnersOf = (resellerId: string) => PARTNERS.replace('$1', `${text(resellerId)}::uuid`);

/** Bounds of a column of time, and of the page. */
function bounds(alias: string, column: string, { from, to }: Period, after: Place | null): string {
  const at = `${alias}.${column}`;
  return [
    ...(from ? [`${at} >= ${moment(from)}`] : []),
    ...(to ? [`${at} <= ${moment(to)}`] : []),
    ...(after ? [`(${at}, ${alias}.id) < (${text(after.at)}::timestamptz, ${text(after.id)}::uuid)`] : []),
  ]
    .map((condition) => ` and ${condition}`)
    .join('');
}

/** Further conditions on redemptions: those of a period and of the page. */
export const redemptionsIn = (alias: string, period: Period, after: Place | null) =>
  bounds(alias, 'redeemed_at', period, after);

/** What a search is about. */
export interface Match {
  /** Null where all redemptions fit. */
  parts: MatchParts | null;
  nothing: boolean;
}

/** Together they are what fits. */
interface MatchParts {
  /** Redemptions to look up one by one. */
  few: string | null;
  /** A query for customers, `developer_id, id`, whose redemptions are looked up; their names fit few of the reseller's. */
  people: string | null;
  /** A condition for reading the newest redemptions. */
  many: ((alias: string) => string) | null;
  /** {@link many} and the few. */
  listed: ((alias: string) => string) | null;
  /** A further condition on redemptions of the people. */
  fit: (alias: string) => string;
}

/**
 * Turns a search into a condition on redemptions. Names and addresses are only searched among customers of developers that the
 * reseller works with, and the redemptions that it is applied to are the reseller's own.
 */
export async function matchOf(sql: Sql, { resellerId, search, chosen }: EntryFilter): Promise<Match> {
  const within = chosen.products.length > 0 ? await developersOf(sql, resellerId, chosen.products) : '';
  const fit = (r: string) => `${chosen.redemption(r)}${within && ` and ${r}.developer_id = ${within}`}`;
  if (!search) {
    const many = fit('r') ? fit : null;
    const parts = many && { few: null, people: null, many, listed: many, fit };
    return { parts, nothing: false };
  }
  const like = text(likeFolded(search));
  const prefix = codePattern(search);
  const code = prefix && text(prefix);
  const partners = partnersOf(resellerId);
  const partnerships = await sql.query<{ id: string; developer_id: string; named: boolean }>(
    `${partners} select t.id, t.developer_id, ${folded('t.developer_name')} like ${like} as named from linked t`,
  );
  const linked = partnerships.filter(({ named }) => named).map(({ id }) => id);
  const developers = [...new Set(partnerships.map(({ developer_id }) => developer_id))];
  // given as a list, whose length the planner sees: of how many developers there are, its statistics may not know yet
  const idsOf = async (query: string) =>
    (await sql.query<{ id: string }>(`${query} limit ${FEW + 1}`, [developers])).map(({ id }) => id);
  const [serials, customers, products] = await Promise.all([
    code ? idsOf(`select s.id from serials s where s.developer_id = any($1::uuid[]) and s.code_key like ${code}`) : [],
    idsOf(`select c.id from customers c where c.developer_id = any($1::uuid[]) and ${PERSON} like ${like}`),
    idsOf(
      `select p.id from products p where p.developer_id = any($1::uuid[]) and ${folded('p.name_key')} like ${like}`,
    ),
  ]);
  const fitting = `select c.developer_id, c.id from linked t join customers c on c.developer_id = t.developer_id and ${PERSON} like ${like}`;
  const rare = customers.length > FEW && (await isRare(sql, partners, like));
  const looked = [
    ...(serials.length > 0 && serials.length <= FEW ? [(r: string) => `${r}.serial_id = ${any(serials)}`] : []),
    ...(customers.length > 0 && customers.length <= FEW ? [(r: string) => `${r}.customer_id = ${any(customers)}`] : []),
  ];
  const read = [
    ...(serials.length > FEW
      ? [
          (r: string) =>
            `exists (select 1 from serials s where (s.developer_id, s.id) = (${r}.developer_id, ${r}.serial_id) and s.code_key like ${code})`,
        ]
      : []),
    ...(customers.length > FEW && !rare
      ? [
          (r: string) =>
            `exists (select 1 from customers c where (c.developer_id, c.id) = (${r}.developer_id, ${r}.customer_id) and ${PERSON} like ${like})`,
        ]
      : []),
    ...(products.length > 0 ? [(r: string) => `${r}.product_id = ${any(products)}`] : []),
    ...(linked.length > 0 ? [(r: string) => `${r}.partnership_id = ${any(linked)}`] : []),
  ];
  const or = (conditions: ((r: string) => string)[], r: string) => `(${conditions.map((of) => of(r)).join(' or ')})`;
  const listed = [...looked, ...read];
  const both = listed.length > 0 ? (r: string) => ` and ${or(listed, r)}${fit(r)}` : null;
  return {
    parts: {
      few: looked.length > 0 ? `${or(looked, 'r')}${fit('r')}` : null,
      people: rare ? fitting : null,
      many: read.length > 0 ? (r) => ` and ${or(read, r)}${fit(r)}` : null,
      listed: both,
      fit,
    },
    nothing: listed.length === 0 && !rare,
  };
}

/** So many of the newest redemptions are looked at. */
const SAMPLE = 2000;
/** One in so many has to fit, or reading on until a page or a count is full takes longer than looking up whom the name fits. */
const DENSE = 50;

/**
 * Whether a name that fits many customers of the developers fits few who bought from the reseller: of the newest, so that the
 * answer costs the same however many there are.
 */
async function isRare(sql: Sql, partners: string, like: string): Promise<boolean> {
  const [found] = await sql.query<{ read: number; fit: number }>(
    `${partners} select count(*)::int as read, count(*) filter (where ${PERSON} like ${like})::int as fit
     from linked t cross join lateral (
       select r.developer_id, r.customer_id from redemptions r where r.developer_id = t.developer_id and r.partnership_id = t.id
       order by r.redeemed_at desc, r.id desc limit (select ${SAMPLE} / count(*) + 1 from linked)) r
     join customers c on (c.developer_id, c.id) = (r.developer_id, r.customer_id)`,
  );
  const { read = 0, fit = 0 } = found ?? {};
  return fit * DENSE < read;
}

const any = (ids: readonly string[]) => `any(array[${ids.map(text).join(',')}]::uuid[])`;

/** Whose products they are: only partnerships with these developers have to be read. */
async function developersOf(sql: Sql, resellerId: string, products: readonly string[]): Promise<string> {
  const rows = await sql.query<{ id: string }>(
    `${partnersOf(resellerId)} select distinct p.developer_id as id
     from linked t join products p on p.developer_id = t.developer_id and p.id = ${any(products)}`,
  );
  return any(rows.map(({ id }) => id));
}

interface Reading {
  filter: EntryFilter;
  match: Match;
  after?: Place | null;
  /** Of each partnership; null: all. */
  limit: number | null;
}

/** A query for `developer_id, id, at, adjusted`: redemptions and adjustments, at least the newest `limit` of all. */
export function entriesOf(reading: Reading): string {
  const { parts } = reading.match;
  if (!parts) return newestEntries(reading, () => '');
  const queries = [
    ...(parts.few ? [entriesAmong(reading, `from redemptions r where ${parts.few}`)] : []),
    ...(parts.people ? [entriesAmong(reading, `${redemptionsOf(parts.people)} where true${parts.fit('r')}`)] : []),
    ...(parts.many ? [newestEntries(reading, parts.many)] : []),
  ];
  // what fits both is one entry
  return queries.length > 0 ? queries.join(' union ') : newestEntries(reading, () => ' and false');
}

/** Redemptions `r` of customers whom a query finds. */
export const redemptionsOf = (people: string) =>
  `from (${people}) x join redemptions r on (r.developer_id, r.customer_id) = (x.developer_id, x.id)`;

/** Of few customers or serials: looked up first, whoever's they are, because that is less than a partnership has. */
function entriesAmong({ filter, after = null }: Reading, few: string): string {
  return `select f.developer_id, e.id, e.at, e.adjusted from (
      select r.developer_id, r.partnership_id, r.id, r.redeemed_at ${few} offset 0) f
    join linked t on (t.developer_id, t.id) = (f.developer_id, f.partnership_id)
    cross join lateral (
      select f.id, f.redeemed_at as at, false as adjusted where true${bounds('f', 'redeemed_at', filter.period, after)}${filter.chosen.kind("'redemption'")}
      union all
      select a.id, a.created_at, true from ledger_adjustments a
      where (a.developer_id, a.redemption_id) = (f.developer_id, f.id)${bounds('a', 'created_at', filter.period, after)}${filter.chosen.kind('a.kind')}) e`;
}

/** The newest `limit` of each partnership and kind. */
function newestEntries({ filter, after = null, limit }: Reading, condition: (alias: string) => string): string {
  const newest = (column: string, alias: string) =>
    limit === null ? '' : ` order by ${alias}.${column} desc, ${alias}.id desc limit ${limit}`;
  return `select t.developer_id, h.id, h.at, h.adjusted from linked t cross join lateral (
      (select r.id, r.redeemed_at as at, false as adjusted from redemptions r
        where r.developer_id = t.developer_id and r.partnership_id = t.id${bounds('r', 'redeemed_at', filter.period, after)}${condition('r')}${filter.chosen.kind("'redemption'")}
        ${newest('redeemed_at', 'r')})
      union all
      (select a.id, a.created_at, true from ledger_adjustments a
        ${condition('r') ? 'join redemptions r on (r.developer_id, r.id) = (a.developer_id, a.redemption_id)' : ''}
        where a.developer_id = t.developer_id and a.partnership_id = t.id${bounds('a', 'created_at', filter.period, after)}${condition('r')}${filter.chosen.kind('a.kind')}
        ${newest('created_at', 'a')})
    ) h`;
}
