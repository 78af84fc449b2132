import { describe, expect, it } from 'vitest';
import { isDue, nextReadIn } from './next-read.ts';

const now = Date.parse('2026-03-20T12:00:00Z');
const planned = (seconds: number | null) => ({
  next_attempt_at: seconds === null ? null : new Date(now + seconds * 1000).toISOString(),
});
const readIn = (...seconds: (number | null)[]) => nextReadIn(seconds.map(planned), now);

describe('the list of deliveries', () => {
  it('rests when nothing waits for an attempt', () => {
    expect([readIn(), readIn(null), readIn(null, null)]).toEqual([false, false, false]);
  });

  it('is read again once the next attempt has its answer, and not more often than every two seconds', () => {
    expect([readIn(10), readIn(300, null, 40), readIn(0), readIn(-5)]).toEqual([11_000, 41_000, 2000, 2000]);
  });

  it('waits neither for what is a day away nor for what is long overdue', () => {
    expect([readIn(86_400), readIn(-60), readIn(-3600, 30)]).toEqual([false, false, 31_000]);
  });
});

it('a delivery is due within a minute of its next attempt', () => {
  expect([planned(null), planned(-61), planned(-59), planned(59), planned(61)].map((each) => isDue(each, now))).toEqual(
    [false, false, true, true, false],
  );
});
