import { describe, expect, it } from 'vitest';
import { dayOf, endOfDay, isoIn, readMoment, startOfDay } from './days.ts';

const [LA, BERLIN, TOKYO] = ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo'];

describe('a date that somebody gives', () => {
  it.each([
    // a day: its end, or its beginning
    ['2026-12-05', LA, '2026-12-06T07:59:59.999Z', '2026-12-05T08:00:00.000Z'],
    ['2026-12-05', BERLIN, '2026-12-05T22:59:59.999Z', '2026-12-04T23:00:00.000Z'],
    ['2026-12-05', TOKYO, '2026-12-05T14:59:59.999Z', '2026-12-04T15:00:00.000Z'],
    ['2026-12-05', 'UTC', '2026-12-05T23:59:59.999Z', '2026-12-05T00:00:00.000Z'],
    // days of 23 and 25 hours
    ['2026-03-08', LA, '2026-03-09T06:59:59.999Z', '2026-03-08T08:00:00.000Z'],
    ['2026-11-01', LA, '2026-11-02T07:59:59.999Z', '2026-11-01T07:00:00.000Z'],
    ['2026-03-29', BERLIN, '2026-03-29T21:59:59.999Z', '2026-03-28T23:00:00.000Z'],
    ['2026-10-25', BERLIN, '2026-10-25T22:59:59.999Z', '2026-10-24T22:00:00.000Z'],
    // a day that begins at one o'clock
    ['2026-09-06', 'America/Santiago', '2026-09-07T02:59:59.999Z', '2026-09-06T04:00:00.000Z'],
  ])('%s in %s', (text, zone, end, start) => {
    expect(readMoment(text, 'end', zone)?.toISOString()).toBe(end);
    expect(readMoment(text, 'start', zone)?.toISOString()).toBe(start);
    expect([dayOf(new Date(end), zone), dayOf(new Date(start), zone)]).toEqual([text, text]);
  });

  it.each([
    // without an offset: on the account's clock
    ['2026-12-05T18:00', LA, '2026-12-06T02:00:00.000Z'],
    ['2026-12-05 18:00:30', LA, '2026-12-06T02:00:30.000Z'],
    ['2026-12-05T18:00:30.25', TOKYO, '2026-12-05T09:00:30.250Z'],
    ['2026-07-05T18:00', BERLIN, '2026-07-05T16:00:00.000Z'],
    // an hour that the clock skips, and one that it shows twice
    ['2026-03-08T02:30', LA, '2026-03-08T10:30:00.000Z'],
    ['2026-03-29 02:30', BERLIN, '2026-03-29T01:30:00.000Z'],
    ['2026-11-01T01:30', LA, '2026-11-01T08:30:00.000Z'],
    ['2026-10-25 02:30', BERLIN, '2026-10-25T00:30:00.000Z'],
    // with its own, whatever the account's is
    ['2026-12-05T18:00Z', LA, '2026-12-05T18:00:00.000Z'],
    ['2026-12-05T18:00:00.123456Z', TOKYO, '2026-12-05T18:00:00.123Z'],
    ['2026-12-05T23:59:59.999-08:00', TOKYO, '2026-12-06T07:59:59.999Z'],
    ['2026-12-05 18:00+0530', BERLIN, '2026-12-05T12:30:00.000Z'],
    // as other programs write them
    ['2026-12-05 18:00:11 -0400', BERLIN, '2026-12-05T22:00:11.000Z'],
    ['2026-12-05 18:00 UTC', LA, '2026-12-05T18:00:00.000Z'],
    ['2026-12-05 18:00 GMT+02:00', LA, '2026-12-05T16:00:00.000Z'],
    ['2026-12-05 18:00 PST', TOKYO, '2026-12-06T02:00:00.000Z'],
    ['2026-07-05 18:00 Europe/Berlin', LA, '2026-07-05T16:00:00.000Z'],
    ['2026-07-05T18:00:00+02:00[Europe/Berlin]', LA, '2026-07-05T16:00:00.000Z'],
  ])('%s in %s', (text, zone, moment) => {
    for (const edge of ['start', 'end'] as const) expect(readMoment(text, edge, zone)?.toISOString()).toBe(moment);
  });

  it.each([
    '03/04/2026',
    '2026-02-30',
    '2026-02-30T10:00',
    '2026-02-30T10:00Z',
    '2026-03-01 24:00',
    '2026-03-01T10:60',
    '2026-03-01T10:00+25:00',
    '2026-03-01T10',
    '2026-3-1',
    '2026-03-01 10:00 CST',
    '2026-03-01 10:00 Atlantis/City',
    '2026-03-01 10:00 GMT+25:00',
    'tomorrow',
    '9999-12-31T23:00-05:00',
  ])('%s is none', (text) => {
    expect(readMoment(text, 'end', LA)).toBeNull();
  });
});

it('has the last day that there is', () => {
  for (const zone of ['UTC', LA, TOKYO]) {
    expect(endOfDay('9999-12-31', zone).getTime()).toBeLessThanOrEqual(Date.parse('9999-12-31T23:59:59.999Z'));
    expect(startOfDay('0001-01-02', zone).toISOString()).toMatch(/^0001-01-0[12]T/);
  }
});

it.each([
  [LA, '2026-12-05T23:59:59.999-08:00'],
  [TOKYO, '2026-12-06T16:59:59.999+09:00'],
  ['Asia/Kolkata', '2026-12-06T13:29:59.999+05:30'],
  ['UTC', '2026-12-06T07:59:59.999Z'],
])('writes a moment on the clock of %s, which is read as the same', (zone, text) => {
  const moment = new Date('2026-12-06T07:59:59.999Z');
  expect(isoIn(moment, zone)).toBe(text);
  expect(readMoment(text, 'end', 'UTC')).toEqual(moment);
});
