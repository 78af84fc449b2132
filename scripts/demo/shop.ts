import { ShopifyShop, shopifyOrder, shopifyRefund } from '@tonerow/test-support/shops/shopify.ts';
import { buildApp } from '../../packages/server/src/app.ts';
import type { Deps } from '../../packages/server/src/deps.ts';
import { DAY, HOUR, type TestClock } from '../../packages/server/src/platform/clock.ts';
import { developer, products as plugins } from './cast.ts';
import { Person } from './people.ts';
import { Timeline } from './timeline.ts';

const KEY = 'demo_signing_key_of_the_shop';
/** The month before today. */
const DAYS = 30;
const FIRST_ORDER = 2001;

/** The goods of the shop, with their product here and their price there. */
const goods = [
  { sku: 'PRISM', title: 'Prism Delay', product: 0, price: '69.00' },
  { sku: 'NEEDLE', title: 'Needle EQ', product: 1, price: '59.00' },
  { sku: 'HALO', title: 'Halation Reverb', product: 2, price: '99.00' },
  // nobody has mapped it yet
  { sku: 'DUO', title: 'Prism Delay and Needle EQ, together', product: null, price: '109.00' },
] as const;
type Good = (typeof goods)[number];

interface Sale {
  /** Days before today, with fractions. */
  ago: number;
  customer: [first: string, last: string, country: string, language: string];
  sells: readonly [good: number, quantity: number][];
  /** The later event of the order. */
  later?: 'refunded' | 'part refunded' | 'amount refunded' | 'disputed' | 'won' | 'inquiry' | 'canceled';
  as?: 'test' | 'till' | 'pending';
  /** Whether its customer redeems it. */
  redeems?: true;
}

const nina: Sale['customer'] = ['Nina', 'Lindqvist', 'SE', 'sv-SE'];
const ryu: Sale['customer'] = ['Ryuichi', 'Sato', 'JP', 'ja-JP'];
const wendy: Sale['customer'] = ['Wendy', 'Moreau', 'FR', 'fr-FR'];
const bill: Sale['customer'] = ['Bill', 'Okafor', 'GB', 'en-GB'];
const kaija: Sale['customer'] = ['Kaija', 'Haddad', 'DE', 'de-DE'];
const fela: Sale['customer'] = ['Fela', 'García', 'ES', 'es-ES'];

/** Written down and not rolled, so that the rest of the demo stays as it is. */
const sales: readonly Sale[] = [
  { ago: 29.6, customer: bill, sells: [[0, 1]], as: 'test' },
  { ago: 28.9, customer: nina, sells: [[0, 1]], redeems: true },
  { ago: 27.4, customer: ryu, sells: [[1, 1]], redeems: true },
  { ago: 26.8, customer: wendy, sells: [[2, 1]], redeems: true },
  {
    ago: 25.2,
    customer: kaija,
    sells: [
      [0, 1],
      [1, 1],
    ],
    redeems: true,
  },
  { ago: 24.7, customer: fela, sells: [[1, 1]], later: 'refunded' },
  { ago: 23.1, customer: bill, sells: [[0, 3]] },
  { ago: 21.9, customer: wendy, sells: [[0, 1]], redeems: true, later: 'disputed' },
  { ago: 20.3, customer: nina, sells: [[2, 1]], redeems: true },
  { ago: 19.5, customer: kaija, sells: [[1, 2]], later: 'part refunded' },
  { ago: 18.2, customer: ryu, sells: [[0, 1]], redeems: true, later: 'won' },
  { ago: 16.6, customer: fela, sells: [[2, 1]], redeems: true },
  { ago: 15.8, customer: bill, sells: [[1, 1]], redeems: true, later: 'refunded' },
  {
    ago: 14.1,
    customer: wendy,
    sells: [
      [0, 1],
      [2, 1],
    ],
    redeems: true,
  },
  { ago: 12.7, customer: kaija, sells: [[2, 1]], redeems: true, later: 'amount refunded' },
  { ago: 11.4, customer: nina, sells: [[1, 1]] },
  { ago: 10.2, customer: ryu, sells: [[2, 1]], redeems: true },
  { ago: 9.3, customer: fela, sells: [[0, 1]], as: 'till' },
  { ago: 8.1, customer: bill, sells: [[2, 1]], redeems: true },
  { ago: 6.9, customer: wendy, sells: [[1, 1]], later: 'inquiry' },
  { ago: 5.4, customer: kaija, sells: [[0, 1]], redeems: true },
  { ago: 4.2, customer: nina, sells: [[0, 1]], later: 'canceled' },
  { ago: 3.3, customer: ryu, sells: [[3, 1]] },
  { ago: 2.6, customer: fela, sells: [[1, 1]], redeems: true },
  {
    ago: 1.7,
    customer: bill,
    sells: [
      [3, 1],
      [2, 1],
    ],
  },
  { ago: 1.1, customer: wendy, sells: [[2, 1]], redeems: true },
  { ago: 0.3, customer: kaija, sells: [[0, 1]] },
  { ago: 0.05, customer: nina, sells: [[1, 1]], as: 'pending' },
];

