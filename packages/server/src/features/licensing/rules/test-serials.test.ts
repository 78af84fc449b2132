import { createHash, randomUUID } from 'node:crypto';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOUR, TestClock } from '#platform/clock.ts';
import { verifyLicense } from '../../../../../sdk/src/index.ts';
import { answerTestSerial, testOutcomeFor, testSerialOutcome } from './test-serials.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

it('names the status of a test serial, and of nothing else', () => {
  expect(testSerialOutcome('TEST-ACTV-AAAA-BBBB')).toBe('active');
  expect(testSerialOutcome('test expd 0000 0000')).toBe('expired');
  expect(testSerialOutcome('TESTRVKD12345678')).toBe('revoked');
  expect(testSerialOutcome('TEST-FULL-ZZZZ-9999')).toBe('seat_limit');
  expect(testSerialOutcome('TEST-OLDT-0000-0000')).toBe('active');
  expect(testSerialOutcome('test wrng 0000 0000')).toBe('active');
  for (const other of [
    '',
    'TEST-ACTV',
    'TEST-ACTV-AAAA',
    'TEST-ACTV-AAAA-BBBBB',
    'TEST-NOPE-AAAA-BBBB',
    'XTEST-ACTV-AAAA-BBBB',
  ])
    expect(testSerialOutcome(other)).toBeNull();
});

it('lets only a test key have an active one', () => {
  expect(testOutcomeFor('TEST-ACTV-AAAA-BBBB', { isTest: true })).toBe('active');
  expect(testOutcomeFor('TEST-ACTV-AAAA-BBBB', { isTest: false })).toBeNull();
  expect(testOutcomeFor('TEST-OLDT-AAAA-BBBB', { isTest: false })).toBeNull();
  expect(testOutcomeFor('TEST-WRNG-AAAA-BBBB', { isTest: false })).toBeNull();
  expect(testOutcomeFor('TEST-RVKD-AAAA-BBBB', { isTest: false })).toBe('revoked');
});

it('responds like a license, or refuses', () => {
  const key = { isTest: true };
  expect(answerTestSerial('TEST-ACTV-AAAA-BBBB', key)).toEqual({
    ok: true,
    status: 'active',
    max_activations: 3,
    remaining: 2,
  });
  expect(() => answerTestSerial('TEST-FULL-AAAA-BBBB', key)).toThrow(/in use/);
  expect(answerTestSerial('ABCD-EFGH-JKLM-NPQR', key)).toBeNull();
});

