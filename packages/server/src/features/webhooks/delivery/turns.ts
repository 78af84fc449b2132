import type { Due } from './due.ts';

/** At most so many requests of this process at once. */
const SLOTS = 50;
/** And to one endpoint, of all processes together. */
export const PER_ENDPOINT = 5;

/** An endpoint that this process sends to, with what it has of it in hand. All times are those of the stopwatch. */
export class Served {
  readonly developerId: string;
  readonly id: string;
  /** When the lease ends. */
  until = 0;
  /** When its turn began. */
  since = 0;
  /** It goes to whichever process is next, once nothing of it is under way. */
  leaving = false;
  /** Something may be due that has not been read. */
  more = true;
  slow = false;
  answers = false;
  /** Much was read of it, and its requests take so long that this waits. */
  stalls = false;
  /** What was read of it before then is out of date. */
  changedAt = 0;
  /** When it last had something in hand. */
  usedAt = 0;
  readonly waiting: { due: Due; readAt: number }[] = [];
  sending = 0;
  /** Read, and not let go of: waiting, being sent, or about to be noted. */
  inHand = 0;

  constructor({ developer_id, id }: { developer_id: string; id: string }) {
    this.developerId = developer_id;
    this.id = id;
  }

  get isBusy(): boolean {
    return this.inHand > 0 || this.more;
  }

  get atOnce(): number {
    return this.slow ? 1 : PER_ENDPOINT;
  }
}

/**
 * What this process has read: what it sends right now, and what waits for a free request. Endpoints take turns, and none has
 * more requests at once than it may.
 */
export class Turns {
  /** Those of which something waits, in the order of their turns. */
  readonly #queue = new Set<Served>();
  readonly #ids = new Set<string>();
  #waits = 0;
  #sent = 0;

  /** How many wait for a request. */
  get waiting(): number {
    return this.#waits;
  }

  /** How many of these do not wait for another one of the same endpoint. */
  get ready(): number {
    let ready = 0;
    for (const { sending, atOnce, waiting } of this.#queue) if (sending < atOnce) ready += waiting.length;
    return ready;
  }

  /** The deliveries in hand. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  add(served: Served, due: Due, readAt: number): void {
    served.waiting.push({ due, readAt });
    served.inHand += 1;
    this.#queue.add(served);
    this.#ids.add(due.id);
    this.#waits += 1;
  }

  /** Whose turn it is; undefined: nobody's. */
  next(): { served: Served; due: Due; readAt: number } | undefined {
    if (this.#sent >= SLOTS) return undefined;
    for (const served of this.#queue) {
      if (served.sending >= served.atOnce) continue;
      const first = served.waiting.shift();
      this.#queue.delete(served);
      if (!first) continue;
      // behind the others
      if (served.waiting.length > 0) this.#queue.add(served);
      served.sending += 1;
      this.#waits -= 1;
      this.#sent += 1;
      return { served, ...first };
    }
    return undefined;
  }

  /** The request is over; what came of it may not be noted yet. */
  ended(served: Served): void {
    served.sending -= 1;
    this.#sent -= 1;
  }

  /** It is noted, or not to be sent: it can be read again. */
  letGo(served: Served, due: Due): void {
    served.inHand -= 1;
    this.#ids.delete(due.id);
  }

  /** Lets go of what waits, so that it is read anew. */
  drop(served: Served): void {
    if (served.waiting.length === 0) return;
    for (const { due } of served.waiting) this.letGo(served, due);
    this.#waits -= served.waiting.length;
    served.waiting.length = 0;
    served.more = true;
    this.#queue.delete(served);
  }
}
