import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { PERSON } from '#features/customers';
import { inScope } from '#features/partnerships';
import { codePattern } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import { foldedOf, likeFolded } from '#platform/db/statements/like.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import type { Period } from '#platform/time/days.ts';
import { eachPartner, partnersOf, type Seller } from './partners.ts';
import { tables } from './tables.ts';
import type { Chosen } from './transaction-choices.ts';

export interface EntryFilter extends Seller {
  search: string | undefined;
  period: Period;
  chosen: Chosen;
}

/** The entry that a page ended with. */
export interface Place {
  at: string;
  id: string;
}

/** So few customers or serials are looked up one by one. */
const FEW = 10_000;

type Condition = Expression<SqlBool>;

/** Further conditions, after `where` and a first one. */
export const also = (conditions: readonly Condition[]) =>
  sql`${sql.join(
    conditions.map((condition) => sql`and ${condition}`),
    sql` `,
  )}`;

/** Bounds of a column of time, and of the page. */
function bounds(alias: string, column: string, { from, to }: Period, after: Place | null): Condition[] {
  const at = sql.ref(`${alias}.${column}`);
  return [
    ...(from ? [sql<boolean>`${at} >= ${from}::timestamptz`] : []),
    ...(to ? [sql<boolean>`${at} <= ${to}::timestamptz`] : []),
    ...(after
      ? [sql<boolean>`(${at}, ${sql.ref(`${alias}.id`)}) < (${after.at}::timestamptz, ${after.id}::uuid)`]
      : []),
  ];
}

/** Further conditions on redemptions: those of a period and of the page. */
export const redemptionsIn = (alias: string, period: Period, after: Place | null) =>
  bounds(alias, 'redeemed_at', period, after);

/** The rows that a search matches. */
export interface Match {
  /** Null where all redemptions fit. */
  parts: MatchParts | null;
  nothing: boolean;
}

/** Conditions on redemptions, by their alias, which all have to hold. */
type OnRedemptions = (alias: string) => Condition[];

/** The parts of a match; together they are everything that fits. */
interface MatchParts {
  /** Redemptions `r` to look up one by one. */
  few: Condition[] | null;
  /** A query for customers, `developer_id, id`, whose redemptions are looked up; their names fit few of the reseller's. */
  people: RawBuilder<unknown> | null;
  /** Conditions for reading the newest redemptions. */
  many: OnRedemptions | null;
  /** {@link many} and the few. */
  listed: OnRedemptions | null;
  /** Further ones on redemptions of the people. */
  fit: OnRedemptions;
}

