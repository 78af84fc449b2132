import { sql } from 'kysely';
import { type Clock, DAY } from '#platform/clock.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import type { Logger } from '#platform/log.ts';
import { isPaymentError, type PaymentEvent, type Payments } from '#platform/payments/payments.ts';
import type { CardSync } from '../cards/card-sync.service.ts';
import { developerOfCard, developerOfCustomer } from '../cards/cards.queries.ts';
import type { Collection } from '../collection/collection.service.ts';
import type { BillingDb } from '../tables.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  log: Logger;
  payments: Payments | null;
  sync: CardSync;
  collection: Collection;
}

const KEPT = 60 * DAY;

/** Events that end an invoice, or report on its charge. A collection of thousands causes as many other events. */
const NEWS = [
  'invoice.paid',
  'invoice.payment_succeeded',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.marked_uncollectible',
  'invoice.voided',
];

/** The result of an event. A text: it was ignored, and why. */
type Handled = string | null;

/**
 * Events of Stripe. Each is a hint where to look: Stripe is asked, and its answer is applied, so that their order, their
 * age and their number do not matter.
 */
export class Webhook {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} payments_not_configured, invalid_request for what Stripe has not signed */
  async receive(body: Buffer, signature: string): Promise<void> {
    const { db, clock } = this.#deps;
    const event = this.#verified(body, signature);
    const { processed } = await db
      .insertInto('stripe_events')
      .values({ id: event.id, type: event.type, object_id: event.objectId, received_at: clock.now() })
      .onConflict((on) => on.column('id').doUpdateSet((eb) => ({ id: eb.ref('stripe_events.id') })))
      .returning(sql<boolean>`processed_at is not null`.as('processed'))
      .executeTakeFirstOrThrow();
    if (processed) return;
    try {
      const ignored = await this.#apply(event);
      await this.#note(event, ignored, true);
    } catch (error) {
      await this.#note(event, (error as Error).message, false);
      if (!isPaymentError(error, 'unavailable', 'unauthorized')) throw error;
      throw new AppError('unavailable', 'Stripe does not answer. Please send the event again.', { cause: error });
    }
  }

  #verified(body: Buffer, signature: string): PaymentEvent {
    const { payments, clock } = this.#deps;
    if (!payments?.hasWebhook) throw new AppError('payments_not_configured', 'No webhook of Stripe is configured.');
    try {
      return payments.verifyEvent(body, signature, clock.now());
    } catch (error) {
      if (!isPaymentError(error, 'forged')) throw error;
      throw invalidField('stripe-signature', 'The signature is not valid.');
    }
  }

  async #apply(event: PaymentEvent): Promise<Handled> {
    const [subject] = event.type.split('.');
    if (subject === 'setup_intent' || subject === 'customer' || subject === 'payment_method') return this.#card(event);
    if (event.object !== 'invoice' || !event.objectId || !NEWS.includes(event.type)) return 'ignored';
    return (await this.#deps.collection.look(event.objectId)) ? null : 'not ours';
  }

  async #card({ object, objectId, customerId }: PaymentEvent): Promise<Handled> {
    const { db, sync } = this.#deps;
    // a card that was removed belongs to nobody any more
    const developerId =
      (customerId ? await developerOfCustomer(db, customerId) : null) ??
      (object === 'payment_method' && objectId ? await developerOfCard(db, objectId) : null);
    if (!developerId) return 'not ours';
    if (await sync.run(developerId)) return null;
    throw new AppError('unavailable', 'The card is being changed. Please send the event again.', { retryAfter: 5 });
  }

  async #note({ id }: PaymentEvent, error: string | null, done: boolean): Promise<void> {
    const { db, clock } = this.#deps;
    await db
      .updateTable('stripe_events')
      .set({ error, processed_at: done ? clock.now() : null })
      .where('id', '=', id)
      // sent twice at once: the one that failed takes nothing back from the one that was applied
      .where('processed_at', 'is', null)
      .execute();
  }

  /** Hourly. Stripe sends an event again for three days. */
  async expire(): Promise<void> {
    const before = new Date(this.#deps.clock.now().getTime() - KEPT);
    await this.#deps.db.deleteFrom('stripe_events').where('received_at', '<', before).execute();
  }
}
