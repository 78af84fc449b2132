import { expect, it } from 'vitest';
import { chosenIn } from '../format/format.ts';
import { dayIn, isEdge, isoIn, zoneInWords } from './zone.ts';

const [LA, BERLIN, TOKYO] = ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo'];
// the end of 5 December in each
const ends = {
  [LA]: '2026-12-06T07:59:59.999Z',
  [BERLIN]: '2026-12-05T22:59:59.999Z',
  [TOKYO]: '2026-12-05T14:59:59.999Z',
};

it.each([LA, BERLIN, TOKYO])('a promo that ends on 5 December in %s does so for everybody', (zone) => {
  const end = ends[zone] as string;
  expect([dayIn(end, zone), isEdge(end, 'end', zone)]).toEqual(['2026-12-05', true]);
  const own = { account: zone, owner: undefined, browser: zone };
  expect(chosenIn(end, 'end', own)).toBe('Dec 5, 2026');
  for (const reader of [LA, BERLIN, TOKYO].filter((other) => other !== zone)) {
    const named = `Dec 5, 2026 (${zoneInWords(zone)})`;
    // a counterpart elsewhere, and the account's own owner on a journey
    expect(chosenIn(end, 'end', { account: reader, owner: zone, browser: reader })).toBe(named);
    expect(chosenIn(end, 'end', { ...own, browser: reader })).toBe(named);
  }
});

it('a date between two days has its time, on the reader’s clock', () => {
  const end = '2026-12-05T23:59:59.999Z';
  const read = (zone: string) => chosenIn(end, 'end', { account: zone, owner: undefined, browser: zone });
  expect(read(LA).replaceAll('\u202f', ' ')).toMatch(/Dec 5, 2026, (3:59 PM|15:59)$/);
  expect(read('UTC')).toBe('Dec 5, 2026');
});

it('a date that is a day of the reader’s own is shown as that', () => {
  expect(chosenIn(ends[TOKYO] as string, 'end', { account: TOKYO, owner: LA, browser: TOKYO })).toBe('Dec 5, 2026');
});

it('knows the days of 23 and 25 hours', () => {
  expect(isEdge('2026-03-08T08:00:00.000Z', 'start', LA)).toBe(true);
  expect(isEdge('2026-03-09T06:59:59.999Z', 'end', LA)).toBe(true);
  expect(isEdge('2026-11-02T07:59:59.999Z', 'end', LA)).toBe(true);
  expect(isEdge('2026-11-02T06:59:59.999Z', 'end', LA)).toBe(false);
});

it('writes moments as the server’s CSV does', () => {
  expect(isoIn('2026-12-06T07:59:59.999Z', LA)).toBe('2026-12-05T23:59:59.999-08:00');
  expect(isoIn('2026-12-05T14:59:59.999Z', TOKYO)).toBe('2026-12-05T23:59:59.999+09:00');
  expect(isoIn('2026-12-05T18:29:59.999Z', 'Asia/Kolkata')).toBe('2026-12-05T23:59:59.999+05:30');
  expect(isoIn('2026-12-05T23:59:59.999Z', 'UTC')).toBe('2026-12-05T23:59:59.999Z');
});

it('calls a zone what people call it', () => {
  expect(['America/Argentina/Buenos_Aires', 'Etc/UTC', 'UTC'].map(zoneInWords)).toEqual([
    'Buenos Aires time',
    'UTC',
    'UTC',
  ]);
});
