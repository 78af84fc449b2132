import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { Target } from './target.ts';

/** Opens a connection. The signal aborts it when nobody waits for it. */
type Dial = (target: Target, signal: AbortSignal) => Promise<Socket>;

/** Connections to one host that are kept while they are idle: accounts share hosts. */
const MOST_KEPT = 50;
const KEPT_MS = 30_000;
export const MOST_HEADER_BYTES = 16 * 1024;

/**
 * A handler that learns how many bytes came, including those that the parser keeps to itself, such as interim answers
 * and extensions of chunks.
 */
export interface Receiving extends Dispatcher.DispatchHandler {
  /** @param bytes how many have come since the request began, with headers and all. */
  onBytes(bytes: number): void;
}

/** A connection to a host, for one request at a time. It is opened by its first request. */
export class Connection {
  readonly origin: string;
  readonly #client: Client;
  readonly #stop = new AbortController();
  #open = false;
  #socket: Socket | undefined;
  #receiving: Receiving | undefined;
  #readBefore = 0;
  /** Whether a request was answered on it: its host may have closed it since. */
  #reused = false;

  constructor(target: Target, dial: Dial, closed: (connection: Connection) => void) {
    this.origin = target.url.origin;
    this.#client = new Client(target.url.origin, {
      connect: (_where, done) => {
        this.#reused = false;
        dial(target, this.#stop.signal).then(
          (socket) => {
            this.#socket = socket;
            done(null, socket);
          },
          (error) => done(error, null),
        );
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: MOST_HEADER_BYTES,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MS,
      // the sender limits the time
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('connect', () => {
      this.#open = true;
      this.#watch();
    });
    const ended = () => {
      this.#open = false;
      closed(this);
    };
    this.#client.on('disconnect', ended).on('connectionError', ended);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get isReused(): boolean {
    return this.#reused;
  }

  send(request: Dispatcher.DispatchOptions, receiving: Receiving): void {
    this.#receiving = receiving;
    this.#readBefore = this.#socket?.bytesRead ?? 0;
    this.#client.dispatch(request, receiving);
  }

  /** A request was answered whole: the next one can have it. */
  free(): void {
    this.#reused = true;
  }

  close(): void {
    this.#open = false;
    this.#stop.abort();
    this.#client.destroy().catch(() => undefined);
  }

  /** After the parser has listened, so that it reads what came before it is counted. */
  #watch(): void {
    const socket = this.#socket as Socket;
    // excludes the bytes that it took to begin encryption
    this.#readBefore = socket.bytesRead;
    socket.on('readable', () => this.#receiving?.onBytes(socket.bytesRead - this.#readBefore));
  }
}

/** Connections to hosts, kept for a while after a request, because opening one costs more than the request. */
export class Connections {
  readonly #dial: Dial;
  readonly #idle = new Map<string, Connection[]>();

  constructor(dial: Dial) {
    this.#dial = dial;
  }

  /** @returns one that nobody uses, the most recently used first; or a new one. */
  take(target: Target): Connection {
    return this.#idle.get(target.url.origin)?.pop() ?? this.open(target);
  }

  open(target: Target): Connection {
    return new Connection(target, this.#dial, (closed) => this.#drop(closed));
  }

  /** After an answer that was read whole. */
  giveBack(connection: Connection): void {
    const kept = this.#idle.get(connection.origin) ?? [];
    if (!connection.isOpen || kept.length >= MOST_KEPT) {
      connection.close();
      return;
    }
    connection.free();
    kept.push(connection);
    this.#idle.set(connection.origin, kept);
  }

  close(): void {
    for (const connection of [...this.#idle.values()].flat()) connection.close();
    this.#idle.clear();
  }

  #drop(connection: Connection): void {
    const kept = this.#idle.get(connection.origin) ?? [];
    const at = kept.indexOf(connection);
    // one in use opens itself again, or is closed after its request
    if (at !== -1) {
      kept.splice(at, 1);
      connection.close();
    }
    if (kept.length === 0) this.#idle.delete(connection.origin);
  }
}
