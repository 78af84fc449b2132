import { Tally } from './tally.ts';

/** The limit that was reached: of one key, or of all together. */
export type Reached = 'key' | 'total';

interface Limits {
  /** How many slots there are. */
  total: number;
  /** How many of them one key may have. */
  perKey: number;
  /** How many of them the keys of one group may have together. */
  perGroup?: number;
  /** How many may wait, all keys together. */
  queue?: number;
  /** How many of one key may wait. */
  queuePerKey?: number;
  /** The longest wait in milliseconds. */
  patience?: number;
  /** Makes the error that a caller without a slot gets. */
  busy(reached: Reached): Error;
}

interface Wait {
  signal?: AbortSignal | undefined;
  /** What several keys have in common, such as the machine that they need. */
  group?: string | undefined;
}

/** Who takes a slot. What is undefined has no limit of its own. */
interface Taker {
  key: string | undefined;
  group?: string | undefined;
}

interface Waiter extends Taker {
  go(): void;
}

/**
 * Slots that keys such as accounts or addresses share: one key never has them all, nor do the keys of one group, and what
 * waits for its own is passed by what waits for none. What has no key counts for the total alone.
 */
export class FairSlots {
  readonly #limits: Limits;
  readonly #held = new Tally();
  readonly #heldByGroups = new Tally();
  readonly #waiters: Waiter[] = [];
  #taken = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /**
   * Takes a slot at once.
   * @returns gives it back, once.
   * @throws busy when there is none.
   */
  take(key: string | undefined): () => void {
    const reached = this.#reached({ key });
    if (reached) throw this.#limits.busy(reached);
    return this.#hold({ key });
  }

  /**
   * Takes a slot, or waits for one.
   * @returns gives it back, once.
   * @throws busy when the queue is full or does not move; the signal's reason when it is aborted in the queue.
   */
  async wait(key: string | undefined, { signal, group }: Wait = {}): Promise<() => void> {
    const taker = { key, group };
    const reached = this.#reached(taker);
    if (!reached) return this.#hold(taker);
    signal?.throwIfAborted();
    const { queue = 0, queuePerKey = queue } = this.#limits;
    const own = key === undefined ? 0 : this.#waiters.filter((waiter) => waiter.key === key).length;
    if (this.#waiters.length >= queue || own >= queuePerKey) throw this.#limits.busy(reached);
    return this.#turn(taker, signal);
  }

  #reached({ key, group }: Taker): Reached | undefined {
    const { perKey, perGroup = Number.POSITIVE_INFINITY } = this.#limits;
    if (key !== undefined && this.#held.of(key) >= perKey) return 'key';
    if (group !== undefined && this.#heldByGroups.of(group) >= perGroup) return 'key';
    return this.#taken >= this.#limits.total ? 'total' : undefined;
  }

  #hold(taker: Taker): () => void {
    this.#count(taker, 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#count(taker, -1);
      this.#waiters.find((waiter) => !this.#reached(waiter))?.go();
    };
  }

  #count({ key, group }: Taker, by: 1 | -1): void {
    this.#taken += by;
    if (key !== undefined) this.#held.change(key, by);
    if (group !== undefined) this.#heldByGroups.change(group, by);
  }

  #turn(taker: Taker, signal: AbortSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const over = () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', onAbort);
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      };
      const refuse = (reason: unknown) => {
        over();
        reject(reason);
      };
      const onAbort = () => refuse(signal?.reason);
      const waiter: Waiter = {
        ...taker,
        go: () => {
          over();
          resolve(this.#hold(taker));
        },
      };
      const late = setTimeout(() => refuse(this.#limits.busy(this.#reached(taker) ?? 'total')), this.#limits.patience);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }
}
