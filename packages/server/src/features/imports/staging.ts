import { type RawBuilder, sql } from 'kysely';
import { holdOpenAccount } from '#features/accounts';
import { priceOf } from '#features/products';
import { inList } from '#platform/db/statements/list-index.ts';
import { AppError } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { Rejection } from './importer.ts';
import type { ProductsByName } from './kinds/products-by-name.ts';
import type { ImportsHandle } from './tables.ts';

// The statistics of a large table know nothing about a new account, so the planner assumes one row or none for it. So
// there are two kinds of statements here: joins of temporary tables, which are analyzed once they are filled, and look-ups in
// shared tables, a page of keys at a time, which only one index fits. Neither leaves the planner a bad choice. No statement has both
// kinds of tables: in a database of many machines they are on different ones.

const PAGE = 10_000;

/** The rows of a query of temporary tables, a page at a time. One query at once. */
async function* pagesOf<Row>(tx: ImportsHandle, query: RawBuilder<Row>, size = PAGE): AsyncGenerator<Row[]> {
  await sql`declare staged_rows no scroll cursor for ${query}`.execute(tx);
  let page: Row[];
  do {
    page = (await sql<Row>`fetch ${sql.lit(size)} from staged_rows`.execute(tx)).rows;
    if (page.length > 0) yield page;
  } while (page.length === size);
  await sql`close staged_rows`.execute(tx);
}

/** Makes a temporary table, has it filled, and analyzes it for the planner. */
async function temporary(
  tx: ImportsHandle,
  table: string,
  columns: RawBuilder<unknown>,
  fill: () => Promise<unknown>,
): Promise<void> {
  await sql`create temp table ${sql.table(table)} (${columns}) on commit drop`.execute(tx);
  await fill();
  await sql`analyze ${sql.table(table)}`.execute(tx);
}

/** A temporary table with what a query of others yields. */
export function filled(
  tx: ImportsHandle,
  table: string,
  columns: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
): Promise<void> {
  return temporary(tx, table, columns, () => sql`insert into ${sql.table(table)} ${rows}`.execute(tx));
}

/**
 * A temporary table with what is found in shared tables by the keys that a query of others yields as `key`. The keys of a page come as the
 * text of an array, and what is found goes back as JSON of the table's columns: nothing of it is read here.
 */
export function looked(
  tx: ImportsHandle,
  table: string,
  columns: RawBuilder<unknown>,
  { keys, find }: { keys: RawBuilder<unknown>; find: (page: string) => RawBuilder<unknown> },
): Promise<void> {
  const pages = sql<{ page: string }>`
    select array_agg(key order by key)::text as page
    from (select key, (row_number() over (order by key) - 1) / ${sql.lit(PAGE)} as n from (${keys}) k) k group by n order by n`;
  return temporary(tx, table, columns, async () => {
    for await (const [each] of pagesOf(tx, pages, 1)) {
      const found = await jsonOf(tx, find(each?.page ?? '{}'));
      if (found === null) continue;
      await sql`insert into ${sql.table(table)}
        select * from json_populate_recordset(null::${sql.table(table)}, ${found}::json)`.execute(tx);
    }
  });
}

/** The rows of a query as JSON; null when there are none. */
async function jsonOf(tx: ImportsHandle, query: RawBuilder<unknown>): Promise<string | null> {
  const { rows } = await sql<{ rows: string | null }>`select json_agg(x)::text as rows from (${query}) x`.execute(tx);
  return rows[0]?.rows ?? null;
}

/**
 * Forgets how this connection runs its statements, those behind foreign keys among them: one that was planned while a
 * table was small would read all of the many rows that were just put into it, for each row that points there.
 */
export async function forgetPlans(tx: ImportsHandle): Promise<void> {
  await sql`discard plans`.execute(tx);
}

