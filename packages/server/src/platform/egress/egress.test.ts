import { expiredCertificate } from '@tonerow/test-support/certificates.ts';
import { opened, post, raw, securelyServed, served, trustTestAuthority } from '@tonerow/test-support/egress-peers.ts';
import { describe, expect, it } from 'vitest';
import { stopwatch } from '../clock.ts';
import { Egress, LIMITS } from './egress.ts';

trustTestAuthority();

describe('a receiver', () => {
  it('that never answers is given up', () =>
    served(
      () => undefined,
      async (url) => {
        const started = stopwatch();
        expect(await post(opened(), url)).toMatchObject({ status: null, error: 'timeout' });
        expect(stopwatch() - started).toBeLessThan(5000);
      },
    ));

  it('that drips a byte at a time is given up in the same time', () =>
    served(
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('x'), 30);
        response.on('close', () => clearInterval(drip));
      },
      async (url) => {
        const answer = await post(opened(), url);
        expect(answer).toMatchObject({ status: 200, error: 'timeout' });
        expect(answer.durationMs).toBeLessThan(5000);
      },
    ));

  it('that sends without end is read no further than the limit', () =>
    served(
      (_request, response) => {
        let sent = 0;
        const more = () => {
          while (!response.destroyed && sent < 64 * 1024 * 1024 && response.write('y'.repeat(65_536))) sent += 65_536;
        };
        response.writeHead(500).on('drain', more);
        more();
        response.on('close', () => {
          expect(sent).toBeLessThan(32 * 1024 * 1024);
        });
      },
      async (url) => {
        expect(await post(opened(), url)).toMatchObject({ status: 500, error: 'status', text: 'y'.repeat(16) });
      },
    ));

  it('that sends without end is read no further than 64 kB, and 2 kB of it are kept', async () => {
    let sent = 0;
    await served(
      (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write('y'.repeat(16_384))) sent += 16_384;
        };
        response.writeHead(500).on('drain', more);
        more();
      },
      async (url) => {
        const egress = new Egress({ allow: ['127.0.0.0/8'] });
        expect(await post(egress, url)).toMatchObject({ status: 500, error: 'status', text: 'y'.repeat(2048) });
        egress.close();
      },
    );
    expect(LIMITS.readBytes).toBe(64 * 1024);
    // bytes that the system keeps for both sides are not read
    expect(sent).toBeLessThan(20_000_000);
  });

  it('that redirects is not followed', async () => {
    let followed = 0;
    await raw(
      () => {
        followed += 1;
      },
      (elsewhere) =>
        served(
          (_request, response) => {
            response.writeHead(302, { location: elsewhere }).end();
          },
          async (url) => expect(await post(opened(), url)).toMatchObject({ status: 302, error: 'redirect' }),
        ),
    );
    expect(followed).toBe(0);
  });

  it('that answers with headers without end, or none at all, is given up', async () => {
    await raw(
      (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(64 * 1024)}`);
      },
      async (url) => expect((await post(opened(), url)).error).toBe('malformed'),
    );
    await raw(
      (socket) => socket.destroy(),
      async (url) => expect((await post(opened(), url)).error).toBe('closed'),
    );
    await raw(
      (socket) => {
        socket.write('220 mail.example.com ESMTP\r\n');
      },
      async (url) => expect((await post(opened(), url)).error).toBe('malformed'),
    );
  });

  it('that speaks no TLS, or has a certificate of its own, gets nothing', async () => {
    await raw(
      (socket) => {
        socket.end('HTTP/1.1 200 OK\r\n\r\n');
      },
      async (url) => expect((await post(opened(), url.replace('http:', 'https:'))).error).toBe('tls'),
    );
  });

  it.each([
    ['speaks no TLS after 1.0', { maxVersion: 'TLSv1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }, 'tls'],
    ['has a certificate that has expired', { cert: expiredCertificate }, 'tls'],
    ['has a certificate that is good', {}, null],
  ] as const)('that %s is sent to only if both are good', async (_what, options, error) => {
    let requests = 0;
    await securelyServed(
      options,
      (_request, response) => {
        requests += 1;
        response.end();
      },
      async (port) => {
        const egress = opened();
        expect((await post(egress, `https://127.0.0.1:${port}/`)).error).toBe(error);
        egress.close();
      },
    );
    expect(requests).toBe(error === null ? 1 : 0);
  });

  it('that holds a request when the process stops is given up at once', async () => {
    await served(
      () => undefined,
      async (url) => {
        const stop = new AbortController();
        const egress = new Egress({ allow: ['127.0.0.0/8'] });
        const started = stopwatch();
        const sent = egress.post(url, {}, '{}', stop.signal);
        stop.abort();
        expect(await sent).toMatchObject({ status: null, error: 'timeout' });
        expect(await egress.post(url, {}, '{}', stop.signal)).toMatchObject({ status: null, error: 'timeout' });
        // instead of after fifteen seconds
        expect(stopwatch() - started).toBeLessThan(5000);
        egress.close();
      },
    );
  });
});
