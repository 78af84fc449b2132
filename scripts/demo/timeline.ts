import { DAY, type TestClock } from '../../packages/server/src/platform/clock.ts';

interface Moment {
  at: number;
  happen: () => Promise<unknown>;
}

/** Runs everything in the order of its time, under a clock that is moved to it. */
export class Timeline {
  readonly #clock: TestClock;
  readonly #begin: number;
  readonly #end: number;
  #moments: Moment[] = [];

  constructor(clock: TestClock, days: number, end: Date) {
    this.#clock = clock;
    this.#end = end.getTime();
    this.#begin = this.#end - days * DAY;
  }

  get begin(): Date {
    return new Date(this.#begin);
  }

  /** @param day counted from the first, with fractions; nothing happens after the end. */
  on(day: number, happen: Moment['happen']): void {
    this.at(new Date(Math.min(this.#begin + day * DAY, this.#end)), happen);
  }

  /** Plans something for a time. It may itself plan what comes later. */
  at(time: Date, happen: Moment['happen']): void {
    if (time.getTime() <= this.#end) this.#moments.push({ at: time.getTime(), happen });
  }

  async run(): Promise<void> {
    while (this.#moments.length > 0) {
      const due = this.#moments.toSorted((a, b) => a.at - b.at);
      this.#moments = [];
      for (const [index, { at, happen }] of due.entries()) {
        this.#clock.set(new Date(at));
        await happen();
        if (this.#moments.length === 0) continue;
        // something new was planned: it is sorted in with what is left
        this.#moments.push(...due.slice(index + 1));
        break;
      }
    }
    this.#clock.set(new Date(this.#end));
  }
}
