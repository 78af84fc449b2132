/** Hands over early when this many are waiting. */
const MOST = 10_000;

/**
 * Notes that may be a minute late: "last used", "last seen". Kept in memory by key, the newest wins, and handed over
 * together, so that no caller waits for a write.
 */
export class WriteBehind<Value> {
  #waiting = new Map<string, Value>();
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
    if (this.#waiting.size >= MOST) void this.flush();
  }

  /** What waits to be written under a key. */
  waiting(key: string): Value | undefined {
    return this.#waiting.get(key);
  }

  flush(): Promise<void> {
    if (this.#waiting.size === 0) return this.#running;
    const notes = this.#waiting;
    this.#waiting = new Map();
    this.#running = this.#running.then(() => this.#write(notes).catch(this.#onError));
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
