import { type Clock, MINUTE } from '#platform/clock.ts';
import type { Publisher } from '#platform/events.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Logger } from '#platform/log.ts';
import { type Card, type CardSetup, isPaymentError, type Payments } from '#platform/payments/payments.ts';
import type { BillingDb, BillingHandle } from '../tables.ts';
import { type CardEvent, cardEvent } from './card-event.ts';
import { removeCardJob } from './card-jobs.ts';
import { cardToKeep, customerRow, endLease, endSetup, openSetups, saveCard, takeLease } from './cards.queries.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  jobs: Jobs;
  events: Publisher<CardEvent>;
  log: Logger;
  payments: Payments | null;
  /** Called in the transaction that notes a new card. */
  onNewCard(tx: BillingHandle, developerId: string): Promise<void>;
}

/** Longer than the calls that it covers may take. */
const LEASE = 5 * MINUTE;
/** How many unfinished ones are looked at in one go. */
const MOST = 10;

/** Brings what we know of a developer's card up to what Stripe knows. */
export class CardSync {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * One at a time per developer: of two cards that were entered, the newer one is charged.
   * @returns false when somebody else is at it.
   */
  async run(developerId: string): Promise<boolean> {
    const { db, clock, payments } = this.#deps;
    if (!payments) return true;
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE);
    if (!(await takeLease(db, developerId, now, until))) return (await customerRow(db, developerId)) === undefined;
    try {
      await this.#within(payments, developerId);
    } finally {
      await endLease(db, developerId, until);
    }
    return true;
  }

  async #within(payments: Payments, developerId: string): Promise<void> {
    const { db, clock, jobs, events } = this.#deps;
    const row = await customerRow(db, developerId);
    if (!row) return;
    const customerId = row.stripe_customer_id;
    const ended = await this.#endedSetups(payments, developerId, customerId);
    const [newest, ...older] = ended.flatMap(({ state, cardId }) => (state === 'succeeded' && cardId ? [cardId] : []));
    if (newest) await this.#use(payments, developerId, customerId, newest);
    const found = (await payments.customer(customerId))?.card ?? null;
    await db.work({ tx: true }, async (tx) => {
      const card = await cardToKeep(tx, developerId, found);
      for (const { id, state } of ended) if (state !== 'open') await endSetup(tx, developerId, id, state);
      const isNew = await saveCard(tx, developerId, card, clock.now());
      const replaced = newest ? [row.payment_method_id, ...older] : [];
      for (const cardId of new Set(replaced))
        if (cardId && cardId !== card?.id) await jobs.enqueue(tx, removeCardJob, { cardId });
      if (isNew) await events.publish(tx, developerId, cardEvent('changed', card && shown(card)));
      if (isNew && card) await this.#deps.onNewCard(tx, developerId);
    });
  }

  async #use(payments: Payments, developerId: string, customerId: string, cardId: string): Promise<void> {
    try {
      await payments.useCard(customerId, cardId);
    } catch (error) {
      // taken away on Stripe's own pages, or its customer: what Stripe has now is what counts
      if (!isPaymentError(error, 'missing', 'refused')) throw error;
      this.#deps.log.warn({ err: error, developer: developerId }, 'a card that was entered can’t be used');
    }
  }

  /** Newest first; one that is not this developer's is noted, and never looked at again. */
  async #endedSetups(payments: Payments, developerId: string, customerId: string): Promise<CardSetup[]> {
    const ended: CardSetup[] = [];
    for (const id of await openSetups(this.#deps.db, developerId, MOST)) {
      const setup = await payments.cardSetup(id);
      if (setup?.state === 'open') continue;
      if (setup && setup.developerId === developerId && setup.customerId === customerId) ended.push(setup);
      else {
        this.#deps.log.warn({ developer: developerId, setup: id }, 'a card setup that is not the developer’s');
        await endSetup(this.#deps.db, developerId, id, 'canceled');
      }
    }
    return ended;
  }
}

const shown = ({ last4, expMonth, expYear }: Card) => ({ last4, exp_month: expMonth, exp_year: expYear });
