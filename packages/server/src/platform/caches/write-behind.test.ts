import { afterEach, expect, it, vi } from 'vitest';
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
  expect(['a', 'b', 'c'].map((key) => late.unwritten(key))).toEqual([[1], [1, 2], []]);
  gate.resolve();
  await late.close();
  expect(['a', 'b'].map((key) => late.unwritten(key))).toEqual([[], []]);
});

/** A hand-over of three statements, each of which takes so many milliseconds by the stopwatch. @returns milliseconds that it rested */
async function handOver(takes: number, meanwhile: (late: WriteBehind<number>) => void) {
  const now = performance.now.bind(performance);
  let worked = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + worked);
  const late = new WriteBehind<number>(
    HOUR,
    async (_notes, rest) => {
      for (let statement = 0; statement < 3; statement += 1) {
        worked += takes;
        await rest();
      }
    },
    console.error,
  );
  const begun = now();
  late.note('a', 1);
  const done = late.flush();
  meanwhile(late);
  await done;
  return now() - begun;
}
afterEach(() => vi.restoreAllMocks());

it('rests longer than it writes, so that most of the database is for others', async () => {
  expect(await handOver(10, () => undefined)).toBeGreaterThan(3 * 2 * 10);
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
  expect(await handOver(HOUR, meanwhile)).toBeLessThan(HOUR);
});

it('hands over early on connections of its own, not on those of whoever noted the last one', async () => {
  const lanes: string[] = [];
  const late = new WriteBehind<number>(HOUR, async () => void lanes.push(currentWork().lane), console.error, 1);
  enter(newWork('licensing'), () => late.note('a', 1));
  await late.close();
  expect(lanes).toEqual(['api']);
});
