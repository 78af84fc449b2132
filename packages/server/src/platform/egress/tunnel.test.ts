import { createServer as createHttpServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listening, post, securelyServed, trustTestAuthority } from '@tonerow/test-support/egress-peers.ts';
import { describe, expect, it } from 'vitest';
import { Egress } from './egress.ts';

trustTestAuthority();

describe('behind a proxy', () => {
  it('everything goes through it, by name, and what it refuses is refused', async () => {
    const asked: string[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const egress = new Egress({ proxy: `http://127.0.0.1:${await listening(proxy)}` });
    expect(await post(egress, 'https://hooks.example.com/')).toMatchObject({ status: null, error: 'proxy' });
    expect(asked).toEqual(['hooks.example.com:443']);
    proxy.close();
    egress.close();
  });

  const limits = { connectMs: 1000, totalMs: 10_000 };

  /** A proxy that connects every name to a port of this machine. */
  async function through(port: number | null, work: (egress: Egress) => Promise<void>) {
    const proxy = createHttpServer();
    const sockets = new Set<Socket>();
    proxy.on('connect', (_request, socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (port === null) return;
      const onward = connect(port, '127.0.0.1');
      onward.on('error', () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    });
    const egress = new Egress({ proxy: `http://127.0.0.1:${await listening(proxy)}`, limits });
    try {
      await work(egress);
    } finally {
      egress.close();
      for (const socket of sockets) socket.destroy();
      proxy.close();
    }
  }

  it('a request ends, too, when nobody answers behind it, with the time to connect', () =>
    through(null, async (egress) => {
      const answer = await post(egress, 'https://hooks.example.com/');
      expect(answer).toMatchObject({ status: null, error: 'timeout' });
      expect(answer.durationMs).toBeLessThan(limits.totalMs);
    }));

  it('a tunnel is kept for the next request to the same host', async () => {
    const connections = new Set<unknown>();
    await securelyServed(
      {},
      (request, response) => {
        connections.add(request.socket);
        response.end();
      },
      (port) =>
        through(port, async (egress) => {
          for (let turn = 1; turn <= 3; turn += 1)
            expect(await post(egress, 'https://hooks.example.com/')).toMatchObject({ status: 200 });
        }),
    );
    expect(connections.size).toBe(1);
  });

  it('a receiver is still verified by its own name', () =>
    securelyServed(
      {},
      (_request, response) => {
        response.end('taken');
      },
      (port) =>
        through(port, async (egress) => {
          expect(await post(egress, 'https://hooks.example.com/')).toMatchObject({ status: 200, text: 'taken' });
          expect(await post(egress, 'https://hooks.example.org/')).toMatchObject({ status: null, error: 'tls' });
        }),
    ));
});