interface Customer {
  email: string;
  firstName: string;
  lastName: string;
  country: string;
}

interface Parts {
  deps: Deps;
  timeline: Timeline;
  end: Date;
  url: string;
  seller: Person;
  /** The seller's products, by their places. */
  products: readonly string[];
  redeem(serialId: string, customer: Customer): Promise<unknown>;
}

/** A Shopify shop that the developer connected a month ago, and what it has reported since. */
export class ShopMonth {
  readonly #parts: Parts;
  #accountId = '';
  #shopId = '';
  #shop: ShopifyShop | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  plan(): void {
    const { timeline, end } = this.#parts;
    const at = (ago: number, happen: () => Promise<unknown>) =>
      timeline.at(new Date(end.getTime() - ago * DAY), happen);
    at(DAYS, () => this.#connect());
    for (const [n, sale] of sales.entries()) at(sale.ago, () => this.#sell(FIRST_ORDER + n, sale));
  }

  async #connect(): Promise<void> {
    const { seller, products, url } = this.#parts;
    this.#accountId = await seller.id();
    const { shop } = await seller.call('POST', '/api/shops', {
      kind: 'shopify',
      name: 'Lowpass Audio Store',
      secret: KEY,
    });
    this.#shopId = shop.id;
    // as the running server has it, and not where this one listens
    this.#shop = new ShopifyShop({ address: url + new URL(shop.address).pathname, key: KEY });
    const items = goods.flatMap(({ sku, product }) =>
      product === null ? [] : [{ key: sku, product_ids: [products[product]] }],
    );
    await seller.call('PUT', `/api/shops/${this.#shopId}/items`, { items });
  }

  /** Sends what the shop reports, and works on it at the moment that the clock shows. */
  async #send(topic: string, id: number, payload: object): Promise<void> {
    const status = await this.#shop?.send(topic, payload);
    if (status !== 200) throw new Error(`the shop’s report of ${topic} was answered with ${status}`);
    const work = { accountId: this.#accountId, shopId: this.#shopId, orderKey: String(id) };
    await this.#parts.deps.shopOrders.run(work);
  }

