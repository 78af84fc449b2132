import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { AddressRules } from './address-rules.ts';
import { resolverLookup } from './resolver-lookup.ts';
import type { Target } from './target.ts';
import { tunnel } from './tunnel.ts';

export type Lookup = LookupFunction;

/** Hosts whose TLS sessions are remembered, so that the next connection to them costs less. */
const MOST_SESSIONS = 1000;
const PROBE_AFTER = 10_000;

class ConnectTimeout extends Error {
  readonly code = 'ERR_CONNECT_TIMEOUT';
}

/** A host that resolves to a forbidden address. The error reveals nothing else. */
class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS';
}

interface Options {
  rules: AddressRules;
  proxy: URL | null;
  lookup: Lookup | undefined;
  connectMs: number;
}

/** Opens connections to addresses that accounts choose, and checks each, because a name can resolve to something else each time. */
export class Dialer {
  readonly #rules: AddressRules;
  readonly #proxy: URL | null;
  readonly #connectMs: number;
  readonly #lookups: { https: Lookup; http: Lookup };
  readonly #https: RequestFilteringHttpsAgent;
  readonly #http: RequestFilteringHttpAgent;
  readonly #sessions = new LRUCache<string, Buffer>({ max: MOST_SESSIONS });

  constructor({ rules, proxy, lookup, connectMs }: Options) {
    this.#rules = rules;
    this.#proxy = proxy;
    this.#connectMs = connectMs;
    // names of one's own networks may be in a hosts file, which only the system's look-up reads
    const names = lookup ?? (rules.opened ? (systemLookup as Lookup) : resolverLookup());
    this.#lookups = { https: this.#checked(names, true), http: this.#checked(names, false) };
    // where the operator has opened networks, the look-up alone checks: the agents' own lists cannot mix IPv4 and IPv6
    const opened = { allowPrivateIPAddress: rules.opened, allowMetaIPAddress: rules.opened };
    this.#https = new RequestFilteringHttpsAgent(opened);
    this.#http = new RequestFilteringHttpAgent(opened);
  }

  /** A connection that is ready for a request: encrypted, if the target is. */
  async dial(target: Target, signal: AbortSignal): Promise<Socket> {
    const limits = { signal, connectMs: this.#connectMs };
    return this.#proxy ? tunnel(this.#proxy, target.url, limits) : this.#direct(target, signal);
  }

  #direct({ url, host, secure }: Target, signal: AbortSignal): Promise<Socket> {
    if (isIP(host) !== 0 && !this.#isOpen(host, secure)) throw new AddressRefused();
    const port = Number(url.port || (secure ? 443 : 80));
    const where = { host, port, lookup: this.#lookups[secure ? 'https' : 'http'], noDelay: true };
    const session = this.#sessions.get(url.host);
    // addresses have no name to send, and are verified as what they are
    const servername = isIP(host) === 0 ? host : '';
    const encrypted = { ...where, servername, rejectUnauthorized: true, ...(session ? { session } : {}) };
    const socket = (
      secure ? this.#https.createConnection(encrypted, undefined) : this.#http.createConnection(where, undefined)
    ) as Socket;
    socket.setKeepAlive(true, PROBE_AFTER);
    if (secure) (socket as TLSSocket).on('session', (fresh: Buffer) => this.#sessions.set(url.host, fresh));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(new ConnectTimeout()), this.#connectMs);
      const stop = () => socket.destroy(signal.reason);
      const settle = (done: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        done();
      };
      signal.addEventListener('abort', stop, { once: true });
      socket.once('error', (error) => {
        this.#sessions.delete(url.host);
        settle(() => reject(error));
      });
      socket.once(secure ? 'secureConnect' : 'connect', () => settle(() => resolve(socket)));
    });
  }

  #isOpen(address: string, secure: boolean): boolean {
    return this.#rules.isOpened(address) || (secure && this.#rules.isPublic(address));
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
}
