import { nameOf } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Logger } from '#platform/log.ts';
import { isPaymentError, type Payments, tryLater } from '#platform/payments/payments.ts';
import type { Random } from '#platform/random.ts';
import { limits } from '../limits.ts';
import { type BillingDb, tables } from '../tables.ts';
import { type CardEvent, cardEvent } from './card-event.ts';
import { removeCardJob } from './card-jobs.ts';
import type { CardSync } from './card-sync.service.ts';
import { customerRow, holdCustomer, lockCustomer, noteSetup, openSetups, removeCard } from './cards.queries.ts';
import type { StripeCustomers } from './stripe-customers.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  jobs: Jobs;
  events: Publisher<CardEvent>;
  limits: RateLimits;
  log: Logger;
  payments: Payments | null;
  customers: StripeCustomers | null;
  random: Random;
  sync: CardSync;
}

/** A developer's card: entered at Stripe by the browser, known here by what a person recognizes. */
export class Cards {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  config() {
    const { payments } = this.#deps;
    return { configured: payments !== null, publishable_key: payments?.publishableKey ?? null };
  }

  /**
   * Begins to enter a card; one that was begun and not finished is continued.
   * @throws {AppError} payments_not_configured, unavailable
   */
  async begin(developerId: string): Promise<{ client_secret: string }> {
    const payments = this.#configured();
    await this.#deps.limits.take(limits.card_setups, developerId);
    return answered(async () => {
      const begun = await this.#unfinished(payments, developerId);
      if (begun) return begun;
      const customerId = await this.#customer(developerId, null);
      try {
        return await this.#start(payments, developerId, customerId);
      } catch (error) {
        // deleted on Stripe's own pages: the developer gets a new one
        if (!isPaymentError(error, 'missing') && !(isPaymentError(error) && error.reason === 'resource_missing'))
          throw error;
        return this.#start(payments, developerId, await this.#customer(developerId, customerId));
      }
    });
  }

  async #unfinished(payments: Payments, developerId: string): Promise<{ client_secret: string } | null> {
    const { db } = this.#deps;
    const [id] = await openSetups(db, developerId, 1);
    if (!id) return null;
    const [setup, row] = [await payments.cardSetup(id), await customerRow(db, developerId)];
    if (setup?.state === 'succeeded') await this.#deps.sync.run(developerId);
    if (setup?.state !== 'open' || setup.customerId !== row?.stripe_customer_id) return null;
    return (await payments.customer(setup.customerId)) ? { client_secret: setup.clientSecret } : null;
  }

  async #start(payments: Payments, developerId: string, customerId: string): Promise<{ client_secret: string }> {
    const { db, clock, random } = this.#deps;
    const setup = await payments.beginCardSetup({ customerId, developerId }, `setup:${random.id()}`);
    await noteSetup(db, developerId, setup.id, clock.now());
    return { client_secret: setup.clientSecret };
  }

  /** @param gone the customer that is no more. */
  async #customer(developerId: string, gone: string | null): Promise<string> {
    const { db, customers } = this.#deps;
    if (!customers) throw new AppError('payments_not_configured');
    const person = await db
      .selectFrom('users as u')
      .select(['u.email', nameOf('u').as('name')])
      .where('u.id', '=', developerId)
      .where('u.deleted_at', 'is', null)
      .executeTakeFirst();
    if (!person) throw new AppError('unauthorized');
    return customers.ensure(developerId, gone, person);
  }

  /** The card, after looking at those that were begun to be entered, so that nothing depends on Stripe's events. */
  async get(developerId: string) {
    const { db, log, payments, sync } = this.#deps;
    if (payments && (await openSetups(db, developerId, 1)).length > 0) {
      await this.#deps.limits.take(limits.cards, developerId);
      await sync.run(developerId).catch((error) => {
        // shows the known card; the next look tries again
        if (!isPaymentError(error, 'unavailable', 'unauthorized')) throw error;
        log.warn({ err: error, developer: developerId }, 'a card could not be read from Stripe');
      });
    }
    const row = payments ? await customerRow(db, developerId) : undefined;
    if (!row?.payment_method_id) return { card: null };
    return {
      card: {
        brand: row.brand ?? '',
        last4: row.last4 ?? '',
        exp_month: row.exp_month ?? 0,
        exp_year: row.exp_year ?? 0,
      },
    };
  }

  /** @throws {AppError} payments_not_configured, not_found, conflict */
  async remove(developerId: string): Promise<void> {
    const { db, clock, jobs, payments, events } = this.#deps;
    if (!payments) throw new AppError('not_found', 'There is no card on file.');
    await db.work({ tx: true }, async (tx) => {
      // a switch to a plan that needs a card waits for this lock, or is seen below
      const row = await lockCustomer(tx, developerId);
      if (!row?.payment_method_id) throw new AppError('not_found', 'There is no card on file.');
      const account = await tx.selectFrom('users').select('plan').where('id', '=', developerId).executeTakeFirst();
      if (account?.plan !== 'free') {
        throw new AppError(
          'conflict',
          'Your plan needs a card. Enter another one to replace it, or switch to Starter first.',
        );
      }
      await removeCard(tx, developerId, clock.now());
      await events.publish(tx, developerId, cardEvent('changed', null));
      await jobs.enqueue(tx, removeCardJob, { cardId: row.payment_method_id });
    });
  }

  /** The job. */
  async removeAtStripe({ cardId }: { cardId: string }): Promise<void> {
    await this.#configured().removeCard(cardId);
  }

  /**
   * Whether the developer may be on a plan that needs a card: there is one, or no card can be entered here at all. A card
   * that is there stays until the caller's transaction ends.
   */
  async hasCard(handle: Sql, developerId: string): Promise<boolean> {
    if (!this.#deps.payments) return true;
    return Boolean((await holdCustomer(tables.in(handle), developerId))?.payment_method_id);
  }

  #configured(): Payments {
    if (!this.#deps.payments) throw new AppError('payments_not_configured');
    return this.#deps.payments;
  }
}

/** Asks the caller to try again when Stripe does not answer. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw tryLater(cause);
  }
}
