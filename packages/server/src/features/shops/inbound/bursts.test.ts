import { expect, it } from 'vitest';
import { BURST, Bursts } from './bursts.ts';

it('lets the orders of others go before those of an account that has many, until it has few again', () => {
  const bursts = new Bursts();
  const at = (ms: number) => new Date(1_000_000 + ms);
  const of = (account: string, ms: number) => bursts.next(account, at(ms));
  const [prompt, many, flood] = [{ delay: 0 }, { bulk: true, delay: 0 }, { bulk: true, delay: BURST.delay }];
  const all = Array.from({ length: BURST.flood }, (_, n) => of('loud', n));
  const place = BURST.many - 1;
  expect([all[0], all[place], all[place + 1], all.at(-1)]).toEqual([prompt, prompt, many, many]);
  expect([of('loud', BURST.ms - 1), of('quiet', BURST.ms - 1)]).toEqual([flood, prompt]);
  // it goes on
  expect(of('loud', BURST.ms)).toEqual(flood);
  expect(of('loud', 2 * BURST.ms)).toEqual(prompt);
  const late = Array.from({ length: place + 1 }, () => of('paused', 0));
  expect([late.at(-1), of('paused', 2 * BURST.ms)]).toEqual([prompt, prompt]);
});
