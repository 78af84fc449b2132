import { type InferResult, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { feeOf, type PlanMonth, planAtEnd } from './fees.ts';
import { tables } from './tables.ts';

const COLUMNS = [
  'month',
  'redemptions',
  'overage_redemptions',
  'overage_cents',
  'refresh_count',
  'refresh_cents',
  'closed_at',
] as const;

const selectMonths = (handle: Sql) => tables.in(handle).selectFrom('usage_months').select(COLUMNS);

/** A developer's usage in a month, named by its first day, and the price of each use at its moment. */
export type MonthUsage = InferResult<ReturnType<typeof selectMonths>>[number];

/** A month as it is billed. */
export interface MonthBill extends MonthUsage {
  /** The plan at its end, or now. */
  plan: string;
  fee_cents: number;
  total_cents: number;
}

/** Every month that was counted, the newest first. */
export function usageMonths(handle: Sql, developerId: string): Promise<MonthUsage[]> {
  return selectMonths(handle).where('developer_id', '=', developerId).orderBy('month', 'desc').execute();
}

/** One month, also when nothing has been counted in it. */
export async function usageMonth(handle: Sql, developerId: string, month: string): Promise<MonthUsage> {
  return (await usageMonthOf(handle, [developerId], month)).get(developerId) ?? nothingUsed(month);
}

/** One month of several developers, by developer. Developers without usage in it are absent. */
export async function usageMonthOf(
  handle: Sql,
  developerIds: readonly string[],
  month: string,
): Promise<Map<string, MonthUsage>> {
  const rows = await selectMonths(handle)
    .select('developer_id')
    .where('developer_id', '=', sql<string>`any(${developerIds}::uuid[])`)
    .where('month', '=', month)
    .execute();
  return new Map(rows.map(({ developer_id, ...usage }) => [developer_id, usage]));
}

export function nothingUsed(month: string): MonthUsage {
  const nothing = { redemptions: 0, overage_redemptions: 0, overage_cents: 0, refresh_count: 0, refresh_cents: 0 };
  return { month, ...nothing, closed_at: null };
}

const selectDays = (handle: Sql) =>
  tables
    .in(handle)
    .selectFrom('usage_days')
    .select(['day', 'redemptions', 'cost_cents', 'refresh_count', 'refresh_cents']);

/** The usage on a day (UTC) and its price at its moment, in cents. */
export type UsedDay = InferResult<ReturnType<typeof selectDays>>[number];

/** The days of a period on which something was counted. */
export function usageDays(
  handle: Sql,
  developerId: string,
  { from, to }: { from: string; to: string },
): Promise<UsedDay[]> {
  return selectDays(handle)
    .where('developer_id', '=', developerId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();
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
