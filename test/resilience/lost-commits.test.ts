import { randomUUID } from 'node:crypto';
import { startCuttingProxy } from '@tonerow/test-support/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { plantPayout } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

// A transaction is committed, and the connection to the database breaks before the server hears of it. A client that
// repeats the request with its Idempotency-Key, as the SDK does, gets what the first one made, and nothing is made
// twice.

let direct: TestDatabase;
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;
let server: TestServer;
let ada: Person;
let rae: Person;
let partnershipId: string;
let product: { id: string };
beforeAll(async () => {
  direct = await createTestDatabase();
  proxy = await startCuttingProxy(direct.url);
  server = await startServer({ db: { ...direct, url: proxy.url } });
});
afterAll(async () => {
  await server.stop();
  proxy.close();
  await direct.drop();
});
beforeEach(async () => {
  ada = await signUpVerified(server);
  rae = await signUpVerified(server, 'reseller');
  partnershipId = await connectPartners(server, ada, rae);
  product = await makeProduct(server, ada.token, { price: 20 });
});

interface Lost {
  path: string;
  body?: unknown;
  who?: Person;
  headers?: Record<string, string>;
  /** A statement in the transaction whose confirmation is lost. */
  writes: RegExp;
  /** Everything that may be there once only. */
  count: string;
  /** The answer to a repeat. */
  gets?: object;
  /** The call finds out by itself what was written, and answers it. */
  heals?: true;
}

const stream = { accept: 'text/csv' };
const sold = async (): Promise<string> => {
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1, reseller_id: partnershipId });
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  return serial?.id as string;
};
const csv = (text: string) => {
  const form = new FormData();
  form.append('file', new Blob([text]), 'a.csv');
  return form;
};
const keyOf = async () =>
  (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'One' } })).body.key.id;

const cases: Record<string, () => Lost | Promise<Lost>> = {
  'a batch': () => ({
    path: '/api/serials/generate',
    body: { product_id: product.id, quantity: 3 },
    writes: /insert into "?batches/,
    count: 'select id from serials where developer_id = $1',
  }),
  'a streamed batch': () => ({
    path: '/api/serials/generate',
    body: { product_id: product.id, quantity: 3 },
    headers: stream,
    writes: /insert into "?batches/,
    count: 'select id from serials where developer_id = $1',
  }),
  'a refund': async () => ({
    path: `/api/serials/${await sold()}/refund`,
    body: { amount: 5, reason: 'Late' },
    writes: /insert into "?ledger_adjustments/,
    count: 'select id from ledger_adjustments where developer_id = $1',
  }),
  'a reinstatement': async () => {
    const id = await sold();
    await call(server, 'POST', `/api/serials/${id}/refund`, { token: ada.token, body: { reason: 'Late' } });
    return {
      path: `/api/serials/${id}/reinstate`,
      body: { reason: 'Kept' },
      writes: /insert into "?ledger_adjustments/,
      count: "select id from ledger_adjustments where developer_id = $1 and kind = 'reinstatement'",
    };
  },
  'a payment': async () => ({
    path: `/api/reseller/developer/payouts/${(await plantPayout(direct, ada.id)).id}/mark-paid`,
    body: { amount: 3 },
    writes: /insert into "?payout_payments/,
    count: 'select id from payout_payments where developer_id = $1',
  }),
  'a draw': async () => {
    await makeSerials(server, ada.token, product.id, { quantity: 5, reseller_id: partnershipId });
    return {
      path: '/api/reseller/serials/draw',
      body: { product_id: product.id, quantity: 2, reference: randomUUID() },
      who: rae,
      writes: /insert into "?draws/,
      heals: true,
      count: 'select serial_id from draw_items where developer_id = $1',
    };
  },
  'a request for a deal': () => ({
    path: '/api/reseller/deal-requests',
    body: { product_id: product.id, price: 10, quantity: 5 },
    who: rae,
    writes: /insert into "?deal_requests/,
    count: 'select id from deal_requests where developer_id = $1',
  }),
  'an invitation': () => ({
    path: '/api/reseller/developer/invite-reseller',
    body: { emails: ['one@example.com', 'two@example.com'] },
    writes: /insert into "?invites/,
    count: "select id from invites where inviter_id = $1 and state = 'pending'",
  }),
  'a message to a reseller': async () => {
    // jobs write emails as well, and the confirmation of theirs would be lost instead
    const writing =
      "select name from pgboss.job where name in ('account-email', 'invite-notice') and state in ('created', 'retry', 'active')";
    await expect.poll(() => direct.query(writing), { timeout: 30_000 }).toEqual([]);
    return {
      path: `/api/reseller/developer/resellers/${partnershipId}/message`,
      body: { message: 'Hello' },
      writes: /insert into "?mails/,
      count: "select id from mails where subject like 'Message from%' and $1::uuid is not null and recipient = '$RAE'",
    };
  },
  'another plan': () => ({
    path: '/api/subscribe',
    body: { plan_id: 'creator' },
    writes: /insert into "?plan_changes/,
    // the switch, and the email about it
    count: `select id::text from plan_changes where developer_id = $1 union all select m.id::text from mails m
      join users u on u.email = m.recipient where u.id = $1 and m.subject like 'Your plan is now%'`,
    gets: { plan: 'creator', label: 'Creator (Pay As You Go)' },
  }),
  'a product': () => ({
    path: '/api/products',
    body: { name: 'Chorus', price: 10 },
    writes: /insert into "?products/,
    count: "select id from products where developer_id = $1 and name = 'Chorus'",
  }),
  'a plugin key': () => ({
    path: '/api/developer/plugin-keys',
    body: { label: 'One' },
    writes: /insert into "?plugin_keys/,
    count: 'select id from plugin_keys where developer_id = $1',
  }),
  'the successor of a plugin key': async () => {
    const id = await keyOf();
    return {
      path: `/api/developer/plugin-keys/${id}/rotate`,
      body: { grace_seconds: 60 },
      writes: /insert into "?plugin_keys/,
      count: `select id from plugin_keys where developer_id = $1 and id <> '${id}'`,
    };
  },
  'an access token': () => ({
    path: '/api/account/tokens',
    body: { name: 'ci', scopes: ['serials:read'] },
    writes: /insert into "?access_tokens/,
    count: 'select id from access_tokens where user_id = $1',
  }),
  'a trust': () => ({
    path: '/api/developer/trusts',
    body: {
      name: 'ci',
      issuer: 'https://gitlab.com',
      repository_id: '1',
      branch: 'main',
      scopes: ['serials:read'],
    },
    writes: /insert into "?oidc_trusts/,
    count: 'select id from oidc_trusts where user_id = $1',
  }),
  'a file': () => ({
    path: '/api/files',
    body: { name: 'a.zip', size: 10 },
    writes: /insert into "?files/,
    count: 'select id from files where developer_id = $1',
  }),
  'an import': () => ({
    path: '/api/serials/import-available',
    body: csv('Serial,Product\nKEY-1,Lost\n'),
    writes: /create temp/,
    count: "select id from imports where developer_id = $1 and state = 'complete'",
    gets: { count: 1, known: 0, lines: 1 },
  }),
};