  async #sell(id: number, sale: Sale): Promise<void> {
    const { deps, timeline } = this.#parts;
    const [first, last, country, locale] = sale.customer;
    const at = deps.clock.now();
    const email = `${first}.${last}.${id}@example.com`.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
    const order = {
      ...shopifyOrder(id, 0),
      email: sale.as === 'till' ? null : email,
      test: sale.as === 'test',
      financial_status: sale.as === 'pending' ? 'pending' : 'paid',
      customer_locale: locale,
      created_at: at.toISOString(),
      processed_at: at.toISOString(),
      updated_at: at.toISOString(),
      customer: { first_name: first, last_name: last },
      billing_address: { country_code: country },
      line_items: sale.sells.map(([good, quantity], n) => lineOf(id, n, goods[good] as Good, quantity)),
    };
    await this.#send(sale.as === 'pending' ? 'orders/create' : 'orders/paid', id, order);
    const soon = (hours: number, happen: () => Promise<unknown>) =>
      timeline.at(new Date(at.getTime() + hours * HOUR), happen);
    if (sale.redeems) soon(2, () => this.#redeem(id, { email, firstName: first, lastName: last, country }));
    if (sale.later) soon(30, () => this.#later(id, order, sale.later));
  }

  async #later(id: number, order: { line_items: ReturnType<typeof lineOf>[] }, what: Sale['later']): Promise<void> {
    const at = this.#parts.deps.clock.now().toISOString();
    const whole = order.line_items.reduce((sum, { price, quantity }) => sum + Number(price) * quantity, 0).toFixed(2);
    const [line] = order.line_items;
    const refund = (amount: string, lines: object[]) =>
      this.#send('refunds/create', id, {
        ...shopifyRefund(id * 10, id, { created_at: at }),
        refund_line_items: lines,
        transactions: [{ kind: 'refund', status: 'success', amount }],
      });
    const dispute = (topic: string, type: string, status: string) =>
      this.#send(topic, id, { id: id * 10 + 1, order_id: id, type, amount: whole, currency: 'USD', status });
    if (what === 'refunded')
      return refund(
        whole,
        order.line_items.map((each) => backOf(each, each.quantity)),
      );
    if (what === 'part refunded') return refund(line?.price ?? '0', line ? [backOf(line, 1)] : []);
    if (what === 'amount refunded') return refund('20.00', []);
    if (what === 'inquiry') return dispute('disputes/create', 'inquiry', 'needs_response');
    if (what === 'canceled')
      return this.#send('orders/cancelled', id, {
        ...order,
        financial_status: 'paid',
        cancelled_at: at,
        updated_at: at,
      });
    await dispute('disputes/create', 'chargeback', 'needs_response');
    if (what === 'won') await dispute('disputes/update', 'chargeback', 'won');
  }

  async #redeem(id: number, customer: Customer): Promise<void> {
    const { deps, redeem } = this.#parts;
    const sold = await deps.db.query<{ serial_id: string }>(
      `select u.serial_id from shop_units u join shop_orders o on (o.developer_id, o.id) = (u.developer_id, u.order_id)
       where u.developer_id = $1 and o.connection_id = $2 and o.external_id = $3 and u.serial_id is not null order by u.id`,
      [this.#accountId, this.#shopId, String(id)],
    );
    for (const { serial_id } of sold) await redeem(serial_id, customer);
  }
}

const money = (amount: string) => ({
  shop_money: { amount, currency_code: 'USD' },
  presentment_money: { amount, currency_code: 'USD' },
});

const lineOf = (id: number, n: number, { sku, title, price }: Good, quantity: number) => ({
  ...{ id: id * 10 + n, sku, title, product_id: 1, variant_id: 100 + goods.findIndex((good) => good.sku === sku) },
  ...{ quantity, current_quantity: quantity, price, price_set: money(price) },
  discount_allocations: [],
  tax_lines: [],
});

const backOf = ({ id, price }: ReturnType<typeof lineOf>, quantity: number) => ({
  line_item_id: id,
  quantity,
  subtotal_set: money((Number(price) * quantity).toFixed(2)),
});

/** The developer of the demo with that shop, and nothing else. */
export async function runShopStory({ deps, clock, end }: { deps: Deps; clock: TestClock; end: Date }): Promise<void> {
  const app = await buildApp(deps);
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const timeline = new Timeline(clock, DAYS + 1, end);
    const seller = new Person(deps, url, developer.email);
    const products: string[] = [];
    timeline.on(0, async () => {
      await seller.register(developer.role, developer.company);
      for (const { name, price, sale_price } of plugins)
        products.push((await seller.call('POST', '/api/products', { name, price, sale_price })).id);
    });
    const redeem = async (serialId: string, customer: Customer) => {
      const sale = { serialId, developerId: await seller.id(), source: 'redeem' as const, ...customer };
      await deps.db.work({ tx: true }, (tx) => deps.redemptions.redeemSerial(tx, sale));
    };
    new ShopMonth({ deps, timeline, end, url, seller, products, redeem }).plan();
    await timeline.run();
  } finally {
    await app.close();
  }
}
