import pg from 'pg';
import { customersLike } from '#features/customers';
import { csvMoment } from '#platform/csv/moments.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { AppError } from '#platform/errors.ts';
import { toDollars } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import type { Period } from '#platform/time/days.ts';
import { codePattern, MOST_AT_ONCE } from '../list/serial-list.queries.ts';
import { COLUMNS, type Row, view } from '../serials.queries.ts';
import type { RedeemedSerial } from '../serials.schemas.ts';
import type { RedeemedSort } from './redeemed-filter.ts';

export const REDEEMED_PAGE_SIZE = 20;
/** A search that finds more is counted no further. */
const COUNT_LIMIT = 10_000;
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
  /** What was chosen besides: conditions on the ledger row `r`. */
  chosen: string[];
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

const DETAILS = `redemptions r join serials s on (s.developer_id, s.id) = (r.developer_id, r.serial_id) join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
  join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id) join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)`;

/** A page of the ledger, newest first. */
export async function redeemedPage(
  db: Database,
  filter: RedeemedFilter,
  page: number,
  sort: RedeemedSort,
): Promise<{ rows: Omit<RedeemedSerial, 'standing'>[]; total: number; total_exact: boolean }> {
  const offset = (page - 1) * REDEEMED_PAGE_SIZE;
  const hits = await hitsOf(db, filter);
  const [rows, total] = await Promise.all([
    sort === '-redeemed_at'
      ? db.query<RedeemedRow>(
          `with hit as (${hits.newest(offset + REDEEMED_PAGE_SIZE)})
       select ${COLUMNS}, c.id as customer_id, c.first_name, c.last_name, c.email, r.final_price_cents, p.sale_price_cents,
         p.price_cents, r.country
       from (select distinct id, redeemed_at from hit order by redeemed_at desc, id desc limit ${REDEEMED_PAGE_SIZE} offset ${offset}) h
         join ${DETAILS.replace('redemptions r', `redemptions r on r.developer_id = ${pg.escapeLiteral(filter.developerId)} and r.id = h.id`)}
       order by r.redeemed_at desc, r.id desc`,
        )
      : db.query<RedeemedRow>(sortedPage(filter, hits, sort, offset)),
    hits.count(),
  ]);
  return {
    rows: rows.map(redeemedView),
    total: Math.min(total, hits.exact ? total : COUNT_LIMIT),
    total_exact: hits.exact || total <= COUNT_LIMIT,
  };
}

export const REDEEMED_COLUMNS = ['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Product', 'Total'];

const keysOf: Record<string, string> = {
  redeemed_at: 'r.redeemed_at',
  customer: "lower(coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email))",
  product: 'lower(p.name)',
  total: 'r.final_price_cents',
};

/** Which redemptions `r` are hits. */
const within = (hits: Hits, developerId: string) =>
  hits.all ??
  `r.developer_id = ${pg.escapeLiteral(developerId)} and r.id in (select id from (${hits.newest(null)}) found)`;

/** A page in another order: among equals the newest first. */
function sortedPage({ developerId }: RedeemedFilter, hits: Hits, sort: RedeemedSort, offset: number): string {
  const own = pg.escapeLiteral(developerId);
  const way = sort.startsWith('-') ? 'desc' : 'asc';
  const key = keysOf[sort.replace('-', '')] as string;
  const which = within(hits, developerId);
  return `select ${COLUMNS}, c.id as customer_id, c.first_name, c.last_name, c.email, r.final_price_cents, p.sale_price_cents,
      p.price_cents, r.country
    from (select r.id, ${key} as k from redemptions r join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id)
        join serials s on (s.developer_id, s.id) = (r.developer_id, r.serial_id) join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
        where ${which} order by k ${way}, r.redeemed_at desc, r.id desc limit ${REDEEMED_PAGE_SIZE} offset ${offset}) h
      join ${DETAILS.replace('redemptions r', `redemptions r on r.developer_id = ${own} and r.id = h.id`)}
    order by h.k ${way}, r.redeemed_at desc, r.id desc`;
}

