import { createHmac, randomUUID } from 'node:crypto';
import { type ApiHost, answer, send } from './api-host.ts';

interface Line {
  price: string;
  product: string;
  quantity: number;
  total: number;
  tax?: number;
}
/** The content of a payment. */
interface Paid {
  intent: string | null;
  created: number;
  currency: string;
  lines: Line[];
  refunded: number;
}
interface Session extends Paid {
  id: string;
  /** A subscription has no payment in it, but the invoice that was paid. */
  mode: 'payment' | 'subscription';
  invoice: string | null;
  status: 'open' | 'complete';
  paid: 'paid' | 'unpaid' | 'no_payment_required';
  email: string;
}
/** The next payment of a subscription. */
interface Renewal extends Paid {
  id: string;
  reason: string;
  email: string;
  /** Null: the card was refused, and is tried again for weeks. */
  paidAt: number | null;
}

/**
 * A seller's Stripe account: its events have no lines, come twice under two ids, and a refund does not show whether it was all. The API
 * answers to one restricted key, and its pages have two entries.
 */
export class StripeShop {
  readonly sessions = new Map<string, Session>();
  readonly renewals: Renewal[] = [];
  readonly refunds: Record<string, unknown>[] = [];
  readonly key = 'rk_live_0123456789abcdef';
  /** Whether its key may read invoices. */
  readsInvoices = true;
  /** Those that it signs with: two while one is rotated. */
  secrets: string[];
  readonly #address: string;
  #next = 0;

