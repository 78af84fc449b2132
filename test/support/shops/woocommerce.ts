import { createHash, createHmac } from 'node:crypto';
import { type ApiHost, answer } from './api-host.ts';

interface Line {
  id: number;
  product_id: number;
  variation_id: number;
  sku: string;
  name: string;
  quantity: number;
  total: string;
}
/** As an order names it; what its lines are, the API alone has. */
interface Refund {
  id: number;
  reason: string;
  total: string;
}

/** A note to the customer, who is emailed each one. */
interface Note {
  id: number;
  order: number;
  note: string;
  customer_note: boolean;
}

interface Order {
  id: number;
  status: string;
  currency: string;
  total: string;
  date_paid_gmt: string | null;
  date_modified_gmt: string;
  billing: { first_name: string; last_name: string; email: string; country: string };
  line_items: Line[];
  refunds: Refund[];
}

/** The number of failures in a row after which it sends nothing more, and nobody hears of it. */
const MOST_FAILURES = 5;
const utc = (at: Date) => at.toISOString().slice(0, 19);

/**
 * A WooCommerce shop that reports its orders as the real one does: once, never again, each order as it is when that is sent, with a
 * delivery id that is the webhook's and the second's, so that two orders share it.
 */
export class WooCommerceShop {
  readonly orders = new Map<number, Order>();
  isActive = true;
  owner: 'there' | 'gone' = 'there';
  /** The permissions of its consumer key. */
  permissions: 'read' | 'read_write' = 'read_write';
  readonly notes: Note[] = [];
  /** The notes that it has emailed, and their addresses. */
  readonly emailed: { to: string; note: string }[] = [];
  /** Notes that it writes and whose answer is lost on the way. */
  lostAnswers = 0;
  readonly #refundLines = new Map<number, object>();
  #failures = 0;
  #next = 12;
  #clock: number;
  readonly #address: string;
  readonly #secret: string;

  constructor({ address, secret, now = new Date() }: { address: string; secret: string; now?: Date }) {
    this.#address = address;
    this.#secret = secret;
    this.#clock = now.getTime() - 600_000;
  }

  /** Sends what the shop sends when the webhook is saved: a form that is not signed. */
  async ping(): Promise<number> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(this.#address, { method: 'POST', headers, body: 'webhook_id=3' });
    return answer.status;
  }

  place(email: string, lines: Pick<Line, 'sku' | 'quantity' | 'total'>[], fields: Partial<Order> = {}): Order {
    this.#next += 1;
    const order: Order = {
      id: this.#next,
      status: 'pending',
      currency: 'USD',
      total: lines.reduce((sum, { total }) => sum + Number(total), 0).toFixed(2),
      date_paid_gmt: null,
      date_modified_gmt: this.#tick(),
      billing: { first_name: 'Nina', last_name: 'Simone', email, country: 'DE' },
      line_items: lines.map((line, n) => ({ id: n + 5, product_id: n + 9, variation_id: 0, name: line.sku, ...line })),
      refunds: [],
      ...fields,
    };
    this.orders.set(order.id, order);
    return order;
  }

  pay(order: Order, status: 'processing' | 'completed' = 'processing'): void {
    const at = this.#tick();
    Object.assign(order, { status, date_paid_gmt: order.date_paid_gmt ?? at, date_modified_gmt: at });
  }

  turn(order: Order, status: string): void {
    Object.assign(order, { status, date_modified_gmt: this.#tick() });
  }

  /** @param lines of the order that it names, by their ids; none: an amount alone. @param more what else the API has of it. */
  refund(order: Order, amount: string, lines: { id: number; quantity: number; total: string }[] = [], more = {}): void {
    const id = order.id * 100 + order.refunds.length;
    order.refunds.push({ id, reason: '', total: `-${amount}` });
    this.#refundLines.set(id, {
      line_items: lines.map((line) => ({
        quantity: -line.quantity,
        total: `-${line.total}`,
        meta_data: [{ key: '_refunded_item_id', value: String(line.id) }],
      })),
      ...more,
    });
    order.date_modified_gmt = this.#tick();
  }