/** The serials of all that fit. @throws {AppError} domain_rule when they are too many. */
export async function redeemedSerials(sql: Sql, filter: RedeemedFilter): Promise<string[]> {
  const hits = await hitsOf(sql, filter);
  const which = within(hits, filter.developerId);
  const rows = await sql.query<{ id: string }>(
    `select r.serial_id as id from redemptions r where ${which} limit ${MOST_AT_ONCE + 1}`,
  );
  if (rows.length > MOST_AT_ONCE) throw new AppError('domain_rule', 'More than 100,000 match. Narrow the filter.');
  return rows.map(({ id }) => id);
}

/** All that fit the filter, newest first. */
export async function redeemedExport(db: Database, filter: RedeemedFilter, timeZone: string): Promise<Export> {
  const hits = await hitsOf(db, filter);
  const own = pg.escapeLiteral(filter.developerId);
  const cells = [
    csvMoment('r.redeemed_at', timeZone, 's'),
    ...['r.first_name', 'r.last_name', 'r.email'].map((cell) => (filter.people ? cell : 'null')),
    'r.code',
    'r.product_name',
    // a product with two decimals; a division would cost three times as much
    'r.final_price_cents * 0.01',
  ];
  const texts = ['c.first_name', 'c.last_name', 'c.email', 'r.code']
    .map((column) => `${csvSafe(column)} as ${column.slice(2)}`)
    .join(', ');
  const found = hits.all
    ? 'redemptions r'
    : `(select distinct id from (${hits.newest(null)}) found) h join redemptions r on r.id = h.id`;
  // few serials change hands: all others are still their redeemer's, whom the ledger names without a look at the serials;
  // and each is looked up by itself, because joins are hashed here, which would read everybody's serials
  const moved = `moved as materialized (
    select e.serial_id as id, (select s.customer_id from serials s where (s.developer_id, s.id) = (e.developer_id, e.serial_id)) as customer_id
    from (select distinct developer_id, serial_id from serial_events where developer_id = ${own} and kind = 'transferred') e)`;
  return {
    // sorted before times and prices become longer texts
    query: `with ${moved} select ${cells.join(', ')} from (
        select r.redeemed_at, ${texts}, ${csvSafe('p.name')} as product_name, r.final_price_cents
        from ${found} join products p on (p.developer_id, p.id) = (r.developer_id, r.product_id)
          left join moved m on m.id = r.serial_id
          join customers c on (c.developer_id, c.id) = (r.developer_id, coalesce(m.customer_id, r.customer_id))
        where ${hits.all ? `${hits.all} and ${listOf('p')} and ${listOf('c')}` : `r.developer_id = ${own}`} order by r.redeemed_at desc, r.id desc offset 0) r`,
    // all of them are joined with the customers read once, also where the statistics don't know the account yet
    ...(hits.all ? { settings: { enable_nestloop: 'off' } } : {}),
    timeZone,
    format: 'csv',
    header: `${REDEEMED_COLUMNS.join(',')}\n`,
  };
}

interface Hits {
  /** The condition that fits all of them, when nothing is searched for. */
  all: string | null;
  exact: boolean;
  /** A query for `id, redeemed_at` that holds at least the newest `limit` hits. */
  newest(limit: number | null): string;
  count(): Promise<number>;
}

/**
 * Reads the ledger for a filter. COPY takes no parameters, so the driver quotes the values into the text.
 */
