import { expect, it } from 'vitest';
import { currentWork, enter, newWork } from '../work-context.ts';
import { WriteBehind } from './write-behind.ts';

const HOUR = 3_600_000;

it('notes are handed over together, the newest of each, and early when there are many', async () => {
  const written: ReadonlyMap<string, number>[] = [];
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

it('knows what is handed over and not written yet', async () => {
  const gate = Promise.withResolvers<void>();
  const late = new WriteBehind<number>(HOUR, () => gate.promise, console.error);
  late.note('a', 1);
  late.note('b', 1);
  void late.flush();
  late.note('b', 2);
  expect([late.waiting('a'), late.waiting('b')]).toEqual([undefined, 2]);
  expect([late.unwritten('a'), late.unwritten('b'), late.unwritten('c')]).toEqual([1, 2, undefined]);
  gate.resolve();
  await late.close();
  expect([late.unwritten('a'), late.unwritten('b')]).toEqual([undefined, undefined]);
});

/** A write of three statements, each of which takes as long. */
async function handOver(meanwhile: (late: WriteBehind<number>) => void) {
  const taken = 4;
  const rests: number[] = [];
  const late = new WriteBehind<number>(
    HOUR,
    async (_notes, rest) => {
      for (let statement = 0; statement < 3; statement += 1) {
        const until = performance.now() + taken;
        while (performance.now() < until);
        await rest();
        rests.push(performance.now() - until);
      }
    },
    console.error,
  );
  late.note('a', 1);
  const done = late.flush();
  meanwhile(late);
  await done;
  return { rests, taken };
}

it('rests longer than it writes, so that most of the database is for others', async () => {
  const { rests, taken } = await handOver(() => undefined);
  expect(Math.min(...rests)).toBeGreaterThan(2 * taken);
});

it.each<[string, (late: WriteBehind<number>) => void]>([
  ['it is closed', (late) => void late.close()],
  [
    'more waits to be written',
    (late) => {
      late.note('b', 1);
      void late.flush();
    },
  ],
])('does not rest when %s', async (_when, meanwhile) => {
  const { rests, taken } = await handOver(meanwhile);
  // it is the least of three, because a machine that is busy makes any of them long
  expect(Math.min(...rests)).toBeLessThan(2 * taken);
});

it('hands over early on connections of its own, not on those of whoever noted the last one', async () => {
  const lanes: string[] = [];
  const late = new WriteBehind<number>(HOUR, async () => void lanes.push(currentWork().lane), console.error, 1);
  enter(newWork('licensing'), () => late.note('a', 1));
  await late.close();
  expect(lanes).toEqual(['api']);
});
