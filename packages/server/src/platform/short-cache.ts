import type { Clock } from './clock.ts';

/**
 * Answers that may be half a second old: for facts that every call on a hot path needs and that change once a month.
 * Simultaneous callers share one look-up; what was not found, and what failed, is asked for again.
 */
export class ShortCache<Value> {
  readonly #clock: Clock;
  readonly #lifetime: number;
  readonly #most: number;
  readonly #entries = new Map<string, { value: Promise<Value | undefined>; until: number }>();

  /** @param lifetime milliseconds. */
  constructor(clock: Clock, lifetime = 500, most = 10_000) {
    this.#clock = clock;
    this.#lifetime = lifetime;
    this.#most = most;
  }

  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const now = this.#clock.now().getTime();
    const known = this.#entries.get(key);
    if (known && known.until > now) return known.value;
    // Map keeps the order of insertion, so the first key is the oldest
    if (this.#entries.size >= this.#most) this.#entries.delete(this.#entries.keys().next().value as string);
    const value = load();
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: now + this.#lifetime });
    value.then(
      (found) => found === undefined && this.forget(key),
      () => this.forget(key),
    );
    return value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
