import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf } from '#platform/network/addresses.ts';

export interface ConnectionLimits {
  /** All sockets of this process. */
  sockets: number;
  socketsPerAddress: number;
  /** Addresses of proxies, behind which everybody may be. */
  isProxy: (address: string) => boolean;
}

/**
 * Limits the sockets of the process and of each address. When the limit is reached, a new socket replaces the one that
 * has been idle for longest. The new socket is refused only when all of them are at work.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const all = new Places(limits.sockets);
  const byNetwork = new Map<string, Places>();
  const placesOf = new WeakMap<Socket, readonly Places[]>();

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = addressOf(address);
    const own =
      byNetwork.get(network) ??
      new Places(limits.isProxy(address) ? Number.POSITIVE_INFINITY : limits.socketsPerAddress);
    if (!all.makeRoom() || !own.makeRoom()) return void socket.destroy();
    byNetwork.set(network, own);
    const places = [all, own];
    placesOf.set(socket, places);
    for (const place of places) place.enter(socket);
    socket.once('close', () => {
      for (const place of places) place.remove(socket);
      if (own.size === 0) byNetwork.delete(network);
    });
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // sent away while its request was on the way
    const places = placesOf.get(socket) ?? [];
    for (const place of places) place.work(socket);
    response.once('close', () => {
      for (const place of places) place.rest(socket);
    });
  });
}

/** Sockets that share a limit. Those without a request are ordered by when they became idle. */
class Places {
  readonly #limit: number;
  readonly #all = new Set<Socket>();
  readonly #idle = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#all.size;
  }

  /** False: everybody is at work. */
  makeRoom(): boolean {
    if (this.#all.size < this.#limit) return true;
    const [oldest] = this.#idle;
    if (!oldest) return false;
    // its own event comes too late for the newcomer
    this.remove(oldest);
    oldest.destroy();
    return true;
  }

  enter(socket: Socket): void {
    this.#all.add(socket);
    this.#idle.add(socket);
  }

  work(socket: Socket): void {
    this.#idle.delete(socket);
  }

  rest(socket: Socket): void {
    if (this.#all.has(socket) && !socket.destroyed) this.#idle.add(socket);
  }

  remove(socket: Socket): void {
    this.#all.delete(socket);
    this.#idle.delete(socket);
  }
}
