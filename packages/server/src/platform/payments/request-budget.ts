import { setTimeout as pause } from 'node:timers/promises';
import { SECOND, stopwatch } from '../clock.ts';

/** Lets so many calls begin per second, evenly; the others wait for their turn, in their order. */
export class RequestBudget {
  readonly #gap: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#gap = SECOND / perSecond;
  }

  async take(): Promise<void> {
    const now = stopwatch();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await pause(at - now);
  }
}
