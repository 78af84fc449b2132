/** Runs work of a kind at most so many at once; the rest waits in the order in which it came. */
export class AtMost {
  readonly limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    // the next work takes over the place of the one that ends
    if (this.#running >= this.limit) await new Promise<void>((enter) => this.#waiting.push(enter));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
