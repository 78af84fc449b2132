import { type Clock, DAY } from '#platform/clock.ts';
import { AppError } from '#platform/errors.ts';
import type { Logger } from '#platform/log.ts';
import { type Hold, holdOf, noteRestore, releaseHold } from '#platform/operations/restores.ts';
import type { Payments } from '#platform/payments/payments.ts';
import type { Random } from '#platform/random.ts';
import { customerRow, livingAccount } from '../cards/cards.queries.ts';
import type { StripeCustomers } from '../cards/stripe-customers.ts';
import { lastRuns } from '../reconcile/runs.queries.ts';
import type { BillingDb } from '../tables.ts';
import { dueInAll } from './due.queries.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  random: Random;
  log: Logger;
  payments: Payments | null;
  customers: StripeCustomers | null;
}

export interface HoldView extends Hold {
  /** When statements were last compared with Stripe since then; null: not yet, so it cannot be released. */
  reconciled: Date | null;
  /** The invoices that are charged once it is released, unless Stripe has a payment of them. */
  due: { count: number; cents: number };
}

/**
 * After the database was set back to a backup, nothing is charged before an admin has looked: what was collected since the backup
 * is known to Stripe alone.
 */
export class CollectionHold {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Null: nothing holds it. */
  current(): Promise<Hold | null> {
    return holdOf(this.#deps.db);
  }

  async view(): Promise<HoldView | null> {
    const { db, clock } = this.#deps;
    const hold = await this.current();
    if (!hold) return null;
    const { finished } = await lastRuns(db);
    const reconciled = finished && finished.ran_at >= hold.since ? finished.ran_at : null;
    return { ...hold, reconciled, due: await dueInAll(db, clock.now()) };
  }

  /**
   * Begins a hold, for a database that was set back by other means than ours.
   * @param forgotten the moment that it was set back to.
   */
  async begin(forgotten: Date): Promise<void> {
    const { db, clock, random } = this.#deps;
    await noteRestore(db, { id: random.id(), restoredAt: clock.now(), backupAt: forgotten });
  }

  /**
   * An admin has looked. First, the customers that Stripe has and we have forgotten are noted again, with their cards.
   * @throws {AppError} conflict: nothing is held, or nobody has reconciled since.
   */
  async release(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const view = await this.view();
    if (!view) throw new AppError('conflict', 'Collection is not on hold.');
    if (!view.reconciled)
      throw new AppError('conflict', 'Reconcile first, and read what differs: tonerow-server reconcile');
    await this.#rememberCustomers(view.forgotten);
    await releaseHold(db, clock.now());
    log.warn({ since: view.since, due: view.due }, 'invoices are collected again');
  }

  async #rememberCustomers(forgotten: Date): Promise<void> {
    const { db, payments, customers } = this.#deps;
    if (!payments || !customers) return;
    for await (const { id, developerId } of payments.customersSince(new Date(forgotten.getTime() - DAY))) {
      if (!developerId || !(await livingAccount(db, developerId))) continue;
      const known = (await customerRow(db, developerId))?.stripe_customer_id ?? null;
      if (known === id) continue;
      if (known === null || (await payments.customer(known)) === null) await customers.takeOver(developerId, id, known);
    }
  }
}