it.each(Object.keys(cases))('%s is made once when the confirmation of its commit is lost', async (name) => {
  const lost = await cases[name]?.();
  if (!lost) throw new Error('no such case');
  if (name === 'an import') await makeProduct(server, ada.token, { name: 'Lost' });
  const count = () => direct.query<{ id: string }>(lost.count.replace('$RAE', rae.email), [ada.id]);
  const before = await count();
  const key = { 'idempotency-key': randomUUID(), ...lost.headers };
  const ask = () =>
    call(server, 'POST', lost.path, { token: (lost.who ?? ada).token, headers: key, body: lost.body ?? {} });
  const cuts = proxy.cuts();
  proxy.loseCommit(lost.writes);
  const first = await ask();
  expect(proxy.cuts(), first.text).toBe(cuts + 1);
  const made = await count();
  expect(made.length).toBeGreaterThan(before.length);
  expect([first.status, first.body.code]).toEqual(lost.heals ? [201, undefined] : [503, 'unavailable']);

  const second = await ask();
  expect(second.status, second.text).toBeLessThan(300);
  if (lost.gets) expect(second.body).toMatchObject(lost.gets);
  expect(await count()).toEqual(made);
  // and from now on it is remembered
  expect((await ask()).status).toBe(second.status);
  expect(await count()).toEqual(made);
});

it('the secret that a repeat shows is the one that works', async () => {
  const twice = async (name: string) => {
    const { path, body, writes } = await (cases[name] as () => Promise<Lost>)();
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => call(server, 'POST', path, { token: ada.token, body, headers });
    proxy.loseCommit(writes);
    expect((await ask()).status).toBe(503);
    return (await ask()).body;
  };
  const { token } = await twice('an access token');
  expect((await call(server, 'GET', '/api/serials', { token })).status).toBe(200);
  const { plaintext, key } = await twice('a plugin key');
  const revealed = await call(server, 'GET', `/api/developer/plugin-keys/${key.id}/secret`, { token: ada.token });
  expect(revealed.body.plaintext).toBe(plaintext);
});

it('a request that was refused is forgotten, and one whose outcome is unknown belongs to its body', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const make = (quantity: number) =>
    call(server, 'POST', '/api/serials/generate', {
      token: ada.token,
      headers,
      body: { product_id: product.id, quantity },
    });
  expect((await make(0)).status).toBe(400);
  proxy.loseCommit(/insert into "?batches/);
  expect((await make(2)).status).toBe(503);
  expect((await make(3)).body.code).toBe('idempotency_key_reused');
  // a refusal now does not make the first attempt undone
  await direct.query('update products set deleted_at = now(), is_draft = true where id = $1', [product.id]);
  expect((await make(2)).status).toBe(404);
  await direct.query('update products set deleted_at = null where id = $1', [product.id]);
  expect((await make(2)).status).toBe(201);
  expect(await direct.query('select id from batches where developer_id = $1', [ada.id])).toHaveLength(1);
});
