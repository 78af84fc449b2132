import { setTimeout as pause } from 'node:timers/promises';
import type { StripeStandIn } from '@tonerow/test-support/stripe/stand-in.ts';
import { buildApp } from '../../packages/server/src/app.ts';
import type { Deps } from '../../packages/server/src/deps.ts';
import { DAY, HOUR, type TestClock } from '../../packages/server/src/platform/clock.ts';
import { musician } from './cast.ts';
import { Person } from './people.ts';
import { Timeline } from './timeline.ts';

export const billed = { email: 'billing@tonerow.example', company: 'Comb Filter Audio' } as const;
export const admin = { email: 'admin@tonerow.example', company: 'Tonerow' } as const;

/** How many redemptions each month has, the earliest first; the last one is the current month, so far. */
const USED = [23, 125, 290, 310, 265, 240];
const SERIALS = 1400;
/** The last ones of the free plan. */
const QUOTA = 50;

interface Scene {
  deps: Deps;
  clock: TestClock;
  end: Date;
  stripe: StripeStandIn;
}

/** Half a year of a developer's bills, with what can happen to them, and an admin. */
export async function runBillStory({ deps, clock, end, stripe }: Scene): Promise<void> {
  const app = await buildApp(deps);
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const person = (email: string) => new Person(deps, url, email);
    await new BillStory(deps, stripe, end, clock, person(billed.email), person(admin.email)).run();
  } finally {
    await app.close();
  }
}

class NotRedeemed extends Error {}

class BillStory {
  readonly #deps: Deps;
  readonly #stripe: StripeStandIn;
  readonly #end: Date;
  readonly #timeline: Timeline;
  readonly #developer: Person;
  readonly #admin: Person;
  #serials: string[] = [];
  #redeemed = 0;

  constructor(deps: Deps, stripe: StripeStandIn, end: Date, clock: TestClock, developer: Person, admin: Person) {
    this.#deps = deps;
    this.#stripe = stripe;
    this.#end = end;
    this.#timeline = new Timeline(clock, USED.length * 31, end);
    this.#developer = developer;
    this.#admin = admin;
  }

  async run(): Promise<void> {
    const day = (month: number, date: number, hour = 9) =>
      new Date(this.#first(month).getTime() + (date - 1) * DAY + hour * HOUR);
    const on = (month: number, date: number, happen: () => Promise<unknown>) =>
      this.#timeline.at(day(month, date), happen);
    on(0, 1, () => this.#begin());
    this.#redeem(0, USED[0] ?? 0, 2);
    // the cap is met on the 15th; days later there is a card, and a plan without a cap
    this.#redeem(1, QUOTA, 1, 14);
    on(1, 15, () => this.#refused());
    on(1, 20, () => this.#enterCard('pm_card_visa'));
    on(1, 21, () => this.#switchTo('creator'));
    this.#redeem(1, (USED[1] ?? 0) - QUOTA, 22);
    on(2, 3, () => this.#switchTo('pro'));
    this.#redeem(2, USED[2] ?? 0, 1);
    // a card that is declined, until there is another one
    on(2, 20, () => this.#enterCard('pm_card_chargeCustomerFail'));
    on(3, 6, () => this.#enterCard('pm_card_mastercard'));
    this.#redeem(3, USED[3] ?? 0, 1);
    this.#redeem(4, USED[4] ?? 0, 1);
    on(4, 25, () => this.#refreshSerials(5));
    this.#redeem(5, USED[5] ?? 0, 1);
    for (let month = 1; month < USED.length; month += 1) this.#closeMonth(month);
    await this.#timeline.run();
  }

  #first(month: number): Date {
    const back = USED.length - 1 - month;
    return new Date(Date.UTC(this.#end.getUTCFullYear(), this.#end.getUTCMonth() - back, 1));
  }

  async #begin(): Promise<void> {
    await this.#developer.register('developer', billed.company);
    await this.#admin.register('developer', admin.company);
    await this.#deps.accounts.setAdmin(admin.email, true);
    const address = { business_address: '12 Delay Lane\nLeeds LS1 4AB\nUnited Kingdom', tax_id: 'GB 123 4567 89' };
    await this.#developer.call('PUT', '/api/account/settings', address);
    const product = await this.#developer.call('POST', '/api/products', { name: 'Comb Filter', price: 29 });
    const batch = { quantity: SERIALS, product_id: product.id };
    const { serials } = await this.#developer.call('POST', '/api/serials/generate', batch);
    this.#serials = serials.map(({ id }: { id: string }) => id);
  }

  /** So many redemptions in a month, evenly over these days. */
  #redeem(month: number, count: number, from: number, to = 28): void {
    const begin = this.#first(month).getTime() + (from - 1) * DAY;
    const last = Math.min(this.#first(month).getTime() + to * DAY, this.#end.getTime());
    for (let n = 0; n < count; n += 1)
      this.#timeline.at(new Date(begin + ((last - begin) * n) / count), () => this.#redeemNext());
  }

  /** @throws {NotRedeemed} */
  async #redeemNext(): Promise<void> {
    const developerId = await this.#developer.id();
    const serialId = this.#serials[this.#redeemed] as string;
    const sale = { serialId, developerId, source: 'redeem' as const, ...musician(this.#redeemed) };
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const { outcome } = await this.#deps.redemptions.redeemSerial(tx, sale);
      // a redemption that the cap refuses has to be rolled back
      if (outcome !== 'redeemed') throw new NotRedeemed(outcome);
    });
    this.#redeemed += 1;
  }

  async #refused(): Promise<void> {
    await this.#redeemNext().then(
      () => Promise.reject(new Error('the cap did not refuse')),
      (error) => (error instanceof NotRedeemed && error.message === 'quota_blocked' ? null : Promise.reject(error)),
    );
    // the developer's email is written a moment later, by the clock of that day
    for (let tries = 0; tries < 100; tries += 1) {
      const told = await this.#deps.db.query(
        "select 1 from mails where recipient = $1 and subject like 'A customer could not redeem%'",
        [billed.email],
      );
      if (told.length > 0) return;
      await pause(100);
    }
    throw new Error('the developer was not told that the cap refused a customer');
  }

  async #enterCard(token: string): Promise<void> {
    const { client_secret } = await this.#developer.call('POST', '/api/billing/create-setup-intent');
    this.#stripe.enterCard(client_secret, token);
    await this.#developer.call('GET', '/api/billing/payment-method');
    await this.#deps.collection.run();
  }

  #switchTo(plan_id: string): Promise<unknown> {
    return this.#developer.call('POST', '/api/subscribe', { plan_id });
  }

  async #refreshSerials(count: number): Promise<void> {
    const own = this.#serials.slice(0, count);
    await this.#deps.db.query('update serials set download_count = 1 where id = any($1)', [own]);
    for (const id of own) await this.#developer.call('PATCH', `/api/serials/refresh/${id}`);
  }

  /** Closes a month in the first night after it. A declined charge is tried again three days later. */
  #closeMonth(month: number): void {
    const first = this.#first(month).getTime();
    this.#timeline.at(new Date(first + HOUR / 2), async () => {
      await this.#deps.closings.run();
      await this.#deps.collection.run();
    });
    this.#timeline.at(new Date(first + 3 * DAY + HOUR), () => this.#deps.collection.run());
  }
}
