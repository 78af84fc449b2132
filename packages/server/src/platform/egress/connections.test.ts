import { opened, post, raw, served } from '@tonerow/test-support/egress-peers.ts';
import { describe, expect, it } from 'vitest';

describe('a receiver', () => {
  it('on a host that others use as well waits for none of their requests', async () => {
    const held: { end(): void }[] = [];
    await served(
      (_request, response) => {
        held.push(response);
        if (held.length === 12) for (const each of held) each.end();
      },
      async (url) => {
        const egress = opened();
        const answers = await Promise.all(Array.from({ length: 12 }, () => post(egress, url)));
        expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
        egress.close();
      },
    );
  });

  it('is sent to over the connections that were opened for as many at once before', async () => {
    let connections = 0;
    await raw(
      (socket) => {
        connections += 1;
        socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
      },
      async (url) => {
        const egress = opened();
        for (let turn = 1; turn <= 3; turn += 1) await Promise.all(Array.from({ length: 30 }, () => post(egress, url)));
        expect(connections).toBe(30);
        egress.close();
      },
    );
  });

  it('that had closed a kept connection is sent to over a new one', async () => {
    let connections = 0;
    await raw(
      (socket) => {
        connections += 1;
        let requests = 0;
        socket.on('data', () => {
          requests += 1;
          if (requests > 1) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        });
      },
      async (url) => {
        const egress = opened();
        expect(await post(egress, url)).toMatchObject({ status: 200, error: null });
        expect(await post(egress, url)).toMatchObject({ status: 200, error: null });
        expect(connections).toBe(2);
        egress.close();
      },
    );
  });

  it('is sent to once where what that does must not be done twice', async () => {
    let requests = 0;
    await raw(
      (socket) => {
        socket.on('data', (data) => {
          if (!String(data).includes('note')) return socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
          requests += 1;
          return socket.destroy();
        });
      },
      async (url) => {
        const egress = opened();
        const ask = (once?: true) =>
          egress.ask(url, { method: 'POST', body: 'note', bytes: 100, ...(once ? { once } : {}) });
        for (const [once, sent] of [[true, 1] as const, [undefined, 2] as const]) {
          expect(await post(egress, url)).toMatchObject({ status: 200 });
          requests = 0;
          expect([await ask(once), requests]).toEqual([expect.objectContaining({ error: 'closed' }), sent]);
        }
        egress.close();
      },
    );
  });

  it('that closes connections when they are used again is sent to twice at most', async () => {
    let requests = 0;
    await raw(
      (socket) => {
        let own = 0;
        socket.on('data', () => {
          requests += 1;
          own += 1;
          if (own > 1) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        });
      },
      async (url) => {
        const egress = opened();
        // several connections are kept, and each would fail
        await Promise.all(Array.from({ length: 5 }, () => post(egress, url)));
        requests = 0;
        expect(await post(egress, url)).toMatchObject({ status: 200, error: null });
        expect(requests).toBe(2);
        egress.close();
      },
    );
  });
});
