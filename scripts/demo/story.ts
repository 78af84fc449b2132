import { buildApp } from '../../packages/server/src/app.ts';
import type { Deps } from '../../packages/server/src/deps.ts';
import { switchPlan } from '../../packages/server/src/features/plans/index.ts';
import { DAY, HOUR, type TestClock } from '../../packages/server/src/platform/clock.ts';
import {
  type BatchPlan,
  batches,
  developer as developerAccount,
  musician,
  products,
  type Reseller,
  resellers as resellerAccounts,
  roll,
} from './cast.ts';
import { Person } from './people.ts';
import { Plugins } from './plugins.ts';
import { ShopMonth } from './shop.ts';
import { Timeline } from './timeline.ts';

/** A year, so that every month of a reseller's statements is there once. */
const DAYS = 365;

export interface StoryTotals {
  products: number;
  serials: number;
  redemptions: number;
}

/** A developer's first year with two resellers, from the first product to the last payment. */
export async function runStory(deps: Deps, clock: TestClock, end: Date): Promise<StoryTotals> {
  const app = await buildApp(deps);
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return await new Story(deps, clock, end, url).run();
  } finally {
    await app.close();
  }
}

class Story {
  readonly #deps: Deps;
  readonly #timeline: Timeline;
  readonly #end: Date;
  readonly #plugins: Plugins;
  readonly #developer: Person;
  readonly #resellers: Record<Reseller, Person>;
  readonly #partnerships = {} as Record<Reseller, string>;
  readonly #products: string[] = [];
  /** Serials that customers of a reseller have redeemed, the newest last. */
  readonly #redeemed: Record<Reseller, string[]> = { harbor: [], store: [] };
  readonly #url: string;
  readonly #totals: StoryTotals = { products: products.length, serials: 0, redemptions: 0 };

  constructor(deps: Deps, clock: TestClock, end: Date, url: string) {
    const person = (email: string) => new Person(deps, url, email);
    this.#deps = deps;
    this.#url = url;
    this.#end = end;
    this.#timeline = new Timeline(clock, DAYS, end);
    this.#plugins = new Plugins(deps, url, this.#timeline, DAYS);
    this.#developer = person(developerAccount.email);
    this.#resellers = { harbor: person(resellerAccounts.harbor.email), store: person(resellerAccounts.store.email) };
  }

