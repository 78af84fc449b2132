import { SECOND } from '#platform/clock.ts';

/** The orders of an account that count as a burst, and the time in which they are counted. */
export const BURST = {
  ms: 10 * SECOND,
  /** Those above go after the orders of others. */
  many: 100,
  /** Those above are issued once all are likely to be kept: a shop gives up an answer after seconds. */
  flood: 200,
  /** Seconds until then. */
  delay: 10,
};
const MOST_ACCOUNTS = 10_000;

/** When an order is worked on. */
export interface Urgency {
  /** After those of others. */
  bulk?: true;
  /** Seconds from now. */
  delay: number;
}

/** How many orders of each account came lately, in this process. */
export class Bursts {
  readonly #counts = new Map<string, { since: number; orders: number; before: number }>();

  /** Counts one more. */
  next(accountId: string, now: Date): Urgency {
    const orders = this.#count(accountId, now.getTime());
    if (orders <= BURST.many) return { delay: 0 };
    return { bulk: true, delay: orders > BURST.flood ? BURST.delay : 0 };
  }

  #count(accountId: string, at: number): number {
    const known = this.#counts.get(accountId);
    const age = known ? at - known.since : Number.POSITIVE_INFINITY;
    // a burst that lasts is one burst
    const before = known && age < 2 * BURST.ms ? known.orders : 0;
    const count = known && age < BURST.ms ? known : { since: at, orders: 0, before };
    count.orders += 1;
    if (count !== known) {
      // the newest last, so that the oldest is forgotten first
      this.#counts.delete(accountId);
      this.#counts.set(accountId, count);
      const [oldest] = this.#counts.keys();
      if (this.#counts.size > MOST_ACCOUNTS && oldest !== undefined) this.#counts.delete(oldest);
    }
    return Math.max(count.orders, count.before);
  }
}
