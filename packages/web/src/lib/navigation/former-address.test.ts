import { expect, it } from 'vitest';
import { formerAddress } from './former-address.ts';

it.each([
  ['?tab=available', '/dashboard/serials/available'],
  ['?tab=available&view=list&in=a%2Cb&batch=c', '/dashboard/serials/available?view=list&batch=c&product=a%2Cb'],
  ['?tab=generator&product=p', '/dashboard/serials/generator?product=p'],
  ['?tab=batches&sort=-quantity', '/dashboard/serials/batches?sort=-quantity'],
  ['?in=a', '/dashboard/serials?product=a'],
  ['?tab=else', '/dashboard/serials'],
])('leads from the tab that was at %s to %s', (search, address) => {
  expect(formerAddress(search)).toBe(address);
});
