import { expect, it } from 'vitest';
import { list } from './table.ts';
import { accountZone, chosen, day, noteAccountZone, withAccountZone } from './zone.ts';

const end = '2026-12-06T07:59:59.999Z';
const inZone = <Result>(zone: string, run: () => Result) =>
  withAccountZone(() => {
    noteAccountZone(zone);
    return run();
  });

it('shows every moment on the clock of the account that the server names', () => {
  expect(list([['Made', end]])).toBe(`Made  ${end}\n`);
  inZone('America/Los_Angeles', () => {
    expect([day(end), list([['Made', end]])]).toEqual(['2026-12-05', 'Made  2026-12-05T23:59:59.999-08:00\n']);
  });
  inZone('Asia/Tokyo', () => expect(day(end)).toBe('2026-12-06'));
  expect(accountZone()).toBe('UTC');
});

it('shows a chosen date as the day that was chosen, and names whose it is', () => {
  expect(inZone('America/Los_Angeles', () => chosen(end, 'end'))).toBe('2026-12-05');
  const counterpart = inZone('Asia/Tokyo', () => [chosen(end, 'end', 'America/Los_Angeles'), chosen(end, 'end')]);
  expect(counterpart).toEqual(['2026-12-05 (America/Los_Angeles)', '2026-12-06 16:59']);
});
