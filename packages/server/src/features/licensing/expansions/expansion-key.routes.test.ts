import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { type LicenseScene, licenseScene, refusal } from '@tonerow/test-support/license-calls.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE, TestClock } from '#platform/clock.ts';

let server: TestServer;
let scene: LicenseScene;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  scene = await licenseScene({ server, clock });
});
afterAll(() => server.stop());

const keyFor = (license_key: string, machine_id: string, more: object = {}) =>
  scene.ask('expansion-key', { license_key, machine_id, ...more });
const rotate = (id: string, token = scene.ada.token) =>
  call(server, 'POST', `/api/products/${id}/expansion-secret/rotate`, { token });
const seated = async (machine = 'studio') => {
  const { id, code } = await scene.serial();
  const { status, body } = await scene.activate(code, machine);
  expect(status).toBe(200);
  const { validation_token } = body;
  return { id, code, validation_token };
};

it('a machine with a seat gets the key of its serial, which is the same on all its machines, and kept by no cache', async () => {
  const one = await seated();
  const other = await seated();
  // eight at once: the product's first secret is made once
  const answers = await Promise.all(Array.from({ length: 8 }, () => keyFor(one.code, 'studio')));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, status: 'active', serial_id: one.id, expansion_key: expect.any(String) });
  }
  const keys = new Set(answers.map(({ body }) => body.expansion_key));
  expect(keys.size).toBe(1);
  const [key] = keys;
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(answers[0]?.headers.get('cache-control')).toBe('no-store');
  await scene.activate(one.code, 'laptop');
  const { validation_token } = one;
  for (const answer of [
    await keyFor(one.code, 'laptop'),
    await keyFor(one.code, 'studio', { validation_token, product_id: scene.product.id }),
  ]) {
    expect(answer.body.expansion_key).toBe(key);
  }
  expect((await keyFor(other.code, 'studio')).body.expansion_key).not.toBe(key);
  const rows = await server.db.query<{ secret: Buffer }>(
    '/* across tenants: a test */ select secret from expansion_secrets',
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.secret.length).toBeGreaterThan(32);
});

it('nobody gets one without a seat, with another license’s token, or after the license was lost', async () => {
  const { id, code } = await seated();
  const { code: fresh } = await scene.serial();
  const { validation_token } = await seated();
  const other = await makeProduct(server, scene.ada.token);
  expect(refusal(await keyFor(code, 'laptop'))).toEqual([409, 'not_activated']);
  expect(refusal(await keyFor(fresh, 'studio'))).toEqual([409, 'not_activated']);
  expect(refusal(await keyFor('ABCD-EFGH-2345-6789', 'studio'))).toEqual([404, 'not_found']);
  expect(refusal(await keyFor(code, 'studio', { validation_token }))).toEqual([403, 'invalid_token']);
  expect(refusal(await keyFor(code, 'studio', { product_id: other.id }))).toEqual([422, 'product_mismatch']);
  expect((await keyFor(code, 'studio')).status).toBe(200);
  await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: scene.ada.token });
  expect(refusal(await keyFor(code, 'studio'))).toEqual([403, 'revoked']);
  await scene.ask('deactivate', { license_key: code, machine_id: 'studio' });
  expect((await keyFor(code, 'studio')).status).toBe(403);
});

it('another secret is for serials redeemed from then on: who has expansions keeps the key that opens them', async () => {
  const before = await seated();
  const key = (await keyFor(before.code, 'studio')).body.expansion_key;
  clock.advance(MINUTE);
  const rotated = await rotate(scene.product.id);
  expect([rotated.status, rotated.body]).toEqual([
    200,
    { number: 2, since: new Date(clock.now().getTime() + MINUTE).toISOString() },
  ]);
  clock.advance(MINUTE);
  expect((await keyFor(before.code, 'studio')).body.expansion_key).toBe(key);
  const after = await seated();
  const newKey = (await keyFor(after.code, 'studio')).body.expansion_key;
  clock.advance(MINUTE);
  const [third, same] = await Promise.all([rotate(scene.product.id), rotate(scene.product.id)]);
  expect([third?.status, same?.status]).toEqual([200, 200]);
  clock.advance(MINUTE);
  expect((await keyFor(after.code, 'studio')).body.expansion_key).toBe(newKey);
  expect((await keyFor(before.code, 'studio')).body.expansion_key).toBe(key);
  const { rows: log } = (await call(server, 'GET', '/api/audit-log', { token: scene.ada.token })).body;
  expect(log.map((entry: { action: string }) => entry.action)).toContain('expansion_secret_rotated');
  const bea = await signUp(server);
  expect((await rotate(scene.product.id, bea.token)).status).toBe(404);
});

it('the secrets of a product are deleted with it', async () => {
  const product = await makeProduct(server, scene.ada.token);
  const count = async () =>
    (
      await server.db.query('select 1 from expansion_secrets where developer_id = $1 and product_id = $2', [
        scene.ada.id,
        product.id,
      ])
    ).length;
  await makeSerials(server, scene.ada.token, product.id, { quantity: 1 });
  await rotate(product.id);
  expect(await count()).toBe(1);
  expect((await call(server, 'DELETE', `/api/products/${product.id}`, { token: scene.ada.token })).status).toBe(200);
  expect(await count()).toBe(0);
});
