import type { Sql } from '#platform/db/database.ts';
import { feeOf, type PlanMonth, planAtEnd } from './fees.ts';

/** What a developer used in a month, and what each of it cost at its moment. */
export interface MonthUsage {
  /** Its first day. */
  month: string;
  redemptions: number;
  overage_redemptions: number;
  overage_cents: number;
  refresh_count: number;
  refresh_cents: number;
  closed_at: Date | null;
}

/** A month as it is billed. */
export interface MonthBill extends MonthUsage {
  /** The plan at its end, or now. */
  plan: string;
  fee_cents: number;
  total_cents: number;
}

const COLUMNS = 'month, redemptions, overage_redemptions, overage_cents, refresh_count, refresh_cents, closed_at';

/** Every month that was counted, the newest first. */
export function usageMonths(sql: Sql, developerId: string): Promise<MonthUsage[]> {
  return sql.query<MonthUsage>(`select ${COLUMNS} from usage_months where developer_id = $1 order by month desc`, [
    developerId,
  ]);
}

/** One month, also when nothing has been counted in it. */
export async function usageMonth(sql: Sql, developerId: string, month: string): Promise<MonthUsage> {
  return (await usageMonthOf(sql, [developerId], month)).get(developerId) ?? nothingUsed(month);
}

/** One month of several developers, by developer; without those of whom nothing was counted in it. */
export async function usageMonthOf(
  sql: Sql,
  developerIds: readonly string[],
  month: string,
): Promise<Map<string, MonthUsage>> {
  const rows = await sql.query<MonthUsage & { developer_id: string }>(
    `select developer_id, ${COLUMNS} from usage_months where developer_id = any($1::uuid[]) and month = $2`,
    [developerIds, month],
  );
  return new Map(rows.map(({ developer_id, ...usage }) => [developer_id, usage]));
}

export function nothingUsed(month: string): MonthUsage {
  const nothing = { redemptions: 0, overage_redemptions: 0, overage_cents: 0, refresh_count: 0, refresh_cents: 0 };
  return { month, ...nothing, closed_at: null };
}

/** What was used on a day (UTC) and what it cost at its moment, in cents. */
export interface UsedDay {
  day: string;
  redemptions: number;
  cost_cents: number;
  refresh_count: number;
  refresh_cents: number;
}

/** The days of a period on which something was counted. */
export function usageDays(
  sql: Sql,
  developerId: string,
  { from, to }: { from: string; to: string },
): Promise<UsedDay[]> {
  return sql.query<UsedDay>(
    `select day, redemptions, cost_cents, refresh_count, refresh_cents from usage_days
     where developer_id = $1 and day between $2 and $3 order by day`,
    [developerId, from, to],
  );
}

/** The one sum that the screen shows, the CSV has and the statement is made of. */
export function billOf(usage: MonthUsage, changes: readonly PlanMonth[]): MonthBill {
  const fee_cents = feeOf(changes, usage.month);
  return {
    ...usage,
    plan: planAtEnd(changes, usage.month),
    fee_cents,
    total_cents: fee_cents + usage.overage_cents + usage.refresh_cents,
  };
}

/** False for a month without a fee in which nothing happened: there is nothing to show, and no statement of it. */
export function isBilled(bill: MonthBill): boolean {
  return bill.redemptions > 0 || bill.refresh_count > 0 || bill.fee_cents > 0;
}
