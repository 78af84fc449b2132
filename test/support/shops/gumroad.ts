import { randomUUID } from 'node:crypto';
import { type ApiHost, type Asked, answer, send } from './api-host.ts';

interface Sale {
  id: string;
  email: string;
  product: string;
  price: number;
  quantity: number;
  created: Date;
  refundedCents: number;
  refunded: boolean;
  chargedback: boolean;
  disputeWon: boolean;
  /** Fields of the seller's own form, which overwrite those of Gumroad. */
  fields: Record<string, string>;
  more: object;
}

/** Resources other than sales. Gumroad's Ping reports only sales. */
type Resource = 'refund' | 'dispute' | 'dispute_won' | 'cancellation';

/**
 * A Gumroad account: a ping is an unsigned form, never repeated after a time-out, in which a customer's fields
 * overwrite Gumroad's. Anything but a sale is sent to those who have subscribed to it, as often as they have.
 */
export class GumroadShop {
  readonly key: string;
  readonly sales = new Map<string, Sale>();
  readonly subscriptions: { id: string; resource_name: string; post_url: string }[] = [];
  /** The fault in its list: pages that come again, or that never end. */
  lie: 'repeats' | 'goes on' | null = null;
  /** Whether it takes the address: it refuses those that are not on the internet. */
  takesAddress = true;
  readonly #address: string;

  /** @param beside another account of Gumroad, which has another key. */
  constructor({ address }: { address: string }, host: ApiHost, beside?: GumroadShop) {
    this.key = beside ? 'another_access_token_0123456789' : 'gumroad_access_token_0123456789';
    this.#address = address;
    host.serve('gumroad', (asked) =>
      asked.authorization === `Bearer ${beside?.key}` ? beside?.answer(asked) : this.answer(asked),
    );
  }

  answer({ method, path, query, body, authorization }: Asked): unknown {
    if (authorization !== `Bearer ${this.key}`) return answer({ status: 401, json: {} });
    if (path === '/v2/sales') {
      const after = new Date(query.get('after') ?? 0);
      const all = [...this.sales.values()].filter(({ created }) => created >= after);
      const from = Number(query.get('page_key') ?? 0);
      return {
        success: true,
        sales: all.slice(from, from + 2).map(apiSale),
        ...this.#next(from, all.length),
      };
    }
    if (path === '/v2/resource_subscriptions')
      return method === 'PUT'
        ? this.#subscribe(new URLSearchParams(body))
        : {
            success: true,
            resource_subscriptions: this.subscriptions.filter(
              ({ resource_name }) => resource_name === query.get('resource_name'),
            ),
          };
    if (method === 'DELETE') return this.#unsubscribe(path.replace('/v2/resource_subscriptions/', ''));
    const sale = this.sales.get(path.replace('/v2/sales/', ''));
    return sale && { success: true, sale: apiSale(sale) };
  }

  sell(email: string, product: string, fields: Partial<Sale> = {}): Sale {
    const sale: Sale = {
      id: `${randomUUID().slice(0, 8)}==`,
      email,
      product,
      price: 4900,
      quantity: 1,
      created: new Date(Date.now() - 60_000),
      refundedCents: 0,
      refunded: false,
      chargedback: false,
      disputeWon: false,
      fields: {},
      more: {},
      ...fields,
    };
    this.sales.set(sale.id, sale);
    return sale;
  }

  /** Sends a sale to the subscriptions to a resource. Without one, nothing is sent. */
  async sendTo(resource: Resource, sale: Sale): Promise<number[]> {
    const addresses = this.subscriptions.filter(({ resource_name }) => resource_name === resource);
    return Promise.all(addresses.map(({ post_url }) => this.#ping(post_url, sale, { resource_name: resource })));
  }

  /** The ping of a sale. */
  send(sale: Pick<Sale, 'id'> & Partial<Sale>, test = false): Promise<number> {
    return this.#ping(this.#address, sale, { test: String(test) });
  }

  #next(from: number, count: number): { next_page_key?: string } {
    if (this.lie === 'repeats') return { next_page_key: String((from % 3) + 1) };
    return from + 2 < count || this.lie === 'goes on' ? { next_page_key: String(from + 2) } : {};
  }

  #subscribe(form: URLSearchParams) {
    const [resource_name, post_url] = [form.get('resource_name') ?? '', form.get('post_url') ?? ''];
    if (!this.takesAddress) return { success: false, message: `Invalid post URL '${post_url}'` };
    const subscription = { id: `${randomUUID().slice(0, 8)}==`, resource_name, post_url };
    this.subscriptions.push(subscription);
    return { success: true, resource_subscription: subscription };
  }

  /** One that is not there is 200, too, as is whatever Gumroad does not find. */
  #unsubscribe(id: string) {
    const at = this.subscriptions.findIndex((each) => each.id === id);
    if (at < 0) return { success: false, message: 'The resource_subscription was not found.' };
    this.subscriptions.splice(at, 1);
    return { success: true, message: 'The resource_subscription was deleted successfully.' };
  }

  async #ping(address: string, sale: Pick<Sale, 'id'> & Partial<Sale>, more: Record<string, string>): Promise<number> {
    const form = new URLSearchParams({
      sale_id: sale.id,
      product_id: sale.product ?? 'nothing',
      email: sale.email ?? '',
      price: String(sale.price ?? 0),
      currency: 'usd',
      test: 'false',
      ...more,
      ...sale.fields,
    });
    return (await send(address, { 'content-type': 'application/x-www-form-urlencoded' }, form.toString())).status;
  }
}

const apiSale = (sale: Sale) => ({
  id: sale.id,
  email: sale.email,
  full_name: 'Nina Simone',
  created_at: sale.created.toISOString(),
  product_id: sale.product,
  product_name: sale.product,
  order_id: 4711,
  price: sale.price,
  quantity: sale.quantity,
  refunded: sale.refunded,
  partially_refunded: !sale.refunded && sale.refundedCents > 0,
  currency_symbol: '$',
  formatted_total_price: `$${sale.price / 100}`,
  amount_refundable_in_currency: String((sale.price - sale.refundedCents) / 100),
  chargedback: sale.chargedback,
  disputed: sale.chargedback,
  dispute_won: sale.disputeWon,
  ...sale.more,
});
