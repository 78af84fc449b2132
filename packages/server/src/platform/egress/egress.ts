import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { stopwatch } from '../clock.ts';
import { Slots } from '../limits/slots.ts';
import { AddressRules } from './address-rules.ts';
import { type EgressAnswer, type EgressError, wordOf } from './answer.ts';
import { type Connection, Connections } from './connections.ts';
import { Dialer, type Lookup } from './dialer.ts';
import { type Came, Exchange, nothing, type ReadLimits } from './exchange.ts';
import { type Target, targetOf } from './target.ts';

export type { Lookup } from './dialer.ts';

interface Limits extends ReadLimits {
  connectMs: number;
  totalMs: number;
}

interface Sending {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  once?: true;
}

/** A request to an address, and how much of its answer is read. */
interface Question {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  bytes: number;
  signal?: AbortSignal;
  /** The request must not be made twice, so it takes no connection that could end before the request is read. */
  once?: true;
}

interface Options {
  allow?: readonly string[];
  proxy?: string | undefined;
  lookup?: Lookup;
  limits?: Partial<Limits>;
}

/** The limits of every request. `totalMs` is all that one takes, its connection included. */
export const LIMITS: Limits = { connectMs: 5000, totalMs: 15_000, readBytes: 64 * 1024, keptBytes: 2048 };
/** Addresses that were taken apart before. */
const KNOWN_TARGETS = 1000;

/** A request that is under way, on one connection after another. */
class UnderWay {
  over: EgressError | undefined;
  #exchange: Exchange | undefined;
  #connection: Connection | undefined;

  on(connection: Connection, exchange: Exchange): void {
    this.#connection = connection;
    this.#exchange = exchange;
    if (this.over) this.end(this.over);
  }

  /** Before its answer: because its time is over, or because the process stops. */
  end(error: EgressError): void {
    this.over = error;
    this.#exchange?.end(error);
    this.#connection?.close();
  }
}

/**
 * Requests to addresses that accounts choose. Every connection is checked (`dialer.ts`); time, bytes and what is kept of an
 * answer are bounded; redirects are not followed.
 */
export class Egress {
  readonly rules: AddressRules;
  readonly #limits: Limits;
  readonly #connections: Connections;
  readonly #targets = new LRUCache<string, Target>({ max: KNOWN_TARGETS });
  /** The requests that each signal ends. They share one listener: adding one costs a tenth of a small request. */
  readonly #stopped = new WeakMap<AbortSignal, Slots<UnderWay>>();

  constructor({ allow = [], proxy, lookup, limits = {} }: Options = {}) {
    this.rules = new AddressRules(allow);
    this.#limits = { ...LIMITS, ...limits };
    const { rules } = this;
    const { connectMs } = this.#limits;
    const dialer = new Dialer({ rules, lookup, connectMs, proxy: proxy ? new URL(proxy) : null });
    this.#connections = new Connections((target, signal) => dialer.dial(target, signal));
  }

  /** Posts a body once, to an address that has no `urlProblem`. Whatever happens then is an answer. */
  post(address: string, headers: Record<string, string>, body: string, signal?: AbortSignal): Promise<EgressAnswer> {
    return this.#answer(address, { method: 'POST', headers, body }, this.#limits, signal);
  }

  /**
   * Reads a text whole, from an address that has no `urlProblem`. Whatever happens then is an answer: one that is not shorter than
   * `bytes` is malformed.
   */
  get(address: string, bytes: number): Promise<EgressAnswer> {
    return this.ask(address, { bytes });
  }

  /** The same with headers and a body, and until a signal. */
  async ask(
    address: string,
    { method = 'GET', headers = {}, body, bytes, signal, once }: Question,
  ): Promise<EgressAnswer> {
    const limits = { readBytes: bytes, keptBytes: bytes };
    const sending = {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      ...(once ? { once } : {}),
    };
    const answer = await this.#answer(address, sending, limits, signal);
    const isCut = answer.text !== null && Buffer.byteLength(answer.text) >= bytes;
    return isCut ? { ...answer, error: 'malformed', text: null } : answer;
  }

  async #answer(address: string, sending: Sending, limits: ReadLimits, signal?: AbortSignal): Promise<EgressAnswer> {
    const started = stopwatch();
    const underWay = new UnderWay();
    const timer = setTimeout(() => underWay.end('timeout'), this.#limits.totalMs);
    if (signal?.aborted) underWay.end('timeout');
    const remove = signal && this.#endedBy(signal).add(underWay);
    try {
      const came = await this.#send(address, sending, limits, underWay);
      return { ...came, durationMs: Math.round(stopwatch() - started) };
    } finally {
      clearTimeout(timer);
      remove?.();
    }
  }

  close(): void {
    this.#connections.close();
  }

  async #send(
    address: string,
    { headers, once, ...sending }: Sending,
    limits: ReadLimits,
    underWay: UnderWay,
  ): Promise<Came> {
    const target = this.#targetOf(address);
    // as a list, they are not looked at one by one
    const sent = ['host', target.url.host];
    for (const name in headers) sent.push(name, headers[name] as string);
    const request = { ...sending, path: target.path, headers: sent };
    const kept = once ? this.#connections.open(target) : this.#connections.take(target);
    try {
      return await this.#exchange(request, kept, limits, underWay);
    } catch (error) {
      const word = wordOf(error);
      if (!kept.isReused || word !== 'closed') return nothing(word);
    }
    // the receiver had closed the kept connection in the same moment: no attempt of its own
    return this.#exchange(request, this.#connections.open(target), limits, underWay).catch((error) =>
      nothing(wordOf(error)),
    );
  }

  async #exchange(
    request: Dispatcher.DispatchOptions,
    connection: Connection,
    limits: ReadLimits,
    underWay: UnderWay,
  ): Promise<Came> {
    const exchange = new Exchange(limits);
    underWay.on(connection, exchange);
    try {
      connection.send(request, exchange);
      return await exchange.answer;
    } finally {
      if (exchange.isWhole) this.#connections.giveBack(connection);
      else connection.close();
    }
  }

  #targetOf(address: string): Target {
    const known = this.#targets.get(address);
    if (known) return known;
    const target = targetOf(address);
    this.#targets.set(address, target);
    return target;
  }

  #endedBy(signal: AbortSignal): Slots<UnderWay> {
    const known = this.#stopped.get(signal);
    if (known) return known;
    const all = new Slots<UnderWay>();
    this.#stopped.set(signal, all);
    const endAll = () => {
      for (const each of all) each.end('timeout');
    };
    signal.addEventListener('abort', endAll, { once: true });
    return all;
  }
}