export async function hitsOf(db: Sql, filter: RedeemedFilter): Promise<Hits> {
  const { developerId, people, period, search } = filter;
  const text = (value: string) => pg.escapeLiteral(value);
  const moment = (value: Date) => `${text(value.toISOString())}::timestamptz`;
  const base = [
    `r.developer_id = ${text(developerId)}`,
    listOf('r', 'redeemed_at'),
    ...(period.from ? [`r.redeemed_at >= ${moment(period.from)}`] : []),
    ...(period.to ? [`r.redeemed_at <= ${moment(period.to)}`] : []),
    ...filter.chosen,
  ].join(' and ');
  const newest = 'order by r.redeemed_at desc, r.id desc';
  const take = (limit: number | null) => (limit === null ? '' : `limit ${limit}`);
  if (!search) {
    return {
      all: base,
      exact: filter.chosen.length === 0,
      newest: (limit) => `select r.id, r.redeemed_at from redemptions r where ${base} ${newest} ${take(limit)}`,
      count: () => (filter.chosen.length === 0 ? countDays(db, filter) : countChosen(db, base)),
    };
  }
  const like = likeFolded(search);
  const person = people ? await customersLike(db, developerId, search) : 'false';
  const code = codePattern(search);
  const idsOf = async (query: string, values: unknown[]) =>
    (await db.query<{ id: string }>(`${query} limit ${FEW + 1}`, values)).map((row) => row.id);
  const [serials, customers, products] = await Promise.all([
    code ? idsOf('select id from serials where developer_id = $1 and code_key like $2', [developerId, code]) : [],
    // a search finds by a part of an address: who may not read them could spell them out
    people
      ? idsOf(`select c.id from customers c where c.developer_id = $1 and ${listOf('c')} and ${person}`, [developerId])
      : [],
    idsOf(`select id from products p where developer_id = $1 and ${listOf('p')} and ${folded('name_key')} like $2`, [
      developerId,
      like,
    ]),
  ]);
  const ids = (list: string[]) => `array[${list.map(text).join(',')}]::uuid[]`;
  const branches: ((limit: number | null) => string)[] = [];
  const few = [
    ...(serials.length > 0 && serials.length <= FEW ? [`r.serial_id = any(${ids(serials)})`] : []),
    ...(customers.length > 0 && customers.length <= FEW
      ? [
          `r.serial_id in (select s.id from serials s where s.developer_id = ${text(developerId)} and s.customer_id = any(${ids(customers)}))`,
        ]
      : []),
  ];
  if (few.length > 0)
    branches.push(() => `select r.id, r.redeemed_at from redemptions r where ${base} and (${few.join(' or ')})`);
  if (serials.length > FEW)
    branches.push(
      (limit) =>
        `select r.id, r.redeemed_at from redemptions r join serials s on (s.developer_id, s.id) = (r.developer_id, r.serial_id)
         where ${base} and s.code_key like ${text(code as string)} ${newest} ${take(limit)}`,
    );
  if (customers.length > FEW)
    branches.push(
      (limit) =>
        `select r.id, r.redeemed_at from redemptions r join serials s on (s.developer_id, s.id) = (r.developer_id, r.serial_id) join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
         where ${base} and ${person} ${newest} ${take(limit)}`,
    );
  if (products.length > 0)
    branches.push(
      (limit) => `select r.id, r.redeemed_at from unnest(${ids(products)}) as x(product_id) cross join lateral
        (select r.id, r.redeemed_at from redemptions r where r.product_id = x.product_id and ${base} ${newest} ${take(limit)}) r`,
    );
  const { searchDay } = filter;
  if (searchDay?.from && searchDay.to) {
    const day = `r.redeemed_at >= ${moment(searchDay.from)} and r.redeemed_at <= ${moment(searchDay.to)}`;
    branches.push(
      (limit) => `select r.id, r.redeemed_at from redemptions r where ${base} and ${day} ${newest} ${take(limit)}`,
    );
  }
  if (branches.length === 0)
    branches.push(() => 'select null::uuid as id, null::timestamptz as redeemed_at where false');
  const union = (limit: number | null) => branches.map((branch) => `(${branch(limit)})`).join(' union all ');
  return {
    all: null,
    exact: false,
    newest: union,
    async count() {
      const [row] = await db.query<{ n: number }>(
        `select count(*) as n from (select distinct id from (${union(COUNT_LIMIT + 1)}) found limit ${COUNT_LIMIT + 1}) counted`,
      );
      return row?.n ?? 0;
    },
  };
}

async function countChosen(sql: Sql, base: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from (select 1 from redemptions r where ${base} limit ${COUNT_LIMIT + 1}) counted`,
  );
  return row?.n ?? 0;
}

async function countDays(db: Sql, { developerId, days }: RedeemedFilter): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `select coalesce(sum(redemptions), 0)::int as n from ledger_days
     where developer_id = $1 and ($2::date is null or day >= $2) and ($3::date is null or day <= $3)`,
    [developerId, days.from, days.to],
  );
  return row?.n ?? 0;
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
