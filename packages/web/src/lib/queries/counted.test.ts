import { expect, it } from 'vitest';
import { withCount } from './counted.ts';
import { keys } from './keys.ts';

const count = keys.notifications.all;

it.each([
  ['an invitation', [keys.invites.all]],
  ['a deal', [keys.products.all, keys.dealRequests.all]],
  ['how a payment is doing', [keys.billing.status]],
  ['all of billing', [keys.billing.all]],
])('the count is stale with %s', (_, stale) => {
  expect(withCount(stale)).toEqual([...stale, count]);
});

it.each([
  ['what is not counted', [keys.serials.all, keys.billing.usage, keys.invites.sent]],
  ['what has the count already', [keys.billing.status, count]],
  ['everything', [keys.everything]],
])('and nothing is added to %s', (_, stale) => {
  expect(withCount(stale)).toEqual(stale);
});
