import type { Sql } from '../../platform/db/database.ts';
import { capOf, planOf } from './plans.ts';

/** First day of the calendar month in UTC, `YYYY-MM-01`. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

/**
 * Takes one redemption from the developer's month, inside the redemption's own transaction.
 * One statement, so that any number of simultaneous redemptions cannot overshoot the cap.
 * @returns false when the plan's month is used up.
 */
export async function takeRedemption(sql: Sql, developerId: string, now: Date): Promise<boolean> {
  const [account] = await sql.query<{ plan: string }>('select plan from users where id = $1', [developerId]);
  if (!account) return false;
  const cap = capOf(planOf(account.plan));
  const rows = await sql.query(
    `insert into usage_months as u (developer_id, month, redemptions) values ($1, $2, 1)
     on conflict (developer_id, month) do update set redemptions = u.redemptions + 1
     where $3::int is null or u.redemptions < $3
     returning redemptions`,
    [developerId, monthOf(now), cap],
  );
  return rows.length > 0;
}

/**
 * The month that an adjustment of the ledger belongs to, for the transaction that writes it: until that ends, nobody else
 * writes the row that decides whether the month is open.
 * @returns its first day, `YYYY-MM-01`.
 */
export async function holdMonth(sql: Sql, developerId: string, now: Date): Promise<string> {
  const month = monthOf(now);
  await sql.query(
    `insert into usage_months as u (developer_id, month) values ($1, $2)
     on conflict (developer_id, month) do update set redemptions = u.redemptions`,
    [developerId, month],
  );
  return month;
}
