import { accounts } from './faults/accounts.ts';
import { billing } from './faults/billing.ts';
import { dashboard } from './faults/dashboard.ts';
import { licensing } from './faults/licensing.ts';
import { platform } from './faults/platform.ts';
import { resellers } from './faults/resellers.ts';
import { serials } from './faults/serials.ts';
import { shops } from './faults/shops.ts';
import { webhooks } from './faults/webhooks.ts';
import type { Mutant } from './mutant.ts';

/**
 * Bugs that cost somebody money, a seat or their privacy, each small enough to slip through a review. A bug that the
 * tests don't catch is a missing test.
 */
export const mutants: readonly Mutant[] = [
  ...billing,
  ...serials,
  ...shops,
  ...accounts,
  ...licensing,
  ...resellers,
  ...webhooks,
  ...platform,
  ...dashboard,
];
