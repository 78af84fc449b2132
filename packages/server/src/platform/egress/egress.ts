import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { stopwatch } from '../clock.ts';
import { Slots } from '../slots.ts';
import { AddressRules } from './address-rules.ts';
import { resolverLookup } from './resolver-lookup.ts';
import { tunnel } from './tunnel.ts';

export type Lookup = LookupFunction;

/** Why no good answer came, in one word. */
export type EgressError =
  | 'address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'closed'
  | 'malformed'
  | 'redirect'
  | 'status'
  | 'proxy';

export interface EgressAnswer {
  /** Null: none came. */
  status: number | null;
  /** Null: it was a 2xx. */
  error: EgressError | null;
  /** Without cookies. Null: none came. */
  headers: Record<string, string> | null;
  /** How the body begins. */
  text: string | null;
  durationMs: number;
}

interface Limits {
  connectMs: number;
  totalMs: number;
  /** Bytes of the body that are read. */
  readBytes: number;
  /** Bytes of the body that are kept. */
  keptBytes: number;
}

interface Options {
  allow?: readonly string[];
  proxy?: string | undefined;
  lookup?: Lookup;
  limits?: Partial<Limits>;
}

const LIMITS: Limits = { connectMs: 5000, totalMs: 15_000, readBytes: 64 * 1024, keptBytes: 2048 };
const MOST_HEADERS = 50;
/** Connections to one host that are kept while they are idle: accounts share hosts. */
const MOST_KEPT = 50;
const HEADER_LENGTH = 500;
/** Addresses that were taken apart before. */
const KNOWN_TARGETS = 1000;

/** Where a request goes: an address taken apart. */
interface Target {
  url: URL;
  host: string;
  secure: boolean;
  path: string;
}

/** Ends a request before its answer: because its time is over, or because the process stops. */
class Limit {
  over = false;
  #ended = false;
  #request: ClientRequest | undefined;
  #controller: AbortController | undefined;

  /** Only for what takes no request: a signal costs as much as a tenth of one. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort();
    return this.#controller.signal;
  }

  watch(request: ClientRequest): ClientRequest {
    this.#request = request;
    if (this.#ended) request.destroy(new Ended());
    return request;
  }

  end(): void {
    this.#ended = true;
    this.#controller?.abort();
    this.#request?.destroy(new Ended());
  }
}

class Ended extends Error {
  readonly code = 'ABORT_ERR';
}

/** A host that resolves to what must not be reached. It tells nobody more than that. */
class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS';
}

/**
 * Requests to addresses that accounts choose. Every connection is checked, because a name can resolve to something else each
 * time; time, bytes and what is kept of an answer are bounded; redirects are not followed.
 */
export class Egress {
  readonly rules: AddressRules;
  readonly #limits: Limits;
  readonly #proxy: URL | null;
  readonly #lookups: { https: Lookup; http: Lookup };
  readonly #https: https.Agent;
  readonly #http: http.Agent;
  readonly #targets = new LRUCache<string, Target>({ max: KNOWN_TARGETS });
  /** What each signal ends: one listener for all, as adding one costs a tenth of a small request. */
  readonly #stopped = new WeakMap<AbortSignal, Slots<Limit>>();

  constructor({ allow = [], proxy, lookup, limits = {} }: Options = {}) {
    this.rules = new AddressRules(allow);
    this.#limits = { ...LIMITS, ...limits };
    this.#proxy = proxy ? new URL(proxy) : null;
    // names of one's own networks may be in a hosts file, which only the system's look-up reads
    const names = lookup ?? (this.rules.opened ? (systemLookup as Lookup) : resolverLookup());
    this.#lookups = { https: this.#checked(names, true), http: this.#checked(names, false) };
    // no limit per host: accounts share hosts, and what waits for a socket would count as not connecting
    const sockets = { keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: MOST_KEPT, timeout: 30_000 };
    // where the operator has opened networks, the look-up alone checks: the agents' own lists cannot mix IPv4 and IPv6
    const opened = { allowPrivateIPAddress: this.rules.opened, allowMetaIPAddress: this.rules.opened };
    this.#https = new RequestFilteringHttpsAgent({ ...sockets, ...opened });
    this.#http = new RequestFilteringHttpAgent({ ...sockets, ...opened });
  }

