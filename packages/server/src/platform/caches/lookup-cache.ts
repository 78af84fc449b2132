import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

interface Options {
  clock: Clock;
  /** Milliseconds for which a result is valid; without it, until it is evicted. */
  lifetime?: number;
  /** How many results are kept; beyond that, the least recently used is dropped. */
  most?: number;
}

/**
 * A cache of lookups, for facts that every call on a hot path needs and that change once a month or never. Concurrent
 * callers share one lookup; missing values (undefined) and failures are looked up again.
 */
export class LookupCache<Value> {
  readonly #answers: LRUCache<string, Promise<Value>>;

  constructor({ clock, lifetime = 0, most = 10_000 }: Options) {
    const perf = { now: () => clock.now().getTime() };
    // an answer as old as its ttl is still given, and ours must not be
    const ttl = lifetime && lifetime - 1;
    this.#answers = new LRUCache({ max: most, ttl, ttlResolution: 0, perf });
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = load();
    this.#answers.set(key, answer);
    const drop = () => this.#answers.peek(key, { allowStale: true }) === answer && this.#answers.delete(key);
    answer.then((found) => found === undefined && drop(), drop);
    return answer;
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }

  clear(): void {
    this.#answers.clear();
  }
}
