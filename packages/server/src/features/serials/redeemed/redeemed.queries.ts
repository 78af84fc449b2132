import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { matchingCustomers } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { COUNT_LIMIT, countedTo } from '#platform/db/statements/count-limit.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { lookUpOwn, ownJoin } from '#platform/db/tenant.ts';
import { AppError } from '#platform/errors.ts';
import { toDollars } from '#platform/money.ts';
import type { Period } from '#platform/time/days.ts';
import { codePattern, MOST_AT_ONCE } from '../list/serial-list.queries.ts';
import { lookUpBatch } from '../rules/rows.ts';
import { COLUMNS, type Row, view } from '../serials.queries.ts';
import { type SerialsDb, tables } from '../tables.ts';
import type { RedeemedSerial } from './redeemed.schemas.ts';
import type { RedeemedSort } from './redeemed-filter.ts';

/**
 * So few customers or serials are looked up one by one; where more fit, reading the newest redemptions finds them
 * sooner.
 */
const FEW = 2000;

export interface RedeemedFilter {
  developerId: string;
  /** Whether names and addresses are looked at and told. */
  people: boolean;
  search: string | undefined;
  /** The day that was searched for, when the search is one. */
  searchDay: Period | null;
  period: Period;
  /** The period in days of the account; null: no bound. */
  days: { from: string | null; to: string | null };
  /** The other chosen filters: conditions on the ledger row `r`. */
  chosen: Expression<SqlBool>[];
  /** Only what was redeemed before this. */
  before?: Pick<RedeemedPlace, 'at' | 'id'>;
}

interface RedeemedRow
  extends Row,
    Columns<'customers', 'first_name' | 'last_name' | 'email'>,
    Columns<'redemptions', 'final_price_cents' | 'country'>,
    Columns<'products', 'sale_price_cents' | 'price_cents'> {
  redeemed_at: Date;
  customer_id: string;
}

/** The columns of a redeemed serial `s`, with its ledger row `r` and its customer `c`. */
const REDEEMED = sql`${COLUMNS}, c.id as customer_id, c.first_name, c.last_name, c.email, r.final_price_cents, p.sale_price_cents,
  p.price_cents, r.country`;

/** Joins the details that are shown of ledger rows `h`. */
const detailsOf = (developerId: string) => sql`
  ${lookUpOwn('redemptions as r', developerId, sql`h.id`)} ${lookUpOwn('serials as s', developerId, sql`r.serial_id`)}
  ${lookUpBatch(developerId)} ${lookUpOwn('customers as c', developerId, sql`s.customer_id`)}`;

/** The row that a page ended with, in the order of `sort`; `key` is what they are sorted by before the moment. */
export interface RedeemedPlace {
  key: string;
  at: Date;
  id: string;
}

interface Wanted {
  sort: RedeemedSort;
  offset: number;
  limit: number;
  after: RedeemedPlace | null;
  count: boolean;
}

interface Placed {
  /** The ledger row. */
  redemption_id: string;
  placed_at: Date;
  sort_key: string;
}
export type PlacedRow = Omit<RedeemedSerial, 'standing'> & Placed;

/** A page of the ledger. `total` is null when it was not counted. */
export async function redeemedPage(
  db: SerialsDb,
  filter: RedeemedFilter,
  wanted: Wanted,
): Promise<{ rows: PlacedRow[]; counted: { total: number; total_exact: boolean } | null }> {
  const newest = wanted.sort === '-redeemed_at';
  const { after } = wanted;
  // in this order, what is further down is older: each way to find it begins there
  const hits = await hitsOf(db, newest && after ? { ...filter, before: after } : filter);
  const asked = newest ? newestPage(filter, hits, wanted) : sortedPage(filter, hits, wanted);
  const [{ rows }, counted] = await Promise.all([asked.execute(db), wanted.count ? countOf(db, filter) : null]);
  return {
    rows: rows.map((row) => {
      const { redemption_id, placed_at, sort_key } = row;
      return { ...redeemedView(row), redemption_id, placed_at, sort_key };
    }),
    counted,
  };
}

async function countOf(db: SerialsDb, filter: RedeemedFilter) {
  const { exact, count } = await hitsOf(db, filter);
  return countedTo(await count(db), exact);
}

const paged = ({ limit, offset }: Wanted) => sql`limit ${sql.lit(limit)} offset ${offset}`;

const newestPage = ({ developerId }: RedeemedFilter, hits: Hits, wanted: Wanted) => sql<RedeemedRow & Placed>`
  with hit as (${hits.newest(wanted.offset + wanted.limit)})
  select ${REDEEMED}, h.id as redemption_id, r.redeemed_at as placed_at, '' as sort_key
  from (select distinct id, redeemed_at from hit order by redeemed_at desc, id desc ${paged(wanted)}) h
    ${detailsOf(developerId)}
  order by r.redeemed_at desc, r.id desc`;