  /** Posts a body once. Never throws: whatever happens is an answer. */
  async post(
    address: string,
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ): Promise<EgressAnswer> {
    const started = stopwatch();
    const done = (answer: Omit<EgressAnswer, 'durationMs'>): EgressAnswer => ({
      ...answer,
      durationMs: Math.round(stopwatch() - started),
    });
    const nothing = (error: EgressError) => done({ status: null, error, headers: null, text: null });
    const target = this.#targetOf(address);
    const limit = new Limit();
    const stopped = signal && this.#endedBy(signal);
    const timer = setTimeout(() => {
      limit.over = true;
      limit.end();
    }, this.#limits.totalMs);
    if (signal?.aborted) limit.end();
    const leave = stopped?.add(limit);
    try {
      // as a list, they are not looked at one by one
      const sent = ['host', target.url.host, 'content-length', String(Buffer.byteLength(body))];
      for (const name in headers) sent.push(name, headers[name] as string);
      const request = await this.#open(target, sent, limit);
      try {
        return done(await this.#exchange(request, body, limit));
      } catch (error) {
        if (!request.reusedSocket || wordOf(error) !== 'closed') throw error;
        // the receiver had closed the kept connection in the same moment: no attempt of its own
        return done(await this.#exchange(await this.#open(target, sent, limit), body, limit));
      }
    } catch (error) {
      if (limit.over) return nothing('timeout');
      return nothing(wordOf(error));
    } finally {
      clearTimeout(timer);
      leave?.();
    }
  }

  #targetOf(address: string): Target {
    const known = this.#targets.get(address);
    if (known) return known;
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const target = { url, host, secure: url.protocol === 'https:', path: url.pathname + url.search };
    this.#targets.set(address, target);
    return target;
  }

  #endedBy(signal: AbortSignal): Slots<Limit> {
    const known = this.#stopped.get(signal);
    if (known) return known;
    const limits = new Slots<Limit>();
    this.#stopped.set(signal, limits);
    const endAll = () => {
      for (const limit of limits) limit.end();
    };
    signal.addEventListener('abort', endAll, { once: true });
    return limits;
  }

  close(): void {
    this.#https.destroy();
    this.#http.destroy();
  }

  async #open({ url, host, secure, path }: Target, headers: string[], limit: Limit): Promise<ClientRequest> {
    const options = {
      protocol: url.protocol,
      hostname: host,
      port: url.port,
      path,
      method: 'POST',
      headers,
      maxHeaderSize: 16 * 1024,
      lookup: this.#lookups[secure ? 'https' : 'http'],
    };
    if (this.#proxy) {
      const socket = await tunnel(this.#proxy, url, { signal: limit.signal, connectMs: this.#limits.connectMs });
      // without an agent, even `false`, which would be a new one that connects by itself
      return limit.watch((secure ? https : http).request({ ...options, createConnection: () => socket }));
    }
    if (isIP(host) !== 0 && !this.#isOpen(host, secure)) throw new AddressRefused();
    return limit.watch(
      secure
        ? https.request({ ...options, agent: this.#https, rejectUnauthorized: true })
        : http.request({ ...options, agent: this.#http }),
    );
  }

  #isOpen(address: string, secure: boolean): boolean {
    return this.rules.isOpened(address) || (secure && this.rules.isPublic(address));
  }

  /** Every address of a name has to be allowed, as any of them may be connected to. Unencrypted, only what is opened. */
  #checked(lookup: Lookup, secure: boolean): Lookup {
    return (host, options, done) => {
      lookup(host, { ...options, all: true }, (error, found) => {
        const addresses: LookupAddress[] = Array.isArray(found) ? found : [{ address: found, family: 4 }];
        if (error) return done(error, '', 0);
        const first = addresses[0];
        if (!first || !addresses.every(({ address }) => this.#isOpen(address, secure)))
          return done(new AddressRefused(), '', 0);
        if (options.all) (done as unknown as (e: null, all: LookupAddress[]) => void)(null, addresses);
        else done(null, first.address, first.family);
      });
    };
  }

  #exchange(request: ClientRequest, body: string, limit: Limit): Promise<Omit<EgressAnswer, 'durationMs'>> {
    const { connectMs } = this.#limits;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const connected = () => clearTimeout(timer);
      request.on('socket', (socket) => {
        if (!socket.connecting) return;
        timer = setTimeout(() => request.destroy(new ConnectTimeout()), connectMs);
        socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
      });
      request.on('close', connected);
      // once there is an answer, that itself ends in what went wrong
      request.on('error', reject);
      request.on('response', (response) => resolve(this.#read(response, limit)));
      // as text, it leaves in one write with the headers
      request.end(body, 'utf8');
    });
  }

  #read(response: IncomingMessage, limit: Limit): Promise<Omit<EgressAnswer, 'durationMs'>> {
    const { readBytes, keptBytes } = this.#limits;
    const status = response.statusCode ?? 0;
    const headers = keptHeaders(response);
    const kept: Buffer[] = [];
    let length = 0;
    return new Promise((resolve) => {
      const answer = (error: EgressError | null) =>
        resolve({ status, error, headers, text: printable(Buffer.concat(kept).subarray(0, keptBytes)) });
      const end = () => answer(errorOf(status));
      response.on('data', (chunk: Buffer) => {
        if (length < keptBytes) kept.push(chunk.subarray(0, keptBytes - length));
        length += chunk.length;
        if (length < readBytes) return;
        // what it wanted to tell is known; the connection is closed, not drained
        end();
        response.destroy();
      });
      response.on('end', end);
      const cut = () => answer(limit.over ? 'timeout' : 'closed');
      response.on('error', cut);
      response.on('close', cut);
    });
  }
}

function errorOf(status: number): EgressError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

class ConnectTimeout extends Error {
  readonly code = 'ERR_CONNECT_TIMEOUT';
}

const WORDS: Record<string, EgressError> = {
  ERR_ADDRESS: 'address',
  ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  ERR_PROXY: 'proxy',
};

function wordOf(error: unknown): EgressError {
  const { code = '', name = '', message = '' } = error as { code?: string; name?: string; message?: string };
  if (/is not allowed/.test(message)) return 'address';
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  if (WORDS[code]) return WORDS[code];
  if (/^HPE_/.test(code)) return 'malformed';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code)) return 'tls';
  return 'connect';
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {};
  let left = MOST_HEADERS;
  for (const name in headers) {
    if (name === 'set-cookie') continue;
    if (left === 0) break;
    left -= 1;
    const value = headers[name];
    kept[name] = clean(typeof value === 'string' ? value : [value].flat().join(', ')).slice(0, HEADER_LENGTH);
  }
  return kept;
}

const clean = (text: string) => (/^[ -~]*$/.test(text) ? text : text.replace(/[^\P{Cc}\n\t]/gu, ''));

function printable(bytes: Buffer): string {
  // the cut may have gone through a character
  return clean(bytes.toString('utf8')).replace(/\uFFFD+$/, '');
}
