import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { type LicenseScene, licenseScene, refusal } from '@tonerow/test-support/license-calls.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let scene: LicenseScene;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  scene = await licenseScene({ server, clock });
});
afterAll(() => server.stop());

it('activating redeems a serial without an owner, and requires an email address for that', async () => {
  const { activate, serial } = scene;
  const { id, code } = await serial();
  expect(refusal(await activate(code, 'mac-1', {}))).toEqual([422, 'email_required']);
  expect(refusal(await activate(code, 'mac-1', { email: 'nobody' }))).toEqual([400, 'invalid_request']);
  const done = await activate(` ${code.toLowerCase().replaceAll('-', ' ')}`, 'mac-1');
  expect(done.status).toBe(200);
  expect(done.body).toMatchObject({ ok: true, status: 'active', max_activations: 3, remaining: 2 });
  expect(done.text).not.toMatch(/nina|@/);
  expect(await server.db.query('select source, final_price_cents from redemptions where serial_id = $1', [id])).toEqual(
    [{ source: 'activation', final_price_cents: 4900 }],
  );
});

it('activating is idempotent on one machine, and takes one seat for many calls at once', async () => {
  const { activate, serial } = scene;
  const { id, code } = await serial();
  const answers = await Promise.all(Array.from({ length: 6 }, () => activate(code, 'mac-1')));
  expect(new Set(answers.map((answer) => answer.body.remaining))).toEqual(new Set([2]));
  expect(await server.db.query('select seats_used from serials where id = $1', [id])).toEqual([{ seats_used: 1 }]);
});

it('activating gives three seats to twenty machines', async () => {
  const { activate, serial } = scene;
  const { id, code } = await serial();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => insist(() => activate(code, `machine-${i}`))));
  expect(answers.filter((answer) => answer.body.ok)).toHaveLength(3);
  expect(new Set(answers.filter((answer) => !answer.body.ok).map((answer) => answer.body.status))).toEqual(
    new Set(['seat_limit']),
  );
  expect(await server.db.query('select 1 from activations where serial_id = $1', [id])).toHaveLength(3);
  expect(await server.db.query('select 1 from redemptions where serial_id = $1', [id])).toHaveLength(1);
});

it('activating takes a seat again after it was freed, once', async () => {
  const { activate, ask, serial } = scene;
  const { code } = await serial();
  for (const machine of ['a', 'b', 'c']) expect((await activate(code, machine)).body.ok).toBe(true);
  expect(refusal(await activate(code, 'd'))).toEqual([409, 'seat_limit']);
  const free = () => ask('deactivate', { license_key: code, machine_id: 'a' });
  const freed = await Promise.all([free(), free()]);
  expect(freed.map((answer) => answer.status).sort()).toEqual([200, 409]);
  expect(freed.find((answer) => answer.status === 200)?.body).toMatchObject({
    ok: true,
    status: 'deactivated',
    remaining: 1,
  });
  expect((await activate(code, 'd')).body.remaining).toBe(0);
  expect(refusal(await activate(code, 'a'))).toEqual([409, 'seat_limit']);
});

it('activating names the reason for a refusal', async () => {
  const { activate, ada, ask, pass, product, serial } = scene;
  const owned = await serial();
  await redeem(server, owned.code, 'owner@example.com');
  expect(refusal(await activate(owned.code, 'm', { email: 'thief@example.com' }))).toEqual([403, 'email_mismatch']);
  expect((await activate(owned.code, 'm', {})).body.ok).toBe(true);
  expect(refusal(await activate(owned.code, 'm2', { product_id: ada.id }))).toEqual([422, 'product_mismatch']);
  expect((await activate(owned.code, 'm2', { product_id: product.id })).body.ok).toBe(true);
  await call(server, 'PATCH', `/api/serials/revoke/${owned.id}`, { token: ada.token });
  expect(refusal(await activate(owned.code, 'm'))).toEqual([403, 'revoked']);
  expect(refusal(await ask('validate', { license_key: owned.code, machine_id: 'm' }))).toEqual([403, 'revoked']);
  expect(refusal(await activate('AAAA-AAAA-AAAA-AAAA', 'm'))).toEqual([404, 'not_found']);
  const future = await serial({ promo_price: 1, promo_start: '2027-01-01' });
  expect(refusal(await activate(future.code, 'm'))).toEqual([403, 'not_yet_valid']);
  const expiring = await serial({ expires_at: '2026-03-11' });
  const kept = await serial({ expires_at: '2026-03-11' });
  expect((await activate(kept.code, 'm')).body.ok).toBe(true);
  await pass(2);
  expect(refusal(await activate(expiring.code, 'm'))).toEqual([403, 'expired']);
  expect((await ask('validate', { license_key: kept.code, machine_id: 'm' })).body.ok).toBe(true);
});

it('activating stops new owners at the cap of Starter, and never those who have it already', async () => {
  const { activate, ask } = scene;
  const bea = await signUp(server);
  const theirs = await makeProduct(server, bea.token);
  const beaKey = (await call(server, 'POST', '/api/developer/plugin-keys', { token: bea.token, body: {} })).body
    .plaintext;
  const codes = await makeSerials(server, bea.token, theirs.id, { quantity: 51 });
  const answers = await Promise.all(
    codes.map((each, i) =>
      insist(() => ask('activate', { license_key: each.code, machine_id: 'm', email: `fan${i}@example.com` }, beaKey)),
    ),
  );
  const blocked = answers.findIndex((answer) => !answer.body.ok);
  expect(answers.filter((answer) => answer.body.ok)).toHaveLength(50);
  expect(refusal(answers[blocked] as never)).toEqual([403, 'quota_blocked']);
  const lucky = codes[blocked === 0 ? 1 : 0]?.code;
  expect(
    (await ask('activate', { license_key: lucky, machine_id: 'second machine'.replace(' ', '-') }, beaKey)).body.ok,
  ).toBe(true);
  expect((await ask('validate', { license_key: lucky, machine_id: 'm' }, beaKey)).body.ok).toBe(true);
  expect(refusal(await activate(lucky as string, 'm'))).toEqual([404, 'not_found']);
}, 120_000);

it('logs neither keys nor codes nor machines', async () => {
  const { activate, key, serial } = scene;
  const { code } = await serial();
  await activate(code, 'a-very-special-machine');
  const logged = server.logged();
  for (const secret of [key, code, code.replaceAll('-', ''), 'a-very-special-machine', 'nina@'])
    expect(logged).not.toContain(secret);
});
