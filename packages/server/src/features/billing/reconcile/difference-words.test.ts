import { expect, it } from 'vitest';
import { otherStatus, otherSums, otherTotal } from './difference-words.ts';

const STATES = ['invoiced', 'open', 'failed', 'paid', 'uncollectible', 'void'];
const STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

it('every state that differs is told with what to do, and money is never taken twice', () => {
  for (const state of STATES) {
    for (const status of STATUSES) {
      if (state === status) continue;
      const words = otherStatus(state, status);
      expect(words).toMatch(/^It is \w+ here and (a draft|\w+) at Stripe\. [A-Z].*\.$/);
      // a state that is final here can only be changed at Stripe
      if (state === 'paid' || state === 'void') expect(words).not.toMatch(/“/);
      if (status === 'paid' && state !== 'void') expect(words).toContain('nothing is charged a second time');
    }
  }
});

it('another total is told in dollars, by what can still be done about it', () => {
  expect(otherTotal({ state: 'paid', total: 1000 }, { status: 'paid', total: 1100 })).toBe(
    'Stripe’s invoice is over $11.00 instead of $10.00. Refund $1.00 at Stripe.',
  );
  expect(otherTotal({ state: 'open', total: 1000 }, { status: 'open', total: 900 })).toContain(
    'Choose “Void invoice” here',
  );
  expect(otherTotal({ state: 'paid', total: 1000 }, { status: 'open', total: 900 })).toMatch(
    /paid here and open at Stripe: void it there\.$/,
  );
});

it('figures that differ from the ledger are told together', () => {
  expect(otherSums({ total: 1055, lines: 1000, overage: 55, ledger: 55, refreshes: 0, refreshed: 3 })).toMatch(
    /^Its lines add up to \$10\.00 instead of \$10\.55\. There are \$0\.03 of refreshes instead of \$0\.00\. The developer owes/,
  );
});
