import { stopwatch } from './clock.ts';

/**
 * How long one request may wait for the database in all: for connections and for statements. What it does in between
 * does not count, and waits at the same time count once.
 */
export class Patience {
  #left: number;
  #waits = 0;
  #since = 0;

  constructor(ms: number) {
    this.#left = ms;
  }

  get left(): number {
    return Math.max(0, this.#waits === 0 ? this.#left : this.#left - (stopwatch() - this.#since));
  }

  /** Starts a wait that counts. @returns a function that ends it */
  wait(): () => void {
    if (this.#waits === 0) this.#since = stopwatch();
    this.#waits += 1;
    let waited = false;
    return () => {
      if (waited) return;
      waited = true;
      this.#waits -= 1;
      if (this.#waits === 0) this.#left -= stopwatch() - this.#since;
    };
  }

  /** The request has its answer: what it left behind is nobody's wait. */
  end(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }
}
