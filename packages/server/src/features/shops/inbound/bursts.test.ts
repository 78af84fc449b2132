import { expect, it } from 'vitest';
import { BURST, Bursts } from './bursts.ts';

it('lets the orders of others go before those of an account that has many, until it has few again', () => {
  const bursts = new Bursts();
  const at = (ms: number) => new Date(1_000_000 + ms);
  const of = (account: string, ms: number) => bursts.isOneOfMany(account, at(ms));
  const first = Array.from({ length: BURST.orders }, (_, n) => of('loud', n));
  expect(first).not.toContain(true);
  expect([of('loud', BURST.ms - 1), of('quiet', BURST.ms - 1)]).toEqual([true, false]);
  expect(of('loud', BURST.ms)).toBe(false);
});
