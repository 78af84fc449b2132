import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { authority, certificate, certificateKey, expiredCertificate } from '@tonerow/test-support/certificates.ts';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type Received, verifyWith } from '@tonerow/test-support/receiver.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let ada: Person;
let proxy: HttpServer;
const receivers: Record<string, Server> = {};
const received: Received[] = [];
const asked: string[] = [];
const sockets = new Set<Socket>();
const authorities = getCACertificates('default');
const listening = (each: Server | HttpServer) =>
  new Promise<number>((resolve) => each.listen(0, '127.0.0.1', () => resolve((each.address() as AddressInfo).port)));

beforeAll(async () => {
  setDefaultCACertificates([...authorities, authority]);
  const kinds = {
    'good.example.com': {},
    'expired.example.com': { cert: expiredCertificate },
    'old.example.com': { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' },
  } as const;
  const ports: Record<string, number> = {};
  for (const [host, options] of Object.entries(kinds)) {
    const own = { key: certificateKey, cert: certificate, ...options };
    const receiver = createServer(own, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        received.push({ headers: request.headers, body, event: JSON.parse(body) });
        response.writeHead(204).end();
      });
    });
    receivers[host] = receiver;
    ports[host] = await listening(receiver);
  }
  proxy = createHttpServer();
  proxy.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '');
    const onward = connect(ports[String(request.url).split(':')[0] as string] ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => undefined);
    }
  });
  server = await startServer({ env: { TONEROW_EGRESS_PROXY: `http://127.0.0.1:${await listening(proxy)}` } });
  ada = await signUpVerified(server);
});
afterAll(async () => {
  await server.stop();
  for (const socket of sockets) socket.destroy();
  for (const each of [proxy, ...Object.values(receivers)]) each.close();
  setDefaultCACertificates(authorities);
});

async function deliver(host: string) {
  const as = { token: ada.token };
  const body = { url: `https://${host}/hooks`, events: ['*'] };
  const { webhook, secret } = (await call(server, 'POST', '/api/webhooks', { ...as, body })).body;
  const sent = (await call(server, 'POST', `/api/webhooks/${webhook.id}/test`, { ...as, body: {} })).body;
  const delivery = async () => (await call(server, 'GET', `/api/webhook-deliveries/${sent.delivery_ids[0]}`, as)).body;
  await expect.poll(async () => (await delivery()).attempts, { timeout: 20_000 }).toBe(1);
  return { secret, delivery: await delivery() };
}

it('passes the operator’s proxy, encrypted from end to end', async () => {
  const { secret, delivery } = await deliver('good.example.com');
  expect(delivery).toMatchObject({ state: 'delivered', last_status: 204, last_error: null });
  expect(asked).toEqual(['good.example.com:443']);
  expect(verifyWith(secret, received[0] as Received)).toMatchObject({ type: 'webhook.test' });
});

it.each(['expired.example.com', 'old.example.com'])('is not made to %s, and its owner is told why', async (host) => {
  const before = received.length;
  const { delivery } = await deliver(host);
  expect(delivery).toMatchObject({ state: 'waiting', last_status: null, last_error: 'tls' });
  expect(delivery.history).toMatchObject([{ error: 'tls', status: null, response_text: null }]);
  expect(received).toHaveLength(before);
});
