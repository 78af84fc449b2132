import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { stopwatch } from '../clock.ts';
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
const HEADER_LENGTH = 500;

/** Whether the time of a request is over. */
interface Deadline {
  over: boolean;
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

  constructor({ allow = [], proxy, lookup, limits = {} }: Options = {}) {
    this.rules = new AddressRules(allow);
    this.#limits = { ...LIMITS, ...limits };
    this.#proxy = proxy ? new URL(proxy) : null;
    // names of one's own networks may be in a hosts file, which only the system's look-up reads
    const names = lookup ?? (this.rules.opened ? (systemLookup as Lookup) : resolverLookup());
    this.#lookups = { https: this.#checked(names, true), http: this.#checked(names, false) };
    // no limit per host: accounts share hosts, and what waits for a socket would count as not connecting
    const sockets = { keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 5, timeout: 30_000 };
    // where the operator has opened networks, the look-up alone checks: the agents' own lists cannot mix IPv4 and IPv6
    const opened = { allowPrivateIPAddress: this.rules.opened, allowMetaIPAddress: this.rules.opened };
    this.#https = new RequestFilteringHttpsAgent({ ...sockets, ...opened });
    this.#http = new RequestFilteringHttpAgent({ ...sockets, ...opened });
  }

  /** Posts a body once. Never throws: whatever happens is an answer. */
  async post(
    address: string,
    headers: Record<string, string>,
    body: Buffer,
    signal?: AbortSignal,
  ): Promise<EgressAnswer> {
    const started = stopwatch();
    const done = (answer: Omit<EgressAnswer, 'durationMs'>): EgressAnswer => ({
      ...answer,
      durationMs: Math.round(stopwatch() - started),
    });
    const nothing = (error: EgressError) => done({ status: null, error, headers: null, text: null });
    const url = new URL(address);
    // one controller and one timer: combined signals cost as much as the request
    const end = new AbortController();
    const deadline: Deadline = { over: false };
    const stop = () => end.abort();
    const timer = setTimeout(() => {
      deadline.over = true;
      stop();
    }, this.#limits.totalMs);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const sent = { ...headers, 'content-length': String(body.length) };
      const request = await this.#open(url, sent, end.signal);
      try {
        return done(await this.#exchange(request, body, deadline));
      } catch (error) {
        if (!request.reusedSocket || wordOf(error) !== 'closed') throw error;
        // the receiver had closed the kept connection in the same moment: no attempt of its own
        return done(await this.#exchange(await this.#open(url, sent, end.signal), body, deadline));
      }
    } catch (error) {
      if (deadline.over) return nothing('timeout');
      return nothing(wordOf(error));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  close(): void {
    this.#https.destroy();
    this.#http.destroy();
  }

  async #open(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<ClientRequest> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const secure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      headers,
      signal,
      maxHeaderSize: 16 * 1024,
      lookup: this.#lookups[secure ? 'https' : 'http'],
    };
    if (this.#proxy) {
      const socket = await tunnel(this.#proxy, url, { signal, connectMs: this.#limits.connectMs });
      // without an agent, even `false`, which would be a new one that connects by itself
      return (secure ? https : http).request(url, { ...options, createConnection: () => socket });
    }
    if (isIP(host) !== 0 && !this.#isOpen(host, secure)) throw new AddressRefused();
    const agent = secure ? this.#https : this.#http;
    return (secure ? https : http).request(url, { ...options, agent, ...(secure ? { rejectUnauthorized: true } : {}) });
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

  #exchange(request: ClientRequest, body: Buffer, deadline: Deadline): Promise<Omit<EgressAnswer, 'durationMs'>> {
    const { connectMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => request.destroy(new ConnectTimeout()), connectMs);
      const connected = () => clearTimeout(timer);
      request.on('socket', (socket) => {
        if (!socket.connecting) connected();
        else socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
      });
      request.on('close', connected);
      const failed = (error: Error) => reject(error);
      request.on('error', failed);
      request.on('response', (response) => {
        connected();
        // from here on the answer itself ends in what went wrong
        request.off('error', failed).on('error', () => undefined);
        this.#read(response, deadline).then(resolve, reject);
      });
      request.end(body);
    });
  }

  async #read(response: IncomingMessage, deadline: Deadline): Promise<Omit<EgressAnswer, 'durationMs'>> {
    const { readBytes, keptBytes } = this.#limits;
    const status = response.statusCode ?? 0;
    const headers = keptHeaders(response);
    const kept: Buffer[] = [];
    let length = 0;
    const answer = (error: EgressError | null) => ({
      status,
      error,
      headers,
      text: printable(Buffer.concat(kept).subarray(0, keptBytes)),
    });
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        if (length < keptBytes) kept.push(chunk.subarray(0, keptBytes - length));
        length += chunk.length;
        // what it wanted to tell is known; the connection is closed, not drained
        if (length >= readBytes) break;
      }
    } catch {
      return answer(deadline.over ? 'timeout' : 'closed');
    }
    if (status >= 200 && status < 300) return answer(null);
    return answer(status >= 300 && status < 400 ? 'redirect' : 'status');
  }
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
  const kept = Object.entries(headers)
    .filter(([name]) => name !== 'set-cookie')
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [name, clean([value].flat().join(', ')).slice(0, HEADER_LENGTH)]);
  return Object.fromEntries(kept);
}

const clean = (text: string) => text.replace(/[^\P{Cc}\n\t]/gu, '');

function printable(bytes: Buffer): string {
  // the cut may have gone through a character
  return clean(bytes.toString('utf8')).replace(/\uFFFD+$/, '');
}
