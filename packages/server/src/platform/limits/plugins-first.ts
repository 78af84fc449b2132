import { stopwatch } from '../clock.ts';
import { AtMost } from './at-most.ts';

/** So long after a plugin's call, in milliseconds, further ones are expected. */
const EXPECTED = 100;
/** So much that can wait is under way while plugins call. */
const AT_ONCE = 2;

/**
 * Keeps the processor for plugins: what can wait, such as a shop's burst of orders, is done a little at a time while they call, and all at once
 * otherwise. It goes on meanwhile, in the order in which it came.
 */
export class PluginsFirst {
  readonly #few = new AtMost(AT_ONCE);
  #until = 0;

  /** A plugin calls, or was answered. */
  note(): void {
    this.#until = stopwatch() + EXPECTED;
  }

  get areCalling(): boolean {
    return stopwatch() < this.#until;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.areCalling ? this.#few.run(work) : work();
  }
}
