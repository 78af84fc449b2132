import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { AuditLog } from './audit.service.ts';
import { tables } from './tables.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUpVerified(server);
});
afterAll(() => server.stop());

const log = (query = '', token = ada.token, headers: Record<string, string> = {}) =>
  call(server, 'GET', `/api/audit-log${query}`, { token, headers });
const actions = async (query = '', token = ada.token): Promise<string[]> =>
  (await log(query, token)).body.rows.map((row: { action: string }) => row.action);
const post = (path: string, body: object = {}, token = ada.token) => call(server, 'POST', path, { token, body });

it('records a sign-in with its place, and what a token does under the name it had', async () => {
  const [signIn] = (await log('?action=signed_in')).body.rows;
  expect(signIn).toMatchObject({
    action: 'signed_in',
    summary: 'signed in',
    at: clock.now().toISOString(),
    via: null,
    token_name: null,
    ip: '127.0.0.1',
    device: 'Node.js',
  });
  // each at a moment of its own
  clock.set('2026-03-10T12:00:01Z');
  const made = await post('/api/account/tokens', { name: 'CI', scopes: ['keys:write', 'account:read'] });
  const ci = made.body.token as string;
  clock.set('2026-03-10T12:00:02Z');
  const key = await post('/api/developer/plugin-keys', { label: 'Release' }, ci);
  clock.set('2026-03-10T12:00:03Z');
  await call(server, 'DELETE', `/api/account/tokens/${made.body.id}`, { token: ada.token });
  const rows = (await log('?limit=3')).body.rows;
  expect(rows).toMatchObject([
    { action: 'token_deleted', detail: 'CI', via: 'session', token_name: null },
    { action: 'key_created', detail: 'Release', object_id: key.body.key.id, via: 'access_token', token_name: 'CI' },
    { action: 'token_created', detail: 'CI', object_id: made.body.id, via: 'session' },
  ]);
});

it('records exports, bulk changes, deletions and an erasure, with numbers and names but no code and no address', async () => {
  const token = ada.token;
  const product = await makeProduct(server, token, { name: 'Audited' });
  const serials = await makeSerials(server, token, product.id, { quantity: 4 });
  await redeem(server, serials[0]?.code as string, 'nina@example.com', ada.id);
  await call(server, 'GET', `/api/serials?product_id=${product.id}`, { token, headers: { accept: 'text/csv' } });
  await post('/api/serials/bulk', { action: 'revoke', ids: [serials[1]?.id] });
  const { customers } = (await call(server, 'GET', '/api/customers/list', { token })).body;
  await call(server, 'DELETE', `/api/customers/${customers[0].id}`, { token });
  await call(server, 'DELETE', `/api/products/${product.id}?force=true`, { token });
  const { rows } = (await log('?limit=20')).body;
  const names = rows.map((row: { action: string }) => row.action);
  expect(names).toEqual(
    expect.arrayContaining(['serials_exported', 'serials_changed', 'customer_erased', 'product_deleted']),
  );
  expect(rows.find((row: { action: string }) => row.action === 'product_deleted')).toMatchObject({ detail: 'Audited' });
  const text = JSON.stringify(rows);
  for (const secret of ['nina@example.com', ...serials.map(({ code }) => code)]) expect(text).not.toContain(secret);
});

it('records a sign-out, a changed profile by its fields, and what changes who owns or paid for a serial', async () => {
  const olga = await signUpVerified(server);
  const { token } = olga;
  const product = await makeProduct(server, token, { name: 'Moved', price: 20 });
  const [serial] = await makeSerials(server, token, product.id, { quantity: 2 });
  await redeem(server, serial?.code as string, 'nina@example.com', olga.id);
  const settings = { company_name: 'Secret Sounds', support_email: 'help@secret.example' };
  const change = (body: object) => call(server, 'PUT', '/api/account/settings', { token, body });
  expect((await change(settings)).status).toBe(200);
  // nothing changes, so nothing is recorded
  await change(settings);
  const { customers } = (await call(server, 'GET', '/api/customers/list', { token })).body;
  await call(server, 'PATCH', `/api/customers/${customers[0].id}`, { token, body: { first_name: 'Nora' } });
  await post(`/api/serials/${serial?.id}/transfer`, { email: 'otis@example.com' }, token);
  await post(`/api/serials/${serial?.id}/refund`, { reason: 'Asked', revoke: true }, token);
  await post(`/api/serials/${serial?.id}/reinstate`, { reason: 'Mistake', reassign: true }, token);
  await post('/api/serials/change', { action: 'revoke', filter: { product_id: product.id } }, token);
  const again = await call(server, 'POST', '/api/auth/login', { body: { email: olga.email, password: PASSWORD } });
  await post('/api/auth/logout', {}, again.body.token);
  const rows: { action: string; detail: string | null; object_id: string | null }[] = (await log('', token)).body.rows;
  const found = (action: string) => rows.filter((row) => row.action === action).map((row) => row.detail);
  expect(found('profile_changed')).toEqual(['company name, support email']);
  expect(found('customer_changed')).toEqual([null]);
  expect(found('serial_transferred')).toEqual(['Moved']);
  expect(found('sale_refunded')).toEqual(['Moved, $20.00']);
  expect(found('refund_undone')).toEqual(['Moved, $20.00']);
  expect([found('serial_revoked'), found('serial_reassigned')]).toEqual([[null], [null]]);
  expect(found('serials_changed')).toEqual(['revoke: 2']);
  expect(found('signed_out')).toHaveLength(1);
  expect(rows.filter((row) => row.object_id === serial?.id)).toHaveLength(5);
  const text = JSON.stringify(rows);
  for (const secret of ['nina@', 'otis@', 'Nora', 'Secret Sounds', 'help@secret', serial?.code as string])
    expect(text).not.toContain(secret);
});