  /** Serves its REST API, as at `{url}/woocommerce`, to requests with its consumer key. */
  serve(host: ApiHost): { address: string; key: string; secret: string } {
    const [key, secret] = ['ck_0123456789', 'cs_0123456789'];
    const opens = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    host.serve('woocommerce', ({ method, path, query, authorization, body }) => {
      if (authorization !== opens) return answer({ status: 401, json: { code: 'woocommerce_rest_cannot_view' } });
      if (method !== 'GET' && this.permissions === 'read')
        return answer({ status: 401, json: { code: 'woocommerce_rest_authentication_error' } });
      const [, notesOf] = /^\/wp-json\/wc\/v3\/orders\/(\d+)\/notes$/.exec(path) ?? [];
      if (notesOf) return this.#note(Number(notesOf), method, query, body);
      const [, refundsOf] = /^\/wp-json\/wc\/v3\/orders\/(\d+)\/refunds$/.exec(path) ?? [];
      if (refundsOf) {
        const order = this.orders.get(Number(refundsOf));
        return order?.refunds.map((refund) => ({ ...refund, ...this.#refundLines.get(refund.id) }));
      }
      if (path !== '/wp-json/wc/v3/orders') return undefined;
      const after = query.get('modified_after') ?? '';
      const all = [...this.orders.values()].filter(({ date_modified_gmt }) => date_modified_gmt > after);
      const [size, page] = [Number(query.get('per_page')), Number(query.get('page') ?? 1)];
      const headers = { 'x-wp-totalpages': String(Math.ceil(all.length / size)) };
      return answer({ headers, json: all.slice((page - 1) * size, page * size) });
    });
    return { address: `${host.url}/woocommerce`, key, secret };
  }

  #note(id: number, method: string, query: URLSearchParams, body: string) {
    const order = this.orders.get(id);
    if (!order) return answer({ status: 404, json: { code: 'woocommerce_rest_order_invalid_id' } });
    if (method === 'GET')
      return this.notes.filter((each) => each.order === id && (query.get('type') !== 'customer' || each.customer_note));
    const { note, customer_note } = JSON.parse(body) as Pick<Note, 'note' | 'customer_note'>;
    const written = { id: this.notes.length + 1, order: id, note, customer_note };
    this.notes.push(written);
    if (customer_note) this.emailed.push({ to: order.billing.email, note });
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1;
      throw new Error('The line went dead.');
    }
    return answer({ status: 201, json: written });
  }

  /** Sends what an order is now. @returns the status of the answer; undefined: it was switched off, and sends nothing. */
  async send(order: Order, topic: 'order.created' | 'order.updated' | 'order.deleted' = 'order.updated') {
    if (!this.isActive) return undefined;
    const gone = { code: 'woocommerce_rest_cannot_view', message: 'Sorry.', data: { status: 401 } };
    const payload = topic === 'order.deleted' ? { id: order.id } : order;
    const body = JSON.stringify(this.owner === 'gone' ? gone : payload);
    const second = createHash('md5')
      .update(`3 ${Math.floor(Date.now() / 1000)}`)
      .digest('hex');
    const answer = await fetch(this.#address, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'WooCommerce/9.4 Hookshot (WordPress/6.7)',
        'x-wc-webhook-source': 'https://shop.example/',
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-id': '3',
        'x-wc-webhook-delivery-id': second,
        'x-wc-webhook-signature': createHmac('sha256', this.#secret).update(body).digest('base64'),
      },
      body,
    });
    const isGood = (answer.status >= 200 && answer.status < 300) || answer.status === 301 || answer.status === 302;
    this.#failures = isGood ? 0 : this.#failures + 1;
    if (this.#failures > MOST_FAILURES) this.isActive = false;
    return answer.status;
  }

  #tick(): string {
    this.#clock += 1000;
    return utc(new Date(this.#clock));
  }
}
