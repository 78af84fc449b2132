import { createPublicKey, verify } from 'node:crypto';
import { call, makeProduct, makeSerials, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf, juceReply, juceTextOf } from '@tonerow/test-support/juce.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { readConfig } from '../../../config.ts';
import { createDeps, type Deps } from '../../../deps.ts';
import { tokenInEnvelope } from './offline-format.ts';

let server: TestServer;
let deps: Deps;
let ada: Person;
let key: string;
let product: { id: string; name: string };
let brief: { id: string };
let lasting: { id: string; name: string };
const clock = new TestClock('2026-11-21T12:00:00Z');

const serial = async (productId = product.id) => {
  // months pass between the tests, and sessions end
  const body = { email: ada.email, password: PASSWORD };
  ada.token = (await call(server, 'POST', '/api/auth/login', { body })).body.token;
  return (await makeSerials(server, ada.token, productId, { quantity: 1 }))[0] as { id: string; code: string };
};
const offline = (body: object, token = key) => call(server, 'POST', '/api/license/v1/offline', { token, body });
const machineFile = (machine_id: string) => JSON.stringify({ machine_id, device: 'Studio' });
const seats = async (id: string) =>
  (await server.db.query<{ seats_used: number }>('select seats_used from serials where id = $1', [id]))[0]?.seats_used;

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  const config = readConfig({ DATABASE_URL: server.db.url, TONEROW_SECRET: TEST_SECRET });
  // the same services alongside the server, for what only a job calls
  deps = await createDeps({ ...config, databaseUrl: server.db.url, secrets: [TEST_SECRET] }, { clock });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, { name: 'Offline Synth', on_loss: 'bypass' });
  brief = await makeProduct(server, ada.token, { lease_days: 7 });
  lasting = await makeProduct(server, ada.token);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
afterAll(async () => {
  await deps.close();
  await server.stop();
});

