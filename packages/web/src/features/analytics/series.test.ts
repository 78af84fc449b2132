import { expect, it } from 'vitest';
import { plusDays } from '#lib/time/period.ts';
import type { Analytics } from '#lib/types.ts';
import { byReseller, leaderOf, salesOf, seriesOf, stackOf, versionsBySystem } from './series.ts';

function sample(days: number, change: Partial<Analytics> = {}): Analytics {
  const all = Array.from({ length: days }, (_, index) => plusDays('2026-01-30', index));
  return {
    dailyRevenue: Object.fromEntries(all.map((day) => [day, 0.1])),
    dailyRedemptions: Object.fromEntries(all.map((day) => [day, 1])),
    productStats: {},
    productRevenue: {},
    resellerStats: {},
    customerGeo: [],
    totals: { redemptions: days, revenue: days / 10, refunded: 0 },
    byProduct: [],
    previous: null,
    startDate: all[0] ?? '',
    endDate: all.at(-1) ?? '',
    time_zone: 'UTC',
    ...change,
  };
}

it('adds days up without fractions of a cent', () => {
  const { axis, points } = seriesOf(sample(10), 'revenue', 'week');
  expect(axis).toBe('Week');
  expect(points.map((point) => point.values)).toEqual([
    [0.7, 7],
    [0.3, 3],
  ]);
});

it('stacks products by week, and names what is left over', () => {
  const half = Array.from({ length: 10 }, () => 0.05);
  const byProduct = [
    { product_id: 'a', product: 'A', revenue: half, redemptions: [] },
    { product_id: null, product: null, revenue: half, redemptions: [] },
  ];
  const { columns, points } = stackOf(sample(10, { byProduct }), 'week');
  expect(columns.map(({ name, others }) => [name, others ?? false])).toEqual([
    ['Revenue', false],
    ['A', false],
    ['Other products', true],
  ]);
  expect(points.map((point) => point.values)).toEqual([
    [0.7, 0.35, 0.35],
    [0.3, 0.15, 0.15],
  ]);
});

it('cuts months at their ends', () => {
  const { points } = seriesOf(sample(4), 'redemptions', 'month');
  expect(points.map(({ title, values }) => [title, values[0]])).toEqual([
    ['January 2026', 2],
    ['February 2026', 2],
  ]);
});

it('breaks versions down by system, with what is left over of both', () => {
  const systems = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((os, at) => ({ os, count: 12 - at }));
  const pairs = systems.map(({ os, count }) => ({ version: '2.0', os, count: count - 3 }));
  const report = {
    days: 30,
    since: '2026-01-01',
    activations: 64,
    versions: [
      { version: '2.0', count: 42 },
      { version: null, count: 3 },
    ],
    systems,
    pairs: [...pairs, { version: null, os: 'a', count: 1 }, { version: null, os: 'g', count: 1 }],
  };
  const { columns, points } = versionsBySystem(report);
  expect(columns.map(({ name }) => name)).toEqual(['Activations', 'a', 'b', 'c', 'd', 'e', 'f', 'Other systems']);
  expect(points.map(({ title, values }) => [title, ...values])).toEqual([
    ['2.0', 42, 9, 8, 7, 6, 5, 4, 3],
    ['Not reported', 3, 1, 0, 0, 0, 0, 0, 2],
    ['Other versions', 19, 2, 3, 3, 3, 3, 3, 2],
  ]);
});

it('ranks resellers by revenue, or by redemptions where everything was given away', () => {
  const paid = { A: { redemptions: 9, revenue: 1, refunded: 0 }, B: { redemptions: 1, revenue: 5, refunded: 0 } };
  const given = { A: { redemptions: 1, revenue: 0, refunded: 0 }, B: { redemptions: 2, revenue: 0, refunded: 0 } };
  expect(byReseller(sample(1, { resellerStats: paid })).points.map((point) => point.values)).toEqual([
    [5, 1],
    [1, 9],
  ]);
  expect(byReseller(sample(1, { resellerStats: given })).columns[0].name).toBe('Redemptions');
});

it('names the leader by redemptions and, of equals, by revenue', () => {
  const data = sample(1, { productStats: { A: 2, B: 2, C: 1 }, productRevenue: { A: 1, B: 3, C: 99 } });
  expect(leaderOf(salesOf(data).map((sale) => ({ ...sale, name: sale.product })))?.name).toBe('B');
  expect(leaderOf([])).toBeUndefined();
});
