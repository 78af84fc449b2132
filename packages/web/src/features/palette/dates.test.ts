import { describe, expect, it } from 'vitest';
import { daysIn } from './dates.ts';

const today = '2026-11-23';
const day = (text: string) => {
  const found = daysIn(text, today);
  return found && found.from === found.to ? found.from : found;
};

describe('the days that are typed', () => {
  it.each([
    ['2026-10-12', '2026-10-12'],
    [' Oct 12 ', '2026-10-12'],
    ['12 october', '2026-10-12'],
    ['12th Oct. 2024', '2024-10-12'],
    ['October 12, 2025', '2025-10-12'],
    ['Dec 24', '2025-12-24'],
    ['today', '2026-11-23'],
    ['Yesterday', '2026-11-22'],
  ])('%s is a day', (text, expected) => {
    expect(day(text)).toBe(expected);
  });

  it('is a whole month when no day is named', () => {
    expect(daysIn('2026-02', today)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(daysIn('October', today)).toEqual({ from: '2026-10-01', to: '2026-10-31' });
    expect(daysIn('Dec', today)).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(daysIn('feb 2024', today)).toEqual({ from: '2024-02-01', to: '2024-02-29' });
  });

  it.each(['2026-02-30', 'feb 30', '10/12/2026', 'mark', 'marble', 'nov nov', '12', '2026', 'prism 12', 'may 1 2'])(
    '%s is none',
    (text) => {
      expect(daysIn(text, today)).toBeNull();
    },
  );
});
