import { expect, it } from 'vitest';
import { AtMost } from './at-most.ts';

it('runs so many at once, the others in their order, and goes on after a failure', async () => {
  const two = new AtMost(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (number: number) =>
    two.run(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 0) throw new Error('failed');
      return number;
    });
  const all = [0, 1, 2, 3].map(work);
  const outcomes = Promise.allSettled(all);
  expect([begun, two.running, two.waiting]).toEqual([[0, 1], 2, 2]);
  ends[0]?.();
  await expect(all[0]).rejects.toThrow('failed');
  expect([begun, two.running, two.waiting]).toEqual([[0, 1, 2], 2, 1]);
  ends[1]?.();
  await all[1];
  expect([begun, two.running, two.waiting]).toEqual([[0, 1, 2, 3], 2, 0]);
  for (const end of ends) end();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect([two.running, two.waiting]).toEqual([0, 0]);
});
