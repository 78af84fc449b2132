import { createPublicKey, randomUUID, verify } from 'node:crypto';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { type Received, type Receiver, startReceiver, verifyWith } from '@tonerow/test-support/receiver.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOUR, TestClock } from '#platform/clock.ts';
import { sqlOf } from '#platform/db/database.ts';
import type { AttemptView } from '../delivery/deliveries.schemas.ts';
import { recordWebhook } from '../events/record.ts';

let server: TestServer;
let ada: Person;
let receiver: Receiver;
const clock = new TestClock(new Date(Math.floor(Date.now() / 1000) * 1000));

beforeAll(async () => {
  server = await startServer({ overrides: { clock }, env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  ada = await signUpVerified(server);
  receiver = await startReceiver();
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const make = async (fields: object = {}, token = ada.token) =>
  call(server, 'POST', '/api/webhooks', { token, body: { url: receiver.url, events: ['*'], ...fields } });
const remove = (id: string, token = ada.token) => call(server, 'DELETE', `/api/webhooks/${id}`, { token });
const test = (id: string, body: object = {}, token = ada.token) =>
  call(server, 'POST', `/api/webhooks/${id}/test`, { token, body });
const delivery = async (id: string, token = ada.token) =>
  (await call(server, 'GET', `/api/webhook-deliveries/${id}`, { token })).body;
const arrived = async (eventId: string): Promise<Received> => {
  const find = () => receiver.received.find(({ headers }) => headers['webhook-id'] === eventId);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() as Received;
};

describe('a webhook', () => {
  it('gets a test that the published library verifies with the secret, which is shown once', async () => {
    const made = await make({ description: 'Shop' });
    expect(made.status).toBe(201);
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id } = made.body.webhook;
    const sent = await test(id);
    expect(sent.status).toBe(201);
    const one = await arrived(sent.body.event_id);
    expect(verifyWith(made.body.secret, one)).toMatchObject({
      type: 'webhook.test',
      test: true,
      data: { endpoint_id: id },
    });
    expect(one.headers['content-type']).toBe('application/json');
    await expect.poll(async () => (await delivery(sent.body.delivery_ids[0])).state).toBe('delivered');
    const shown = await delivery(sent.body.delivery_ids[0]);
    expect(shown).toMatchObject({ attempts: 1, last_status: 204, last_error: null, body: one.body, is_test: true });
    expect(shown.history).toMatchObject([
      { n: 1, trigger: 'manual', status: 204, request_headers: { 'webhook-id': sent.body.event_id } },
    ]);
    const got = (await call(server, 'GET', `/api/webhooks/${id}`, { token: ada.token })).text;
    expect(got).not.toContain(made.body.secret);
    expect(server.logged()).not.toContain(made.body.secret);
    await remove(id);
  });

  it('gets names of any characters, signed as they are sent', async () => {
    const made = await make({ events: ['product.published'] });
    const name = 'Flügel 🎹 "x" </script>';
    const product = await makeProduct(server, ada.token, { name, is_draft: true });
    await call(server, 'POST', `/api/products/${product.id}/publish`, { token: ada.token });
    const found = () => receiver.received.find(({ event }) => event.data.product_id === product.id);
    await expect.poll(found, { timeout: 10_000 }).toBeDefined();
    const stored = await call(server, 'GET', `/api/products/${product.id}`, { token: ada.token });
    expect(stored.body.name).toContain('🎹');
    expect(verifyWith(made.body.secret, found() as Received)).toMatchObject({
      type: 'product.published',
      data: { name: stored.body.name },
    });
    await remove(made.body.webhook.id);
  });

  it('gets half a character as an escape that every reader of JSON takes, and nobody can send one in', async () => {
    const made = await make({ events: ['product.published'] });
    const name = 'Verb \ud800 1';
    const refused = await call(server, 'POST', '/api/products', { token: ada.token, body: { name, price: 49 } });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: 'name', message: 'The text is not valid Unicode.' }],
    ]);
    // a name that was cut off within a character before it was recorded
    const data = { product_id: randomUUID(), name };
    const event = { type: 'product.published', at: clock.now(), data } as const;
    const client = new pg.Client({ connectionString: server.db.url });
    await client.connect();
    await client.query('begin');
    await recordWebhook(sqlOf(client), ada.id, event);
    await client.query('commit');
    await client.end();
    const find = () => receiver.received.find(({ event }) => event.data.product_id === data.product_id);
    await expect.poll(find).toBeDefined();
    const found = find() as Received;
    expect(found.body).toContain('"Verb \\ud800 1"');
    expect(verifyWith(made.body.secret, found)).toEqual({
      type: 'product.published',
      timestamp: clock.now().toISOString(),
      data,
    });
    await remove(made.body.webhook.id);
  });

  it('gets what happens in the order of its own choice: a redemption, without the customer’s name', async () => {
    const plain = (await make({ events: ['serial.*'] })).body.webhook;
    const personal = (await make({ events: ['serial.redeemed'], include_personal: true })).body.webhook;
    const other = (await make({ events: ['payout.paid'] })).body.webhook;
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    const list = async (id: string) =>
      (await call(server, 'GET', `/api/webhooks/${id}/deliveries`, { token: ada.token })).body.rows;
    await expect.poll(async () => (await list(plain.id))[0]?.state).toBe('delivered');
    await expect.poll(async () => (await list(personal.id))[0]?.state).toBe('delivered');
    const [a] = await list(plain.id);
    const [b] = await list(personal.id);
    expect(a.event_id).toBe(b.event_id);
    const bodies = await Promise.all([delivery(a.id), delivery(b.id)]);
    const event = JSON.parse(bodies[0].body);
    expect(event).toMatchObject({
      type: 'serial.redeemed',
      data: { serial_id: serial?.id, code: serial?.code, product_id: product.id, developer_id: ada.id, price: 49 },
    });
    expect(bodies[0].body).not.toContain('nina');
    expect(JSON.parse(bodies[1].body).data).toEqual({
      ...event.data,
      email: 'nina@example.com',
      first_name: 'Nina',
      last_name: 'Simone',
    });
    expect(await list(other.id)).toEqual([]);
    // the receiver may have answered with what it was told
    const { token } = (
      await call(server, 'POST', '/api/account/tokens', {
        token: ada.token,
        body: { name: 'x', scopes: ['webhooks:read'] },
      })
    ).body;
    const answers = async ({ id }: { id: string }) => {
      const seen = (await call(server, 'GET', `/api/webhook-deliveries/${id}`, { token })).body;
      expect(seen.body).not.toContain('nina');
      return seen.history.map(({ response_text, response_headers, status }: AttemptView) => [
        response_text,
        response_headers === null,
        status,
      ]);
    };
    expect(bodies.map(({ history }) => history[0].response_text)).toEqual(['', '']);
    for (const { id } of [a, b]) expect(await answers({ id })).toEqual([[null, true, 204]]);
    // also after the setting is off
    const change = { include_personal: false };
    await call(server, 'PATCH', `/api/webhooks/${personal.id}`, { token: ada.token, body: change });
    expect(await answers(b)).toEqual([[null, true, 204]]);
    const sent = (await test(plain.id)).body.delivery_ids[0];
    await expect.poll(async () => (await delivery(sent)).state).toBe('delivered');
    expect(await answers({ id: sent })).toEqual([['', false, 204]]);
    for (const { id } of [plain, personal, other]) await remove(id);
  });

  it('signs with the old secret, too, until the overlap of a rotation ends', async () => {
    const made = (await make()).body;
    const rotated = await call(server, 'POST', `/api/webhooks/${made.webhook.id}/rotate-secret`, {
      token: ada.token,
      body: { overlap_hours: 2 },
    });
    expect(rotated.status).toBe(200);
    const until = new Date(clock.now().getTime() + 2 * HOUR).toISOString();
    expect(rotated.body.webhook.rotates_until).toBe(until);
    const during = await arrived((await test(made.webhook.id)).body.event_id);
    expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(() => verifyWith(made.secret, during)).not.toThrow();
    expect(() => verifyWith(rotated.body.secret, during)).not.toThrow();
    for (const hours of [0, 169]) {
      const refused = await call(server, 'POST', `/api/webhooks/${made.webhook.id}/rotate-secret`, {
        token: ada.token,
        body: { overlap_hours: hours },
      });
      expect(refused.status).toBe(400);
    }
    await server.db.query('update webhook_endpoints set previous_until = $2 where id = $1', [
      made.webhook.id,
      new Date(clock.now().getTime() - 1),
    ]);
    const after = await arrived((await test(made.webhook.id)).body.event_id);
    expect(() => verifyWith(made.secret, after)).toThrow();
    expect(() => verifyWith(rotated.body.secret, after)).not.toThrow();
    await remove(made.webhook.id);
  });

  it('signs with the account’s own Ed25519 key, which is published', async () => {
    const made = (await make({ signature: 'v1a' })).body;
    expect(made.secret).toBeNull();
    const jwks = await call(server, 'GET', new URL(made.webhook.jwks_url).pathname);
    expect(jwks.body.keys).toHaveLength(1);
    const raw = Buffer.from(jwks.body.keys[0].x, 'base64url');
    expect(made.webhook.public_key).toBe(`whpk_${raw.toString('base64')}`);
    const { headers, body } = await arrived((await test(made.webhook.id)).body.event_id);
    const [kind, signature] = String(headers['webhook-signature']).split(',');
    expect(kind).toBe('v1a');
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwks.body.keys[0].x }, format: 'jwk' });
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature as string, 'base64'))).toBe(true);
    const license = await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`);
    expect(JSON.stringify(license.body)).not.toContain(jwks.body.keys[0].x);
    await remove(made.webhook.id);
  });

  it('signs with the old key of the account, too, until the overlap of a rotation ends', async () => {
    const made = (await make({ signature: 'v1a' })).body;
    const keys = async () =>
      (await call(server, 'GET', new URL(made.webhook.jwks_url).pathname)).body.keys as { x: string; kid: string }[];
    const fits = ({ headers, body }: Received, x: string) => {
      const text = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const signatures = String(headers['webhook-signature']).split(' ');
      return signatures.map((each) => verify(null, text, key, Buffer.from(each.replace('v1a,', ''), 'base64')));
    };
    const rotate = () =>
      call(server, 'POST', `/api/webhooks/${made.webhook.id}/rotate-secret`, {
        token: ada.token,
        body: { overlap_hours: 2 },
      });
    const [before] = await keys();
    const rotated = await rotate();
    expect(rotated.body).toMatchObject({
      secret: null,
      webhook: { rotates_until: new Date(clock.now().getTime() + 2 * HOUR).toISOString() },
    });
    const [after, old, ...more] = await keys();
    expect([old, more]).toEqual([before, []]);
    expect(rotated.body.webhook.public_key).toBe(
      `whpk_${Buffer.from(after?.x as string, 'base64url').toString('base64')}`,
    );
    const during = await arrived((await test(made.webhook.id)).body.event_id);
    expect(fits(during, before?.x as string)).toEqual([false, true]);
    expect(fits(during, after?.x as string)).toEqual([true, false]);
    // a second rotation ends the overlap of the first, as with secrets
    await rotate();
    expect((await keys()).map(({ kid }) => kid)).toEqual([expect.not.stringMatching(after?.kid as string), after?.kid]);
    clock.advance(2 * HOUR);
    const [last, ...rest] = await keys();
    expect(rest).toEqual([]);
    const late = await arrived((await test(made.webhook.id)).body.event_id);
    expect(fits(late, last?.x as string)).toEqual([true]);
    expect(
      (await call(server, 'GET', `/api/webhooks/${made.webhook.id}`, { token: ada.token })).body.rotates_until,
    ).toBeNull();
    await remove(made.webhook.id);
  });

  it('is one of ten at most, however many are made at once', async () => {
    const { token } = await signUpVerified(server);
    const made = await Promise.all(Array.from({ length: 12 }, () => make({}, token)));
    expect(made.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 422, 422]);
  });

  it('is another’s: absent, and unchanged', async () => {
    const made = (await make()).body;
    const sent = (await test(made.webhook.id)).body;
    await arrived(sent.event_id);
    const bob = await signUpVerified(server, 'reseller');
    const as = { token: bob.token };
    const { id } = made.webhook;
    const answers = await Promise.all([
      call(server, 'GET', `/api/webhooks/${id}`, as),
      call(server, 'PATCH', `/api/webhooks/${id}`, { ...as, body: { enabled: false } }),
      call(server, 'POST', `/api/webhooks/${id}/rotate-secret`, { ...as, body: {} }),
      call(server, 'POST', `/api/webhooks/${id}/test`, { ...as, body: {} }),
      call(server, 'POST', `/api/webhooks/${id}/replay`, { ...as, body: { since: '2026-01-01T00:00:00Z' } }),
      call(server, 'GET', `/api/webhooks/${id}/deliveries`, as),
      call(server, 'GET', `/api/webhook-deliveries/${sent.delivery_ids[0]}`, as),
      call(server, 'POST', `/api/webhook-deliveries/${sent.delivery_ids[0]}/retry`, as),
      call(server, 'DELETE', `/api/webhooks/${id}`, as),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(404));
    expect((await call(server, 'GET', `/api/webhook-events?after=${sent.event_id}`, as)).status).toBe(400);
    expect((await call(server, 'GET', '/api/webhook-events', as)).body.events).toEqual([]);
    expect((await call(server, 'GET', `/api/webhooks/${id}`, { token: ada.token })).body.enabled).toBe(true);
    await remove(id);
  });

  it('is refused for an address that is none, or that nobody outside has', async () => {
    const strict = await startServer({ overrides: { clock }, db: server.db });
    const refused = async (url: string) =>
      (await call(strict, 'POST', '/api/webhooks', { token: ada.token, body: { url, events: ['*'] } })).status;
    for (const url of [
      'nothing',
      'ftp://example.com',
      'http://example.com',
      'https://user@example.com',
      'https://user:word@example.com',
      'https://example.com/#part',
      'https://example.com:22',
      'https://127.0.0.1',
      'https://2130706433',
      'https://0x7f000001',
      'https://127.1',
      'https://[::1]',
      'https://[::ffff:127.0.0.1]',
      'https://localhost',
      'https://metadata.google.internal',
      'https://8.8.8.8',
      'http://127.0.0.1:5432',
      'https://127.0.0.1:5432',
      'http://[fe80::1%25eth0]/',
      'https://[fe80::1%25eth0]/',
    ])
      expect([url, await refused(url)]).toEqual([url, 400]);
    await strict.stop();
  });

  it('is only for an account with a verified address, and for tokens with the scope', async () => {
    const stranger = await signUp(server);
    expect((await make({}, stranger.token)).body.code).toBe('email_unverified');
    const token = async (scopes: string[]) =>
      (await call(server, 'POST', '/api/account/tokens', { token: ada.token, body: { name: 'x', scopes } })).body.token;
    const reader = await token(['webhooks:read']);
    expect((await make({}, reader)).body.code).toBe('insufficient_scope');
    // a caller who may not read serials is not sent their codes, nor shown them
    const codeless = await token(['webhooks:read', 'webhooks:write']);
    for (const events of [['*'], ['serial.*'], ['serial.revoked']])
      expect((await make({ events }, codeless)).body.code).toBe('insufficient_scope');
    const quiet = await make({ events: ['plan.usage', 'stock.low'] }, codeless);
    expect(quiet.status).toBe(201);
    await remove(quiet.body.webhook.id, codeless);
    const writer = await token(['webhooks:read', 'webhooks:write', 'serials:read']);
    expect((await make({ include_personal: true }, writer)).body.code).toBe('insufficient_scope');
    const made = await make({}, writer);
    expect(made.status).toBe(201);
    await remove(made.body.webhook.id, writer);
    // nor move one that has them to an address of its own
    const { id } = (await make({ include_personal: true })).body.webhook;
    const change = (body: object, token = writer) => call(server, 'PATCH', `/api/webhooks/${id}`, { token, body });
    expect((await change({ url: `${receiver.url}/mine` })).body.code).toBe('insufficient_scope');
    expect((await change({ url: `${receiver.url}/mine`, include_personal: false }, codeless)).status).toBe(403);
    expect((await change({ url: receiver.url, description: 'Shop' })).status).toBe(200);
    expect((await change({ url: `${receiver.url}/mine`, include_personal: false })).status).toBe(200);
    await remove(id);
  });

  it('sends no codes where its switch for them is off, which takes a token that reads serials to switch on', async () => {
    const token = async (scopes: string[]) =>
      (await call(server, 'POST', '/api/account/tokens', { token: ada.token, body: { name: 'x', scopes } })).body.token;
    const codeless = await token(['webhooks:read', 'webhooks:write']);
    const reader = await token(['webhooks:read', 'webhooks:write', 'serials:read']);
    const made = await make({ events: ['serial.revoked'], include_codes: false }, codeless);
    expect([made.status, made.body.webhook.include_codes]).toEqual([201, false]);
    const { id } = made.body.webhook;
    const change = (body: object, by: string) => call(server, 'PATCH', `/api/webhooks/${id}`, { token: by, body });
    // like one that was made before there was the rule, it stays as it is when another token changes it
    expect((await change({ description: 'Shop', url: `${receiver.url}/other` }, codeless)).body.include_codes).toBe(
      false,
    );
    expect((await change({ include_codes: true }, codeless)).body.code).toBe('insufficient_scope');
    const product = await makeProduct(server, ada.token);
    // while the clock is stopped, none is the newest
    const known: string[] = [];
    const added = async () =>
      (await call(server, 'GET', `/api/webhooks/${id}/deliveries`, { token: ada.token })).body.rows.find(
        (row: { id: string }) => !known.includes(row.id),
      );
    const revoke = async () => {
      const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
      await call(server, 'PATCH', `/api/serials/revoke/${serial?.id}`, { token: ada.token });
      // the delivery is made a moment after the event
      const { event_id, id: deliveryId } = await vi.waitUntil(added, { timeout: 20_000 });
      known.push(deliveryId);
      const { body } = await arrived(event_id);
      const shown = (await delivery(deliveryId)).body;
      expect(shown).toBe(body);
      return { code: serial?.code, sent: JSON.parse(body).data };
    };
    expect((await revoke()).sent).not.toHaveProperty('code');
    expect((await change({ include_codes: true }, reader)).body.include_codes).toBe(true);
    const { code, sent } = await revoke();
    expect(sent.code).toBe(code);
    await remove(id);
  });
});