describe('the test serials with a token', () => {
  const clock = new TestClock('2026-05-04T10:00:00Z');
  const machine = 'studio-mac';
  const [OLD, WRONG] = ['TEST-OLDT-AAAA-BBBB', 'TEST-WRNG-AAAA-BBBB'];
  let server: TestServer;
  let ada: Person;
  let keys: { test: string; shipped: string };
  let product: { id: string };

  beforeAll(async () => {
    server = await startServer({ overrides: { clock } });
    ada = await signUp(server);
    product = await makeProduct(server, ada.token);
    const make = async (is_test: boolean) =>
      (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { is_test } })).body
        .plaintext;
    keys = { test: await make(true), shipped: await make(false) };
  });
  afterAll(() => server.stop());

  /** The four routes, and the field that each answers a token in. */
  const routes = [
    ['v1/activate', 'validation_token'],
    ['v1/validate', 'validation_token'],
    ['activate', 'validation_token'],
    ['validate', 'new_token'],
  ] as const;
  const ask = (route: string, serial: string, product_id?: string, key = keys.test) => {
    const fields = route.startsWith('v1/')
      ? { license_key: serial, machine_id: machine, product_id }
      : { key: serial, instance_id: machine, product_id };
    const headers = { 'x-app-id': ada.id, 'x-app-key': key };
    return call(server, 'POST', `/api/license/${route}`, { headers, body: fields });
  };
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const verdict = async (token: string, about: { productId?: string; machineId?: string; now?: Date } = {}) => {
    const { body: jwks } = await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`);
    const found = await verifyLicense(token, jwks, {
      productId: product.id,
      machineId: machine,
      now: clock.now(),
      ...about,
    });
    return found.valid ? 'valid' : found.reason;
  };
  const answer = { ok: true, status: 'active', max_activations: 3, remaining: 2 };

  it.each(routes)('OLDT answers %s with a genuine token that has ended', async (route, field) => {
    const { status, body } = await ask(route, OLD, product.id);
    expect([status, body]).toEqual([200, { ...answer, [field]: expect.any(String) }]);
    const seconds = clock.now().getTime() / 1000;
    expect(claimsOf(body[field])).toEqual({
      iss: server.url,
      sub: expect.stringMatching(UUID),
      aud: product.id,
      mid: createHash('sha256').update(machine).digest('hex'),
      iat: seconds - 7200,
      exp: seconds - 3600,
      lic: null,
    });
    expect(await verdict(body[field])).toBe('expired');
    // time is all that is wrong with it
    expect(await verdict(body[field], { now: new Date(clock.now().getTime() - 1.5 * HOUR) })).toBe('valid');
    expect(await verdict(body[field], { machineId: 'another' })).toBe('wrong_machine');
    expect(claimsOf((await ask(route, OLD, product.id.toUpperCase())).body[field]).aud).toBe(product.id);
  });

  it.each(routes)('OLDT names no product to %s that is not the developer’s', async (route, field) => {
    const stranger = await signUp(server);
    const theirs = await makeProduct(server, stranger.token);
    for (const asked of [undefined, '', 'Prism Delay', theirs.id, randomUUID()]) {
      const { aud } = claimsOf((await ask(route, OLD, asked)).body[field]);
      expect(aud).toMatch(UUID);
      expect([asked, theirs.id, product.id]).not.toContain(aud);
    }
  });

  it.each(routes)('WRNG answers %s with a genuine token of a product that is none', async (route, field) => {
    const { status, body } = await ask(route, WRONG, product.id);
    expect([status, body]).toEqual([200, { ...answer, [field]: expect.any(String) }]);
    const { aud, sub } = claimsOf(body[field]);
    expect(await verdict(body[field])).toBe('wrong_product');
    // the product is all that is wrong with it
    expect(await verdict(body[field], { productId: aud })).toBe('valid');
    expect([sub, aud]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(await server.db.query('select id from products where id = any($1)', [[sub, aud]])).toEqual([]);
    expect(claimsOf((await ask(route, WRONG, product.id)).body[field]).aud).not.toBe(aud);
  });

  it.each(routes)('%s rejects them with a plugin key that is not for testing, or without one', async (route) => {
    for (const serial of [OLD, WRONG]) {
      const shipped = await ask(route, serial, product.id, keys.shipped);
      expect([shipped.status, shipped.body]).toEqual([
        404,
        expect.objectContaining({ ok: false, status: 'not_found' }),
      ]);
      expect((await ask(route, serial, product.id, 'tnr_plg_nobody')).body.status).toBe('unauthorized');
    }
  });

  it('report deactivation, as the active one does', async () => {
    for (const route of ['v1/deactivate', 'deactivate']) {
      expect((await ask(route, OLD)).body).toEqual({ ...answer, status: 'deactivated', remaining: 3 });
    }
  });

  it('are worth nothing to the server itself, and open no key file', async () => {
    const token = (await ask('v1/validate', OLD, product.id)).body.validation_token;
    const body = { product_id: product.id, machine_id: machine, validation_token: token };
    const trial = await call(server, 'POST', '/api/license/v1/validate', { token: keys.test, body });
    expect(trial.body.ok).toBe(false);
    for (const license_key of [OLD, WRONG]) {
      const moved = { ...body, license_key, old_machine_id: machine, machine_id: 'next' };
      const transfer = await call(server, 'POST', '/api/license/v1/transfer', { token: keys.test, body: moved });
      expect(transfer.body.status).toBe('not_found');
      const file = { license_key, machine_id: machine, app: product.id };
      const keyFile = await call(server, 'POST', '/api/license/v1/keyfile', { token: keys.test, body: file });
      expect([keyFile.status, keyFile.text]).toEqual([404, expect.stringContaining('validation token')]);
      const form = new URLSearchParams({ product: product.id, pw: license_key, mach: machine }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const unlock = { token: keys.test, headers, body: form };
      const xml = (await call(server, 'POST', '/api/license/juce/unlock', unlock)).text;
      expect(xml).toContain('validation token');
      expect(xml).not.toContain('<KEY');
    }
  });

  it('leave nothing behind', async () => {
    // refusals are written a second later: that of the trial, which asked last, and of nothing before it
    const refused = async () => await server.db.query('select action, status, count from license_refusals');
    await vi.waitFor(async () => expect(await refused()).not.toEqual([]), { timeout: 15_000, interval: 50 });
    expect(await refused()).toEqual([{ action: 'validate', status: 'not_activated', count: 1 }]);
    for (const table of ['activations', 'redemptions', 'customers', 'product_keys', 'trials']) {
      expect(await server.db.query(`select * from ${table}`), table).toEqual([]);
    }
  });
});
