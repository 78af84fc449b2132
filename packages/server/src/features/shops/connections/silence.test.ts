import { describe, expect, it } from 'vitest';
import { patienceOf } from './silence.ts';

const DAY = 86_400_000;
/** Sales that came so many days before the newest. */
const salesOf = (...days: number[]) => days.map((ago) => new Date(Date.UTC(2026, 10, 20, 12) - ago * DAY));

describe('for how long a shop may report nothing', () => {
  it.each([
    ['has sold nothing', [], null],
    ['has sold on four days', [0, 1, 2, 3, 3.1], null],
    ['sells every day', [0, 1, 2, 3, 4], 7],
    ['once sold nothing for 20 days', [0, 1, 21, 22, 23], 60],
    ['has had all its newest sales in an hour', Array.from({ length: 200 }, (_, n) => n / 5000), 7],
  ])('one that %s', (_what, days, expected) => {
    const patience = patienceOf(salesOf(...days));
    expect(patience === null ? null : patience / DAY).toBe(expected);
  });
});
