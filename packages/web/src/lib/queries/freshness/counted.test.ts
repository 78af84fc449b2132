import { expect, it } from 'vitest';
import { withCount } from './counted.ts';
import { billing, billingUsage, dealRequests, invites, products, type Stale, serials } from './operations.ts';

const count = 'listNotifications';

it.each<[string, Stale[]]>([
  ['an invitation', [...invites]],
  ['a deal', [...products, ...dealRequests]],
  ['how a payment is doing', ['getSubscriptionStatus']],
  ['all of billing', [...billing]],
])('the count is stale with %s', (_, stale) => {
  expect(withCount(stale)).toEqual([...stale, count]);
});

it.each<[string, Stale[]]>([
  ['what is not counted', [...serials, ...billingUsage, 'listSentInvites']],
  ['what has the count already', ['getSubscriptionStatus', count]],
])('and nothing is added to %s', (_, stale) => {
  expect(withCount(stale)).toEqual(stale);
});
