import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

const IPV4 = '127.0.0.1';
const IPV6 = '::1';

/** `localhost` means either address to some programs, and one of the two to others. */
const isLoopback = (host: string): boolean => host === IPV4 || host === 'localhost';

/** The address to listen on; a name would be left to its first look-up. */
export const listeningHost = (host: string): string => (host === 'localhost' ? IPV4 : host);

/**
 * Lets a server that listens on 127.0.0.1 answer on ::1 too, for browsers and proxies to which `localhost` is that. Its sockets
 * become the server's own, with all of its limits.
 * @returns null where the machine has no IPv6, or another program has that port there; `refused` is told of the latter.
 */
export async function alsoOnIpv6(
  server: HttpServer,
  host: string,
  refused: (error: Error) => void,
): Promise<Server | null> {
  if (!isLoopback(host)) return null;
  const { port } = server.address() as AddressInfo;
  const twin = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  try {
    await new Promise<void>((resolve, reject) => {
      twin.once('error', reject);
      twin.listen({ host: IPV6, port, ipv6Only: true }, resolve);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') refused(error as Error);
    return null;
  }
  twin.on('error', refused);
  // in case it fails to start after this
  server.once('close', () => twin.close());
  return twin;
}

/** A proxy on this machine is trusted by either of its addresses. */
export function trustBoth(trusted: string[]): string[] {
  return proxyAddr.compile(trusted)(IPV4, 0) ? [...trusted, IPV6] : trusted;
}