const anyOf = (column: string, ids: readonly string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`;

/**
 * Turns a search into a condition on redemptions. Names and addresses are only searched among customers of developers that the
 * reseller works with, and the redemptions that it is applied to are the reseller's own.
 */
export async function matchOf(handle: Sql, filter: EntryFilter): Promise<Match> {
  const { search, chosen, developers } = filter;
  const db = tables.in(handle);
  const within = chosen.products.length > 0 ? await developersWith(handle, filter, chosen.products) : null;
  const fit = (r: string) => [...chosen.redemption(r), ...(within ? [anyOf(`${r}.developer_id`, within)] : [])];
  if (!search) {
    const many = fit('r').length > 0 ? fit : null;
    const parts = many && { few: null, people: null, many, listed: many, fit };
    return { parts, nothing: false };
  }
  const like = likeFolded(search);
  const code = codePattern(search);
  const { rows: partnerships } = await sql<Columns<'partnerships', 'id'> & { named: boolean }>`
    ${partnersOf(filter)} select t.id, ${foldedOf(sql`t.developer_name`)} like ${like} as named from linked t`.execute(
    db,
  );
  const linked = partnerships.filter(({ named }) => named).map(({ id }) => id);
  const named = sql<boolean>`${PERSON} like ${like}`;
  const idsOf = async (query: RawBuilder<unknown>) =>
    (await sql<{ id: string }>`${query} limit ${sql.lit(FEW + 1)}`.execute(db)).rows.map(({ id }) => id);
  const [serials, customers, products] = await Promise.all([
    code
      ? idsOf(
          sql`select s.id from serials s where s.developer_id = any(${developers}::uuid[]) and s.code_key like ${code}`,
        )
      : [],
    idsOf(sql`select c.id from customers c where c.developer_id = any(${developers}::uuid[]) and ${named}`),
    idsOf(
      sql`select p.id from products p where p.developer_id = any(${developers}::uuid[]) and ${foldedOf(sql`p.name_key`)} like ${like}`,
    ),
  ]);
  const rare = customers.length > FEW && (await isRare(handle, filter, like));
  const looked = [
    ...(serials.length > 0 && serials.length <= FEW ? [(r: string) => anyOf(`${r}.serial_id`, serials)] : []),
    ...(customers.length > 0 && customers.length <= FEW ? [(r: string) => anyOf(`${r}.customer_id`, customers)] : []),
  ];
  const rowOf = (r: string, column: string) => sql`(${sql.ref(`${r}.developer_id`)}, ${sql.ref(`${r}.${column}`)})`;
  const read = [
    ...(serials.length > FEW
      ? [
          (r: string) =>
            sql<boolean>`exists (select 1 from serials s where (s.developer_id, s.id) = ${rowOf(r, 'serial_id')} and ${ofTenants('s', developers)} and s.code_key like ${code})`,
        ]
      : []),
    ...(customers.length > FEW && !rare
      ? [
          (r: string) =>
            sql<boolean>`exists (select 1 from customers c where (c.developer_id, c.id) = ${rowOf(r, 'customer_id')} and ${ofTenants('c', developers)} and ${named})`,
        ]
      : []),
    ...(products.length > 0 ? [(r: string) => anyOf(`${r}.product_id`, products)] : []),
    ...(linked.length > 0 ? [(r: string) => anyOf(`${r}.partnership_id`, linked)] : []),
  ];
  const any = (conditions: ((r: string) => Condition)[]) => (r: string) => [
    sql<boolean>`(${sql.join(
      conditions.map((of) => of(r)),
      sql` or `,
    )})`,
    ...fit(r),
  ];
  const listed = [...looked, ...read];
  return {
    parts: {
      few: looked.length > 0 ? any(looked)('r') : null,
      people: rare
        ? sql`select c.developer_id, c.id from linked t join customers c on c.developer_id = t.developer_id and ${named} where ${ofTenants('c', developers)}`
        : null,
      many: read.length > 0 ? any(read) : null,
      listed: listed.length > 0 ? any(listed) : null,
      fit,
    },
    nothing: listed.length === 0 && !rare,
  };
}

/** So many of the newest redemptions are looked at. */
const SAMPLE = 2000;
/** If fewer than one in this many match, looking up the customers is faster than reading until a page or a count is full. */
const DENSE = 50;

/**
 * Whether a name that fits many customers of the developers fits few who bought from the reseller: of the newest, so that the
 * answer costs the same however many there are.
 */
async function isRare(handle: Sql, seller: Seller, like: string): Promise<boolean> {
  const { rows } = await sql<{ read: number; fit: number }>`
    select count(*)::int as read, count(*) filter (where ${PERSON} like ${like})::int as fit
    from ${eachPartner(seller)} cross join lateral (
      select r.developer_id, r.customer_id from redemptions r where ${inScope('r', 't', seller)} and r.partnership_id = t.id
      order by r.redeemed_at desc, r.id desc limit ${Math.floor(SAMPLE / Math.max(1, seller.developers.length)) + 1}) r
    ${ownJoin('customers as c', 'c.id', 'r.customer_id')}
    where ${ofTenants('c', seller.developers)}`.execute(tables.in(handle));
  const { read = 0, fit = 0 } = rows[0] ?? {};
  return fit * DENSE < read;
}

/** Whose products they are: only partnerships with these developers have to be read. */
async function developersWith(handle: Sql, seller: Seller, products: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${partnersOf(seller)}
    select distinct p.developer_id as id
    from linked t join products p on p.developer_id = t.developer_id and ${anyOf('p.id', products)}
    where ${ofTenants('p', seller.developers)}`.execute(tables.in(handle));
  return rows.map(({ id }) => id);
}

interface Reading {
  filter: EntryFilter;
  match: Match;
  after?: Place | null;
  /** The most of each partnership; null: all. */
  limit: number | null;
  /** Adds `product_id` and `kind`, which need each row to be read, and not only an index. */
  named?: boolean;
}

const REDEMPTION = sql<string>`'redemption'`;

/**
 * Whether redemptions are among the chosen kinds, expressed as the moment from which they are read: never, if they
 * are not. Many machines would refuse a condition about no row beside the outer joins of such a statement.
 */
