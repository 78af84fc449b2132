import type { Mutant } from '../mutant.ts';

/** Rules that only a screen decides. */
export const dashboard: readonly Mutant[] = [
  {
    fault: 'a tab of the other role leads to the own first tab instead of the refusal',
    file: 'packages/web/src/lib/navigation/hub-tab.ts',
    from: "(isHub(name) ? '/not-authorized' : null)",
    to: 'defaultTab(user)',
    tests: ['packages/web/src/lib/navigation/hub-tab.test.ts'],
  },
  {
    fault: 'the list of deliveries is read for ever',
    file: 'packages/web/src/features/webhooks/next-read.ts',
    from: 'next + ANSWER_MS) : false;',
    to: 'next + ANSWER_MS) : PACE_MS;',
    tests: ['packages/web/src/features/webhooks/next-read.test.ts'],
  },
  {
    fault: 'what is overdue on a paused endpoint keeps the list reading',
    file: 'packages/web/src/features/webhooks/next-read.ts',
    from: 'wait > -SOON_MS',
    to: 'wait > -DAY_MS',
    tests: ['packages/web/src/features/webhooks/next-read.test.ts'],
  },
  {
    fault: 'a delivery of a paused endpoint is asked for again and again',
    file: 'packages/web/src/features/webhooks/next-read.ts',
    from: 'Math.abs(Date.parse(next_attempt_at) - now) < SOON_MS',
    to: 'Date.parse(next_attempt_at) - now < SOON_MS',
    tests: ['packages/web/src/features/webhooks/next-read.test.ts'],
  },
  {
    fault: 'a brand color as text is too pale to read',
    file: 'packages/web/src/lib/brand-colors.ts',
    from: 'text: legible(fill, grounds, TEXT_CONTRAST)',
    to: 'text: legible(fill, grounds, EDGE_CONTRAST)',
    tests: ['packages/web/src/lib/brand-colors.test.ts'],
  },
  {
    fault: 'the caret runs away while a code is typed',
    file: 'packages/web/src/redeem/steps/code-format.ts',
    from: 'if (seen === signs) return at;',
    to: 'if (seen === signs + 1) return at;',
    tests: ['packages/web/src/redeem/steps/code-format.test.ts'],
  },
  {
    fault: 'an account whose charge failed is shown as active',
    file: 'packages/web/src/features/settings/card/account-states.ts',
    from: "open: { words: 'NEEDS ATTENTION'",
    to: "open: { words: 'ACTIVE'",
    tests: ['packages/web/src/features/settings/card/account-states.test.ts'],
  },
  {
    fault: 'an order is sent for somebody else who has signed in',
    file: 'packages/web/src/lib/outbox.ts',
    from: 'key === null || this.#means.key() !== key',
    to: 'key === null',
    tests: ['packages/web/src/lib/outbox.test.ts'],
  },
];
