import { jobKind } from '#platform/jobs/job.ts';
import type { Logger } from '#platform/log.ts';
import type { Payments } from '#platform/payments/payments.ts';
import type { BillingDb } from '../tables.ts';
import { departedCustomers, forgetCustomer } from './cards.queries.ts';

export const departedCustomersJob = jobKind({
  name: 'forget-customers',
  cron: '50 * * * *',
  retryLimit: 3,
  retryDelay: 300,
  expireInSeconds: 1800,
});

interface Dependencies {
  db: BillingDb;
  log: Logger;
  payments: Payments | null;
}

const PAGE = 100;

/**
 * Deletes at Stripe, with their cards, the customers whose account was deleted, once the last of their statements is settled. What
 * is known of them here goes after Stripe has answered, so that a lost answer or a killed process leaves nobody behind.
 */
export class DepartedCustomers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job. @throws when one could not be deleted, so that it is tried again soon. */
  async run(): Promise<void> {
    const { db, log, payments } = this.#deps;
    if (!payments) return;
    let failed = 0;
    for (let last: string | null = null; ; ) {
      const page = await departedCustomers(db, last, PAGE);
      for (const { developer_id: developer, stripe_customer_id: customer } of page) {
        try {
          await payments.removeCustomer(customer);
          await db.work({ tx: true }, (tx) => forgetCustomer(tx, developer));
        } catch (error) {
          failed += 1;
          log.error({ err: error, developer }, 'a customer could not be deleted at Stripe');
        }
      }
      last = page.at(-1)?.developer_id ?? null;
      if (page.length < PAGE) break;
    }
    if (failed > 0) throw new Error(`${failed} customers could not be deleted at Stripe`);
  }
}
