import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll } from 'vitest';
import { Egress } from '../../packages/server/src/platform/egress/egress.ts';
import { authority, certificate, certificateKey } from './certificates.ts';

const limits = { connectMs: 1000, totalMs: 1500, readBytes: 4096, keptBytes: 16 };

/** An egress that may send to receivers on this machine. */
export const opened = (): Egress => new Egress({ allow: ['127.0.0.0/8', '::1/128'], limits });

export const post = (egress: Egress, url: string) => egress.post(url, {}, '{}');

/** Certificates of the tests' own authority are good in this file. */
export function trustTestAuthority(): void {
  const before = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...before, authority]));
  afterAll(() => setDefaultCACertificates(before));
}

/** The port of a server that listens from now on. */
export async function listening(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** A receiver that speaks HTTP, while `work` sends to it. */
export async function served(answer: RequestListener, work: (url: string) => unknown): Promise<void> {
  const server = createHttpServer(answer);
  const port = await listening(server);
  try {
    await work(`http://127.0.0.1:${port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A receiver with a certificate that is good for `hooks.example.com` and this machine, unless `options` have another. */
export async function securelyServed(
  options: ServerOptions,
  answer: RequestListener,
  work: (port: number) => unknown,
): Promise<void> {
  const server = createHttpsServer({ key: certificateKey, cert: certificate, ...options }, answer);
  const port = await listening(server);
  try {
    await work(port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A receiver that answers byte by byte as it likes. */
export async function raw(answer: (socket: Socket) => void, work: (url: string) => unknown): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    answer(socket);
  });
  const port = await listening(server);
  try {
    await work(`http://127.0.0.1:${port}/`);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}