/** Imports of an account, and their undoing, wait for each other from here to the end of their transaction. */
export async function lockImports(tx: ImportsHandle, developerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${developerId}, 2))`.execute(tx);
}

/**
 * Keeps the account until the transaction ends.
 * @throws {AppError} unauthorized when it was deleted while the file arrived.
 */
export async function lockAccount(tx: ImportsHandle, developerId: string): Promise<void> {
  if (!(await holdOpenAccount(tx, developerId))) throw new AppError('unauthorized', 'This account has been deleted.');
}

/** Keeps the products of the file until the transaction ends, and rejects the lines of those that were deleted. */
export async function lockProducts(tx: ImportsHandle, developerId: string, products: ProductsByName): Promise<void> {
  const named = await sql<{ id: string }>`select distinct product_id as id from staged`.execute(tx);
  const ids = named.rows.map(({ id }) => id);
  const held = await tx
    .selectFrom('products')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const there = new Set(held.map(({ id }) => id));
  for (const id of ids.filter((each) => !there.has(each))) {
    const reason = `No product is named "${products.nameOf(id)}".`;
    await reject(tx, { condition: sql`s.product_id = ${id}`, reason: sql`${reason}::text` });
  }
}

/** Rejects lines whose serial appears on an earlier line. */
export async function rejectRepeated(tx: ImportsHandle): Promise<void> {
  await reject(tx, {
    using: sql`(select id, row_number() over (partition by code_key order by line) as n from staged) r`,
    condition: sql`r.id = s.id and r.n > 1`,
    reason: sql`'This serial is in the file more than once.'`,
  });
}

/** Rejects lines by the serials that are there already: `e`, a row of `existing`. */
export async function rejectExisting(
  tx: ImportsHandle,
  condition: RawBuilder<unknown>,
  reason: RawBuilder<unknown>,
): Promise<void> {
  await reject(tx, { using: sql`existing e`, condition: sql`e.code_key = s.code_key and ${condition}`, reason });
}

/** Whether a line is about the product that its serial is of. */
export const SAME_PRODUCT = sql`e.product_id = s.product_id`;

export const ANOTHER_PRODUCT = sql`'This serial already exists, for the product "' || e.product_name || '".'`;

/** Drops lines `s` that would change nothing, by `e` as above. @returns how many. */
export async function dropKnown(tx: ImportsHandle, condition: RawBuilder<unknown>): Promise<number> {
  return counted(
    tx,
    sql`with gone as (delete from staged s using existing e where e.code_key = s.code_key and ${condition} returning 1)
      select count(*) as n from gone`,
  );
}

async function reject(
  tx: ImportsHandle,
  {
    using,
    condition,
    reason,
  }: { using?: RawBuilder<unknown>; condition: RawBuilder<unknown>; reason: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    with gone as (
      delete from staged s ${using ? sql`using ${using}` : sql``} where ${condition} returning s.line, s.code, ${reason} as reason
    ) insert into rejected select * from gone`.execute(tx);
}

export const REJECTED = sql`create temp table rejected (line int primary key, what text, reason text) on commit drop`;

/** Reports the rejected lines in their order. */
export async function eachRejected(tx: ImportsHandle, show: (rejection: Rejection) => Promise<void>): Promise<void> {
  for await (const page of pagesOf(tx, sql<Rejection>`select line, what, reason from rejected order by line`))
    for (const rejection of page) await show(rejection);
}

/**
 * Finds the staged serials that are there already, as `existing`.
 * @returns how many.
 */
export async function findExisting(tx: ImportsHandle, developerId: string): Promise<number> {
  const columns = sql`code_key text collate "C" primary key, serial_id uuid, redeemed boolean, product_id uuid, product_name text,
    owner text, partnership_id uuid, price_cents int`;
  await looked(tx, 'existing', columns, {
    // nothing is looked for in an account without batches
    keys: sql`select distinct code_key as key from staged where ${sql.lit(await hasBatches(tx, developerId))}`,
    find: (page) => existingOf(developerId, page),
  });
  return counted(tx, sql`select count(*) as n from existing`);
}

async function hasBatches(tx: ImportsHandle, developerId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('batches')
    .select('id')
    .where('developer_id', '=', developerId)
    .where(inList('created_at'))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Each table is read row by row, by its key, whatever the planner believes of this account. */
const existingOf = (developerId: string, page: string) => sql`
  select o.code_key, o.id as serial_id, o.redeemed_at is not null as redeemed, b.product_id, p.name as product_name,
    c.email_key as owner, b.partnership_id, ${priceOf('o')} as price_cents
  from unnest(${page}::text[]) as s (code_key)
    cross join lateral (
      select * from serials o where o.code_key = s.code_key and o.developer_id = ${developerId} limit 1) o
    cross join lateral (
      select * from batches b where b.id = o.batch_id and b.developer_id = ${developerId} limit 1) b
    cross join lateral (
      select * from products p where p.id = b.product_id and p.developer_id = ${developerId} limit 1) p
    left join lateral (
      select * from customers c where c.id = o.customer_id and c.developer_id = ${developerId} limit 1) c on true`;

/** Collects the batches that the staged lines make, as `staged_batches`: those with the same mark become one. */
export async function stageBatches(tx: ImportsHandle, random: Random, which = sql`true`): Promise<void> {
  const columns = sql`mark uuid primary key, quantity int, first_line int, id uuid`;
  const rows = sql`select batch_mark, count(*), min(line) from staged where ${which} group by 1`;
  await filled(tx, 'staged_batches', columns, rows);
  for await (const page of pagesOf(tx, sql<{ mark: string }>`select mark from staged_batches`)) {
    await sql`
      update staged_batches b set id = n.id
      from unnest(${page.map(({ mark }) => mark)}::uuid[], ${page.map(() => random.id())}::uuid[]) as n (mark, id)
      where b.mark = n.mark`.execute(tx);
  }
}

/** How many lines are left, of those that `which` describes. */
export function countStaged(tx: ImportsHandle, which = sql`true`): Promise<number> {
  return counted(tx, sql`select count(*) as n from staged where ${which}`);
}

async function counted(tx: ImportsHandle, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`${query}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** @throws {AppError} conflict when one of the serials was created since they were looked up. */
export function refuseOvertaken(made: number, expected: number): void {
  if (made === expected) return;
  throw new AppError('conflict', 'A serial in this file was just created by somebody else. Import the file again.');
}
