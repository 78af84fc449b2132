import type { Cards } from './cards.ts';
import type { Params } from './form.ts';
import { textIn } from './parameters.ts';
import { declined, invalid, noSuch } from './refusals.ts';
import type { Behavior, Store, StoredInvoice, StoredPayment } from './store.ts';

const WORDS = {
  generic_decline: ['card_declined', 'Your card was declined.'],
  insufficient_funds: ['card_declined', 'Your card has insufficient funds.'],
  expired_card: ['expired_card', 'Your card has expired.'],
  authentication_required: [
    'authentication_required',
    'Your card was declined. This transaction requires authentication.',
  ],
} as const;

/** The payment of an invoice: made when it is finalized, tried by the server, or confirmed by the cardholder in a browser. */
export class InvoicePayments {
  readonly #store: Store;
  readonly #cards: Cards;
  readonly #paid: (invoice: StoredInvoice, amount: number) => void;

  constructor(store: Store, cards: Cards, paid: (invoice: StoredInvoice, amount: number) => void) {
    this.#store = store;
    this.#cards = cards;
    this.#paid = paid;
  }

  create(invoice: StoredInvoice): void {
    const id = this.#store.id('pi');
    this.#store.payments.set(id, {
      id,
      object: 'payment_intent',
      client_secret: `${id}_secret_${this.#store.id('s')}`,
      customer: invoice.customer,
      amount: invoice.amount_due,
      currency: 'usd',
      created: this.#store.seconds,
      livemode: false,
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: null,
    });
    this.#store.paymentOf.set(invoice.id, id);
  }

  of(invoice: StoredInvoice): StoredPayment | undefined {
    return this.#store.payments.get(this.#store.paymentOf.get(invoice.id) ?? '');
  }

  one(id: string): StoredPayment {
    const payment = this.#store.payments.get(id);
    if (!payment) throw noSuch('payment_intent', id);
    return payment;
  }

  /** Charges a card as the server does. A bank that wants to ask the cardholder can't, so the card is declined. */
  charge(invoice: StoredInvoice, cardId: string, offSession: boolean): void {
    const payment = this.#open(invoice);
    const behavior = this.#try(payment, cardId);
    if (behavior === 'ok') {
      this.#succeeded(payment);
      return;
    }
    if (behavior === 'authentication_required' && !offSession) {
      payment.status = 'requires_action';
      throw invalid('This payment requires additional user action before it can be completed successfully.', {
        code: 'invoice_payment_intent_requires_action',
      });
    }
    throw this.#declined(payment, behavior);
  }

  /** Confirms a payment as the browser does, with the client secret. Now the bank can ask. */
  confirm(id: string, params: Params, publishable: boolean): StoredPayment {
    const payment = this.one(id);
    if (publishable && textIn(params, 'client_secret') !== payment.client_secret)
      throw invalid('The client_secret provided does not match any associated PaymentIntent on this account.', {
        code: 'payment_intent_invalid_parameter',
      });
    if (payment.status === 'succeeded' || payment.status === 'canceled') throw unexpected(payment);
    const cardId = textIn(params, 'payment_method') ?? payment.payment_method;
    if (!cardId)
      throw invalid('You cannot confirm this PaymentIntent because it’s missing a payment method.', {
        code: 'payment_intent_unexpected_state',
      });
    const behavior = this.#try(payment, cardId);
    if (behavior === 'ok') this.#succeeded(payment);
    else if (behavior === 'authentication_required') payment.status = 'requires_action';
    else throw this.#declined(payment, behavior);
    return payment;
  }

  /** Gives the cardholder's answer to the bank. */
  authenticate(id: string, confirmed: boolean): StoredPayment {
    const payment = this.one(id);
    if (payment.status !== 'requires_action') throw unexpected(payment);
    if (confirmed) {
      this.#succeeded(payment);
      return payment;
    }
    const code = 'payment_intent_authentication_failure';
    const message =
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
    payment.status = 'requires_payment_method';
    payment.last_payment_error = {
      type: 'invalid_request_error',
      code,
      message,
      payment_method: payment.payment_method,
    };
    payment.payment_method = null;
    this.#store.note('payment_intent.payment_failed', payment);
    this.#store.note('invoice.payment_failed', this.#invoiceOf(payment));
    throw invalid(message, { code });
  }

  /** The invoice was voided, or paid without it. */
  cancel(invoice: StoredInvoice): void {
    const payment = this.of(invoice);
    if (payment && payment.status !== 'succeeded') payment.status = 'canceled';
  }

  #open(invoice: StoredInvoice): StoredPayment {
    const payment = this.of(invoice);
    if (!payment || payment.status === 'canceled') throw new Error(`${invoice.id} has no payment`);
    return payment;
  }

  #try(payment: StoredPayment, cardId: string): Behavior {
    const card = this.#store.cards.get(cardId);
    this.#cards.living(payment.customer, 'customer');
    if (card?.customer !== payment.customer) throw noSuch('PaymentMethod', cardId, 'payment_method');
    payment.payment_method = cardId;
    return this.#store.behaviors.get(cardId) ?? 'ok';
  }

  #succeeded(payment: StoredPayment): void {
    const invoice = this.#invoiceOf(payment);
    payment.status = 'succeeded';
    payment.last_payment_error = null;
    this.#store.charges.push({
      invoice: invoice.id,
      card: payment.payment_method ?? '',
      amount: payment.amount,
      succeeded: true,
    });
    this.#store.note('payment_intent.succeeded', payment);
    this.#paid(invoice, payment.amount);
  }

  #declined(payment: StoredPayment, behavior: Exclude<Behavior, 'ok'>): Error {
    const invoice = this.#invoiceOf(payment);
    const [code, message] = WORDS[behavior];
    this.#store.charges.push({
      invoice: invoice.id,
      card: payment.payment_method ?? '',
      amount: payment.amount,
      succeeded: false,
    });
    payment.status = 'requires_payment_method';
    payment.last_payment_error = { type: 'card_error', code, message, payment_method: payment.payment_method };
    payment.payment_method = null;
    this.#store.note('invoice.payment_failed', invoice);
    return declined(message, code, { decline_code: behavior });
  }

  #invoiceOf(payment: StoredPayment): StoredInvoice {
    const [id] = [...this.#store.paymentOf].find(([, each]) => each === payment.id) ?? [];
    const invoice = this.#store.invoices.get(id ?? '');
    if (!invoice) throw new Error(`${payment.id} belongs to no invoice`);
    return invoice;
  }
}

const unexpected = (payment: StoredPayment) =>
  invalid(`You cannot confirm this PaymentIntent because it has a status of ${payment.status}.`, {
    code: 'payment_intent_unexpected_state',
  });
