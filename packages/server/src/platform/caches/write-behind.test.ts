import { expect, it } from 'vitest';
import { WriteBehind } from './write-behind.ts';

const HOUR = 3_600_000;

it('notes are handed over together, the newest of each, and early when there are many', async () => {
  const written: Map<string, number>[] = [];
  const late = new WriteBehind<number>(HOUR, async (notes) => void written.push(notes), console.error);
  late.note('a', 1);
  late.note('a', 2);
  expect([late.waiting('a'), late.waiting('b'), written.length]).toEqual([2, undefined, 0]);
  await late.flush();
  expect(written).toEqual([new Map([['a', 2]])]);
  await late.flush();
  expect(written).toHaveLength(1);

  for (let count = 0; count < 25_000; count += 1) late.note(`n${count}`, count);
  await late.close();
  expect(written.map((notes) => notes.size)).toEqual([1, 10_000, 10_000, 5000]);
});

it('reports a failure, and still writes what comes later', async () => {
  const told: unknown[] = [];
  const written: string[] = [];
  const late = new WriteBehind<number>(
    HOUR,
    async (notes) => {
      if (notes.has('bad')) throw new Error('no');
      written.push(...notes.keys());
    },
    (error) => void told.push(error),
  );
  late.note('bad', 1);
  void late.flush();
  late.note('good', 1);
  await late.close();
  expect(written).toEqual(['good']);
  expect(told).toEqual([new Error('no')]);
});
