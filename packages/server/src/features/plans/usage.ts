import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { AppError } from '#platform/errors.ts';
import { monthOf } from '#platform/time/months.ts';
import { tables } from './tables.ts';

/**
 * The month was closed by the time the caller wanted to write into it. To a transaction this is a serialization failure:
 * the whole use case is repeated, with a fresh reading of the clock, and falls into the next month. Only on a machine whose
 * clock is behind the one that closed the month does this become an answer.
 */
export function monthClosed(month: string): AppError {
  const cause = Object.assign(new Error(`the month ${month} is closed`), { code: '40001' });
  return new AppError('unavailable', 'A new month has just begun. Please try again.', { cause, retryAfter: 1 });
}

/**
 * Keeps the developer's current month open until the transaction ends, for whatever else is written into a month: the
 * close waits for this transaction, or this one is repeated and falls into the next month.
 * @param now has to be read from the clock inside the transaction.
 * @returns the month, `YYYY-MM-01`.
 * @throws {AppError} unavailable, so that the transaction is repeated.
 */
export async function holdMonth(handle: Sql, developerId: string, now: Date): Promise<string> {
  const month = monthOf(now);
  const held = await tables
    .in(handle)
    .insertInto('usage_months')
    .values({ developer_id: developerId, month, redemptions: 0 })
    .onConflict((on) =>
      on
        .columns(['developer_id', 'month'])
        .doUpdateSet((eb) => ({ redemptions: eb.ref('usage_months.redemptions') }))
        .where('usage_months.closed_at', 'is', null),
    )
    .returning('month')
    .executeTakeFirst();
  if (!held) throw monthClosed(month);
  return month;
}

/** Makes sure that a month of developers will be closed although nothing may fall into it. A closed month stays as it is. */
export async function expectClose(handle: Sql, developerIds: readonly string[], month: string): Promise<void> {
  await sql`insert into usage_months (developer_id, month, redemptions)
    select d.id, ${month}::date, 0 from unnest(${developerIds}::uuid[]) d (id) order by 1 on conflict do nothing`.execute(
    tables.in(handle),
  );
}

/**
 * Closes a month of some developers.
 * @param wait waits for transactions that write into the month or close it; otherwise locked months are skipped.
 * @returns the developers whose month it has closed. For the others, the month is closed already, an earlier month is
 * open, or the month was skipped.
 */
export async function closeMonth(
  handle: Sql,
  developerIds: readonly string[],
  { month, now, wait }: { month: string; now: Date; wait: boolean },
): Promise<string[]> {
  const taken: string[] = [];
  // two that close the same ones take them in one order; one by one, because many machines lock rows of one developer at a time
  for (const developerId of developerIds.toSorted())
    if (await takeOpen(handle, developerId, month, wait)) taken.push(developerId);
  if (taken.length === 0) return [];
  const { rows } = await sql<Columns<'usage_months', 'developer_id'>>`
    update usage_months u set closed_at = ${now}
    where u.developer_id = any(${taken}::uuid[]) and u.month = ${month} and u.closed_at is null and not exists (
      select 1 from usage_months e where e.developer_id = any(${taken}::uuid[]) and e.developer_id = u.developer_id
        and e.month < u.month and e.closed_at is null)
    returning u.developer_id`.execute(tables.in(handle));
  return rows.map(({ developer_id }) => developer_id);
}

/** Locks a developer’s month. @returns false when it is not open, or when somebody has it in hand and is not waited for. */
async function takeOpen(handle: Sql, developerId: string, month: string, wait: boolean): Promise<boolean> {
  const row = await tables
    .in(handle)
    .selectFrom('usage_months')
    .select('month')
    .where('developer_id', '=', developerId)
    .where('month', '=', month)
    .where('closed_at', 'is', null)
    .forNoKeyUpdate()
    .$if(!wait, (query) => query.skipLocked())
    .executeTakeFirst();
  return row !== undefined;
}

/** The developers among these whose month is not closed, as far as is known: another process may be closing it. */
export async function openAmong(handle: Sql, developerIds: readonly string[], month: string): Promise<string[]> {
  const rows = await tables
    .in(handle)
    .selectFrom('usage_months')
    .select('developer_id')
    .where('developer_id', '=', sql<string>`any(${developerIds}::uuid[])`)
    .where('month', '=', month)
    .where('closed_at', 'is', null)
    .orderBy('developer_id')
    .execute();
  return rows.map(({ developer_id }) => developer_id);
}

/** A developer’s month, by its first day. */
export interface OpenMonth {
  developer_id: string;
  month: string;
}

/** The months before one that are not closed yet, in the order in which they have to be closed, page by page. */
export function openMonths(
  handle: Sql,
  before: string,
  after: OpenMonth | undefined,
  limit: number,
): Promise<OpenMonth[]> {
  return tables
    .in(handle)
    .selectFrom('usage_months')
    .select(['developer_id', 'month'])
    .where('closed_at', 'is', null)
    .where('month', '<', before)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(month, developer_id) > (${after?.month}::date, ${after?.developer_id}::uuid)`),
    )
    .orderBy('month')
    .orderBy('developer_id')
    .limit(limit)
    .modifyEnd(acrossTenants('the close'))
    .execute();
}

/** One developer's months up to and including one that are not closed yet, the earliest first. */
export async function openMonthsOf(handle: Sql, developerId: string, through: string): Promise<string[]> {
  const rows = await tables
    .in(handle)
    .selectFrom('usage_months')
    .select('month')
    .where('developer_id', '=', developerId)
    .where('month', '<=', through)
    .where('closed_at', 'is', null)
    .orderBy('month')
    .execute();
  return rows.map(({ month }) => month);
}

/** Months of developers before one that are not closed yet. */
export async function countOpen(handle: Sql, before: string): Promise<number> {
  const { n } = await tables
    .in(handle)
    .selectFrom('usage_months')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('closed_at', 'is', null)
    .where('month', '<', before)
    .modifyEnd(acrossTenants('the close'))
    .executeTakeFirstOrThrow();
  return n;
}
