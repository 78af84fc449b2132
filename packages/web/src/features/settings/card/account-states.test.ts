import { expect, it } from 'vitest';
import { stateOf } from './account-states.ts';

it('names the states of an account, and those it does not know', () => {
  expect(
    ['paid', 'open', 'failed', 'uncollectible', 'none', 'paused'].map((status) => [
      stateOf(status).words,
      stateOf(status).tone,
    ]),
  ).toEqual([
    ['ACTIVE', 'good'],
    ['NEEDS ATTENTION', 'warn'],
    ['INACTIVE', 'bad'],
    ['INACTIVE', 'bad'],
    ['NO BILLING RECORD', 'plain'],
    ['UNKNOWN', 'plain'],
  ]);
});
