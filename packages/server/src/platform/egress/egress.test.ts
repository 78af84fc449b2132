import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authority,
  certificate,
  certificateKey,
  expiredCertificate,
} from '../../../../../test/support/certificates.ts';
import { stopwatch } from '../clock.ts';
import { AddressRules } from './address-rules.ts';
import { Egress, type Lookup } from './egress.ts';
import { urlProblem } from './url-rules.ts';

let target: Server;
let port: number;
let accepted = 0;
const sockets = new Set<Socket>();

const authorities = getCACertificates('default');

beforeAll(async () => {
  setDefaultCACertificates([...authorities, authority]);
  target = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => target.listen(0, '::', resolve));
  ({ port } = target.address() as AddressInfo);
});
afterAll(async () => {
  setDefaultCACertificates(authorities);
  for (const socket of sockets) socket.destroy();
  await new Promise<void>((resolve) => target.close(() => resolve()));
});

/** Answers these addresses, one list at each question. */
const answering =
  (...answers: string[][]): Lookup =>
  (_host, options, done) => {
    const found = (answers.length > 1 ? answers.shift() : answers[0]) as string[];
    const all = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) (done as unknown as (error: null, all: object[]) => void)(null, all);
    else done(null, found[0] as string, 4);
  };
const post = (egress: Egress, url: string) => egress.post(url, {}, '{}');

describe('an address that somebody else chose', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f000001',
    '127.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '168.63.129.16',
    '[fe80::1]',
    '10.0.0.1',
    '100.64.0.1',
  ])('is not connected to when it is this machine or another internal one: %s', async (host) => {
    const before = accepted;
    const egress = new Egress();
    for (const scheme of ['https', 'http']) {
      const answer = await post(egress, `${scheme}://${host}:${port}/`);
      expect(answer).toMatchObject({ status: null, error: 'address', headers: null, text: null });
    }
    expect(accepted).toBe(before);
    egress.close();
  });

  it.each([
    ['an internal address', [['127.0.0.1']]],
    ['a public one and an internal one', [['203.0.114.7', '127.0.0.1']]],
    ['an internal one in IPv6', [['::ffff:127.0.0.1']]],
    ['nothing', [[]]],
  ])('is not connected to when its name resolves to %s', async (_what, answers) => {
    const before = accepted;
    const egress = new Egress({ lookup: answering(...answers) });
    expect(await post(egress, `https://hooks.example.com:${port}/`)).toMatchObject({ error: 'address' });
    expect(accepted).toBe(before);
    egress.close();
  });

  it('is looked up at each connection, so that a name which changes is refused', async () => {
    const before = accepted;
    const seen: string[] = [];
    const changing: Lookup = (host, options, done) => {
      seen.push(host);
      answering(seen.length === 1 ? ['192.0.2.1'] : ['127.0.0.1'])(host, options, done);
    };
    const egress = new Egress({ lookup: changing, limits: { connectMs: 200 } });
    await post(egress, `https://hooks.example.com:${port}/`);
    expect(await post(egress, `https://hooks.example.com:${port}/`)).toMatchObject({ error: 'address' });
    expect(seen).toHaveLength(2);
    expect(accepted).toBe(before);
    egress.close();
  });

  it('may be internal where the operator has opened its network, and nowhere else', () => {
    const rules = new AddressRules(['10.1.0.0/16', 'fd00::/8']);
    expect(['10.1.2.3', 'fd00::1'].map((address) => rules.isOpened(address))).toEqual([true, true]);
    expect(['10.2.0.1', '127.0.0.1', '::1'].map((address) => rules.isOpened(address))).toEqual([false, false, false]);
    expect(urlProblem('http://10.1.2.3:8080/hooks', rules)).toBeNull();
    expect(urlProblem('http://10.2.2.3:8080/hooks', rules)).toContain('host name');
    expect(urlProblem('https://hooks.example.com/', new AddressRules())).toBeNull();
  });
});

describe('a receiver', () => {
  const limits = { connectMs: 1000, totalMs: 1500, readBytes: 4096, keptBytes: 16 };
  const opened = () => new Egress({ allow: ['127.0.0.0/8'], limits });

  async function served(answer: Parameters<typeof createHttpServer>[1], work: (url: string) => Promise<void>) {
    const server = createHttpServer(answer as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  async function raw(answer: (socket: Socket) => void, work: (url: string) => Promise<void>) {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
  }

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

  it('that redirects is not followed', () =>
    served(
      (_request, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
      },
      async (url) => {
        const before = accepted;
        expect(await post(opened(), url)).toMatchObject({ status: 302, error: 'redirect' });
        expect(accepted).toBe(before);
      },
    ));

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
    const server = createHttpsServer({ key: certificateKey, cert: certificate, ...options }, (_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const egress = opened();
    expect((await post(egress, `https://127.0.0.1:${(server.address() as AddressInfo).port}/`)).error).toBe(error);
    expect(requests).toBe(error === null ? 1 : 0);
    egress.close();
    server.close();
  });

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

  it('at an IPv6 address that the operator has opened is sent to', async () => {
    const server = createHttpServer((_request, response) => response.end('six'));
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
    const egress = new Egress({ allow: ['::1/128'], limits });
    const url = `http://[::1]:${(server.address() as AddressInfo).port}/`;
    expect(await post(egress, url)).toMatchObject({ status: 200, text: 'six' });
    egress.close();
    server.close();
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
        expect(stopwatch() - started).toBeLessThan(1000);
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

describe('behind a proxy', () => {
  it('everything goes through it, by name, and what it refuses is refused', async () => {
    const asked: string[] = [];
    const proxy = createHttpServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const egress = new Egress({ proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    expect(await post(egress, 'https://hooks.example.com/')).toMatchObject({ status: null, error: 'proxy' });
    expect(asked).toEqual(['hooks.example.com:443']);
    proxy.close();
    egress.close();
  });

  const limits = { connectMs: 1000, totalMs: 1500 };

  /** A proxy that connects every name to a port of this machine. */
  async function through(port: number | null, work: (egress: Egress) => Promise<void>) {
    const proxy = createHttpServer();
    proxy.on('connect', (_request, socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (port === null) return;
      const onward = connect(port, '127.0.0.1');
      onward.on('error', () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const egress = new Egress({ proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, limits });
    await work(egress);
    egress.close();
    proxy.close();
  }

  it('a request ends, too, when nobody answers behind it', () =>
    through(null, async (egress) => {
      expect(await post(egress, 'https://hooks.example.com/')).toMatchObject({ status: null, error: 'timeout' });
    }));

  it('a tunnel is kept for the next request to the same host', async () => {
    const server = createHttpsServer({ key: certificateKey, cert: certificate }, (_request, response) =>
      response.end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    let connections = 0;
    server.on('secureConnection', () => {
      connections += 1;
    });
    await through((server.address() as AddressInfo).port, async (egress) => {
      for (let turn = 1; turn <= 3; turn += 1)
        expect(await post(egress, 'https://hooks.example.com/')).toMatchObject({ status: 200 });
    });
    expect(connections).toBe(1);
    server.closeAllConnections();
    server.close();
  });

  it('a receiver is still verified by its own name', async () => {
    const server = createHttpsServer({ key: certificateKey, cert: certificate }, (_request, response) => {
      response.end('taken');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await through((server.address() as AddressInfo).port, async (egress) => {
      expect(await post(egress, 'https://hooks.example.com/')).toMatchObject({ status: 200, text: 'taken' });
      expect(await post(egress, 'https://hooks.example.org/')).toMatchObject({ status: null, error: 'tls' });
    });
    server.closeAllConnections();
    server.close();
  });
});
