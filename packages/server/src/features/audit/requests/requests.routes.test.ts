import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { tables } from '../tables.ts';
import { ApiRequests } from './requests.service.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
let token: { id: string; token: string };
let key: { id: string; secret: string };
let code: string;

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUpVerified(server);
  const post = async (path: string, body: object) =>
    (await call(server, 'POST', path, { token: ada.token, body })).body;
  token = await post('/api/account/tokens', { name: 'Nightly CI', scopes: ['serials:read', 'account:read'] });
  const made = await post('/api/developer/plugin-keys', { label: 'Release' });
  key = { id: made.key.id, secret: made.plaintext };
  const product = await makeProduct(server, ada.token);
  code = (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.code as string;
});
afterAll(() => server.stop());

interface Row {
  at: string;
  route: string;
  status: number;
  omitted: number;
  id: string;
}
const log = (query = '', as = ada.token, headers: Record<string, string> = {}) =>
  call(server, 'GET', `/api/request-log${query}`, { token: as, headers });
const rows = async (query = ''): Promise<Row[]> => (await log(query)).body.rows;
const script = (path: string, method = 'GET') => call(server, method, path, { token: token.token });
const plugin = (body: object) => call(server, 'POST', '/api/license/v1/validate', { token: key.secret, body });

it('lists what a token did and was refused, by its route, name and request id, a second later', async () => {
  const seen = await script('/api/serials?search=SECRET-SEARCH');
  const refused = await script('/api/customers/0197b1e2-0000-7000-8000-000000000001');
  expect([seen.status, refused.status]).toEqual([200, 403]);
  await expect.poll(() => rows(`?credential_id=${token.id}`)).toHaveLength(2);
  const [second, first] = await rows(`?credential_id=${token.id}`);
  expect(first).toMatchObject({
    at: clock.now().toISOString(),
    method: 'GET',
    route: '/api/serials',
    status: 200,
    credential: 'access_token',
    credential_name: 'Nightly CI',
    ip: '127.0.0.1',
    request_id: seen.headers.get('x-request-id'),
    omitted: 0,
  });
  expect(second).toMatchObject({ route: '/api/customers/:id', status: 403 });
  expect(JSON.stringify(await log().then(({ body }) => body))).not.toContain('SECRET-SEARCH');
  // the audit log has what a person does in a session
  expect((await rows()).every((row) => row.route !== '/api/account/tokens')).toBe(true);
});

it('lists calls of plugins without the address of whose computer it was, and without the serial', async () => {
  const answer = await plugin({ license_key: code, machine_id: 'STUDIO-MAC' });
  await expect.poll(() => rows(`?credential_id=${key.id}`)).toHaveLength(1);
  const [call] = await rows(`?credential_id=${key.id}`);
  expect(call).toMatchObject({
    route: '/api/license/v1/validate',
    status: answer.status,
    credential: 'plugin_key',
    credential_name: 'Release',
    ip: null,
  });
  const whole = await log();
  expect(whole.text).not.toContain(code);
  expect(whole.text).not.toContain('STUDIO-MAC');
  expect(whole.body.credentials).toEqual([
    { id: token.id, credential: 'access_token', name: 'Nightly CI' },
    { id: key.id, credential: 'plugin_key', name: 'Release' },
  ]);
});

it('filters by status and route, pages, exports, and shows nothing to somebody else', async () => {
  expect((await rows('?status=4xx&route=/api/CUSTOMERS')).map(({ status }) => status)).toEqual([403]);
  expect(await rows('?status=5xx')).toEqual([]);
  expect((await log('?status=oops')).status).toBe(400);
  const first = (await log('?limit=1')).body;
  const second = (await log(`?limit=1&cursor=${first.next_cursor}`)).body;
  expect(second.rows[0].id < first.rows[0].id).toBe(true);
  expect(second.credentials).toEqual([]);
  const csv = await log("?status=2xx&route=serials'", ada.token, { accept: 'text/csv' });
  expect(csv.text.trim().split('\r\n')).toHaveLength(1);
  const found = await log('?status=2xx&route=/api/serials', ada.token, { accept: 'text/csv' });
  expect(found.headers.get('content-disposition')).toContain('requests.csv');
  expect(found.text.trim().split('\r\n')).toEqual([
    'At (UTC),Method,Route,Status,Milliseconds,Credential,Name,Credential id,IP address,Request id,Omitted',
    expect.stringMatching(/^2026-03-10T12:00:00\.000Z,GET,\/api\/serials,200,\d+,access_token,Nightly CI,/),
  ]);
  const other = await signUp(server);
  expect((await log('', other.token)).body).toEqual({ rows: [], next_cursor: null, credentials: [] });
});

