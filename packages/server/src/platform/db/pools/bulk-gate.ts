import { AppError } from '#platform/errors.ts';
import { inLane } from '#platform/work-context.ts';

interface Waiter {
  account: string;
  go(): void;
}

interface Limits {
  /** How many run at once: the connections of the bulk pool. */
  slots: number;
  /** How many may wait, all accounts together. */
  queue?: number;
  /** How many of one account may wait. */
  queuePerAccount?: number;
  /** Longest wait in milliseconds. */
  patience?: number;
}

const RETRY_AFTER = 10;

/**
 * Admission to the bulk pool. Large work waits in a short line, at most half of the slots go to one account, and who
 * finds the line full is sent away with `Retry-After` instead of holding on to a socket.
 */
export class BulkGate {
  readonly #slots: number;
  readonly #perAccount: number;
  readonly #queue: number;
  readonly #queuePerAccount: number;
  readonly #patience: number;
  readonly #running = new Map<string, number>();
  readonly #waiters: Waiter[] = [];
  #count = 0;

  constructor(limits: Limits) {
    this.#slots = limits.slots;
    this.#perAccount = Math.max(1, Math.ceil(limits.slots / 2));
    this.#queue = limits.queue ?? 32;
    this.#queuePerAccount = limits.queuePerAccount ?? 8;
    this.#patience = limits.patience ?? 30_000;
  }

  /**
   * Runs large work on a connection of the bulk pool, which is then free for it.
   * @param account the account that the work belongs to.
   * @param work is passed whether it runs alone.
   * @throws {AppError} busy (429, with `Retry-After`) when the line is full or does not move.
   */
  async run<T>(account: string, work: (alone: boolean) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#fits(account)) this.#take(account);
    else await this.#turn(account, signal);
    try {
      return await inLane('bulk', () => work(this.#count === 1 && this.#waiters.length === 0));
    } finally {
      this.#leave(account);
    }
  }

  #fits(account: string): boolean {
    return this.#count < this.#slots && (this.#running.get(account) ?? 0) < this.#perAccount;
  }

  #take(account: string): void {
    this.#count += 1;
    this.#running.set(account, (this.#running.get(account) ?? 0) + 1);
  }

  async #turn(account: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const own = this.#waiters.filter((waiter) => waiter.account === account).length;
    if (this.#waiters.length >= this.#queue || own >= this.#queuePerAccount) throw busy();
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        settle();
      };
      const waiter: Waiter = { account, go: () => end(resolve) };
      const timer = setTimeout(() => end(() => reject(busy())), this.#patience);
      const onAbort = () => end(() => reject(signal?.reason));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }

  #leave(account: string): void {
    this.#count -= 1;
    const own = (this.#running.get(account) ?? 1) - 1;
    if (own === 0) this.#running.delete(account);
    else this.#running.set(account, own);
    const next = this.#waiters.find((waiter) => this.#fits(waiter.account));
    if (!next) return;
    this.#take(next.account);
    next.go();
  }
}

function busy(): AppError {
  return new AppError('busy', 'Other large imports and exports are running. Try again in a moment.', {
    retryAfter: RETRY_AFTER,
  });
}
