import { expect, it } from 'vitest';
import { inState, STATES } from './batch-states.ts';

it('marks what a list has not counted whole', () => {
  const batch = { open: 3000, handed_out: 0, redeemed: 12, revoked: 3000, at_least: ['open' as const] };
  expect(STATES.map((state) => inState(batch, state))).toEqual(['3000+', 0, 12, 3000]);
});