  constructor({ address, secret }: { address: string; secret: string }, host: ApiHost) {
    this.#address = address;
    this.secrets = [secret];
    host.serve('stripe', ({ path, query, authorization }) => {
      if (authorization !== `Bearer ${this.key}`) return answer({ status: 401, json: {} });
      const [, , what, id, sub] = path.split('/');
      if (path === '/v1/checkout/sessions')
        return this.#page(
          [...this.sessions.values()]
            .map((each) => this.#object(each))
            .filter(({ payment_intent }) => (query.get('payment_intent') ?? payment_intent) === payment_intent),
          query,
        );
      if (path.startsWith('/v1/checkout/sessions/')) {
        const session = this.sessions.get(path.split('/')[4] ?? '');
        return (
          session &&
          this.#page(
            session.lines.map((line, n) => lineOf(session.id, line, n)),
            query,
          )
        );
      }
      if (path === '/v1/refunds') {
        const of = query.get('charge');
        return this.#page(
          this.refunds.filter(({ charge }) => of === null || charge === of),
          query,
        );
      }
      if (path === '/v1/invoices') {
        if (!this.readsInvoices) return answer({ status: 403, json: {} });
        const from = Number(query.get('created[gte]') ?? 0);
        const first = [...this.sessions.values()].flatMap(({ invoice, ...session }) =>
          invoice === null ? [] : [{ ...session, id: invoice, reason: 'subscription_create', paidAt: session.created }],
        );
        return this.#page(
          [...this.renewals, ...first]
            .filter(({ created }) => created >= from)
            .map(invoiceOf)
            .filter(({ status }) => (query.get('status') ?? status) === status),
          query,
        );
      }
      if (path === '/v1/invoice_payments') {
        if (!this.readsInvoices) return answer({ status: 403, json: {} });
        return this.#page(this.#invoicesOf(query.get('payment[payment_intent]')), query);
      }
      if (what === 'charges' && id && sub === undefined) {
        const paid = [...this.sessions.values(), ...this.renewals].find(({ intent }) => `ch_${intent}` === id);
        if (!paid) return undefined;
        const amount = paid.lines.reduce((sum, { total }) => sum + total, 0);
        return { id, amount, amount_refunded: paid.refunded, refunded: paid.refunded >= amount };
      }
      return undefined;
    });
  }

  sell(email: string, lines: Line[], fields: Partial<Session> = {}): Session {
    this.#next += 1;
    const id = `cs_live_${randomUUID().slice(0, 8)}${this.#next}`;
    const created = Math.floor(Date.now() / 1000) - 60 + this.#next;
    const session: Session = {
      id,
      intent: `pi_${id}`,
      mode: 'payment',
      invoice: null,
      created,
      status: 'complete',
      paid: 'paid',
      email,
      currency: 'usd',
      lines,
      refunded: 0,
      ...fields,
    };
    this.sessions.set(id, session);
    return session;
  }

  renew(session: Session, fields: Partial<Renewal> = {}): Renewal {
    const { email, currency, created, lines } = session;
    const id = `in_${randomUUID().slice(0, 8)}`;
    const renewal = {
      id,
      intent: `pi_${id}`,
      reason: 'subscription_cycle',
      email,
      currency,
      created,
      lines,
      refunded: 0,
      paidAt: created + 3600,
      ...fields,
    };
    this.renewals.push(renewal);
    return renewal;
  }

  sendRenewal(renewal: Renewal) {
    return this.send('invoice.paid', invoiceOf(renewal), renewal.paidAt ?? renewal.created);
  }

  refund(session: Paid, amount: number, status = 'succeeded') {
    session.refunded += amount;
    const refund = {
      id: `re_${randomUUID().slice(0, 8)}`,
      amount,
      currency: session.currency,
      status,
      charge: `ch_${session.intent}`,
      payment_intent: session.intent,
      created: session.created + 10,
    };
    this.refunds.unshift(refund);
    return refund;
  }

  sendSession(session: Session, type = 'checkout.session.completed') {
    return this.send(type, this.#object(session), session.created);
  }

  send(type: string, object: object, created = Math.floor(Date.now() / 1000), livemode = true) {
    return this.post(JSON.stringify({ id: `evt_${randomUUID()}`, type, livemode, created, data: { object } }));
  }

  async post(body: string, at = Math.floor(Date.now() / 1000)): Promise<number> {
    const signed = this.secrets.map(
      (secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
    );
    const signature = `t=${at},${signed.join(',')},v0=0123`;
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
    return (await send(this.#address, headers, body)).status;
  }

  /** The invoices that a payment paid, which it is no field of. */
  #invoicesOf(payment: string | null) {
    const first = [...this.sessions.values()].flatMap(({ invoice, intent, mode }) =>
      invoice === null ? [] : [{ id: invoice, intent, reason: mode === 'payment' ? 'manual' : 'subscription_create' }],
    );
    return [...first, ...this.renewals]
      .filter(({ intent }) => intent === payment)
      .map(({ id }) => ({ id: `inpay_${id}`, invoice: id, status: 'paid' }));
  }

  #object({ id, intent, mode, invoice, created, status, paid, email, currency, lines }: Session) {
    return {
      id,
      object: 'checkout.session',
      mode,
      invoice,
      status,
      payment_status: paid,
      payment_intent: mode === 'payment' ? intent : null,
      created,
      currency,
      locale: 'de',
      livemode: true,
      amount_total: lines.reduce((sum, { total }) => sum + total, 0),
      customer_details: { email, name: 'Nina Simone', address: { country: 'DE' } },
    };
  }

  #page(all: readonly Record<string, unknown>[], query: URLSearchParams) {
    const after = query.get('starting_after');
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(from, from + 2);
    return { object: 'list', data, has_more: from + 2 < all.length };
  }
}

const lineOf = (session: string, { price, product, quantity, total, tax = 0 }: Line, n: number) => ({
  id: `li_${session}_${n}`,
  description: product,
  quantity,
  amount_subtotal: total - tax,
  amount_discount: 0,
  amount_tax: tax,
  amount_total: total,
  price: { id: price, product },
});

const invoiceOf = ({ id, email, currency, created, reason, lines, paidAt }: Renewal) => ({
  id,
  number: id,
  billing_reason: reason,
  status: paidAt === null ? 'open' : 'paid',
  status_transitions: { paid_at: paidAt },
  created,
  currency,
  customer_email: email,
  total: lines.reduce((sum, line) => sum + line.total, 0),
  lines: {
    data: lines.map(({ price, product, quantity, total, tax = 0 }, n) => ({
      id: `il_${id}_${n}`,
      quantity,
      amount: total - tax,
      pricing: { price_details: { price, product } },
    })),
  },
});
