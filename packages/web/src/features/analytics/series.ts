import type { ChartColumn, ChartData } from '../../charts/types.ts';
import { formatCount, formatMoney, toCents, toDollars } from '../../lib/format.ts';
import { formatFullDay, formatMonth, formatPeriod, formatShortDay, formatShortMonth } from '../../lib/period.ts';
import type { Analytics } from '../../lib/types.ts';

const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 3,
});

const revenue: ChartColumn = { name: 'Revenue', format: formatMoney, tick: (value) => compact.format(value) };
const redemptions: ChartColumn = { name: 'Redemptions', format: formatCount, whole: true };

export type Step = 'day' | 'week' | 'month';

/** Beyond a quarter, daily points are noise. */
export function stepOf(days: number): Step {
  if (days <= 92) return 'day';
  return days <= 730 ? 'week' : 'month';
}

const axes: Record<Step, string> = { day: 'Day', week: 'Week', month: 'Month' };

/** One point for each day, week or month of the period. */
export function overTime(data: Analytics, what: 'revenue' | 'redemptions', step: Step): ChartData {
  const [first, second] = what === 'revenue' ? [revenue, redemptions] : [redemptions, revenue];
  // a day alone would leave the year open
  const years = step !== 'day' && data.startDate.slice(0, 4) !== data.endDate.slice(0, 4);
  const points = bucketsOf(Object.keys(data.dailyRevenue).sort(), step).map((days) => {
    const [from = '', to = ''] = [days[0], days.at(-1)];
    const money = sum(days, data.dailyRevenue);
    const count = sum(days, data.dailyRedemptions);
    return {
      label: step === 'month' || years ? formatShortMonth(from) : formatShortDay(from),
      title: step === 'day' ? formatFullDay(from) : step === 'month' ? formatMonth(from) : formatPeriod({ from, to }),
      values: (what === 'revenue' ? [money, count] : [count, money]) as [number, number],
    };
  });
  return { axis: axes[step], columns: [first, second], points };
}

function bucketsOf(days: string[], step: Step): string[][] {
  const buckets = new Map<string | number, string[]>();
  days.forEach((day, index) => {
    const key = step === 'month' ? day.slice(0, 7) : step === 'week' ? Math.floor(index / 7) : day;
    const bucket = buckets.get(key);
    if (bucket) bucket.push(day);
    else buckets.set(key, [day]);
  });
  return [...buckets.values()];
}

/** In cents, because summing fractions of dollars is not exact. */
function sum(days: string[], values: Record<string, number>): number {
  return toDollars(days.reduce((cents, day) => cents + toCents(values[day] ?? 0), 0));
}

/** By revenue; by redemptions where everything was given away. */
export function byReseller(data: Analytics): ChartData {
  const rows = Object.entries(data.resellerStats);
  const paid = rows.some(([, stats]) => stats.revenue > 0);
  return {
    axis: 'Reseller',
    columns: paid ? [revenue, redemptions] : [redemptions, revenue],
    points: rows
      .map(([name, stats]) => ({
        label: name,
        title: name,
        values: (paid ? [stats.revenue, stats.redemptions] : [stats.redemptions, stats.revenue]) as [number, number],
      }))
      .sort((a, b) => b.values[0] - a.values[0]),
  };
}

export interface Sale {
  product: string;
  redemptions: number;
  revenue: number;
}

export function salesOf(data: Analytics): Sale[] {
  return Object.entries(data.productStats).map(([product, count]) => ({
    product,
    redemptions: count,
    revenue: data.productRevenue[product] ?? 0,
  }));
}

interface Leader {
  name: string;
  redemptions: number;
  revenue: number;
}

/** The name with the most redemptions; ties go to the one with the most revenue. */
export function leaderOf(rows: Leader[]): Leader | undefined {
  return rows.toSorted((a, b) => b.redemptions - a.redemptions || b.revenue - a.revenue)[0];
}
