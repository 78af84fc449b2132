import type { Socket } from 'node:net';
import { opened, post, raw, served } from '@tonerow/test-support/egress-peers.ts';
import { describe, expect, it } from 'vitest';

describe('a text that is read', () => {
  it.each([
    ['that fits is whole', 99, { status: 200, error: null, text: 'x'.repeat(99) }],
    ['that does not fit is none', 100, { status: 200, error: 'malformed', text: null }],
    ['that never ends is none', 10_000_000, { status: 200, error: 'malformed', text: null }],
  ])('%s', (_what, length, expected) =>
    served(
      (request, response) => response.end(request.method === 'GET' ? 'x'.repeat(length) : ''),
      async (url) => {
        const egress = opened();
        expect(await egress.get(url, 100)).toMatchObject(expected);
        // and what is kept of other answers stays short
        expect(await post(egress, url)).toMatchObject({ status: 200, text: '' });
        egress.close();
      },
    ),
  );

  it('is that of the address alone: a redirect is not followed', () =>
    served(
      (_request, response) => response.writeHead(302, { location: 'https://example.com/' }).end(),
      async (url) => {
        const egress = opened();
        expect(await egress.get(url, 100)).toMatchObject({ status: 302, error: 'redirect' });
        egress.close();
      },
    ));
});

describe('a receiver', () => {
  it.each([
    ['ends its answer with the connection', 'HTTP/1.0 200 OK\r\n\r\nfine', true],
    [
      'answers in chunks',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nfi\r\n2\r\nne\r\n0\r\n\r\n',
      false,
    ],
    [
      'says first that it goes on',
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine',
      false,
    ],
    ['wants the connection closed', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\nfine', true],
  ])('that %s is understood, and sent to again', (_what, answer, ends) =>
    raw(
      (socket) => {
        socket.on('data', () => (ends ? socket.end(answer) : socket.write(answer)));
      },
      async (url) => {
        const egress = opened();
        for (let turn = 1; turn <= 3; turn += 1)
          expect(await post(egress, url)).toMatchObject({ status: 200, error: null, text: 'fine' });
        egress.close();
      },
    ),
  );

  it.each([
    [
      'stops within its answer',
      'HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\nfi',
      { status: 200, error: 'closed', text: 'fi' },
    ],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      { status: null, error: 'closed' },
    ],
  ])('that %s has not taken it', (_what, answer, expected) =>
    raw(
      (socket) => {
        socket.on('data', () => socket.end(answer));
      },
      async (url) => {
        const egress = opened();
        expect(await post(egress, url)).toMatchObject(expected);
        egress.close();
      },
    ),
  );

  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  it.each([
    ['says for ever that it goes on', '', `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(8000)}\r\n\r\n`, null],
    ['puts much beside little', chunked, `1;${'a'.repeat(15_000)}\r\nx\r\n`, 200],
    ['does not end the size of a chunk', `${chunked}1;`, 'a'.repeat(15_000), 200],
  ])('that %s is cut off long before its time is over', async (_what, beginning, again, status) => {
    const flood = (sent: { bytes: number }) => (socket: Socket) => {
      const go = () => {
        while (!socket.destroyed && socket.write(again)) sent.bytes += again.length;
      };
      socket.on('data', () => undefined).on('drain', go);
      socket.write(beginning);
      go();
    };
    const sent = { bytes: 0 };
    const check = async (url: string) => {
      const egress = opened();
      const answer = await post(egress, url);
      expect(answer).toMatchObject(status ? { status, error: null } : { status, error: 'malformed' });
      // bytes that the system keeps for both sides are not read
      expect(sent.bytes).toBeLessThan(20_000_000);
      egress.close();
    };
    await raw(flood(sent), check);
  });

  it.each([
    ['a status that there is not', 'HTTP/1.1 099 Odd\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 4\r\n\r\nfine'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ])('that answers with %s is told that its answer cannot be read', (_what, answer) =>
    raw(
      (socket) => {
        socket.on('data', () => socket.write(answer));
      },
      async (url) => {
        const egress = opened();
        expect(await post(egress, url)).toMatchObject({ status: null, error: 'malformed' });
        egress.close();
      },
    ),
  );

  it('is named in the request by its host and port, and gets the very bytes', async () => {
    const requests: { host: string | undefined; headers: string[]; body: string }[] = [];
    await served(
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk) => chunks.push(chunk));
        request.on('end', () => {
          requests.push({
            host: request.headers.host,
            headers: request.rawHeaders,
            body: Buffer.concat(chunks).toString(),
          });
          response.end();
        });
      },
      async (url) => {
        const egress = opened();
        const body = '{"name":"Café 🎹\u2028"}';
        await egress.post(`${url}hooks?a=1`, { 'content-type': 'application/json', 'webhook-id': 'one' }, body);
        expect(requests).toMatchObject([{ host: new URL(url).host, body }]);
        expect(requests[0]?.headers.map((each) => each.toLowerCase())).toEqual(
          expect.arrayContaining([
            'content-type',
            'application/json',
            'webhook-id',
            'one',
            'content-length',
            String(Buffer.byteLength(body)),
          ]),
        );
        egress.close();
      },
    );
  });
  it('leaves no cookies and no control characters in what is kept', () =>
    served(
      (_request, response) => {
        response.writeHead(200, { 'set-cookie': 'a=1', 'x-note': 'fine' }).end('a\u0000b\u001b[31mc');
      },
      async (url) => {
        const answer = await post(opened(), url);
        expect(answer).toMatchObject({ status: 200, error: null, text: 'ab[31mc' });
        expect(answer.headers).toMatchObject({ 'x-note': 'fine' });
        expect(answer.headers).not.toHaveProperty('set-cookie');
      },
    ));
});
