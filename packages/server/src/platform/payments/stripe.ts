import type StripeClient from 'stripe';
import type { Stripe } from 'stripe';
import { SECOND } from '../clock.ts';
import { isPaymentError, PaymentError, type Payments } from './payments.ts';
import { REQUESTS_PER_SECOND, RequestBudget } from './request-budget.ts';
import { cardOf, customerOf, eventOf, invoiceOf, setupOf } from './stripe-objects.ts';

/** The version that our reading of its objects was written for. A newer package speaks a newer one unless told. */
const API_VERSION = '2026-10-28.endive';

export interface StripeConfig {
  secretKey: string;
  publishableKey: string;
  /** Undefined: events cannot be verified, so none are taken. */
  webhookSecret: string | undefined;
  /** Another address than Stripe's own: a stand-in. */
  apiBase: string | undefined;
}

/** The most that a list answers at once. */
const PAGE = 100;
/** How often a call is made while Stripe answers that there are too many: other processes share its limit. */
const TRIES = 5;

interface Options extends StripeConfig {
  /** Milliseconds that an answer may take. */
  timeout?: number;
}

/** Stripe by its own client, which is loaded only where it is configured. */
export async function stripePayments(
  { secretKey, publishableKey, webhookSecret, apiBase, timeout = 20 * SECOND }: Options,
  callsPerSecond = REQUESTS_PER_SECOND,
): Promise<Payments> {
  const { default: Client } = await import('stripe');
  const stripe: StripeClient = new Client(secretKey, {
    apiVersion: API_VERSION,
    timeout,
    // the work that failed tries again by itself, after a look at the result
    maxNetworkRetries: 0,
    telemetry: false,
    ...(apiBase ? addressOf(apiBase) : {}),
  });
  const budget = new RequestBudget(callsPerSecond);
  let lockedOut = false;
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      await budget.take();
      try {
        const answer = await call();
        lockedOut = false;
        return answer;
      } catch (error) {
        // no answer: nothing new about the key
        if ((error as Reported).statusCode !== undefined) lockedOut = isLockedOut(error);
        // refused before anything has happened
        if (!isTooMany(error) || tries === TRIES) throw paymentErrorOf(error);
        budget.rest(tries * SECOND);
      }
    }
  };
  const expectSome = async <T>(call: Promise<T>): Promise<T | null> => call.catch(ignoreMissing);

  const madeSince = (since: Date) =>
    pages((after) =>
      ask(() =>
        stripe.invoices.list({ created: { gte: Math.floor(since.getTime() / SECOND) }, limit: PAGE, ...after }),
      ),
    );

  return {
    publishableKey,
    hasWebhook: webhookSecret !== undefined,
    isLockedOut: () => lockedOut,

    createCustomer: ({ developerId, email, name, balance }, idempotencyKey) =>
      ask(async () =>
        customerOf(
          await stripe.customers.create(
            { email, name, metadata: { developer_id: developerId }, ...(balance ? { balance } : {}) },
            { idempotencyKey },
          ),
        ),
      ),

    async customer(id) {
      const found = await expectSome(
        ask(() => stripe.customers.retrieve(id, { expand: ['invoice_settings.default_payment_method'] })),
      );
      return found === null || found.deleted ? null : customerOf(found);
    },

    async customersWith(email) {
      const { data } = await ask(() => stripe.customers.list({ email, limit: PAGE }));
      return data.map(customerOf);
    },

    async *customersSince(since) {
      const created = { gte: Math.floor(since.getTime() / SECOND) };
      for await (const each of pages((after) => ask(() => stripe.customers.list({ created, limit: PAGE, ...after })))) {
        const read = customerOf(each);
        if (read.developerId !== null) yield read;
      }
    },

    async removeCustomer(id) {
      await expectSome(ask(() => stripe.customers.del(id)));
    },

    beginCardSetup: ({ customerId, developerId }, idempotencyKey) =>
      ask(async () =>
        setupOf(
          await stripe.setupIntents.create(
            {
              customer: customerId,
              usage: 'off_session',
              allowed_payment_method_types: ['card'],
              metadata: { developer_id: developerId },
            },
            { idempotencyKey },
          ),
        ),
      ),

    cardSetup: (id) => expectSome(ask(async () => setupOf(await stripe.setupIntents.retrieve(id)))),

    async useCard(customerId, cardId) {
      await ask(() => stripe.customers.update(customerId, { invoice_settings: { default_payment_method: cardId } }));
    },

    async removeCard(cardId) {
      const card = await expectSome(ask(async () => cardOf(await stripe.paymentMethods.retrieve(cardId))));
      if (card?.customerId) await ask(() => stripe.paymentMethods.detach(cardId));
    },

    invoice: (id) => expectSome(ask(async () => invoiceOf(await stripe.invoices.retrieve(id)))),

    async invoicesOf(customerId, statementId) {
      const found = [];
      try {
        for await (const invoice of pages((after) =>
          ask(() => stripe.invoices.list({ customer: customerId, limit: PAGE, ...after })),
        )) {
          const of = invoice.metadata?.statement_id;
          if (of && (statementId === undefined || of === statementId)) found.push(invoiceOf(invoice));
        }
      } catch (error) {
        // a customer that was never there, as with the keys of another account
        if (!isPaymentError(error, 'refused') || error.reason !== 'resource_missing') throw error;
      }
      return found;
    },

    async *invoicesSince(since) {
      for await (const invoice of madeSince(since)) {
        const read = invoiceOf(invoice);
        if (read.statementId !== null) yield read;
      }
    },

    async invoicedSince(since, calls) {
      const found = new Set<string>();
      let left = calls * PAGE;
      // also those of whatever else the account is used for
      for await (const { metadata } of calls > 0 ? madeSince(since) : []) {
        const { statement_id: statement, developer_id: developer, month } = metadata ?? {};
        if (statement) found.add(statement);
        if (statement && developer) found.add(month ? `${developer} ${month}` : developer);
        left -= 1;
        if (left === 0) return null;
      }
      return calls > 0 ? found : null;
    },

    createInvoice: ({ customerId, developerId, statementId, month, number, description }, idempotencyKey) =>
      ask(async () =>
        invoiceOf(
          await stripe.invoices.create(
            {
              customer: customerId,
              currency: 'usd',
              description,
              // we try again by our own calendar; two of them would charge twice as often
              auto_advance: false,
              collection_method: 'charge_automatically',
              pending_invoice_items_behavior: 'exclude',
              // find the invoice also when the statement is made anew, with another id
              metadata: { developer_id: developerId, statement_id: statementId, month, number },
            },
            { idempotencyKey },
          ),
        ),
      ),

    noteOnInvoice: (id, note) =>
      ask(async () =>
        invoiceOf(
          await stripe.invoices.update(id, {
            metadata: note === 'replaced' ? { replaced: 'yes' } : { statement_id: note.statementId, month: note.month },
          }),
        ),
      ),

    addLines: (id, lines, idempotencyKey) =>
      ask(async () =>
        invoiceOf(
          await stripe.invoices.addLines(
            id,
            {
              lines: lines.map(({ n, description, amount }) => ({
                amount,
                description,
                metadata: { line: String(n) },
              })),
            },
            { idempotencyKey },
          ),
        ),
      ),

    finalizeInvoice: (id, idempotencyKey) =>
      ask(async () =>
        invoiceOf(await stripe.invoices.finalizeInvoice(id, { auto_advance: false }, { idempotencyKey })),
      ),

    payInvoice: (id, cardId, idempotencyKey) =>
      ask(async () =>
        invoiceOf(await stripe.invoices.pay(id, { off_session: true, payment_method: cardId }, { idempotencyKey })),
      ),

    async invoiceWithSecret(id) {
      // only answered when it is asked for
      const expand = ['confirmation_secret'];
      const found = await expectSome(ask(() => stripe.invoices.retrieve(id, { expand })));
      return found && { invoice: invoiceOf(found), secret: found.confirmation_secret?.client_secret ?? null };
    },

    giveUpInvoice: (id) => ask(async () => invoiceOf(await stripe.invoices.markUncollectible(id))),

    voidInvoice: (id) => ask(async () => invoiceOf(await stripe.invoices.voidInvoice(id))),

    async deleteDraft(id) {
      await expectSome(ask(() => stripe.invoices.del(id)));
    },

    verifyEvent(body, signature, receivedAt) {
      if (webhookSecret === undefined) throw new Error('verifyEvent without a webhook secret');
      try {
        return eventOf(
          stripe.webhooks.constructEvent(body, signature, webhookSecret, 300, undefined, receivedAt.getTime()),
        );
      } catch (cause) {
        throw new PaymentError('forged', 'The event is not signed by Stripe, or was signed too long ago.', { cause });
      }
    },
  };
}

