import { Tally } from '#platform/limits/tally.ts';
import type { Due } from './due.ts';

/** The most requests of this process at once. */
const SLOTS = 50;
/** The most requests to one endpoint at once, of all processes together. */
export const PER_ENDPOINT = 5;
/** The most requests at once to all endpoints together that answer late, or not at all. */
const MOST_LATE = 25;

/** A delivery, and when it was read. */
interface Read {
  due: Due;
  readAt: number;
}

/** A request that may begin. */
export interface Turn extends Read {
  endpoint: EndpointState;
  /** The request is over; its result may not be noted yet. */
  end(): void;
}

/** An endpoint that this process sends to, with what it has of it in hand. All times are those of the stopwatch. */
export class EndpointState {
  readonly developerId: string;
  readonly id: string;
  /** When the lease ends. */
  until = 0;
  /** When its turn began. */
  since = 0;
  /** It goes to whichever process is next, once nothing of it is under way. */
  yielding = false;
  /** Something may be due that has not been read. */
  mayBeDue = true;
  slow = false;
  /** Its last request took so long that it shares places with others of its kind. */
  answersLate = false;
  answers = false;
  /** Much was read of it, and its requests take so long that this waits. */
  backsUp = false;
  /** When it changed: deliveries that were read before are out of date. */
  changedAt = 0;
  /** When it last had something in hand. */
  usedAt = 0;
  readonly waiting: Read[] = [];
  sending = 0;
  /** Read and not finished: waiting, being sent, or about to be noted. */
  inHand = 0;

  constructor({ developer_id, id }: { developer_id: string; id: string }) {
    this.developerId = developer_id;
    this.id = id;
  }

  get isBusy(): boolean {
    return this.inHand > 0 || this.mayBeDue;
  }

  get atOnce(): number {
    return this.slow ? 1 : PER_ENDPOINT;
  }
}

/**
 * Deliveries that this process has read: those that it sends right now, and those that wait for a free request.
 * Endpoints take turns, and none has more requests at once than it may. An account has no more than half as many as are
 * free, and a host no more than are free, so that one that takes all it can, and never answers, leaves the others the
 * greater part.
 * @see Choudhury and Hahne, Dynamic queue length thresholds for shared-memory packet switches (1998): the same with memory.
 */
export class Scheduler {
  /** Those of which something waits, or is to be read anew, in the order of their turns. */
  readonly #queue = new Set<EndpointState>();
  readonly #ids = new Set<string>();
  /** How many requests are under way. */
  readonly #ofAccount = new Tally();
  readonly #ofHost = new Tally();
  #waits = 0;
  #sent = 0;
  #late = 0;

  /** How many wait for a request. */
  get waiting(): number {
    return this.#waits;
  }

  /** How many of these wait for nothing but a free one, and for no other of the same endpoint, account or host. */
  get ready(): number {
    let ready = 0;
    for (const endpoint of this.#queue) if (this.#mayBegin(endpoint)) ready += endpoint.waiting.length;
    return ready;
  }

  /** The deliveries in hand. */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  add(endpoint: EndpointState, due: Due, readAt: number): void {
    endpoint.waiting.push({ due, readAt });
    endpoint.inHand += 1;
    this.#queue.add(endpoint);
    this.#ids.add(due.id);
    this.#waits += 1;
  }

  /** Whose turn it is; undefined: nobody's. */
  next(): Turn | undefined {
    if (this.#sent >= SLOTS) return undefined;
    for (const endpoint of this.#queue) {
      if (!this.#mayBegin(endpoint)) continue;
      const first = endpoint.waiting.shift() as Read;
      this.#queue.delete(endpoint);
      // behind the others
      if (endpoint.waiting.length > 0) this.#queue.add(endpoint);
      this.#waits -= 1;
      return { ...first, endpoint, end: this.#begun(endpoint, first.due) };
    }
    return undefined;
  }

  /** It is noted, or not to be sent: it can be read again. */
  letGo(endpoint: EndpointState, due: Due): void {
    endpoint.inHand -= 1;
    this.#ids.delete(due.id);
  }

  /** Lets go of what waits, so that it is read anew. Its turn stays: else it might never come to one among many. */
  drop(endpoint: EndpointState): void {
    if (endpoint.waiting.length === 0) return;
    for (const { due } of endpoint.waiting) this.letGo(endpoint, due);
    this.#waits -= endpoint.waiting.length;
    endpoint.waiting.length = 0;
    endpoint.mayBeDue = true;
  }

  /** Another process may send to it now. */
  remove(endpoint: EndpointState): void {
    this.drop(endpoint);
    this.#queue.delete(endpoint);
  }

  /** As soon as one is free. */
  #mayBegin(endpoint: EndpointState): boolean {
    const free = Math.max(1, SLOTS - this.#sent);
    const [first] = endpoint.waiting;
    if (!first || endpoint.sending >= endpoint.atOnce) return false;
    if (endpoint.answersLate && this.#late >= MOST_LATE) return false;
    return 2 * this.#ofAccount.of(endpoint.developerId) < free && this.#ofHost.of(first.due.to.host) < free;
  }

  /** @returns what to do at its end. */
  #begun(endpoint: EndpointState, { to }: Due): () => void {
    const { answersLate, developerId } = endpoint;
    const change = (by: 1 | -1) => {
      endpoint.sending += by;
      this.#sent += by;
      this.#ofAccount.change(developerId, by);
      this.#ofHost.change(to.host, by);
      if (answersLate) this.#late += by;
    };
    change(1);
    return () => change(-1);
  }
}
