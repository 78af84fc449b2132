import type { ProductCard } from '@tonerow/sdk';
import { expect, it } from 'vitest';
import { blockOf, isOpen } from './blocked.ts';

const card = { withdrawn: false, revoked: false, download_count: 0, download_limit: 5 } as ProductCard;

it.each([
  ['nothing', {}, null, [true, true]],
  ['the limit, for what has not begun', { download_count: 5 }, 'limitReached', [false, true]],
  ['a revocation', { revoked: true, download_count: 5 }, 'suspended', [false, false]],
  ['a withdrawal', { withdrawn: true, revoked: true }, 'withdrawn', [false, false]],
] as const)('%s is in the way', (_what, change, block, open) => {
  const now = { ...card, ...change };
  expect(blockOf(now)).toBe(block);
  expect([false, true].map((begun) => isOpen(now, { begun }))).toEqual(open);
});
