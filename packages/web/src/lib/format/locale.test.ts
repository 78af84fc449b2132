import { expect, it } from 'vitest';
import { datesFor } from './locale.ts';

const moment = new Date('2026-10-12T15:04:05Z');

it.each([
  ['en-US', 'Oct 12, 2026, 3:04:05 PM'],
  ['en-GB', '12 Oct 2026, 15:04:05'],
  ['de', '12 Oct 2026, 15:04:05'],
  ['ja', 'Oct 12, 2026, 15:04:05'],
  ['pt-BR', '12 Oct 2026, 15:04:05'],
  ['he', '12 Oct 2026, 15:04:05'],
  ['not a language', 'Oct 12, 2026, 3:04:05 PM'],
])('a reader of %s sees %s', (language, expected) => {
  const { locale, hourCycle } = datesFor(language);
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
    hourCycle,
  });
  expect(format.format(moment).replaceAll('\u202f', ' ')).toBe(expected);
});
