import { expect, it } from 'vitest';
import { InTurns } from './in-turns.ts';

it('runs what arrives during a turn in the next one, at most as much as fits', async () => {
  const turns: number[][] = [];
  let open = () => {};
  const first = new Promise<void>((resolve) => {
    open = resolve;
  });
  const inTurns = new InTurns<number, number>(
    async (items) => {
      turns.push(items);
      if (turns.length === 1) await first;
      return items.map((item) => item * 10);
    },
    (items) => items.length <= 2,
  );
  const answers = Promise.all([1, 2, 3, 4].map((item) => inTurns.take('a', item)));
  expect(await inTurns.take('b', 9)).toBe(90);
  open();
  expect(await answers).toEqual([10, 20, 30, 40]);
  expect(turns).toEqual([[1], [9], [2, 3], [4]]);
  expect(await inTurns.take('a', 5)).toBe(50);
});

it('fails those of a turn that fails, and goes on', async () => {
  const inTurns = new InTurns<number, number>(
    async (items) => {
      if (items.includes(2)) throw new Error('two');
      return items;
    },
    () => true,
  );
  const answers = await Promise.allSettled([1, 2, 3].map((item) => inTurns.take('a', item)));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await inTurns.take('a', 4)).toBe(4);
});
