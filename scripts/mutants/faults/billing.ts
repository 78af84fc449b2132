import { features as F, type Mutant } from '../mutant.ts';

/** Plans, months, collection. */
export const billing: readonly Mutant[] = [
  {
    fault: 'a redemption counts for the wrong month',
    file: `${F}/plans/usage.ts`,
    from: 'now.toISOString()',
    to: 'new Date(now.getTime() - 86_400_000).toISOString()',
    tests: [`${F}/plans/usage-months.routes.test.ts`],
  },
  {
    fault: 'a cap lets one redemption too many through',
    file: `${F}/plans/rating.ts`,
    from: ' is null or u.redemptions < ',
    to: ' is null or u.redemptions <= ',
    tests: [`${F}/redemption/redemption.routes.test.ts`, `${F}/plans/usage-months.routes.test.ts`],
  },
  {
    fault: 'a refresh is free on a plan with overage',
    file: `${F}/plans/rating.ts`,
    from: '::timestamptz, plan, cost_cents\n',
    to: '::timestamptz, plan, 0\n',
    tests: [`${F}/serials/lists.routes.test.ts`, `${F}/plans/rating.routes.test.ts`],
  },
  {
    fault: 'the running month can be closed',
    file: `${F}/closing/month-argument.ts`,
    from: 'if (month < running)',
    to: 'if (month <= running)',
    tests: [`${F}/closing/month-argument.test.ts`],
  },
  {
    fault: 'a 13th month is taken',
    file: `${F}/closing/month-argument.ts`,
    from: '(0[1-9]|1[0-2])',
    to: '(\\d{2})',
    tests: [`${F}/closing/month-argument.test.ts`],
  },
  {
    fault: 'a day is taken for a month',
    file: `${F}/closing/month-argument.ts`,
    from: '1[0-2])$/',
    to: '1[0-2])/',
    tests: [`${F}/closing/month-argument.test.ts`],
  },
  {
    fault: 'usage is of the machine’s month',
    file: `${F}/plans/plans.service.ts`,
    from: 'const month = monthOf(this.#clock.now());',
    to: 'const month = monthOf(new Date());',
    tests: [`${F}/plans/usage-months.routes.test.ts`],
  },
  {
    fault: 'an invoice of a forgotten statement is not found by its month',
    file: `${F}/billing/collection/collection-rules.ts`,
    from: 'if (invoice.month !== null) return invoice.month === month.slice(0, 7);',
    to: 'if (invoice.month !== null) return false;',
    tests: [`${F}/billing/collection/taken-over.routes.test.ts`],
  },
  {
    fault: 'what is taken up again has no calendar',
    file: `${F}/billing/collection/outcomes.service.ts`,
    from: 'const failures = attempt - ((await attemptsBefore(tx, statement)) ?? 0);',
    to: 'const failures = attempt;',
    tests: [`${F}/billing/collection/taken-up.routes.test.ts`],
  },
  {
    fault: 'a fault of ours counts as the card’s',
    file: `${F}/billing/collection/collection.service.ts`,
    from: '    throw error;\n  }\n\n  async #giveUp',
    to: '    return error;\n  }\n\n  async #giveUp',
    tests: [`${F}/billing/collection/our-fault.routes.test.ts`],
  },
  {
    fault: 'a close makes a month final before the one before it',
    file: `${F}/plans/usage.ts`,
    from: 'and e.month < u.month and e.closed_at is null',
    to: 'and e.month > u.month and e.closed_at is null',
    tests: [`${F}/closing/close-month.test.ts`, `${F}/closing/account-closing.routes.test.ts`],
  },
  {
    fault: 'a close waits for a month that somebody has in hand, in the way of the others',
    file: `${F}/plans/usage.ts`,
    from: '$if(!wait,',
    to: '$if(wait,',
    tests: [`${F}/closing/close-month.test.ts`],
  },
];
