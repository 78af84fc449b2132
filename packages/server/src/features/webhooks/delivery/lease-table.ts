import { SECOND, stopwatch } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import type { WebhooksDb } from '../tables.ts';
import type { Destination } from './due.ts';
import { endLeases, LEASE_MS, renewLeases, takeLeases } from './leases.ts';
import { EndpointState, type Scheduler } from './scheduler.ts';

/** The most endpoints with something to send at once, and among them slow ones, which take a request for long. */
const MOST = 100;
const MOST_SLOW = 25;
/** Longer than any request takes: one that begins now has ended before another process may send. */
export const LONGEST_REQUEST = 16 * SECOND;
const RENEWED_BELOW = 25 * SECOND;
/** How long an endpoint with nothing to send is kept, so that each event does not cost a lease. */
const KEPT_IDLE = 2 * SECOND;
/** A delivery that waits for longer than this was read too far ahead. */
const STALLED = SECOND;
/** How long an endpoint is served while others wait for a process. */
const TURN = SECOND;

/** The endpoints that this process sends to, and has a lease of. No other process sends to them until that ends. */
export class LeaseTable {
  readonly #db: WebhooksDb;
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  readonly #endpoints = new Map<string, EndpointState>();
  #holder: string;
  /** All room for quick ones or for slow ones was taken: others of that kind may wait. */
  #crowded = { quick: false, slow: false };

  constructor({ db, random, scheduler }: { db: WebhooksDb; random: Random; scheduler: Scheduler }) {
    this.#db = db;
    this.#random = random;
    this.#scheduler = scheduler;
    this.#holder = random.id();
  }

  /** The id that its leases are held under. */
  get holder(): string {
    return this.#holder;
  }

  get serving(): EndpointState[] {
    return [...this.#endpoints.values()];
  }

  /** Endpoints that are looked at anyhow. */
  get busy(): string[] {
    return this.serving.filter(({ isBusy }) => isBusy).map(({ id }) => id);
  }

  /** After how long there may be something to do here. */
  get pause(): number {
    if (this.#crowded.quick) return TURN / 4;
    return this.#endpoints.size > 0 ? KEPT_IDLE : Number.POSITIVE_INFINITY;
  }

  /**
   * Something may be due: takes endpoints that belong to nobody, as many as there is room for.
   * @param accounts whose endpoints; undefined: anybody's.
   */
  async look(now: Date, accounts?: readonly string[]): Promise<void> {
    for (const endpoint of this.serving)
      endpoint.mayBeDue ||= accounts === undefined || accounts.includes(endpoint.developerId);
    const busy = this.serving.filter(({ isBusy }) => isBusy);
    const slow = busy.filter((endpoint) => endpoint.slow).length;
    const room = { quick: Math.max(0, MOST - busy.length + slow), slow: Math.max(0, MOST_SLOW - slow) };
    const asked = stopwatch();
    const taken = await takeLeases(this.#db, { now, holder: this.#holder, ...room, accounts });
    for (const leased of taken) {
      const endpoint = this.#endpoints.get(leased.id) ?? new EndpointState(leased);
      this.#endpoints.set(leased.id, endpoint);
      const { slow, answers } = leased;
      Object.assign(endpoint, {
        until: asked + LEASE_MS,
        since: asked,
        usedAt: asked,
        yielding: false,
        mayBeDue: true,
        slow,
        answersLate: slow,
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
  learn(endpoint: EndpointState, { slow, first_failure_at, last_success_at }: Destination): void {
    endpoint.usedAt = stopwatch();
    endpoint.slow = slow;
    endpoint.answersLate ||= slow;
    endpoint.answers = !slow && first_failure_at === null && last_success_at !== null;
  }

  maySend({ until, yielding }: EndpointState): boolean {
    return !yielding && until - stopwatch() > LONGEST_REQUEST;
  }

  /** Renews the leases of what is being sent, and ends those of what is not. */
  async keep(): Promise<void> {
    const now = stopwatch();
    const served = this.serving;
    for (const endpoint of served) {
      const [first] = endpoint.waiting;
      if (first && now - first.readAt > STALLED) {
        endpoint.backsUp = true;
        this.#scheduler.drop(endpoint);
      }
      // a slow one that still waits for a request has had nothing of its turn
      const makesRoom = endpoint.slow ? this.#crowded.slow && !first : this.#crowded.quick;
      if (!makesRoom || now - endpoint.since < TURN) continue;
      endpoint.yielding = true;
      this.#scheduler.drop(endpoint);
    }
    await this.#end(
      served.filter((each) => (each.yielding ? each.inHand === 0 : !each.isBusy && now - each.usedAt > KEPT_IDLE)),
    );
    const ending = this.serving.filter(({ until, isBusy }) => isBusy && until - now < RENEWED_BELOW);
    if (ending.length === 0) return;
    const renewed = await renewLeases(this.#db, this.#holder, ending);
    for (const endpoint of ending) {
      if (renewed.has(endpoint.id)) endpoint.until = now + LEASE_MS;
      else this.#lose(endpoint);
    }
  }

  /** Drops deliveries that were read and are not being sent, so that they are read anew. */
  recall(): void {
    for (const endpoint of this.#endpoints.values()) {
      this.#scheduler.drop(endpoint);
      endpoint.changedAt = stopwatch();
    }
  }

  /** Ends all leases; after a pause this process is another holder. */
  async releaseAll(): Promise<void> {
    const owned = this.serving;
    for (const endpoint of owned) this.#scheduler.remove(endpoint);
    this.#endpoints.clear();
    const holder = this.#holder;
    this.#holder = this.#random.id();
    await endLeases(this.#db, holder, { owned, unfinished: true });
  }

  async #end(owned: readonly EndpointState[]): Promise<void> {
    await endLeases(this.#db, this.#holder, { owned, unfinished: owned.some(({ yielding }) => yielding) });
    for (const endpoint of owned) {
      this.#endpoints.delete(endpoint.id);
      this.#scheduler.remove(endpoint);
    }
  }

  /** It was deleted, or is another's: nothing more of it is begun here. */
  #lose(endpoint: EndpointState): void {
    endpoint.until = 0;
    this.#scheduler.drop(endpoint);
    endpoint.mayBeDue = false;
  }
}
