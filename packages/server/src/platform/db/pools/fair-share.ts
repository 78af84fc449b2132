import { AppError } from '#platform/errors.ts';

interface Waiter {
  account: string | undefined;
  go(): void;
}

const PATIENCE_MS = 5000;

/**
 * Keeps part of a pool free from work that can take long, and divides the rest among accounts: one account's slow
 * requests wait for each other, never for long in front of everybody else's.
 */
export class Shares {
  readonly #most: number;
  readonly #perAccount: number;
  readonly #running = new Map<string, number>();
  readonly #waiters: Waiter[] = [];
  #count = 0;

  /** @param size of the pool: about 3 in 10 connections stay free, one account gets half of the others. */
  constructor(size: number) {
    this.#most = Math.max(1, size - Math.max(1, Math.round(size * 0.3)));
    this.#perAccount = Math.max(1, Math.ceil(this.#most / 2));
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /**
   * Waits for a place. The answer gives it back.
   * @throws {AppError} busy after five seconds.
   */
  async enter(account: string | undefined): Promise<() => void> {
    if (!this.#fits(account)) await this.#turn(account);
    else this.#take(account);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(account);
    };
  }

  #fits(account: string | undefined): boolean {
    const own = account === undefined ? 0 : (this.#running.get(account) ?? 0);
    return this.#count < this.#most && own < this.#perAccount;
  }

  #take(account: string | undefined): void {
    this.#count += 1;
    if (account !== undefined) this.#running.set(account, (this.#running.get(account) ?? 0) + 1);
  }

  #turn(account: string | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        account,
        go: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(new AppError('busy', 'Too many requests are running. Try again in a moment.', { retryAfter: 2 }));
      }, PATIENCE_MS);
      this.#waiters.push(waiter);
    });
  }

  #leave(account: string | undefined): void {
    this.#count -= 1;
    if (account !== undefined) {
      const own = (this.#running.get(account) ?? 1) - 1;
      if (own === 0) this.#running.delete(account);
      else this.#running.set(account, own);
    }
    const next = this.#waiters.findIndex((waiter) => this.#fits(waiter.account));
    if (next < 0) return;
    const [waiter] = this.#waiters.splice(next, 1) as [Waiter];
    this.#take(waiter.account);
    waiter.go();
  }
}