function addressOf(base: string) {
  const { protocol, hostname, port } = new URL(base);
  return { protocol: protocol === 'https:' ? ('https' as const) : ('http' as const), host: hostname, port };
}

/** All objects of a list, page by page. */
async function* pages<T extends { id: string }>(
  list: (after: { starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): AsyncIterable<T> {
  for (let after = {}; ; ) {
    const { data, has_more } = await list(after);
    yield* data;
    const last = data.at(-1);
    if (!has_more || !last) return;
    after = { starting_after: last.id };
  }
}

function ignoreMissing(error: unknown): null {
  if (isPaymentError(error, 'missing')) return null;
  throw error;
}

/** The fields that Stripe reports of an error, whatever its class; other errors have no `type`. */
interface Reported {
  type?: string;
  statusCode?: number;
  code?: string;
  decline_code?: string;
  message?: string;
}

const isTooMany = (error: unknown): boolean => (error as Reported).type === 'StripeRateLimitError';
/** The key is wrong, revoked or expired, or may not do this. */
const isLockedOut = (error: unknown): boolean => {
  const { statusCode } = error as Reported;
  return statusCode === 401 || statusCode === 403;
};

function paymentErrorOf(cause: unknown): unknown {
  const {
    type,
    statusCode = 0,
    code,
    decline_code,
    message = 'Stripe answered nothing that can be read.',
  } = cause as Reported;
  if (!type?.startsWith('Stripe')) return cause;
  const reason = decline_code ?? code ?? null;
  if (type === 'StripeCardError' || statusCode === 402) return new PaymentError('declined', message, { reason, cause });
  // a key that is in use is one of ours, sent before and not answered yet
  if (type === 'StripeConnectionError' || type === 'StripeRateLimitError' || statusCode === 409 || statusCode >= 500)
    return new PaymentError('unavailable', message, { reason, cause });
  if (isLockedOut(cause)) return new PaymentError('unauthorized', message, { reason, cause });
  if (statusCode === 404) return new PaymentError('missing', message, { reason, cause });
  return new PaymentError('refused', message, { reason, cause });
}