it('gives a flood a bounded number of lines, and counts the rest of its minute on the last of them', async () => {
  clock.set('2026-03-10T12:10:00Z');
  for (let n = 0; n < 13; n += 1) await plugin({ license_key: 'WRONG', machine_id: 'M' });
  const flood = () => rows(`?credential_id=${key.id}&status=4xx`);
  await expect.poll(async () => (await flood())[0]?.omitted).toBe(3);
  const inThisMinute = async () => (await flood()).filter((row) => row.at === '2026-03-10T12:10:00.000Z');
  expect(await inThisMinute()).toHaveLength(10);
  // on the line that is in the database by now
  await plugin({ license_key: 'WRONG', machine_id: 'M' });
  await expect.poll(async () => (await flood())[0]?.omitted).toBe(4);
  clock.set('2026-03-10T12:11:00Z');
  await plugin({ license_key: 'WRONG', machine_id: 'M' });
  await expect.poll(async () => (await flood())[0]?.at).toBe('2026-03-10T12:11:00.000Z');
  expect((await flood())[0]?.omitted).toBe(0);
  expect((await inThisMinute())[0]?.omitted).toBe(4);
});

it('lists a request whose caller left before its answer', async () => {
  const busy = await lockWith(server.db, 'lock table serials in access exclusive mode');
  const caller = new AbortController();
  const headers = { authorization: `Bearer ${token.token}` };
  const left = fetch(`${server.url}/api/serials`, { headers, signal: caller.signal });
  await busy.untilWaiting(1);
  caller.abort();
  await expect(left).rejects.toThrow('aborted');
  await expect.poll(() => rows('?status=4xx&route=/api/serials')).toMatchObject([{ status: 499 }]);
  await busy.release();
});

it('keeps a line under its name when the token is gone, for a week, and goes with the account', async () => {
  await call(server, 'DELETE', `/api/account/tokens/${token.id}`, { token: ada.token });
  expect((await log()).body.credentials[0]).toMatchObject({ id: token.id, name: 'Nightly CI' });
  const requests = new ApiRequests({
    clock,
    db: tables.of(server.db as never),
    random: { id: () => '' },
    log: {},
    exports: {},
  } as never);
  await requests.expire();
  expect((await rows()).length).toBeGreaterThan(0);
  await server.db.query(
    `insert into api_requests (account_id, id, at, method, route, status, credential, credential_id, request_id, ms)
     select $1, gen_random_uuid(), $2, 'GET', '/api/many', 200, 'access_token', $3, 'r', 1 from generate_series(1, 10100)`,
    [ada.id, clock.now(), token.id],
  );
  await requests.expire();
  expect(await server.db.query('select 1 from api_requests where account_id = $1', [ada.id])).toHaveLength(10_000);
  const gone = await call(server, 'DELETE', '/api/account/delete', { token: ada.token, body: { password: PASSWORD } });
  expect(gone.status, gone.text).toBeLessThan(300);
  expect(await server.db.query('select 1 from api_requests where account_id = $1', [ada.id])).toEqual([]);
  await server.db.query(
    `insert into api_requests (account_id, id, at, method, route, status, credential, credential_id, request_id, ms)
     values ($1, $1, $2, 'GET', '/', 200, 'access_token', $1, 'r', 1)`,
    [ada.id, new Date(clock.now().getTime() - 8 * DAY)],
  );
  await requests.expire();
  await requests.close();
  expect(await server.db.query('select 1 from api_requests where account_id = $1', [ada.id])).toEqual([]);
});