  async run(): Promise<StoryTotals> {
    const on = (day: number, happen: () => Promise<unknown>) => this.#timeline.on(day, happen);
    on(0, () => this.#register());
    on(1, () => this.#publish());
    on(40, () => this.#partner('harbor', 20));
    on(140, () => this.#partner('store', 15));
    for (const batch of batches) on(batch.day, () => this.#generate(batch));
    on(182.5, () => this.#changeTerms('harbor', { commission_rate: 25 }));
    on(230, () => this.#changeTerms('store', { low_stock_threshold: 30 }));
    for (const day of [171.4, 262.7, DAYS - 6]) on(day, () => this.#refund('harbor', 'The customer bought it twice'));
    on(300.3, () => this.#refund('store', 'Returned to the shop within 14 days', 20));
    on(280, () =>
      this.#requestDeal('store', { product: 0, price: 45, quantity: 100, days: 90, note: 'Our autumn newsletter' }),
    );
    on(283, () => this.#acceptDeal());
    on(330, () => this.#requestDeal('harbor', { product: 1, price: 9, quantity: 500, days: 30, note: 'A flash sale' }));
    on(331, () => this.#declineDeal('9 dollars is below what we can do. 29 would be fine.'));
    on(DAYS - 0.4, () =>
      this.#requestDeal('harbor', { product: 2, price: 49, quantity: 150, days: 21, note: 'For the holidays' }),
    );
    for (let order = 0; order < 14; order++) {
      on(DAYS - 20 + order * 1.35, () => this.#draw(1041 + order, order % 5 === 0 ? 2 : 1));
    }
    on(DAYS - 3, () => this.#resellers.store.call('POST', '/api/reseller/serials/draws/TT-1050/return', {}));
    on(DAYS - 9, () => this.#download('harbor', 1));
    this.#settleMonths();
    new ShopMonth({
      deps: this.#deps,
      timeline: this.#timeline,
      end: this.#end,
      url: this.#url,
      seller: this.#developer,
      products: this.#products,
      redeem: (serialId, customer) => this.#redeemBy(serialId, customer),
    }).plan();
    await this.#timeline.run();
    return this.#totals;
  }

  async #register(): Promise<void> {
    await this.#developer.register(developerAccount.role, developerAccount.company);
    // a developer of this size pays for overage
    const accountId = await this.#developer.id();
    await this.#deps.db.work({ tx: true }, (tx) =>
      switchPlan(tx, this.#deps, { developerId: accountId, plan: 'elite', by: accountId }),
    );
    for (const name of ['harbor', 'store'] as const) {
      await this.#resellers[name].register('reseller', resellerAccounts[name].company);
    }
  }

  async #publish(): Promise<void> {
    for (const { name, price, sale_price, about, features } of products) {
      const made = await this.#developer.call('POST', '/api/products', {
        name,
        price,
        sale_price,
        short_desc: about,
        feature_list: features,
        file_urls: [
          { name: 'macOS', url: 'https://example.com/mac.dmg' },
          { name: 'Windows', url: 'https://example.com/win.exe' },
        ],
        trial_days: 14,
      });
      this.#products.push(made.id);
    }
    const key = { label: 'Universal API key', is_test: false };
    const { plaintext } = await this.#developer.call('POST', '/api/developer/plugin-keys', key);
    this.#plugins.carry(plaintext);
  }

  async #partner(reseller: Reseller, rate: number): Promise<void> {
    const { email } = resellerAccounts[reseller];
    const offer = { email, commission_rate: rate, message: 'We would love to see our plugins in your shop.' };
    await this.#developer.call('POST', '/api/reseller/developer/invite-reseller', offer);
    const invites = await this.#resellers[reseller].call('GET', '/api/reseller/invites/reseller');
    const answer = { invite_id: invites[0].id, response: 'accept' };
    await this.#resellers[reseller].call('POST', '/api/reseller/invites/respond', answer);
    const { company } = resellerAccounts[reseller];
    const list = await this.#developer.call('GET', '/api/reseller/developer/resellers');
    this.#partnerships[reseller] = list.find((partner: { name: string }) => partner.name === company).id;
  }

  async #changeTerms(reseller: Reseller, terms: object): Promise<void> {
    await this.#developer.call('PATCH', `/api/reseller/developer/resellers/${this.#partnerships[reseller]}`, terms);
  }

  async #generate({ product, quantity, day, sold, reseller, extra }: BatchPlan): Promise<void> {
    const { serials } = await this.#developer.call('POST', '/api/serials/generate', {
      quantity,
      product_id: this.#products[product],
      ...(reseller ? { reseller_id: this.#partnerships[reseller] } : {}),
      ...extra,
    });
    this.#totals.serials += serials.length;
    const { begin } = this.#timeline;
    for (const { id } of serials.slice(0, Math.floor(quantity * sold))) {
      // more towards the present, as for a shop that grows
      const later = day + Math.sqrt(roll()) * (DAYS - day) - roll() / 24;
      const at = new Date(begin.getTime() + Math.max(day + 0.01, later) * DAY);
      if (at < this.#end) this.#timeline.at(at, () => this.#redeem(id, reseller));
    }
  }

  async #redeem(serialId: string, reseller?: Reseller): Promise<void> {
    const code = await this.#redeemBy(serialId, musician(this.#totals.redemptions));
    if (code !== null && reseller) this.#redeemed[reseller].push(serialId);
  }

  /** @returns the code; null: it can't be redeemed. */
  async #redeemBy(serialId: string, customer: ReturnType<typeof musician>): Promise<string | null> {
    const accountId = await this.#developer.id();
    const sale = { serialId, developerId: accountId, source: 'redeem' as const, ...customer };
    const { outcome } = await this.#deps.db.work({ tx: true }, (tx) => this.#deps.redemptions.redeemSerial(tx, sale));
    if (outcome !== 'redeemed') return null;
    this.#totals.redemptions += 1;
    const [serial] = await this.#deps.db.query<{ code: string }>(
      'select code from serials where developer_id = $1 and id = $2',
      [accountId, serialId],
    );
    if (serial) this.#plugins.install(serial.code);
    return serial?.code ?? null;
  }

  async #refund(reseller: Reseller, reason: string, amount?: number): Promise<void> {
    const serial = this.#redeemed[reseller].at(-3);
    await this.#developer.call('POST', `/api/serials/${serial}/refund`, { reason, ...(amount ? { amount } : {}) });
  }

  async #requestDeal(
    reseller: Reseller,
    wish: { product: number; price: number; quantity: number; days: number; note: string },
  ): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#resellers[reseller].call('POST', '/api/reseller/deal-requests', {
      product_id: this.#products[wish.product],
      price: wish.price,
      quantity: wish.quantity,
      note: wish.note,
      promo_start: new Date(now.getTime() + 5 * DAY).toISOString(),
      promo_expires: new Date(now.getTime() + (5 + wish.days) * DAY).toISOString(),
    });
  }

  async #pendingDeal() {
    const { rows } = await this.#developer.call('GET', '/api/reseller/developer/deal-requests');
    return rows.find(({ status }: { status: string }) => status === 'pending');
  }

