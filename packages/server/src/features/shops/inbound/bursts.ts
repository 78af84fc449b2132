import { SECOND } from '#platform/clock.ts';

/** So many orders of one account, within so long, are worked on in the order in which all came. */
export const BURST = { orders: 100, ms: 10 * SECOND };
const MOST_ACCOUNTS = 10_000;

/** How many orders of each account came lately, in this process: an account with many lets those of others go first. */
export class Bursts {
  readonly #counts = new Map<string, { since: number; orders: number }>();

  /** Counts one more. @returns whether it is one of too many. */
  isOneOfMany(accountId: string, now: Date): boolean {
    const at = now.getTime();
    const known = this.#counts.get(accountId);
    const count = known && at - known.since < BURST.ms ? known : { since: at, orders: 0 };
    count.orders += 1;
    if (count !== known) {
      // the newest last, so that the oldest is forgotten first
      this.#counts.delete(accountId);
      this.#counts.set(accountId, count);
      const [oldest] = this.#counts.keys();
      if (this.#counts.size > MOST_ACCOUNTS && oldest !== undefined) this.#counts.delete(oldest);
    }
    return count.orders > BURST.orders;
  }
}
