import { createHmac, randomUUID } from 'node:crypto';
import { type ApiHost, answer, send } from './api-host.ts';

interface Sale {
  id: string;
  email: string;
  at: Date;
  currency: string;
  lines: { price: string; product: string; quantity: number; subtotal: number; discount?: number }[];
  /** The payout in dollars, if it is paid out in dollars. */
  payout?: number;
}

/** A Paddle Billing account: its events have no customer, are signed twice while a secret is rotated, and an adjustment may come twice. */
export class PaddleShop {
  readonly key = 'pdl_live_apikey_0123456789';
  secrets: string[];
  readonly sales = new Map<string, Sale>();
  readonly adjustments: Record<string, unknown>[] = [];
  readonly #address: string;

  constructor({ address, secret }: { address: string; secret: string }, host: ApiHost) {
    this.#address = address;
    this.secrets = [secret];
    host.serve('paddle', ({ path, query, authorization }) => {
      if (authorization !== `Bearer ${this.key}`) return answer({ status: 401, json: {} });
      if (path === '/transactions')
        return this.#page(
          [...this.sales.values()].map((sale) => this.#data(sale, true)),
          query,
        );
      if (path === '/adjustments') return this.#page(this.adjustments, query);
      const sale = this.sales.get(path.split('/')[2] ?? '');
      return sale && { data: this.#data(sale, query.get('include') === 'customer,address') };
    });
  }

  sell(email: string, lines: Sale['lines'], fields: Partial<Sale> = {}): Sale {
    const id = `txn_${randomUUID().slice(0, 12)}`;
    const sale = { id, email, at: new Date(Date.now() - 60_000), currency: 'USD', lines, ...fields };
    this.sales.set(id, sale);
    return sale;
  }

  sendSale(sale: Sale) {
    return this.send('transaction.completed', this.#data(sale, false), sale.at);
  }

  adjustment(sale: Sale, fields: object): Record<string, unknown> {
    const adjustment = {
      id: `adj_${randomUUID().slice(0, 12)}`,
      action: 'refund',
      status: 'approved',
      type: 'partial',
      transaction_id: sale.id,
      currency_code: sale.currency,
      updated_at: new Date().toISOString(),
      items: [],
      ...fields,
    };
    this.adjustments.push(adjustment);
    return adjustment;
  }

  send(type: string, data: object, at = new Date()) {
    const event = { event_id: `evt_${randomUUID()}`, notification_id: `ntf_${randomUUID()}`, event_type: type };
    return this.post(JSON.stringify({ ...event, occurred_at: at.toISOString(), data }));
  }

  async post(body: string, at = Math.floor(Date.now() / 1000)): Promise<number> {
    const signed = this.secrets.map(
      (secret) => `h1=${createHmac('sha256', secret).update(`${at}:${body}`).digest('hex')}`,
    );
    const headers = { 'content-type': 'application/json', 'paddle-signature': `ts=${at};${signed.join(';')}` };
    return (await send(this.#address, headers, body)).status;
  }

  #data({ id, email, at, currency, lines, payout }: Sale, withCustomer: boolean) {
    return {
      id,
      status: 'completed',
      origin: 'web',
      customer_id: 'ctm_1',
      address_id: 'add_1',
      currency_code: currency,
      billed_at: at.toISOString(),
      updated_at: at.toISOString(),
      details: {
        payout_totals: payout === undefined ? null : { currency_code: 'USD', subtotal: String(payout), discount: '0' },
        line_items: lines.map((line, n) => ({
          id: `txnitm_${id}_${n}`,
          price_id: line.price,
          quantity: line.quantity,
          product: { id: line.product, name: line.product },
          totals: {
            subtotal: String(line.subtotal),
            discount: String(line.discount ?? 0),
            tax: '19',
            total: String(line.subtotal - (line.discount ?? 0) + 19),
          },
        })),
      },
      ...(withCustomer
        ? { customer: { email, name: 'Nina Simone', locale: 'de' }, address: { country_code: 'DE' } }
        : {}),
    };
  }

  #page(all: readonly Record<string, unknown>[], query: URLSearchParams) {
    const after = query.get('after');
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return { data: all.slice(from, from + 2), meta: { pagination: { has_more: from + 2 < all.length } } };
  }
}
