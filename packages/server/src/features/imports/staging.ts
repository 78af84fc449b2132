import { PRICE } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { Rejection } from './importer.ts';
import type { ProductsByName } from './products-by-name.ts';

// The statistics of a large table know nothing about a new account, so the planner assumes one row or none for it. So
// there are two kinds of joins here: with temporary tables, which are analyzed once they are filled, and with shared
// tables, in a lateral subquery with a limit that only one index fits. Neither leaves the planner a bad choice.

const PAGE = 10_000;

/** Fills a temporary table and analyzes it for the planner. */
export async function fill(
  sql: Sql,
  table: string,
  columns: string,
  rows: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await sql.query(`create temp table ${table} (${columns}) on commit drop`);
  await sql.query(`insert into ${table} ${rows}`, values);
  await sql.query(`analyze ${table}`);
}

/**
 * Forgets how this connection runs its statements, those behind foreign keys among them: one that was planned while a
 * table was small would read all of the many rows that were just put into it, for each row that points there.
 */
export async function forgetPlans(sql: Sql): Promise<void> {
  await sql.query('discard plans');
}

/**
 * Keeps the account until the transaction ends.
 * @throws {AppError} unauthorized when it was deleted while the file arrived.
 */
export async function lockAccount(sql: Sql, developerId: string): Promise<void> {
  const held = await sql.query('select 1 from users where id = $1 and deleted_at is null for key share', [developerId]);
  if (held.length === 0) throw new AppError('unauthorized', 'This account has been deleted.');
}

/** Keeps the products of the file until the transaction ends, and rejects the lines of those that were deleted. */
export async function lockProducts(sql: Sql, developerId: string, products: ProductsByName): Promise<void> {
  const ids = (await sql.query<{ id: string }>('select distinct product_id as id from staged')).map(({ id }) => id);
  const held = await sql.query<{ id: string }>(
    `select id from products where developer_id = $1 and id = any($2::uuid[]) and deleted_at is null
     order by id for key share`,
    [developerId, ids],
  );
  const there = new Set(held.map(({ id }) => id));
  for (const id of ids.filter((each) => !there.has(each))) {
    const where = { condition: 's.product_id = $1', reason: `'No product is named "' || $2::text || '".'` };
    await reject(sql, where, [id, products.nameOf(id)]);
  }
}

/** Rejects lines whose serial appears on an earlier line. */
export async function rejectRepeated(sql: Sql): Promise<void> {
  await reject(sql, {
    using: '(select id, row_number() over (partition by code_key order by line) as n from staged) r',
    condition: 'r.id = s.id and r.n > 1',
    reason: `'This serial is in the file more than once.'`,
  });
}

/** Rejects lines by the serials that are there already: `e`, a row of `existing`. */
export async function rejectExisting(sql: Sql, condition: string, reason: string): Promise<void> {
  await reject(sql, { using: 'existing e', condition: `e.staged_id = s.id and ${condition}`, reason });
}

/** Drops lines that would change nothing. @returns how many. */
export async function dropKnown(sql: Sql, condition: string): Promise<number> {
  const [dropped] = await sql.query<{ n: number }>(
    `with gone as (delete from staged s using existing e where e.staged_id = s.id and ${condition} returning 1)
     select count(*) as n from gone`,
  );
  return dropped?.n ?? 0;
}

async function reject(
  sql: Sql,
  { using, condition, reason }: { using?: string; condition: string; reason: string },
  values: readonly unknown[] = [],
): Promise<void> {
  await sql.query(
    `with gone as (
       delete from staged s ${using ? `using ${using}` : ''} where ${condition} returning s.line, s.code, ${reason} as reason
     ) insert into rejected select * from gone`,
    values,
  );
}

export const REJECTED = 'create temp table rejected (line int primary key, what text, reason text) on commit drop';

/** Reports the rejected lines in their order, a page at a time. */
export async function eachRejected(sql: Sql, tell: (rejection: Rejection) => Promise<void>): Promise<void> {
  await sql.query('analyze rejected');
  let page: Rejection[] = [];
  do {
    page = await sql.query<Rejection>(`select * from rejected where line > $1 order by line limit ${PAGE}`, [
      page.at(-1)?.line ?? 0,
    ]);
    for (const rejection of page) await tell(rejection);
  } while (page.length === PAGE);
}

/**
 * Finds the staged serials that are there already, as `existing`.
 * @returns how many.
 */
export async function findExisting(sql: Sql, developerId: string): Promise<number> {
  const columns = `staged_id uuid primary key, serial_id uuid, redeemed boolean, same_product boolean, product_name text,
    owner text, partnership_id uuid, price_cents int`;
  await fill(sql, 'existing', columns, EXISTING, [developerId]);
  const [found] = await sql.query<{ n: number }>('select count(*) as n from existing');
  return found?.n ?? 0;
}

const EXISTING = `
  select s.id, o.id, o.redeemed_at is not null, b.product_id = s.product_id, p.name, c.email_key, b.partnership_id,
    ${PRICE}
  from staged s
    cross join lateral (select * from serials o where o.code_key = s.code_key and o.developer_id = $1 limit 1) o
    cross join lateral (select * from batches b where (b.developer_id, b.id) = (o.developer_id, o.batch_id) limit 1) b
    cross join lateral (select * from products p where (p.developer_id, p.id) = (b.developer_id, b.product_id) limit 1) p
    left join lateral (select * from customers c where (c.developer_id, c.id) = (o.developer_id, o.customer_id) limit 1) c on true`;

/** Collects the batches that the staged lines make, as `staged_batches`: those with the same mark become one. */
export async function stageBatches(sql: Sql, random: Random, which = 'true'): Promise<void> {
  const columns = 'mark uuid primary key, quantity int, first_line int, id uuid';
  await fill(
    sql,
    'staged_batches',
    columns,
    `select batch_mark, count(*), min(line) from staged where ${which} group by 1`,
  );
  let page: { mark: string }[] = [];
  do {
    page = await sql.query<{ mark: string }>(
      `select mark from staged_batches where $1::uuid is null or mark > $1 order by mark limit ${PAGE}`,
      [page.at(-1)?.mark ?? null],
    );
    await sql.query(
      `update staged_batches b set id = n.id from unnest($1::uuid[], $2::uuid[]) as n (mark, id) where b.mark = n.mark`,
      [page.map(({ mark }) => mark), page.map(() => random.id())],
    );
  } while (page.length === PAGE);
}

/** How many lines are left, of those that `which` describes. */
export async function countStaged(sql: Sql, which = 'true'): Promise<number> {
  const [row] = await sql.query<{ n: number }>(`select count(*) as n from staged where ${which}`);
  return row?.n ?? 0;
}

/** @throws {AppError} conflict when one of the serials was created since they were looked up. */
export function refuseOvertaken(made: number, expected: number): void {
  if (made === expected) return;
  throw new AppError('conflict', 'A serial in this file was just created by somebody else. Import the file again.');
}
