import pg from 'pg';
import type { Period } from '../../platform/days.ts';
import type { Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { codePattern } from '../serials/index.ts';
import { PARTNERS } from './partners.ts';

export interface EntryFilter {
  resellerId: string;
  search: string | undefined;
  period: Period;
}

/** The entry that a page ended with. */
export interface Place {
  at: string;
  id: string;
}

/** A search that finds more is counted no further. */
export const COUNT_LIMIT = 10_000;
/** So few customers or serials are looked up one by one. */
const FEW = 2000;

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
  /** A further condition on redemptions, by their alias; empty without a search. */
  condition(alias: string): string;
  nothing: boolean;
}

/**
 * Turns a search into a condition on redemptions. Names and addresses are only searched among customers of developers that the
 * reseller works with, and the redemptions that it is applied to are the reseller's own.
 */
export async function matchOf(sql: Sql, { resellerId, search }: EntryFilter): Promise<Match> {
  if (!search) return { condition: () => '', nothing: false };
  const like = text(`%${escapeLike(search.normalize('NFC').toLowerCase())}%`);
  const prefix = codePattern(search);
  const code = prefix && text(prefix);
  const partners = partnersOf(resellerId);
  const idsOf = async (query: string) =>
    (await sql.query<{ id: string }>(`${partners} ${query} limit ${FEW + 1}`)).map(({ id }) => id);
  const [serials, customers, products, linked] = await Promise.all([
    code
      ? idsOf(`select s.id from linked t join serials s on s.developer_id = t.developer_id and s.code_key like ${code}`)
      : [],
    idsOf(`select c.id from linked t join customers c on c.developer_id = t.developer_id and ${PERSON} like ${like}`),
    idsOf(`select p.id from linked t join products p on p.developer_id = t.developer_id and p.name_key like ${like}`),
    idsOf(`select t.id from linked t where lower(t.developer_name) like ${like}`),
  ]);
  const any = (ids: readonly string[]) => `any(array[${ids.map(text).join(',')}]::uuid[])`;
  const among = (ids: readonly string[], few: (r: string) => string, many: (r: string) => string) =>
    ids.length === 0 ? [] : [ids.length <= FEW ? few : many];
  const conditions: ((r: string) => string)[] = [
    ...among(
      serials,
      (r) => `${r}.serial_id = ${any(serials)}`,
      (r) =>
        `exists (select 1 from serials s where (s.developer_id, s.id) = (${r}.developer_id, ${r}.serial_id) and s.code_key like ${code})`,
    ),
    ...among(
      customers,
      (r) => `${r}.customer_id = ${any(customers)}`,
      (r) =>
        `exists (select 1 from customers c where (c.developer_id, c.id) = (${r}.developer_id, ${r}.customer_id) and ${PERSON} like ${like})`,
    ),
    ...(products.length > 0 ? [(r: string) => `${r}.product_id = ${any(products)}`] : []),
    ...(linked.length > 0 ? [(r: string) => `${r}.partnership_id = ${any(linked)}`] : []),
  ];
  return {
    condition: (r) => ` and (${conditions.map((of) => of(r)).join(' or ')})`,
    nothing: conditions.length === 0,
  };
}

/** The same expression as in the index of customers. */
const PERSON = `(c.email_key || ' ' || lower(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')))`;

interface Reading {
  filter: EntryFilter;
  match: Match;
  after?: Place | null;
  /** Of each partnership; null: all. */
  limit: number | null;
}

/** A query for `developer_id, id, at, adjusted`: redemptions and adjustments, the newest `limit` of each partnership and kind. */
export function entriesOf({ filter, match, after = null, limit }: Reading): string {
  const newest = (column: string, alias: string) =>
    limit === null ? '' : ` order by ${alias}.${column} desc, ${alias}.id desc limit ${limit}`;
  return `select t.developer_id, h.id, h.at, h.adjusted from linked t cross join lateral (
      (select r.id, r.redeemed_at as at, false as adjusted from redemptions r
        where r.developer_id = t.developer_id and r.partnership_id = t.id${bounds('r', 'redeemed_at', filter.period, after)}${match.condition('r')}
        ${newest('redeemed_at', 'r')})
      union all
      (select a.id, a.created_at, true from ledger_adjustments a
        ${match.condition('r') ? 'join redemptions r on (r.developer_id, r.id) = (a.developer_id, a.redemption_id)' : ''}
        where a.developer_id = t.developer_id and a.partnership_id = t.id${bounds('a', 'created_at', filter.period, after)}${match.condition('r')}
        ${newest('created_at', 'a')})
    ) h`;
}
