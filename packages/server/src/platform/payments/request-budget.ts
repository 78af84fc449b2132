import { setTimeout as pause } from 'node:timers/promises';
import { SECOND, stopwatch } from '../clock.ts';

/** The requests per second that Stripe lets an account make at least, in test mode; live ones get 100. */
export const REQUESTS_PER_SECOND = 25;

interface Time {
  /** Milliseconds. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

/** Lets so many calls begin per second, evenly; the others wait for their turn, in their order. */
export class RequestBudget {
  readonly #gap: number;
  readonly #time: Time;
  #next = 0;

  constructor(perSecond: number, time: Time = { now: stopwatch, pause }) {
    this.#gap = SECOND / perSecond;
    this.#time = time;
  }

  async take(): Promise<void> {
    const now = this.#time.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await this.#time.pause(at - now);
  }

  /** Another client of the account has used up the budget: new calls wait at least so many milliseconds. */
  rest(milliseconds: number): void {
    this.#next = Math.max(this.#next, this.#time.now() + milliseconds);
  }
}
