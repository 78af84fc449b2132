import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

interface Options {
  clock: Clock;
  /** Milliseconds for which an answer holds; without it, until there is no room for it any more. */
  lifetime?: number;
  /** How many answers are kept; beyond that, the one that was not asked for the longest goes. */
  most?: number;
}

/**
 * Remembered look-ups, for facts that every call on a hot path needs and that change once a month or never. Simultaneous
 * callers share one look-up; what was not found (undefined), and what failed, is asked for again.
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