interface Key {
  value: Expression<unknown>;
  type: RawBuilder<unknown>;
}

const keysOf: Record<string, Key> = {
  redeemed_at: { value: sql`r.redeemed_at`, type: sql`timestamptz` },
  customer: {
    value: sql`lower(coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email))`,
    type: sql`text`,
  },
  product: { value: sql`lower(p.name)`, type: sql`text` },
  total: { value: sql`r.final_price_cents`, type: sql`int` },
};

/** The condition that redemptions `r` are hits. */
const within = (hits: Hits, developerId: string): Expression<SqlBool> =>
  hits.all ?? sql`r.developer_id = ${developerId} and r.id in (select id from (${hits.newest(null)}) found)`;

/** A page in another order: among equals the newest first. */
function sortedPage({ developerId }: RedeemedFilter, hits: Hits, wanted: Wanted) {
  const { sort, after } = wanted;
  const [way, beyond] = sort.startsWith('-') ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const { value, type } = keysOf[sort.replace('-', '')] as Key;
  const last = after && sql`${after.key}::${type}`;
  const further = after
    ? sql`and (${value} ${beyond} ${last} or (${value} = ${last} and (r.redeemed_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)))`
    : sql``;
  return sql<RedeemedRow & Placed>`
    select ${REDEEMED}, h.id as redemption_id, r.redeemed_at as placed_at, h.k::text as sort_key
    from (
      select r.id, ${value} as k
      from redemptions r ${ownJoin('products as p', 'p.id', 'r.product_id')}
        ${ownJoin('serials as s', 's.id', 'r.serial_id')}
        ${ownJoin('customers as c', 'c.id', 's.customer_id')}
      where ${within(hits, developerId)} ${further} order by k ${way}, r.redeemed_at desc, r.id desc ${paged(wanted)}) h
      ${detailsOf(developerId)}
    order by h.k ${way}, r.redeemed_at desc, r.id desc`;
}

/** The serials of all that fit. @throws {AppError} domain_rule when they are too many. */
export async function redeemedSerials(handle: Sql, filter: RedeemedFilter): Promise<string[]> {
  const hits = await hitsOf(handle, filter);
  const { rows } = await sql<{ id: string }>`
    select r.serial_id as id from redemptions r where ${within(hits, filter.developerId)}
    limit ${sql.lit(MOST_AT_ONCE + 1)}`.execute(tables.in(handle));
  if (rows.length > MOST_AT_ONCE) throw new AppError('domain_rule', 'More than 100,000 match. Narrow the filter.');
  return rows.map(({ id }) => id);
}

interface Hits {
  /** The condition that fits all of them, when nothing is searched for. */
  all: Expression<SqlBool> | null;
  exact: boolean;
  /** A query for `id, redeemed_at` that holds at least the newest `limit` hits. */
  newest(limit: number | null): Expression<unknown>;
  count(db: SerialsDb): Promise<number>;
}

