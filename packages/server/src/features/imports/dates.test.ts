import { expect, it } from 'vitest';
import { CellError } from './cells.ts';
import { Dates } from './dates.ts';

const berlin = new Dates('Europe/Berlin');
const read = (text: string) => berlin.read(text, 'Purchase Date', 'start')?.toISOString();

it('reads the clock of the zone, also on days that are shorter or longer', () => {
  expect(read('2026-03-28 18:30')).toBe('2026-03-28T17:30:00.000Z');
  expect(read('2026-03-29 18:30:05')).toBe('2026-03-29T16:30:05.000Z');
  expect(read('2026-10-25 18:30')).toBe('2026-10-25T17:30:00.000Z');
  expect(read('2026-10-25 18:30+01:00')).toBe('2026-10-25T17:30:00.000Z');
});

it('accepts the last possible day', () => {
  const end = (zone: string) => new Dates(zone).read('9999-12-31', 'Active To', 'end')?.toISOString();
  expect(end('UTC')).toBe('9999-12-31T23:59:59.999Z');
  expect(end('America/New_York')).toBe('9999-12-31T23:59:59.999Z');
  expect(() => read('9999-12-31 23:00-05:00')).toThrow(CellError);
});

it.each(['2026-02-30', '2026-02-30 10:00', '2026-02-30T10:00Z', '03/04/2026', '2026-03-01 24:00'])(
  'refuses %s',
  (text) => {
    expect(() => read(text)).toThrow(CellError);
  },
);
