/**
 * Notes that may be a minute late: "last used", "last seen". Kept in memory by key, the newest wins, and handed over
 * together, so that no caller waits for a write.
 */
export class LateNotes<Value> {
  readonly #waiting = new Map<string, Value>();
  readonly #write: (notes: Map<string, Value>) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();

  /** @param interval milliseconds between two hand-overs. */
  constructor(
    interval: number,
    write: (notes: Map<string, Value>) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#write = write;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush(), interval);
    this.#timer.unref();
  }

  note(key: string, value: Value): void {
    this.#waiting.set(key, value);
  }

  /** What waits to be written under a key. */
  waiting(key: string): Value | undefined {
    return this.#waiting.get(key);
  }

  flush(): Promise<void> {
    this.#running = this.#running.then(async () => {
      if (this.#waiting.size === 0) return;
      const notes = new Map(this.#waiting);
      this.#waiting.clear();
      await this.#write(notes).catch(this.#onError);
    });
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
