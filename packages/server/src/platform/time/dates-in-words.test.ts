import { expect, it } from 'vitest';
import { chosenInWords, dayInWords, momentInWords, startInWords, zoneInWords } from './dates-in-words.ts';

const [LA, TOKYO] = ['America/Los_Angeles', 'Asia/Tokyo'];
const end = new Date('2026-12-06T07:59:59.999Z');

it('names the zone of every date', () => {
  expect(dayInWords(end, LA)).toBe('December 5, 2026 (Los Angeles time)');
  expect(momentInWords(end, TOKYO)).toBe('December 6, 2026 at 4:59 PM (Tokyo time)');
  expect(['UTC', 'Etc/UTC', 'America/Argentina/Buenos_Aires', 'EST'].map(zoneInWords)).toEqual([
    'UTC',
    'UTC',
    'Buenos Aires time',
    'EST',
  ]);
});

it('shows a chosen date as the day that was chosen, to both partners', () => {
  expect(chosenInWords(end, 'end', LA)).toBe('December 5, 2026 (Los Angeles time)');
  expect(chosenInWords(end, 'end', TOKYO, LA)).toBe('December 5, 2026 (Los Angeles time)');
  const start = new Date('2026-11-30T15:00:00Z');
  expect(chosenInWords(start, 'start', LA, TOKYO)).toBe('December 1, 2026 (Tokyo time)');
  expect(chosenInWords(start, 'start', TOKYO, LA)).toBe('December 1, 2026 (Tokyo time)');
});

it('shows a date that is no day’s edge to the minute', () => {
  expect(chosenInWords(new Date('2026-12-05T23:59:59.999Z'), 'end', LA)).toBe(
    'December 5, 2026 at 3:59 PM (Los Angeles time)',
  );
});

it.each([
  ['2026-12-05T00:00:00.000Z', 'UTC', 'December 5, 2026 (UTC)'],
  ['2026-12-04T23:00:00.000Z', 'Europe/Berlin', 'December 5, 2026 (Europe/Berlin)'],
  ['2026-12-05T08:00:00.000Z', 'America/Los_Angeles', 'December 5, 2026 (America/Los Angeles)'],
  ['2026-12-04T23:00:00.000Z', 'America/Los_Angeles', 'December 4, 2026 at 3:00 PM (America/Los Angeles)'],
  ['2026-12-04T23:00:00.001Z', 'Europe/Berlin', 'December 5, 2026 at 12:00 AM (Europe/Berlin)'],
])('a start %s in %s is %s', (at, zone, words) => {
  expect(startInWords(new Date(at), zone)).toBe(words);
});
