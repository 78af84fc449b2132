import { setTimeout as pause } from 'node:timers/promises';
import { stopwatch } from '../clock.ts';
import { inLane } from '../work-context.ts';

const MOST = 10_000;
/** A rest is as many times as long as what was written before it, unless others wait for it to end. */
const REST = 3;

/** Lets callers of the database have their turn, between two statements of a long hand-over. */
type Rest = () => Promise<void>;
type Write<Value> = (notes: ReadonlyMap<string, Value>, rest: Rest) => Promise<void>;

/**
 * Notes that may be a minute late: "last used", "last seen". Kept in memory by key, the newest wins, and handed over
 * together, so that no caller waits for a write.
 */
export class WriteBehind<Value> {
  #waiting = new Map<string, Value>();
  /** Handed over and not written yet, the oldest first. */
  readonly #leaving: Map<string, Value>[] = [];
  readonly #write: Write<Value>;
  readonly #onError: (error: unknown) => void;
  readonly #most: number;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /**
   * @param interval milliseconds between two hand-overs.
   * @param most notes that wait; then they are handed over early.
   */
  constructor(interval: number, write: Write<Value>, onError: (error: unknown) => void, most = MOST) {
    this.#write = write;
    this.#onError = onError;
    this.#most = most;
    this.#timer = setInterval(() => void this.flush(), interval);
    this.#timer.unref();
  }

  note(key: string, value: Value): void {
    this.#waiting.set(key, value);
    // not on the connections of the caller that noted the last one
    if (this.#waiting.size >= this.#most) inLane('api', () => void this.flush());
  }

  /** The value that waits to be handed over under a key. */
  waiting(key: string): Value | undefined {
    return this.#waiting.get(key);
  }

  /** All under a key that are not written yet, the oldest first. */
  unwritten(key: string): Value[] {
    const found: Value[] = [];
    // every validation asks: nothing is made but the answer
    for (const notes of this.#leaving) add(found, notes.get(key));
    return add(found, this.#waiting.get(key));
  }

  flush(): Promise<void> {
    if (this.#waiting.size === 0) return this.#running;
    const notes = this.#waiting;
    this.#waiting = new Map();
    this.#leaving.push(notes);
    this.#running = this.#running.then(() => this.#writeAll(notes));
    return this.#running;
  }

  async #writeAll(notes: ReadonlyMap<string, Value>): Promise<void> {
    const { signal } = this.#closing;
    let since = stopwatch();
    const rest = async () => {
      const isLast = this.#leaving.length === 1;
      if (isLast && !signal.aborted)
        await pause(REST * (stopwatch() - since), undefined, { signal, ref: false }).catch(() => undefined);
      since = stopwatch();
    };
    await this.#write(notes, rest).catch(this.#onError);
    this.#leaving.shift();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.flush();
  }
}

function add<Value>(found: Value[], value: Value | undefined): Value[] {
  if (value !== undefined) found.push(value);
  return found;
}
