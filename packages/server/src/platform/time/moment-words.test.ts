import { expect, it } from 'vitest';
import { momentInWords } from './moment-words.ts';

it.each([
  ['2026-12-05T00:00:00.000Z', 'UTC', 'December 5, 2026 (UTC)'],
  ['2026-12-04T23:00:00.000Z', 'Europe/Berlin', 'December 5, 2026 (Europe/Berlin)'],
  ['2026-12-05T08:00:00.000Z', 'America/Los_Angeles', 'December 5, 2026 (America/Los Angeles)'],
  ['2026-12-04T23:00:00.000Z', 'America/Los_Angeles', 'December 4, 2026 at 3:00 PM (America/Los Angeles)'],
  ['2026-12-04T23:00:00.001Z', 'Europe/Berlin', 'December 5, 2026 at 12:00 AM (Europe/Berlin)'],
])('shows %s in %s as %s', (at, zone, words) => {
  expect(momentInWords(new Date(at), zone)).toBe(words);
});
