import { overTime, type Step } from '#charts/over-time.ts';
import type { ChartColumn, ChartData } from '#charts/types.ts';
import { formatCount, formatMoney, formatMoneyShort, toCents, toDollars } from '#lib/format/format.ts';
import type { Analytics, VersionReport } from '#lib/types.ts';

const revenue: ChartColumn = { name: 'Revenue', format: formatMoney, tick: formatMoneyShort };
const redemptions: ChartColumn = { name: 'Redemptions', format: formatCount, whole: true };

/** One point for each day, week or month of the period. */
export function seriesOf(data: Analytics, what: 'revenue' | 'redemptions', step: Step): ChartData {
  return overTime(
    Object.keys(data.dailyRevenue).sort(),
    what === 'revenue' ? [revenue, redemptions] : [redemptions, revenue],
    (days) => {
      const money = sum(days, data.dailyRevenue);
      const count = sum(days, data.dailyRedemptions);
      return what === 'revenue' ? [money, count] : [count, money];
    },
    step,
  );
}

/** Revenue of each product on that of the others: the leading ones, and all others together. */
export function stackOf(data: Analytics, step: Step): ChartData {
  const days = Object.keys(data.dailyRevenue).sort();
  const at = new Map(days.map((day, index) => [day, index]));
  const parts = data.byProduct.map(({ product, revenue: dollars }) => ({
    column: { ...revenue, name: product ?? 'Other products', ...(product === null ? { others: true } : {}) },
    dollars,
  }));
  return overTime(
    days,
    [revenue, ...parts.map(({ column }) => column)],
    (bucket) => [
      sum(bucket, data.dailyRevenue),
      ...parts.map(({ dollars }) =>
        toDollars(bucket.reduce((cents, day) => cents + toCents(dollars[at.get(day) ?? -1] ?? 0), 0)),
      ),
    ],
    step,
  );
}

/** Sums in cents, because summing fractions of dollars is not exact. */
function sum(days: string[], values: Record<string, number>): number {
  return toDollars(days.reduce((cents, day) => cents + toCents(values[day] ?? 0), 0));
}

/** Resellers by revenue, or by redemptions if everything was given away. */
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

const activations: ChartColumn = { name: 'Activations', format: formatCount, whole: true };
/** As many as a stack shows clearly. */
const mostSystems = 6;

/** The name that a plugin reported of itself, if it did. */
export const nameOf = (reported: string | null): string => reported ?? 'Not reported';

/** Each version with its activations by system: the leading systems, and all others together. */
export function versionsBySystem({ activations: all, versions, systems, pairs }: VersionReport): ChartData {
  const leading = systems.slice(0, mostSystems);
  const counts = new Map(pairs.map(({ version, os, count }) => [JSON.stringify([version, os]), count]));
  const rows = versions.map(({ version, count }) => ({
    name: nameOf(version),
    count,
    parts: leading.map(({ os }) => counts.get(JSON.stringify([version, os])) ?? 0),
  }));
  const rest = all - total(rows.map(({ count }) => count));
  if (rest > 0) {
    const parts = leading.map(({ count }, at) => count - total(rows.map((row) => row.parts[at] ?? 0)));
    rows.push({ name: 'Other versions', count: rest, parts });
  }
  const others = rows.some((row) => row.count > total(row.parts));
  return {
    axis: 'Version',
    columns: [
      activations,
      ...leading.map(({ os }) => ({ ...activations, name: nameOf(os) })),
      ...(others ? [{ ...activations, name: 'Other systems', others: true }] : []),
    ],
    points: rows.map(({ name, count, parts }) => ({
      label: name,
      title: name,
      values: [count, ...parts, ...(others ? [count - total(parts)] : [])],
    })),
  };
}

const total = (values: number[]) => values.reduce((before, value) => before + value, 0);

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
