import { keyedByName } from '#platform/keyed-by-name.ts';
import { toDollars } from '#platform/money.ts';
import { type DayPeriod, daysBetween, plusDays } from '#platform/time/days.ts';
import type { DayRow, SumRow } from './analytics.queries.ts';
import type { Analytics } from './analytics.schemas.ts';

type Sums = Pick<
  Analytics,
  'dailyRevenue' | 'dailyRedemptions' | 'productStats' | 'productRevenue' | 'resellerStats' | 'totals' | 'byProduct'
>;

/** Most series readable in a stacked chart. */
const SERIES = 6;

/** Sums in cents, so that a thousand halves make no other total than one; dollars at the end. */
export function summed(rows: DayRow[], period: DayPeriod): Sums {
  const days = new Map<string, Sum>();
  // counted, because after the last day of the year 9999 comes one whose text sorts before it
  const last = daysBetween(period.from, period.to);
  for (let n = 0; n <= last; n += 1) days.set(plusDays(period.from, n), nothing());
  for (const row of rows) add(sumOf(days, row.day), row);
  const { totals, products, resellers } = byName(rows);
  return {
    dailyRevenue: pick(days, (sum) => toDollars(sum.cents)),
    dailyRedemptions: pick(days, (sum) => sum.redemptions),
    productStats: pick(products, (sum) => sum.redemptions),
    productRevenue: pick(products, (sum) => toDollars(sum.cents)),
    resellerStats: pick(resellers, dollarsOf),
    totals,
    byProduct: seriesOf(rows, [...days.keys()]),
  };
}

/** The totals of rows, and those by product and reseller, the most redeemed first. */
export function byName(rows: SumRow[]) {
  const [products, resellers] = [new Map<string, Sum>(), new Map<string, Sum>()];
  const total = nothing();
  for (const row of rows) {
    add(total, row);
    add(sumOf(products, row.product), row);
    if (row.reseller !== null) add(sumOf(resellers, row.reseller), row);
  }
  const ranked = (sums: Map<string, Sum>) => [...sums].sort(([, a], [, b]) => b.redemptions - a.redemptions);
  return { totals: dollarsOf(total), products: ranked(products), resellers: ranked(resellers) };
}

/** The sums of the period before, for comparison. */
export function earlierOf(rows: SumRow[]) {
  const { totals, products, resellers } = byName(rows);
  return {
    totals,
    productStats: pick(products, (sum) => sum.redemptions),
    resellerStats: pick(resellers, dollarsOf),
  };
}

function seriesOf(rows: DayRow[], days: string[]): Analytics['byProduct'] {
  const totals = new Map<string, Sum & { name: string }>();
  for (const row of rows) {
    const sum = totals.get(row.product_id) ?? { ...nothing(), name: row.product };
    add(sum, row);
    totals.set(row.product_id, sum);
  }
  const leading = [...totals]
    .sort(([, a], [, b]) => b.cents - a.cents || b.redemptions - a.redemptions || (a.name < b.name ? -1 : 1))
    .slice(0, SERIES);
  const series = leading.map(([id, { name }]) => ({ product_id: id as string | null, product: name as string | null }));
  if (totals.size > SERIES) series.push({ product_id: null, product: null });
  const at = new Map(series.map(({ product_id }, index) => [product_id, index]));
  const cells = series.map(() => days.map(nothing));
  const dayAt = new Map(days.map((day, index) => [day, index]));
  for (const row of rows) {
    const cell = cells[at.get(row.product_id) ?? SERIES]?.[dayAt.get(row.day) ?? -1];
    if (cell) add(cell, row);
  }
  return series.map((each, index) => ({
    ...each,
    revenue: (cells[index] ?? []).map((sum) => toDollars(sum.cents)),
    redemptions: (cells[index] ?? []).map((sum) => sum.redemptions),
  }));
}

interface Sum {
  redemptions: number;
  cents: number;
  refunded: number;
}

const nothing = (): Sum => ({ redemptions: 0, cents: 0, refunded: 0 });

function add(sum: Sum, row: SumRow): void {
  sum.redemptions += row.redemptions;
  sum.cents += row.revenue_cents;
  sum.refunded += row.refunded_cents;
}

const dollarsOf = ({ redemptions, cents, refunded }: Sum) => ({
  redemptions,
  revenue: toDollars(cents),
  refunded: toDollars(refunded),
});

const pick = <T>(entries: Iterable<[string, Sum]>, value: (sum: Sum) => T) =>
  keyedByName([...entries].map(([key, sum]) => [key, value(sum)] as const));

function sumOf(sums: Map<string, Sum>, key: string): Sum {
  let sum = sums.get(key);
  if (!sum) {
    sum = nothing();
    sums.set(key, sum);
  }
  return sum;
}