it('returns a license file that the published keys verify, and holds the seat', async () => {
  const { id, code } = await serial();
  const answer = await offline({ license_key: code, machine_file: machineFile('L1'), email: 'jo@example.com' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.text).toMatch(/^-----BEGIN TONEROW LICENSE-----\nProduct: Offline Synth\n/);
  expect(answer.text).not.toContain('jo@');
  const [head, body, signature] = (tokenInEnvelope(answer.text) as string).split('.') as [string, string, string];
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const jwks = await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`);
  const jwk = jwks.body.keys.find((each: { kid: string }) => each.kid === kid);
  const signed = Buffer.from(`${head}.${body}`);
  expect(verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature, 'base64url'))).toBe(
    true,
  );
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const now = clock.now().getTime() / 1000;
  expect(claims).toMatchObject({ sub: id, aud: product.id, iat: now, exp: now + 90 * 86_400, loss: 'bypass' });
  expect(await seats(id)).toBe(1);
  expect(await server.db.query('select label, leased_until from activations where serial_id = $1', [id])).toEqual([
    { label: 'Studio', leased_until: new Date(claims.exp * 1000) },
  ]);
});

it('frees the seat when the lease has ended, once, and lets it be taken again', async () => {
  const { id, code } = await serial();
  const ask = () => offline({ license_key: code, machine_file: 'L1', email: 'jo@example.com' });
  await ask();
  clock.advance(60 * DAY);
  await ask(); // prolonged
  clock.advance(89 * DAY);
  await deps.offline.freeEnded();
  expect(await seats(id)).toBe(1);
  clock.advance(DAY);
  const freed = await Promise.all([deps.offline.freeEnded(), deps.offline.freeEnded()]);
  expect(freed.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
  expect(await seats(id)).toBe(0);
  await ask();
  expect(await deps.offline.freeEnded()).toBe(0);
  expect(await seats(id)).toBe(1);
});

it('holds the seat for the product’s lease, and the next file for the lease of that time', async () => {
  const { id, code } = await serial(brief.id);
  const ask = () => offline({ license_key: code, machine_file: 'L1', email: 'jo@example.com' });
  const daysOf = (text: string) => {
    const body = (tokenInEnvelope(text) as string).split('.')[1] as string;
    const { iat, exp } = JSON.parse(Buffer.from(body, 'base64url').toString());
    return (exp - iat) / 86_400;
  };
  expect(daysOf((await ask()).text)).toBe(7);
  await call(server, 'PUT', `/api/products/${brief.id}`, { token: ada.token, body: { lease_days: 2 } });
  clock.advance(6 * DAY);
  await deps.offline.freeEnded();
  expect(await seats(id)).toBe(1);
  clock.advance(DAY);
  await deps.offline.freeEnded();
  expect(await seats(id)).toBe(0);
  expect(daysOf((await ask()).text)).toBe(2);
  clock.advance(2 * DAY);
  await deps.offline.freeEnded();
  expect(await seats(id)).toBe(0);
});

it('leaves the seat to a machine that came online after the lease', async () => {
  const { id, code } = await serial();
  await offline({ license_key: code, machine_file: 'L1', email: 'jo@example.com' });
  clock.advance(91 * DAY);
  const body = { license_key: code, machine_id: 'L1' };
  expect((await call(server, 'POST', '/api/license/v1/activate', { token: key, body })).body.ok).toBe(true);
  await deps.offline.freeEnded();
  expect(await seats(id)).toBe(1);
});

it('stays with a machine that was only checked', async () => {
  const { id, code } = await serial();
  await offline({ license_key: code, machine_file: 'L1', email: 'jo@example.com' });
  clock.advance(91 * DAY);
  const body = { license_key: code, machine_id: 'L1' };
  const validate = async () =>
    (await call(server, 'POST', '/api/license/v1/validate', { token: key, body })).body.status;
  expect(await validate()).toBe('active');
  await deps.offline.freeEnded();
  expect([await validate(), await seats(id)]).toEqual(['active', 1]);
});

it('gives a machine that came online after its lease key files without an end', async () => {
  const { id, code } = await serial(lasting.id);
  const publicKey = (await call(server, 'GET', `/api/products/${lasting.id}/rsa?format=juce`, { token: ada.token }))
    .text;
  const lease = () => offline({ license_key: code, machine_file: 'L1', email: 'jo@example.com', version: '1.0.0' });
  const hise = async () => {
    const body = { key: code, instance_id: 'L1', plugin_version: '1.0.0' };
    return (await call(server, 'POST', '/api/license/activate', { token: key, body })).body.key_file as string;
  };
  const juce = async () => {
    const body = { product: lasting.name, email: 'jo@example.com', pw: code, mach: 'L1' };
    return juceReply((await call(server, 'POST', '/api/license/juce/unlock', { token: key, body })).text).key as string;
  };
  const leasedUntil = async () =>
    (
      await server.db.query<{ until: Date }>('select leased_until as until from activations where serial_id = $1', [id])
    )[0]?.until;
  // while the lease lasts: the machine is online again, and stock JUCE does not unlock by a key with an end
  for (const unlock of [hise, juce]) {
    await lease();
    expect(await leasedUntil()).toEqual(expect.any(Date));
    expect(juceKeyOf(await unlock(), publicKey)).toMatchObject({ mach: 'L1' });
    expect(await leasedUntil()).toBeNull();
  }
  await lease();
  const body = { license_key: code, machine_id: 'L1' };
  expect((await call(server, 'POST', '/api/license/v1/activate', { token: key, body })).body.ok).toBe(true);
  expect(await leasedUntil()).toBeNull();
  clock.advance(100 * DAY);
  await deps.offline.freeEnded();
  expect(await seats(id)).toBe(1);
  // and when it has ended
  await lease();
  clock.advance(90 * DAY);
  for (const file of [await hise(), await juce()]) {
    expect(file).not.toContain('Expires: ');
    expect(juceKeyOf(file, publicKey)).toMatchObject({ mach: 'L1' });
    expect(juceKeyOf(file, publicKey)).not.toHaveProperty('expiryTime');
  }
  await deps.offline.freeEnded();
  expect(await seats(id)).toBe(1);
  expect(await server.db.query('select leased_until from activations where serial_id = $1', [id])).toEqual([
    { leased_until: null },
  ]);
  // as a machine of the network it may take a lease again
  expect(juceKeyOf((await lease()).text, publicKey)).toMatchObject({ expiring_mach: 'L1' });
});

it('refuses what it cannot read, and counts seats', async () => {
  const { code } = await serial();
  const status = async (body: object, token?: string) => {
    const answer = await offline({ license_key: code, email: 'jo@example.com', ...body }, token);
    return [answer.status, answer.body.status];
  };
  expect(await status({ machine_file: 'two words' })).toEqual([400, 'invalid_request']);
  expect(await status({ machine_file: machineFile('LA,LB') })).toEqual([400, 'invalid_request']);
  expect(await status({ machine_file: 'x'.repeat(16 * 1024 + 1) })).toEqual([400, 'invalid_request']);
  expect(await status({ machine_file: 'L1' }, 'tnr_plg_no')).toEqual([401, 'unauthorized']);
  for (const machine of ['L1', 'L2', 'L3'])
    expect((await offline({ license_key: code, machine_file: machine, email: 'jo@example.com' })).status).toBe(200);
  expect(await status({ machine_file: 'L4' })).toEqual([409, 'seat_limit']);
  expect(await status({ machine_file: 'L1', license_key: 'TEST-RVKD-AAAA-BBBB' })).toEqual([403, 'revoked']);
});

it('is one file for both readers when the product has an RSA pair', async () => {
  const { code } = await serial();
  const publicKey = (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token }))
    .text;
  const { text } = await offline({ license_key: code, machine_file: 'L1', email: 'jo@example.com', version: '1.0.0' });
  expect(text).toMatch(/^Keyfile for Offline Synth 1\.0\.0\r\n/);
  const found = juceKeyOf(text, publicKey);
  expect(found).toMatchObject({ expiring_mach: 'L1', app: 'Offline Synth 1.0.0' });
  const claims = JSON.parse(
    Buffer.from((tokenInEnvelope(text) as string).split('.')[1] as string, 'base64url').toString(),
  );
  expect(Number.parseInt(found.expiryTime as string, 16)).toBe(claims.exp * 1000);
});

it('is made for the plugin named in its machine file, and opens it in HISE by the time it contains', async () => {
  const { code } = await serial();
  const publicKey = (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token }))
    .text;
  const ask = (app: unknown, more: object = {}) =>
    offline({
      license_key: code,
      machine_file: JSON.stringify({ machine_id: 'L1', app }),
      email: 'jo@example.com',
      ...more,
    });
  const appOf = async (app: unknown, more?: object) => juceKeyOf((await ask(app, more)).text, publicKey).app;
  expect(await appOf(' Synth & Söhne #2 1.0.0\n')).toBe('Synth & Söhne #2 1.0.0');
  expect(await appOf('Theirs 1.0.0', { app: 'Ours 1.0.0', version: '2' })).toBe('Ours 1.0.0');
  for (const nothing of ['', null, 7]) expect(await appOf(nothing, { version: '2' })).toBe('Offline Synth 2');
  const long = await ask('x'.repeat(255));
  expect([long.status, long.body.status]).toEqual([400, 'invalid_request']);

  const { text } = await ask('Synth #2\r\nSigned time: 0x1 1.0.0');
  const head = text.slice(0, text.lastIndexOf('#'));
  expect(head.split('\r\n')[0]).toBe('Keyfile for Synth #2 Signed time: 0x1 1.0.0');
  const signed = /^Signed time: 0x([0-9a-f]+)\r$/m.exec(head)?.[1];
  expect(juceTextOf(`#${signed}`, publicKey)).toBe(`${clock.now().toISOString().slice(0, 19)}Z`);
});
