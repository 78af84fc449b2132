import { describe, expect, it } from 'vitest';
import { readCron } from './cron.ts';

const at = (text: string) => new Date(`${text}:00Z`);
const around = (cron: string, now: string) => {
  const { lastAt, nextAfter } = readCron(cron);
  return [lastAt(at(now)), nextAfter(at(now))].map((date) => date?.toISOString().slice(0, 16) ?? null);
};

describe('a schedule', () => {
  it.each([
    ['0 3 * * *', '2026-11-22T02:59', '2026-11-21T03:00', '2026-11-22T03:00'],
    ['0 3 * * *', '2026-11-22T03:00', '2026-11-22T03:00', '2026-11-23T03:00'],
    ['*/15 * * * *', '2026-11-22T03:07', '2026-11-22T03:00', '2026-11-22T03:15'],
    ['5/20 1-3 * * *', '2026-11-22T01:30', '2026-11-22T01:25', '2026-11-22T01:45'],
    ['30 4 1 * *', '2026-11-22T00:00', '2026-11-01T04:30', '2026-12-01T04:30'],
    ['0 3 * * 7', '2026-11-25T12:00', '2026-11-22T03:00', '2026-11-29T03:00'],
    ['0 3 * * 1,3', '2026-11-24T12:00', '2026-11-23T03:00', '2026-11-25T03:00'],
    ['0 3 13 * 5', '2026-11-10T12:00', '2026-11-06T03:00', '2026-11-13T03:00'],
    ['0 0 31 12 *', '2027-01-05T00:00', '2026-12-31T00:00', '2027-12-31T00:00'],
    ['@daily', '2026-11-22T12:00', '2026-11-22T03:00', '2026-11-23T03:00'],
  ])('%s at %s was due at %s and is at %s', (cron, now, last, next) => {
    expect(around(cron, now)).toEqual([last, next]);
  });

  it('of a day that there never is has no moment', () => {
    expect(around('0 0 30 2 *', '2026-11-22T00:00')).toEqual([null, null]);
  });

  it.each([
    '',
    '0 3 * *',
    '60 3 * * *',
    '0 24 * * *',
    '0 3 0 * *',
    '0 3 * 13 *',
    '0 3 * * 8',
    '3-1 * * * *',
    '*/0 * * * *',
  ])('“%s” is refused', (text) => expect(() => readCron(text)).toThrow(RangeError));

  it.each(['a * * * *', '1-2-3 * * * *', '-1 * * * *', '0 3 * * MON', '1,,2 * * * *'])('“%s” is refused, too', (text) =>
    expect(() => readCron(text)).toThrow(/is no /),
  );
});
