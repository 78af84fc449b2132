import { AppError } from '../errors.ts';
import type { Cents } from '../money.ts';

/** A card as people recognize it. Its number never reaches us. */
export interface Card {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** Null: removed from its customer for good. */
  customerId: string | null;
}

export interface PaymentCustomer {
  id: string;
  developerId: string | null;
  /** The card that invoices are charged to. */
  card: Card | null;
}

/** A card on its way: entered in the browser, between the person and the provider alone. */
export interface CardSetup {
  id: string;
  customerId: string | null;
  developerId: string | null;
  /** Open: the card can still be entered. */
  state: 'open' | 'succeeded' | 'canceled';
  cardId: string | null;
  /** The secret that the browser confirms it with. */
  clientSecret: string;
}

/** One line of an invoice; `n` is its number on our statement. */
export interface InvoiceLine {
  n: number;
  description: string;
  amount: Cents;
}

export interface PaymentInvoice {
  id: string;
  customerId: string | null;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  /** The sum of the lines, before what the customer's balance adds or takes. */
  total: Cents;
  /** It has no lines yet. */
  isEmpty: boolean;
  /** The customer's balance when it was finalized: above 0 is owed from before, below 0 is a credit. */
  startingBalance: Cents;
  amountDue: Cents;
  amountPaid: Cents;
  developerId: string | null;
  /** The statement that it collects; null: it is not ours. */
  statementId: string | null;
  /** The month that it is for, `YYYY-MM`, and its number here; null: made before these were noted on it. */
  month: string | null;
  number: string | null;
  description: string | null;
  /** Another one was made in its place. */
  isReplaced: boolean;
  paidAt: Date | null;
}

/** Something has happened at the provider. It is a hint where to look, never a figure to trust. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** The kind of object it is about, such as `invoice`. */
  object: string | null;
  objectId: string | null;
  /** The customer that the object belongs to, or is. */
  customerId: string | null;
}

/**
 * Port: keeps cards and collects money, in cents of US dollars. Whatever makes something takes a key of ours: a repeat with
 * the same key within a day makes it no second time.
 */
export interface Payments {
  /** The key that a browser needs to speak to the provider itself. */
  readonly publishableKey: string;
  /** Whether events can be verified. */
  readonly hasWebhook: boolean;
  /** Whether the provider did not accept our key when it was last asked. */
  isLockedOut(): boolean;

  /** @param customer `balance`: what is owed from before, which the next invoice collects. */
  createCustomer(
    customer: { developerId: string; email: string; name: string; balance?: Cents },
    key: string,
  ): Promise<PaymentCustomer>;
  /** Null: there is none, or it was deleted. */
  customer(id: string): Promise<PaymentCustomer | null>;
  /** Those that have this address and are not deleted, newest first, without their cards. */
  customersWith(email: string): Promise<PaymentCustomer[]>;
  /** Every customer of ours that was made since then and is not deleted, without their cards. */
  customersSince(since: Date): AsyncIterable<PaymentCustomer>;
  /** Removes a customer with their cards. A customer that is gone already is no error. */
  removeCustomer(id: string): Promise<void>;
  beginCardSetup(customer: { customerId: string; developerId: string }, key: string): Promise<CardSetup>;
  cardSetup(id: string): Promise<CardSetup | null>;
  /** Makes it the card that the customer's invoices are charged to. */
  useCard(customerId: string, cardId: string): Promise<void>;
  /** A card that is gone already is no error. */
  removeCard(cardId: string): Promise<void>;

  invoice(id: string): Promise<PaymentInvoice | null>;
  /** A customer's invoices of ours, newest first; with a statement: those that carry its id. */
  invoicesOf(customerId: string, statementId?: string): Promise<PaymentInvoice[]>;
  /** Every invoice of ours that was made since then. */
  invoicesSince(since: Date): AsyncIterable<PaymentInvoice>;
  /**
   * The ids of statements with an invoice that was made since then, and `developer month` of each: the developer alone if
   * the invoice has no month. Null: it would take more calls than that.
   */
  invoicedSince(since: Date, calls: number): Promise<ReadonlySet<string> | null>;
  createInvoice(
    invoice: {
      customerId: string;
      developerId: string;
      statementId: string;
      /** `YYYY-MM` */
      month: string;
      number: string;
      description: string;
    },
    key: string,
  ): Promise<PaymentInvoice>;
  /** Notes on an invoice, in whatever state it is, which statement it collects now, or that another one takes its place. */
  noteOnInvoice(id: string, note: { statementId: string; month: string } | 'replaced'): Promise<PaymentInvoice>;
  /** All of them or none. @returns the invoice with them. */
  addLines(invoiceId: string, lines: readonly InvoiceLine[], key: string): Promise<PaymentInvoice>;
  /**
   * Finalizes an invoice: it can no longer be changed. An amount too small to charge goes to the customer's balance,
   * and it is paid.
   */
  finalizeInvoice(id: string, key: string): Promise<PaymentInvoice>;
  /** @throws {PaymentError} declined */
  payInvoice(id: string, cardId: string, key: string): Promise<PaymentInvoice>;
  /** An invoice, with what a browser confirms its payment with when its bank wants to ask; a secret of null: it cannot be paid. */
  invoiceWithSecret(id: string): Promise<{ invoice: PaymentInvoice; secret: string | null } | null>;
  giveUpInvoice(id: string): Promise<PaymentInvoice>;
  voidInvoice(id: string): Promise<PaymentInvoice>;
  /** Only a draft can be deleted. One that is gone already is no error. */
  deleteDraft(id: string): Promise<void>;

  /** @throws {PaymentError} forged, when the signature is not the provider's or is too old. */
  verifyEvent(body: Buffer, signature: string, receivedAt: Date): PaymentEvent;
}

/**
 * - `declined`: the card was not charged; `reason` is the provider's word for why, such as `authentication_required`
 * - `missing`: there is no such object
 * - `unavailable`: no answer, or none that can be relied on; it may have happened
 * - `forged`: an event that is not from the provider
 * - `unauthorized`: the provider does not accept our key, or not for this
 * - `refused`: anything else, an error in our code or settings
 */
export type PaymentErrorKind = 'declined' | 'missing' | 'unavailable' | 'forged' | 'unauthorized' | 'refused';

export class PaymentError extends Error {
  override name = 'PaymentError';
  readonly kind: PaymentErrorKind;
  readonly reason: string | null;

  constructor(kind: PaymentErrorKind, message: string, options: { reason?: string | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.reason = options.reason ?? null;
  }
}

/** Turns an error of a provider that does not answer, or not to us, into one that asks the caller to try later. */
export function tryLater(cause: unknown): unknown {
  if (isPaymentError(cause, 'unavailable'))
    return new AppError('unavailable', 'Stripe does not answer. Please try again.', { cause, retryAfter: 5 });
  if (isPaymentError(cause, 'unauthorized'))
    return new AppError('unavailable', 'Card payments do not work at the moment. Please try again later.', {
      cause,
      retryAfter: 60,
    });
  return cause;
}

/** Whether it is a payment error, of one of these kinds. */
export function isPaymentError(error: unknown, ...kinds: PaymentErrorKind[]): error is PaymentError {
  return error instanceof PaymentError && (kinds.length === 0 || kinds.includes(error.kind));
}
