import { expect, it } from 'vitest';
import { newestFirst } from './newest-first.ts';

const upper = new Date('2026-11-22T12:00:00Z');
const span = { upper, lower: null as Date | null, search: false };

/** Days that are read back, in their order, until a page of `limit` rows is whole. */
async function stepsOf(rowsIn: (days: number) => number, of: Partial<typeof span> = {}) {
  const steps: (number | 'all')[] = [];
  const rows = await newestFirst({ ...span, ...of }, 3, async (from) => {
    const days = from ? (upper.getTime() - from.getTime()) / 86_400_000 : 'all';
    steps.push(days);
    return Array.from({ length: Math.min(3, rowsIn(days === 'all' ? 10_000 : days)) }, (_, n) => n);
  });
  return { steps, rows: rows.length };
}

it('a page is read from little more than the time that fills it', async () => {
  expect(await stepsOf((days) => days * 50)).toEqual({ steps: [1 / 8], rows: 3 });
  // one in three hours, as it turns out: three of them and a fourth to spare
  expect(await stepsOf((days) => Math.floor(days * 8))).toEqual({ steps: [1 / 8, 15 / 32], rows: 3 });
  expect(await stepsOf((days) => Math.floor(days / 10))).toEqual({ steps: [1 / 8, 2, 32], rows: 3 });
});

it('the last page, which no time fills, is read from everything after a few steps, also after a lull', async () => {
  expect(await stepsOf(() => 0)).toEqual({ steps: [1 / 8, 2, 32, 512, 'all'], rows: 0 });
  expect(await stepsOf(() => 2)).toEqual({ steps: [1 / 8, 1 / 4, 1, 8, 128, 'all'], rows: 2 });
});

it('nothing earlier than a period is read, and a search reads in vain once at the most', async () => {
  const lower = new Date('2026-11-12T12:00:00Z');
  expect(await stepsOf(() => 0, { lower })).toEqual({ steps: [1 / 8, 2, 'all'], rows: 0 });
  expect(await stepsOf(() => 0, { search: true })).toEqual({ steps: [8, 'all'], rows: 0 });
});