it('records nothing of a dry run, of what failed, and of somebody else', async () => {
  const token = ada.token;
  const product = await makeProduct(server, token, { name: 'Kept' });
  const before = (await log()).body.rows[0].id;
  await call(server, 'DELETE', `/api/products/${product.id}?dry_run=true`, { token });
  await call(server, 'DELETE', `/api/developer/plugin-keys/${product.id}`, { token });
  expect((await log()).body.rows[0].id).toBe(before);
  const shop = await signUp(server, 'reseller');
  expect(await actions('', shop.token)).toEqual(['signed_in']);
});

it('pages, filters by action and days, and exports what the filter shows', async () => {
  const first = (await log('?limit=1')).body;
  const second = (await log(`?limit=1&cursor=${first.next_cursor}`)).body;
  expect(second.rows[0].id < first.rows[0].id).toBe(true);
  expect(await actions('?action=key_created')).toEqual(['key_created']);
  expect(await actions('?dateRange=2020-01-01_to_2020-01-02')).toEqual([]);
  expect((await log('?action=nonsense')).status).toBe(400);
  const csv = await log('?action=key_created', ada.token, { accept: 'text/csv' });
  expect(csv.headers.get('content-disposition')).toContain('audit_log.csv');
  expect(csv.text.trim().split('\r\n')).toEqual([
    'At (UTC),Action,Detail,Object,Via,Access token,IP address,User agent',
    expect.stringMatching(/^2026-03-10T12:00:02\.000Z,key_created,Release,[0-9a-f-]{36},access_token,CI,127\.0\.0\.1,/),
  ]);
});

it('exports no name that a spreadsheet would run as a formula', async () => {
  const eve = await signUpVerified(server);
  await post('/api/developer/plugin-keys', { label: '=1+1' }, eve.token);
  const csv = await log('?action=key_created', eve.token, { accept: 'text/csv' });
  expect(csv.text).toContain(",key_created,'=1+1,");
});

it('cannot be changed, is kept for a year, and goes with the account', async () => {
  await expect(server.db.query("update audit_events set detail = 'else'")).rejects.toThrow('append-only');
  const old = new AuditLog({ clock, db: tables.of(server.db as never), exports: {} as never });
  const person = await signUp(server);
  const count = async () =>
    (
      await server.db.query<{ n: number }>('select count(*)::int as n from audit_events where account_id = $1', [
        person.id,
      ])
    )[0]?.n;
  expect(await count()).toBe(1);
  const now = clock.now();
  clock.set(new Date(now.getTime() + 364 * DAY).toISOString());
  await old.expire();
  expect(await count()).toBe(1);
  clock.set(now.toISOString());
  const gone = await call(server, 'DELETE', '/api/account/delete', {
    token: person.token,
    body: { password: PASSWORD },
  });
  expect(gone.status, gone.text).toBeLessThan(300);
  expect(await count()).toBe(0);
  clock.set(new Date(now.getTime() + 366 * DAY).toISOString());
  await old.expire();
  expect((await server.db.query('select 1 from audit_events')).length).toBe(0);
});

it('lists who was sent what in a developer’s name and whether it arrived, but nothing to somebody else', async () => {
  const olga = await signUp(server);
  const product = await makeProduct(server, olga.token);
  const [serial] = await makeSerials(server, olga.token, product.id, { quantity: 1 });
  await redeem(server, serial?.code as string, 'Mara@example.com', olga.id);
  const emails = async (query = '', token = olga.token) =>
    (await call(server, 'GET', `/api/email-log${query}`, { token })).body.rows;
  const [email] = await emails();
  expect(email).toMatchObject({ kind: 'redemption', recipient: 'Mara@example.com', error: null });
  expect(['queued', 'sent']).toContain(email.state);
  expect(Object.keys(email)).not.toContain('body');
  expect(await emails('?recipient=mara@example.com&kind=redemption')).toHaveLength(1);
  expect(await emails('?recipient=other@example.com')).toEqual([]);
  expect(await emails('?kind=my_products')).toEqual([]);
  expect(await emails('?state=failed')).toEqual([]);
  expect(await emails('', ada.token)).not.toEqual(expect.arrayContaining([expect.objectContaining({ id: email.id })]));
});
