interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Runs items of one key in turns: those that arrive while a turn runs wait, holding nothing, and take the next one
 * together. So however many arrive, a key costs one transaction at a time.
 */
export class InTurns<Item, Result> {
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #fits: (items: readonly Item[]) => boolean;

  /**
   * @param run answers each item, in their order.
   * @param fits whether items are few enough for one turn; a single one always is.
   */
  constructor(run: (items: Item[]) => Promise<Result[]>, fits: (items: readonly Item[]) => boolean) {
    this.#run = run;
    this.#fits = fits;
  }

  take(key: string, item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting = this.#waiting.get(key);
      if (waiting) return void waiting.push({ item, resolve, reject });
      this.#waiting.set(key, [{ item, resolve, reject }]);
      void this.#drain(key);
    });
  }

  async #drain(key: string): Promise<void> {
    for (let queue = this.#waiting.get(key); queue && queue.length > 0; ) {
      const turn = queue.splice(0, 1);
      while (queue[0] && this.#fits([...turn, queue[0]].map(({ item }) => item)))
        turn.push(queue.shift() as Waiting<Item, Result>);
      try {
        const results = await this.#run(turn.map(({ item }) => item));
        for (const [index, { resolve }] of turn.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of turn) reject(error);
      }
    }
    this.#waiting.delete(key);
  }
}
