import { expect, it } from 'vitest';
import { Tally } from './tally.ts';

it('adds up a file by the months of the account’s clock', () => {
  const tally = new Tally('America/New_York');
  tally.add(new Date('2025-01-01T04:30:00Z'), 4950, { priced: true, dated: true });
  tally.add(new Date('2025-01-01T05:00:00Z'), 1000, { priced: true, dated: true });
  tally.add(new Date('2025-01-01T05:10:00Z'), 2000, { priced: false, dated: false });
  expect(tally.result).toEqual({
    months: [
      { month: '2024-12', count: 1, cents: 4950 },
      { month: '2025-01', count: 2, cents: 3000 },
    ],
    unpriced: 1,
    unpricedCents: 2000,
    undated: 1,
  });
});

it('has nothing of a file without sales', () => {
  expect(new Tally('UTC').result).toEqual({ months: [], unpriced: 0, unpricedCents: 0, undated: 0 });
});