/** Reads the ledger for a filter. */
export async function hitsOf(handle: Sql, filter: RedeemedFilter): Promise<Hits> {
  const { developerId, period, search, chosen, before } = filter;
  const base = sql<boolean>`${sql.join(
    [
      sql`r.developer_id = ${developerId}`,
      inList('r.redeemed_at'),
      ...(period.from ? [sql`r.redeemed_at >= ${period.from}`] : []),
      ...(period.to ? [sql`r.redeemed_at <= ${period.to}`] : []),
      ...(before ? [sql`(r.redeemed_at, r.id) < (${before.at}::timestamptz, ${before.id}::uuid)`] : []),
      ...chosen,
    ],
    sql` and `,
  )}`;
  const branches = search ? await branchesOf(handle, { ...filter, search }, base) : [];
  if (!search) {
    const exact = chosen.length === 0;
    return {
      all: base,
      exact,
      newest: (limit) => sql`select r.id, r.redeemed_at from redemptions r where ${base} ${newestOf(limit)}`,
      count: (db) => (exact ? countDays(db, filter) : countChosen(db, base)),
    };
  }
  const union = (limit: number | null) =>
    branches.length > 0
      ? sql`${sql.join(
          branches.map((branch) => sql`(${branch(limit)})`),
          sql` union all `,
        )}`
      : sql`select null::uuid as id, null::timestamptz as redeemed_at where false`;
  return {
    all: null,
    exact: false,
    newest: union,
    async count(db) {
      const most = sql.lit(COUNT_LIMIT + 1);
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from (select distinct id from (${union(COUNT_LIMIT + 1)}) found limit ${most}) counted`.execute(
        tables.in(db),
      );
      return rows[0]?.n ?? 0;
    },
  };
}

const newestOf = (limit: number | null) =>
  sql`order by r.redeemed_at desc, r.id desc ${limit === null ? sql`` : sql`limit ${sql.lit(limit)}`}`;

/** One way to find hits: a query for at least the newest `limit` of them. */
type Branch = (limit: number | null) => Expression<unknown>;

const SERIAL = sql`${ownJoin('serials as s', 's.id', 'r.serial_id')}`;

/** The results of a search by the code, the customer, the product and the day. @param base of ledger rows `r` */
async function branchesOf(
  handle: Sql,
  filter: RedeemedFilter & { search: string },
  base: Expression<SqlBool>,
): Promise<Branch[]> {
  const { developerId, people, search, searchDay } = filter;
  const person = people ? await matchingCustomers(handle, developerId, search) : null;
  const code = codePattern(search);
  const idsOf = async (query: Expression<unknown>) => {
    const { rows } = await sql<{ id: string }>`${query} limit ${sql.lit(FEW + 1)}`.execute(tables.in(handle));
    return rows.map(({ id }) => id);
  };
  const [serials, customers, products] = await Promise.all([
    code
      ? idsOf(sql`select s.id from serials s where s.developer_id = ${developerId} and s.code_key like ${code}`)
      : [],
    // a search finds by a part of an address: who may not read them could spell them out
    person
      ? idsOf(sql`select c.id from customers c
          where c.developer_id = ${developerId} and ${inList('c.created_at')} and ${person}`)
      : [],
    idsOf(sql`select p.id from products p
      where p.developer_id = ${developerId} and ${inList('p.created_at')}
        and ${sql.raw(folded('p.name_key'))} like ${likeFolded(search)}`),
  ]);
  const few = [
    ...(serials.length > 0 && serials.length <= FEW ? [sql`r.serial_id = any(${serials}::uuid[])`] : []),
    ...(customers.length > 0 && customers.length <= FEW
      ? [
          sql`r.serial_id in (
            select s.id from serials s where s.developer_id = ${developerId} and s.customer_id = any(${customers}::uuid[]))`,
        ]
      : []),
  ];
  const branches: Branch[] = [];
  if (few.length > 0)
    branches.push(
      () => sql`select r.id, r.redeemed_at from redemptions r where ${base} and (${sql.join(few, sql` or `)})`,
    );
  if (serials.length > FEW)
    branches.push(
      (limit) => sql`select r.id, r.redeemed_at from redemptions r ${SERIAL}
        where ${base} and s.code_key like ${code} ${newestOf(limit)}`,
    );
  if (person && customers.length > FEW)
    branches.push(
      (limit) => sql`select r.id, r.redeemed_at from redemptions r ${SERIAL}
          ${ownJoin('customers as c', 'c.id', 's.customer_id')}
        where ${base} and ${person} ${newestOf(limit)}`,
    );
  if (products.length > 0)
    branches.push(
      (limit) => sql`select r.id, r.redeemed_at from unnest(${products}::uuid[]) as x (product_id) cross join lateral (
          select r.id, r.redeemed_at from redemptions r where r.product_id = x.product_id and ${base} ${newestOf(limit)}) r`,
    );
  if (searchDay?.from && searchDay.to) {
    const day = sql`r.redeemed_at >= ${searchDay.from} and r.redeemed_at <= ${searchDay.to}`;
    branches.push(
      (limit) => sql`select r.id, r.redeemed_at from redemptions r where ${base} and ${day} ${newestOf(limit)}`,
    );
  }
  return branches;
}

async function countChosen(db: SerialsDb, base: Expression<SqlBool>): Promise<number> {
  const few = sql<{ n: number }>`
    select count(*)::int as n from (
      select 1 from redemptions r where ${base} limit ${sql.lit(COUNT_LIMIT + 1)}) counted`;
  const { rows } = await db.work({ tx: true, settings: BY_INDEX }, (tx) => few.execute(tx));
  return rows[0]?.n ?? 0;
}

async function countDays(handle: Sql, { developerId, days: { from, to } }: RedeemedFilter): Promise<number> {
  const row = await tables
    .in(handle)
    .selectFrom('ledger_days')
    .select(sql<number>`coalesce(sum(redemptions), 0)::int`.as('n'))
    .where('developer_id', '=', developerId)
    .$if(from !== null, (days) => days.where('day', '>=', from as string))
    .$if(to !== null, (days) => days.where('day', '<=', to as string))
    .executeTakeFirstOrThrow();
  return row.n;
}

function redeemedView(row: RedeemedRow): Omit<RedeemedSerial, 'standing'> {
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
