/** The source of the time, so that a test can hold it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that only moves when told to. */
export class TestClock implements Clock {
  #now: Date;

  constructor(start: Date | string) {
    this.#now = new Date(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  set(to: Date | string): void {
    this.#now = new Date(to);
  }

  /** @param ms milliseconds to move on by. */
  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * Milliseconds of a stopwatch, for how long a socket takes: no change of the machine's clock, and no test, moves it.
 */
export const stopwatch = (): number => performance.now();
