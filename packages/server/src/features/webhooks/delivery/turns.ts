import type { Claimed } from './claims.ts';

interface Limits {
  /** Requests at once. */
  slots: number;
  /** To one endpoint. */
  perEndpoint: number;
}

/**
 * What this process has claimed: what it sends right now, and what waits for a free request. Endpoints take turns, and none
 * has more requests at once than it may.
 */
export class Turns {
  readonly #limits: Limits;
  /** By endpoint. It has an entry while something of it waits. */
  readonly #waiting = new Map<string, Claimed[]>();
  readonly #sending = new Map<string, number>();
  readonly #held = new Map<string, number>();
  #waits = 0;
  #sent = 0;
  #slow = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many wait for a request. */
  get waiting(): number {
    return this.#waits;
  }

  /** By endpoint, how many are claimed and not let go of. */
  get held(): ReadonlyMap<string, number> {
    return this.#held;
  }

  /** How many of slow endpoints are. */
  get slow(): number {
    return this.#slow;
  }

  add(claimed: Claimed): void {
    const own = this.#waiting.get(claimed.endpoint_id);
    if (own) own.push(claimed);
    else this.#waiting.set(claimed.endpoint_id, [claimed]);
    this.#waits += 1;
    this.#count(claimed, 1);
  }

  /** Whose turn it is; undefined: nobody's. */
  next(): Claimed | undefined {
    if (this.#sent >= this.#limits.slots) return undefined;
    for (const [endpointId, own] of this.#waiting) {
      const [first] = own;
      const sending = this.#sending.get(endpointId) ?? 0;
      if (!first || sending >= (first.slow ? 1 : this.#limits.perEndpoint)) continue;
      own.shift();
      this.#waiting.delete(endpointId);
      // behind the others
      if (own.length > 0) this.#waiting.set(endpointId, own);
      this.#sending.set(endpointId, sending + 1);
      this.#waits -= 1;
      this.#sent += 1;
      return first;
    }
    return undefined;
  }

  /** The request is over; what came of it may not be noted yet. */
  ended({ endpoint_id }: Claimed): void {
    const left = (this.#sending.get(endpoint_id) ?? 0) - 1;
    if (left > 0) this.#sending.set(endpoint_id, left);
    else this.#sending.delete(endpoint_id);
    this.#sent -= 1;
  }

  /** It is noted, or given back: it belongs to nobody. */
  letGo(claimed: Claimed): void {
    this.#count(claimed, -1);
  }

  /** Takes out what waits and is not to be sent any more. */
  withdraw(which: (claimed: Claimed) => boolean): Claimed[] {
    const out: Claimed[] = [];
    for (const [endpointId, own] of this.#waiting) {
      const kept = own.filter((each) => !which(each));
      if (kept.length === own.length) continue;
      out.push(...own.filter(which));
      if (kept.length > 0) this.#waiting.set(endpointId, kept);
      else this.#waiting.delete(endpointId);
    }
    this.#waits -= out.length;
    return out;
  }

  #count({ endpoint_id, slow }: Claimed, by: 1 | -1): void {
    const held = (this.#held.get(endpoint_id) ?? 0) + by;
    if (held > 0) this.#held.set(endpoint_id, held);
    else this.#held.delete(endpoint_id);
    if (slow) this.#slow += by;
  }
}