  async #acceptDeal(): Promise<void> {
    const deal = await this.#pendingDeal();
    await this.#generate({
      product: 0,
      quantity: deal.quantity,
      day: 283,
      sold: 0.5,
      reseller: 'store',
      extra: {
        deal_request_id: deal.id,
        promo_price: deal.price,
        promo_start: this.#deps.clock.now().toISOString(),
        promo_expires: deal.promo_expires,
        batch_tag: 'Autumn',
      },
    });
  }

  async #declineDeal(reason: string): Promise<void> {
    const deal = await this.#pendingDeal();
    await this.#developer.call('POST', `/api/reseller/developer/deal-requests/${deal.id}/decline`, { reason });
  }

  /** A shop hands out a code at the moment of sale; most customers redeem it the same day. */
  async #draw(order: number, quantity: number): Promise<void> {
    const wish = { product_id: this.#products[1], quantity, reference: `TT-${order}` };
    const { codes } = await this.#resellers.store.call('POST', '/api/reseller/serials/draw', wish);
    if (order % 3 === 0) return;
    const accountId = await this.#developer.id();
    const [drawn] = await this.#deps.db.query<{ id: string }>(
      'select id from serials where developer_id = $1 and code = $2',
      [accountId, codes[0]],
    );
    const later = new Date(this.#deps.clock.now().getTime() + 5 * HOUR);
    if (drawn) this.#timeline.at(later, () => this.#redeem(drawn.id, 'store'));
  }

  async #download(reseller: Reseller, product: number): Promise<void> {
    const url = `/api/reseller/download-serials?product_id=${this.#products[product]}`;
    await this.#resellers[reseller].call('GET', url);
  }

  /** Each month is closed in its first night, confirmed two days later and paid on the 20th. */
  #settleMonths(): void {
    const { begin } = this.#timeline;
    for (let month = 1; month <= 13; month++) {
      const first = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + month, 1);
      const settled = this.#end.getTime() - first > 40 * DAY;
      this.#timeline.at(new Date(first + HOUR / 2), () => this.#deps.closings.run());
      this.#timeline.at(new Date(first + 2 * DAY + 9 * HOUR), () => this.#confirm(month));
      if (settled) this.#timeline.at(new Date(first + 19 * DAY + 14 * HOUR), () => this.#pay());
    }
  }

  /** The store found something to ask, once. */
  async #confirm(month: number): Promise<void> {
    for (const name of ['harbor', 'store'] as const) {
      const { rows } = await this.#resellers[name].call('GET', '/api/reseller/payouts');
      const open = rows.find(({ status }: { status: string }) => status === 'pending');
      if (!open) continue;
      if (name === 'store' && month === 9) {
        const reason = 'One redemption looks like a press copy. Can you have a look?';
        await this.#resellers.store.call('POST', `/api/reseller/payouts/${open.id}/dispute`, { reason });
        const answer = { text: 'It was bought in your shop on the 12th: order TT-0871.' };
        await this.#developer.call('POST', `/api/reseller/developer/payouts/${open.id}/answer`, answer);
      }
      await this.#resellers[name].call('POST', `/api/reseller/payouts/${open.id}/confirm`);
    }
  }

  async #pay(): Promise<void> {
    const { rows } = await this.#developer.call('GET', '/api/reseller/developer/payouts');
    for (const { id, status, number } of rows) {
      if (status === 'paid' || status === 'settled') continue;
      const payment = { method: 'Bank transfer', reference: `Statement ${number}` };
      await this.#developer.call('POST', `/api/reseller/developer/payouts/${id}/mark-paid`, payment);
    }
  }
}
