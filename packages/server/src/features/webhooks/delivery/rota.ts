import { SECOND, stopwatch } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import type { WebhooksDb } from '../tables.ts';
import type { Destination } from './due.ts';
import { endLeases, LEASE_MS, renewLeases, takeLeases } from './leases.ts';
import { Served, type Turns } from './turns.ts';

/** At most so many endpoints with something to send at once, and of them slow ones, which take a request for long. */
const MOST = 100;
const MOST_SLOW = 25;
/** Longer than any request takes: one that begins now has ended before another process may send. */
export const LONGEST_REQUEST = 16 * SECOND;
const RENEWED_BELOW = 25 * SECOND;
/** For how long an endpoint is kept that nothing is sent to, so that each event does not cost a lease. */
const KEPT_IDLE = 2 * SECOND;
/** What waits for longer than this was read too far ahead. */
const STALLED = SECOND;
/** How long an endpoint is served while others wait for a process. */
const TURN = SECOND;

/** Which endpoints this process sends to: those that it has a lease of. No other one sends to them until that ends. */
export class Rota {
  readonly #db: WebhooksDb;
  readonly #random: Random;
  readonly #turns: Turns;
  readonly #served = new Map<string, Served>();
  #holder: string;
  /** All room for quick ones or for slow ones was taken: others of that kind may wait. */
  #crowded = { quick: false, slow: false };

  constructor({ db, random, turns }: { db: WebhooksDb; random: Random; turns: Turns }) {
    this.#db = db;
    this.#random = random;
    this.#turns = turns;
    this.#holder = random.id();
  }

  /** By which its leases are known. */
  get holder(): string {
    return this.#holder;
  }

  get serving(): Served[] {
    return [...this.#served.values()];
  }

  /** Endpoints that are looked at anyhow. */
  get busy(): string[] {
    return this.serving.filter(({ isBusy }) => isBusy).map(({ id }) => id);
  }

  /** After how long there may be something to do here. */
  get pause(): number {
    if (this.#crowded.quick) return TURN / 4;
    return this.#served.size > 0 ? KEPT_IDLE : Number.POSITIVE_INFINITY;
  }

  /**
   * Something may be due: takes endpoints that belong to nobody, as many as there is room for.
   * @param accounts whose endpoints; undefined: anybody's.
   */
  async look(now: Date, accounts?: readonly string[]): Promise<void> {
    for (const served of this.serving) served.more ||= accounts === undefined || accounts.includes(served.developerId);
    const busy = this.serving.filter(({ isBusy }) => isBusy);
    const slow = busy.filter((served) => served.slow).length;
    const room = { quick: Math.max(0, MOST - busy.length + slow), slow: Math.max(0, MOST_SLOW - slow) };
    const asked = stopwatch();
    const taken = await takeLeases(this.#db, { now, holder: this.#holder, ...room, accounts });
    for (const leased of taken) {
      const served = this.#served.get(leased.id) ?? new Served(leased);
      this.#served.set(leased.id, served);
      const { slow, answers } = leased;
      Object.assign(served, {
        until: asked + LEASE_MS,
        since: asked,
        usedAt: asked,
        leaving: false,
        more: true,
        slow,
        lingers: slow,
        answers,
      });
    }
    const takenSlow = taken.filter((leased) => leased.slow).length;
    const full = { quick: taken.length - takenSlow === room.quick, slow: takenSlow === room.slow };
    // whether others wait is known only from a look at all
    const before = accounts ? this.#crowded : { quick: false, slow: false };
    this.#crowded = { quick: before.quick || full.quick, slow: before.slow || full.slow };
  }

  /** As it was read with what is due. */
  learn(served: Served, { slow, first_failure_at, last_success_at }: Destination): void {
    served.usedAt = stopwatch();
    served.slow = slow;
    served.lingers ||= slow;
    served.answers = !slow && first_failure_at === null && last_success_at !== null;
  }

  maySend({ until, leaving }: Served): boolean {
    return !leaving && until - stopwatch() > LONGEST_REQUEST;
  }

  /** Renews the leases of what is being sent, and ends those of what is not. */
  async keep(): Promise<void> {
    const now = stopwatch();
    const mine = this.serving;
    for (const served of mine) {
      const [first] = served.waiting;
      if (first && now - first.readAt > STALLED) {
        served.stalls = true;
        this.#turns.drop(served);
      }
      // a slow one that still waits for a request has had nothing of its turn
      const makesRoom = served.slow ? this.#crowded.slow && !first : this.#crowded.quick;
      if (!makesRoom || now - served.since < TURN) continue;
      served.leaving = true;
      this.#turns.drop(served);
    }
    await this.#end(
      mine.filter((each) => (each.leaving ? each.inHand === 0 : !each.isBusy && now - each.usedAt > KEPT_IDLE)),
    );
    const ending = this.serving.filter(({ until, isBusy }) => isBusy && until - now < RENEWED_BELOW);
    if (ending.length === 0) return;
    const renewed = await renewLeases(this.#db, this.#holder, ending);
    for (const served of ending) {
      if (renewed.has(served.id)) served.until = now + LEASE_MS;
      else this.#lose(served);
    }
  }

  /** What was read and is not being sent is to be read anew. */
  recall(): void {
    for (const served of this.#served.values()) {
      this.#turns.drop(served);
      served.changedAt = stopwatch();
    }
  }

  /** Ends all leases; after a pause this process is another holder. */
  async leave(): Promise<void> {
    const owned = this.serving;
    for (const served of owned) this.#turns.leave(served);
    this.#served.clear();
    const holder = this.#holder;
    this.#holder = this.#random.id();
    await endLeases(this.#db, holder, { owned, unfinished: true });
  }

  async #end(owned: readonly Served[]): Promise<void> {
    await endLeases(this.#db, this.#holder, { owned, unfinished: owned.some(({ leaving }) => leaving) });
    for (const served of owned) {
      this.#served.delete(served.id);
      this.#turns.leave(served);
    }
  }

  /** It was deleted, or is another's: nothing more of it is begun here. */
  #lose(served: Served): void {
    served.until = 0;
    this.#turns.drop(served);
    served.more = false;
  }
}
