import { overTime, paces, stepOf } from '#charts/over-time.ts';
import type { ChartColumn, ChartData } from '#charts/types.ts';
import { formatCount, formatExactMoney, formatMoneyShort, toCents, toDollars } from '#lib/format/format.ts';
import { formatPeriod } from '#lib/time/period.ts';
import type { BillingDay } from '#lib/types.ts';

const cost: ChartColumn = { name: 'Overage cost', format: formatExactMoney, tick: formatMoneyShort };
const refreshCost: ChartColumn = { name: 'Refresh charges', format: formatExactMoney };
const redemptions: ChartColumn = { name: 'Redemptions', format: formatCount, whole: true };
const refreshes: ChartColumn = { name: 'Refreshes', format: formatCount, whole: true };

/** Added in cents, because fractions of dollars are not exact. */
const dollars = (rows: BillingDay[], what: 'cost' | 'refresh_cost') =>
  toDollars(rows.reduce((cents, row) => cents + toCents(row[what]), 0));
const count = (rows: BillingDay[], what: 'redemptions' | 'refresh_count') =>
  rows.reduce((sum, row) => sum + row[what], 0);

/** The two charts of a period, what it is called, and its sums. */
export function seriesOf(rows: BillingDay[]) {
  const byDay = new Map(rows.map((row) => [row.date, row]));
  const of = (days: string[]) => days.flatMap((day) => byDay.get(day) ?? []);
  const days = rows.map(({ date }) => date);
  const draw = (columns: [ChartColumn, ChartColumn], values: (rows: BillingDay[]) => [number, number]): ChartData =>
    overTime(days, columns, (bucket) => values(of(bucket)));
  return {
    cost: draw([cost, refreshCost], (each) => [dollars(each, 'cost'), dollars(each, 'refresh_cost')]),
    redemptions: draw([redemptions, refreshes], (each) => [count(each, 'redemptions'), count(each, 'refresh_count')]),
    period: formatPeriod({ from: days[0] ?? '', to: days.at(-1) ?? '' }),
    pace: paces[stepOf(days.length)],
    sums: {
      cost: dollars(rows, 'cost'),
      refreshCost: dollars(rows, 'refresh_cost'),
      total: toDollars(rows.reduce((cents, row) => cents + toCents(row.cost) + toCents(row.refresh_cost), 0)),
      redemptions: count(rows, 'redemptions'),
      refreshes: count(rows, 'refresh_count'),
    },
  };
}
