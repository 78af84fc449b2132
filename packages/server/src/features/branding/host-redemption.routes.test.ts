import { request as httpRequest } from 'node:http';
import { call, makeProduct, makeSerials, type Person, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const HOST = 'app.row.example';
const env = { TONEROW_DOMAIN_TARGET: 'domains.tonerow.example' };
let server: TestServer;
let ada: Person & { host: string };
let ben: Person;
let code: string;
beforeAll(async () => {
  server = await startServer({
    env: { ...env, TONEROW_TRUST_PROXY: '10.0.0.0/8' },
    overrides: { dns: { cname: async () => ['domains.tonerow.example'] } },
  });
  ada = { ...(await signUpVerified(server)), host: HOST };
  ben = await signUp(server);
  await call(server, 'POST', '/api/developer/custom-domain', { token: ada.token, body: { domain: HOST } });
  // the same code at two developers: only the host distinguishes them
  const codes = await Promise.all(
    [ada, ben].map(async (person) => {
      const product = await makeProduct(server, person.token);
      const [serial] = await makeSerials(server, person.token, product.id, { quantity: 1 });
      return serial as { id: string; code: string };
    }),
  );
  code = codes[0]?.code as string;
  const [first] = await server.db.query<{ code_key: string }>('select code_key from serials where id = $1', [
    codes[0]?.id,
  ]);
  await server.db.query('update serials set code = $1, code_key = $2 where id = $3', [
    code,
    first?.code_key,
    codes[1]?.id,
  ]);
});
afterAll(() => server.stop());

/** fetch sets the Host header itself; a browser on a custom domain sends its own. */
function asHost(
  host: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
): Promise<{ status: number; body: any }> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: { host, 'content-type': 'application/json', ...headers } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: response.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : text });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body ? JSON.stringify(body) : undefined);
  });
}

const initiate = (host: string, extra: object = {}, headers: Record<string, string> = {}) =>
  asHost(host, 'POST', '/api/redeem/initiate', { serial: code, email: 'nina@example.com', ...extra }, headers);

it('means that developer’s serial', async () => {
  const ambiguous = await initiate('127.0.0.1:4000');
  expect([ambiguous.status, ambiguous.body.code]).toEqual([422, 'ambiguous_serial']);
  for (const host of [ada.host, `${ada.host}:8443`, `${ada.host.toUpperCase()}.`]) {
    const answer = await initiate(host);
    expect([answer.status, answer.body.require_name]).toEqual([200, true]);
    const [ticket] = await server.db.query<{ developer_id: string }>(
      `select s.developer_id from redeem_tickets t join serials s on (s.developer_id, s.id) = (t.developer_id, t.serial_id) order by t.id desc limit 1`,
    );
    expect(ticket?.developer_id).toBe(ada.id);
  }
});

it('uses another developer when the page names one', async () => {
  expect((await initiate(ada.host, { dev: ben.id })).status).toBe(200);
  const [ticket] = await server.db.query<{ developer_id: string }>(
    `select s.developer_id from redeem_tickets t join serials s on (s.developer_id, s.id) = (t.developer_id, t.serial_id) order by t.id desc limit 1`,
  );
  expect(ticket?.developer_id).toBe(ben.id);
});

it('does not find another developer’s serial', async () => {
  const product = await makeProduct(server, ben.token);
  const [serial] = await makeSerials(server, ben.token, product.id, { quantity: 1 });
  const answer = await initiate(ada.host, { serial: serial?.code });
  expect([answer.status, answer.body.code]).toEqual([404, 'serial_not_found']);
});

it('is named by no header that anybody may send, and by none that makes no sense', async () => {
  for (const host of [
    `${ada.host}, x.example`,
    `${ada.host}@x.example`,
    `x@${ada.host}`,
    `${ada.host}/`,
    `${ada.host}:x`,
    `x.${ada.host}`,
    '%',
    "'--",
    '[::1]',
    '..',
  ]) {
    expect((await initiate(host)).body.code, host).toBe('ambiguous_serial');
  }
  const forwarded = await initiate('127.0.0.1', {}, { 'x-forwarded-host': ada.host });
  expect(forwarded.body.code).toBe('ambiguous_serial');
});

it('is named by a trusted proxy’s X-Forwarded-Host', async () => {
  const behind = await startServer({ db: server.db, env: { ...env, TONEROW_TRUST_PROXY: '127.0.0.1' } });
  try {
    const answer = await call(behind, 'POST', '/api/redeem/initiate', {
      headers: { 'x-forwarded-host': ada.host },
      body: { serial: code, email: 'nina@example.com' },
    });
    expect(answer.status).toBe(200);
  } finally {
    await behind.stop();
  }
});
