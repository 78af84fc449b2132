import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type
  event: any;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** How many connections were accepted, whether or not anything came over them. */
  readonly accepted: number;
  /** The answer from now on: a status, or something worse. */
  answer: number | ((response: ServerResponse, request: Received) => void);
  /** Waits for so many events in all, or for one of a type. */
  wait(wanted: number | string): Promise<Received>;
  stop(): Promise<void>;
}

/** A receiver of webhooks, as a developer would have one. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = { headers: request.headers, body, event: JSON.parse(body) };
      receiver.received.push(one);
      if (typeof receiver.answer === 'number') response.writeHead(receiver.answer).end('ok');
      else receiver.answer(response, one);
    });
  });
  server.on('connection', (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${taken}/hooks`,
    port: taken,
    received: [],
    get accepted() {
      return accepted;
    },
    answer: 204,
    async wait(wanted) {
      const find = () =>
        typeof wanted === 'number'
          ? receiver.received[wanted - 1]
          : receiver.received.find(({ event }) => event.type === wanted);
      await expect.poll(find, { timeout: 30_000, interval: 20 }).toBeDefined();
      return find() as Received;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}

/** Verifies with the published library. @throws when it does not. */
export function verifyWith(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