const ifRedemptions = (alias: string, { kind }: Chosen): Condition[] =>
  kind(REDEMPTION).map(
    (is) =>
      sql<boolean>`${sql.ref(`${alias}.redeemed_at`)} >= case when ${is} then '-infinity'::timestamptz else 'infinity' end`,
  );
const NO_REDEMPTION = sql<boolean>`r.redeemed_at = 'infinity'`;

/** A query for `developer_id, id, at, adjusted, redemption_id`: redemptions and adjustments, at least the newest `limit` of all. */
export function entriesOf(reading: Reading): RawBuilder<unknown> {
  const { parts } = reading.match;
  if (!parts) return newestEntries(reading, () => []);
  const own = ofTenants('r', reading.filter.developers);
  const queries = [
    ...(parts.few ? [entriesAmong(reading, sql`from redemptions r where ${own} ${also(parts.few)}`)] : []),
    ...(parts.people
      ? [entriesAmong(reading, sql`${redemptionsOf(parts.people)} where ${own} ${also(parts.fit('r'))}`)]
      : []),
    ...(parts.many ? [newestEntries(reading, parts.many)] : []),
  ];
  // an entry that fits both is listed once
  return queries.length > 0 ? sql`${sql.join(queries, sql` union `)}` : newestEntries(reading, () => [NO_REDEMPTION]);
}

/** Redemptions `r` of the customers in a query. */
export const redemptionsOf = (people: RawBuilder<unknown>) =>
  sql`from (${people}) x ${ownJoin('redemptions as r', 'r.customer_id', 'x.id')}`;

/**
 * Entries of few customers or serials. These are looked up first, in all partnerships, because they are fewer than a
 * partnership has.
 */
function entriesAmong({ filter, after = null, named = false }: Reading, few: RawBuilder<unknown>) {
  const { period, chosen } = filter;
  const ofRedemption = [...bounds('f', 'redeemed_at', period, after), ...ifRedemptions('f', chosen)];
  const ofAdjustment = [...bounds('a', 'created_at', period, after), ...chosen.kind(sql`a.kind`)];
  return sql`(with found as materialized (
      select r.developer_id, r.partnership_id, r.id, r.redeemed_at, r.product_id ${few} offset 0), sold as materialized (
      select f.* from found f join linked t on ${ownMatch('t.id', 'f.partnership_id')})
    select f.developer_id, f.id, f.redeemed_at as at, false as adjusted, f.id as redemption_id
      ${named ? sql`, f.product_id, ${REDEMPTION} as kind` : sql``}
    from sold f where true ${also(ofRedemption)}
    union all
    select a.developer_id, a.id, a.created_at, true, a.redemption_id ${named ? sql`, a.product_id, a.kind` : sql``}
    from sold f ${ownJoin('ledger_adjustments as a', 'a.redemption_id', 'f.id')}
    where ${ofTenants('a', filter.developers)} ${also(ofAdjustment)})`;
}

/** The newest `limit` of each partnership and kind. */
function newestEntries({ filter, after = null, limit, named = false }: Reading, conditions: OnRedemptions) {
  const { period, chosen } = filter;
  const newest = (column: string, alias: string) =>
    limit === null
      ? sql``
      : sql`order by ${sql.ref(`${alias}.${column}`)} desc, ${sql.ref(`${alias}.id`)} desc limit ${limit}`;
  const ofRedemption = conditions('r');
  return sql`select t.developer_id, h.* from ${eachPartner(filter)} cross join lateral (
      (select r.id, r.redeemed_at as at, false as adjusted, r.id as redemption_id
          ${named ? sql`, r.product_id, ${REDEMPTION} as kind` : sql``}
        from redemptions r
        where ${inScope('r', 't', filter)} and r.partnership_id = t.id
          ${also([...bounds('r', 'redeemed_at', period, after), ...ofRedemption, ...ifRedemptions('r', chosen)])}
        ${newest('redeemed_at', 'r')})
      union all
      (select a.id, a.created_at, true, a.redemption_id ${named ? sql`, a.product_id, a.kind` : sql``}
        from ledger_adjustments a
        ${ofRedemption.length > 0 ? sql`${ownJoin('redemptions as r', 'r.id', 'a.redemption_id')}` : sql``}
        where ${inScope('a', 't', filter)} and a.partnership_id = t.id
          ${also([...bounds('a', 'created_at', period, after), ...ofRedemption, ...chosen.kind(sql`a.kind`)])}
        ${newest('created_at', 'a')})
    ) h`;
}
