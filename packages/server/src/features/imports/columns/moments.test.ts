import { describe, expect, it } from 'vitest';
import { type DayOrder, dayOrderOf, moment } from './moments.ts';

const read = (text: string, order: DayOrder = 'dmy', edge: 'start' | 'end' = 'start') =>
  moment(text, { column: 'Purchase Date', edge, timeZone: 'Europe/Berlin', order })?.toISOString();

describe('what a date shows of its column', () => {
  it.each([
    ['31/12/2026', 'dmy'],
    ['12/31/2026', 'mdy'],
    ['3.4.2026', 'dmy'],
    ['12.31.2026', 'mdy'],
    ['03/04/2026 10:00', 'either'],
    ['03-04-2026', 'either'],
    // the same day in either order
    ['04/04/2026', null],
    ['31/31/2026', null],
    ['2026-03-04', null],
    ['May 1, 2026', null],
    ['', null],
  ])('%j: %j', (text, order) => {
    expect(dayOrderOf(text)).toBe(order);
  });
});

describe('a date', () => {
  it.each([
    ['2026-03-04', '2026-03-03T23:00:00.000Z'],
    ['03/04/2026', '2026-04-02T22:00:00.000Z'],
    ['3.4.2026', '2026-04-02T22:00:00.000Z'],
    ['3.4.2026 18:30', '2026-04-03T16:30:00.000Z'],
    ['03.04.2026, 18:30:05 Uhr', '2026-04-03T16:30:05.000Z'],
    ['2026/3/4', '2026-03-03T23:00:00.000Z'],
    ['2026年3月4日', '2026-03-03T23:00:00.000Z'],
    ['２０２６年３月４日', '2026-03-03T23:00:00.000Z'],
    ['May 1, 2024', '2024-04-30T22:00:00.000Z'],
    ['May 1, 2024 @ 10:30 am', '2024-05-01T08:30:00.000Z'],
    ['1. Mai 2024', '2024-04-30T22:00:00.000Z'],
    ['1er mai 2024', '2024-04-30T22:00:00.000Z'],
    ['1 de mayo de 2024', '2024-04-30T22:00:00.000Z'],
    ['1 maggio 2024', '2024-04-30T22:00:00.000Z'],
    ['12. Dez. 2024', '2024-12-11T23:00:00.000Z'],
    ['12-Dec-2024 12:05 PM', '2024-12-12T11:05:00.000Z'],
    ['12-Dec-2024 12:05 AM', '2024-12-11T23:05:00.000Z'],
    ['Thu, 12 Dec 2024 10:00:00 GMT', '2024-12-12T10:00:00.000Z'],
    // as shops write them
    ['2024-05-01 10:33:11 -0400', '2024-05-01T14:33:11.000Z'],
    ['2024-05-01 12:33:11 UTC', '2024-05-01T12:33:11.000Z'],
    ['2024-05-01 10:33 America/New_York', '2024-05-01T14:33:00.000Z'],
    ['2024-05-01T10:33:00+02:00[Europe/Berlin]', '2024-05-01T08:33:00.000Z'],
    ['1714560000', '2024-05-01T10:40:00.000Z'],
    ['1714560000123', '2024-05-01T10:40:00.123Z'],
  ])('%j is %j', (text, iso) => {
    expect(read(text)).toBe(iso);
  });

  it('is read by the order of its column', () => {
    expect([read('03/04/2026', 'dmy'), read('03/04/2026', 'mdy')]).toEqual([
      '2026-04-02T22:00:00.000Z',
      '2026-03-03T23:00:00.000Z',
    ]);
  });

  it('of a day ends when the day does on the account’s clock', () => {
    expect(read('31/12/2026', 'dmy', 'end')).toBe('2026-12-31T22:59:59.999Z');
  });

  it.each([
    ['30/02/2026', 'Purchase Date is not a date such as 2026-12-31: "30/02/2026".'],
    ['12/31/2026', 'Purchase Date is not a date such as 2026-12-31: "12/31/2026".'],
    ['03/04/26', 'Purchase Date needs a year of four digits: "03/04/26".'],
    ['45412', "Purchase Date is a spreadsheet's number of a day"],
    ['3.4.2026 25:00', 'is not a date'],
    ['3.4.2026 13:00 pm', 'is not a date'],
    ['3.4.2026 13:00 Atlantis/City', 'is not a date'],
    ['3.4.2026 13:00 CST', 'is not a date'],
    ['Foo 1, 2024', 'is not a date'],
    ['soon', 'is not a date'],
  ])('%j is refused', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('of an empty cell is none', () => {
    expect(moment('', { column: 'x', edge: 'start', timeZone: 'UTC', order: 'dmy' })).toBeNull();
  });
});
