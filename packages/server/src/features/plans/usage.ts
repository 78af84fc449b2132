import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';

/** First day of the calendar month in UTC, `YYYY-MM-01`. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

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
export async function holdMonth(sql: Sql, developerId: string, now: Date): Promise<string> {
  const month = monthOf(now);
  const rows = await sql.query(
    `insert into usage_months as u (developer_id, month, redemptions) values ($1, $2, 0)
     on conflict (developer_id, month) do update set redemptions = u.redemptions where u.closed_at is null
     returning month`,
    [developerId, month],
  );
  if (rows.length === 0) throw monthClosed(month);
  return month;
}

/** Makes sure that a month of developers will be closed although nothing may fall into it. A closed month stays as it is. */
export async function expectClose(sql: Sql, developerIds: readonly string[], month: string): Promise<void> {
  await sql.query(
    `insert into usage_months (developer_id, month, redemptions)
     select d.id, $2::date, 0 from unnest($1::uuid[]) d (id) order by 1 on conflict do nothing`,
    [developerIds, month],
  );
}

/**
 * Closes a month of some developers.
 * @param wait for whoever is writing into it, or closing it; otherwise the months that somebody has in hand are left to them.
 * @returns those whose month it has closed: of the others it is closed already, an earlier month is not, or it was left.
 */
export async function closeMonth(
  sql: Sql,
  developerIds: readonly string[],
  { month, now, wait }: { month: string; now: Date; wait: boolean },
): Promise<string[]> {
  // two that close the same ones take them in one order
  const taken = await sql.query<{ developer_id: string }>(
    `select developer_id from usage_months where developer_id = any($1::uuid[]) and month = $2 and closed_at is null
     order by developer_id for no key update ${wait ? '' : 'skip locked'}`,
    [developerIds, month],
  );
  const rows = await sql.query<{ developer_id: string }>(
    `update usage_months u set closed_at = $3
     where u.developer_id = any($1::uuid[]) and u.month = $2 and u.closed_at is null and not exists (
       select 1 from usage_months e where e.developer_id = u.developer_id and e.month < u.month and e.closed_at is null)
     returning developer_id`,
    [taken.map(({ developer_id }) => developer_id), month, now],
  );
  return rows.map(({ developer_id }) => developer_id);
}

/** Of some developers, those whose month is not closed, as far as is known: whoever has it in hand may be about to. */
export async function openAmong(sql: Sql, developerIds: readonly string[], month: string): Promise<string[]> {
  const rows = await sql.query<{ developer_id: string }>(
    `select developer_id from usage_months where developer_id = any($1::uuid[]) and month = $2 and closed_at is null
     order by developer_id`,
    [developerIds, month],
  );
  return rows.map(({ developer_id }) => developer_id);
}

export interface OpenMonth {
  developer_id: string;
  /** Its first day. */
  month: string;
}

/** The months before one that are not closed yet, in the order in which they have to be closed, page by page. */
export function openMonths(
  sql: Sql,
  before: string,
  after: OpenMonth | undefined,
  limit: number,
): Promise<OpenMonth[]> {
  return sql.query<OpenMonth>(
    `/* across tenants: the close */ select developer_id, month from usage_months
     where closed_at is null and month < $1 and ($2::date is null or (month, developer_id) > ($2, $3::uuid))
     order by month, developer_id limit $4`,
    [before, after?.month ?? null, after?.developer_id ?? null, limit],
  );
}

/** One developer's months up to and including one that are not closed yet, the earliest first. */
export async function openMonthsOf(sql: Sql, developerId: string, through: string): Promise<string[]> {
  const rows = await sql.query<{ month: string }>(
    'select month from usage_months where developer_id = $1 and month <= $2 and closed_at is null order by month',
    [developerId, through],
  );
  return rows.map(({ month }) => month);
}

/** Months of developers before one that are not closed yet. */
export async function countOpen(sql: Sql, before: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    '/* across tenants: the close */ select count(*) as n from usage_months where closed_at is null and month < $1',
    [before],
  );
  return row?.n ?? 0;
}
