import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import type { Places } from './draw.queries.ts';

/** Milliseconds. So long a code that was returned elsewhere may be passed over, unless no others are left. */
const LIFETIME = 500;
const NONE: Places = new Map();

/** How far the batches of a pool were handed out a moment ago. Only a place to begin at: what is left is never judged by it. */
export class RecentPlaces {
  readonly #pools: LRUCache<string, Map<string, string>>;

  constructor(clock: Clock) {
    const perf = { now: () => clock.now().getTime() };
    this.#pools = new LRUCache({ max: 1000, ttl: LIFETIME, ttlResolution: 0, perf });
  }

  of(pool: string): Places {
    return this.#pools.get(pool) ?? NONE;
  }

  /** The lifetime begins with the first of them, so that a busy pool is read from its beginning twice a second as well. */
  note(pool: string, taken: readonly { batch_id: string | null; serial_id: string | null }[]): void {
    const places = this.#pools.get(pool) ?? new Map<string, string>();
    for (const { batch_id, serial_id } of taken)
      if (batch_id && serial_id && serial_id > (places.get(batch_id) ?? '')) places.set(batch_id, serial_id);
    if (!this.#pools.has(pool)) this.#pools.set(pool, places);
  }

  forget(pool: string): void {
    this.#pools.delete(pool);
  }
}
