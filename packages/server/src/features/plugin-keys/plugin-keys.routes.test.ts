import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, SECOND, TestClock } from '#platform/clock.ts';

interface Made {
  plaintext: string;
  key: { id: string; label: string };
}

let server: TestServer;
let other: TestServer;
let ada: Person;
let code: string;
const clock = new TestClock('2026-03-10T12:00:00Z');
const keys = '/api/developer/plugin-keys';

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  // another process on the same database
  other = await startServer({ overrides: { clock }, db: server.db });
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  code = (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.code as string;
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const make = async (label = 'Release', token = ada.token): Promise<Made> =>
  (await call(server, 'POST', keys, { token, body: { label } })).body;
const rotate = (id: string, body: object = {}, token = ada.token) =>
  call(server, 'POST', `${keys}/${id}/rotate`, { token, body });
const patch = (id: string, body: object, token = ada.token) => call(server, 'PATCH', `${keys}/${id}`, { token, body });
const list = async (query = '') => (await call(server, 'GET', `${keys}${query}`, { token: ada.token })).body.keys;
const inList = async (id: string) => (await list()).find((each: { id: string }) => each.id === id);
/** A key that works gets as far as the license. */
const works = async (key: string, at = server) => {
  const body = { license_key: code, machine_id: 'm' };
  return (await call(at, 'POST', '/api/license/v1/validate', { token: key, body })).body.status === 'not_activated';
};

it('keys are created, listed without their secret, shown again with a record, and deleted', async () => {
  const [bea, stranger] = [await signUp(server), await signUp(server)];
  const asBea = (method: string, path = '', body?: object) =>
    call(server, method, `${keys}${path}`, { token: bea.token, body });
  await asBea('POST', '', {});
  const made = await asBea('POST', '', { label: 'Release' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ok: true,
    plaintext: expect.stringMatching(/^tnr_plg_[0-9A-Za-z]{36}$/),
    key: { label: 'Release', isActive: true, lastUsedAt: null },
  });
  const { id } = made.body.key;
  const listed = await asBea('GET');
  expect(listed.body.keys.map(({ label }: { label: string }) => label)).toEqual(['Release', 'Universal API key']);
  expect(listed.text).not.toContain(made.body.plaintext);
  expect((await asBea('GET', `/${id}/secret`)).body).toEqual({ ok: true, plaintext: made.body.plaintext });
  expect(await server.db.query('select developer_id from plugin_key_reveals where key_id = $1', [id])).toEqual([
    { developer_id: bea.id },
  ]);
  const stored = JSON.stringify(
    await server.db.query("select encode(sealed, 'escape') as s, encode(key_hash, 'escape') as h from plugin_keys"),
  );
  expect(stored).not.toContain(made.body.plaintext);
  expect((await call(server, 'GET', `${keys}/${id}/secret`, { token: stranger.token })).status).toBe(404);
  expect((await call(server, 'DELETE', `${keys}/${id}`, { token: stranger.token })).status).toBe(404);
  const validate = () =>
    call(server, 'POST', '/api/license/v1/validate', {
      token: made.body.plaintext,
      body: { license_key: 'AAAA-AAAA-AAAA-AAAA', machine_id: 'm' },
    });
  expect((await validate()).body.status).toBe('not_found');
  expect((await asBea('DELETE', `/${id}`)).body).toEqual({ ok: true });
  expect(
    await server.db.query('select key_id, label from plugin_key_reveals where developer_id = $1', [bea.id]),
  ).toEqual([{ key_id: null, label: 'Release' }]);
  const refused = await validate();
  expect([refused.status, refused.body]).toEqual([
    401,
    { ok: false, status: 'unauthorized', error: expect.any(String) },
  ]);
});

describe('rotating a plugin key', () => {
  it('makes a successor, and keeps the old key for the grace', async () => {
    const old = await make();
    const made = await rotate(old.key.id, { grace_seconds: 3600 });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ok: true,
      plaintext: expect.stringMatching(/^tnr_plg_/),
      key: { label: 'Release', expires_at: null, successor_id: null, is_expiring: false },
    });
    const expires_at = new Date(clock.now().getTime() + 3600 * SECOND).toISOString();
    expect(await inList(old.key.id)).toMatchObject({ expires_at, successor_id: made.body.key.id, is_expiring: true });
    expect([await works(old.plaintext), await works(made.body.plaintext)]).toEqual([true, true]);
    clock.advance(3601 * SECOND);
    expect([await works(old.plaintext), await works(made.body.plaintext)]).toEqual([false, true]);
    expect(await inList(old.key.id)).toMatchObject({ is_expiring: false });
    const body = { license_key: code, machine_id: 'm' };
    const refused = await call(server, 'POST', '/api/license/v1/validate', { token: old.plaintext, body });
    expect([refused.status, refused.body.status]).toEqual([401, 'unauthorized']);
  });

  it('is a week by default, none if requested, and at most three months', async () => {
    const [week, now, long] = [await make(), await make(), await make()];
    expect((await rotate(week.key.id)).status).toBe(201);
    expect((await inList(week.key.id)).expires_at).toBe(new Date(clock.now().getTime() + 7 * DAY).toISOString());
    expect(await works(now.plaintext)).toBe(true);
    await rotate(now.key.id, { grace_seconds: 0, label: 'Next' });
    expect(await works(now.plaintext)).toBe(false);
    expect((await list())[0].label).toBe('Next');
    expect((await rotate(long.key.id, { grace_seconds: 90 * 86_400 + 1 })).status).toBe(400);
    expect((await rotate(long.key.id, { grace_seconds: -1 })).status).toBe(400);
    expect((await rotate(long.key.id, {}, (await signUp(server)).token)).status).toBe(404);
  });

  it('happens once, however many requests ask for it', async () => {
    const old = await make();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(old.key.id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await rotate(old.key.id)).status).toBe(409);
    const successor = answers.find((answer) => answer.status === 201)?.body.key.id;
    expect((await rotate(successor)).status).toBe(201);
  });

  it('refuses no plugin while it happens', async () => {
    const old = await make();
    let busy = true;
    const seen: boolean[] = [];
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (busy) seen.push(await works(old.plaintext));
      }),
    );
    const made = await rotate(old.key.id, { grace_seconds: 600 });
    for (let i = 0; i < 20; i += 1) expect(await works(made.body.plaintext, i % 2 ? server : other)).toBe(true);
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBeGreaterThan(24);
    busy = false;
    await load;
    expect(seen.every(Boolean)).toBe(true);
  });

  it('keeps working when one of the two is deleted', async () => {
    const first = await make();
    const second = (await rotate(first.key.id)).body as Made;
    expect((await call(server, 'DELETE', `${keys}/${first.key.id}`, { token: ada.token })).status).toBe(200);
    expect([await works(first.plaintext), await works(second.plaintext)]).toEqual([false, true]);

    const old = await make();
    const next = (await rotate(old.key.id)).body as Made;
    await call(server, 'DELETE', `${keys}/${next.key.id}`, { token: ada.token });
    expect(await inList(old.key.id)).toMatchObject({ successor_id: null, is_expiring: true });
    expect([await works(old.plaintext), await works(next.plaintext)]).toEqual([true, false]);
    expect((await rotate(old.key.id)).status).toBe(201);
  });
});

describe('switching a plugin key', () => {
  it('is obeyed in every process within half a second', async () => {
    const { key, plaintext } = await make();
    expect([await works(plaintext), await works(plaintext, other)]).toEqual([true, true]);
    const off = await patch(key.id, { is_active: false, label: 'Old builds' });
    expect(off.body).toMatchObject({ id: key.id, isActive: false, label: 'Old builds' });
    expect(await works(plaintext)).toBe(false);
    clock.advance(500);
    expect(await works(plaintext, other)).toBe(false);
    expect((await rotate(key.id)).status).toBe(422);
    await patch(key.id, { is_active: true });
    expect([await works(plaintext), await works(plaintext, other)]).toEqual([true, true]);
    expect(await inList(key.id)).toMatchObject({ label: 'Old builds', isActive: true });
  });

  it('needs something to change, and a key of one’s own', async () => {
    const { key } = await make();
    for (const body of [{}, { label: ' ' }, { is_active: 'no' }, { hint: 'x' }]) {
      expect((await patch(key.id, body)).status).toBe(400);
    }
    expect((await patch(key.id, { is_active: false }, (await signUp(server)).token)).status).toBe(404);
  });
});

it('lists the keys that have not been used for a while', async () => {
  const [used, unused] = [await make('Used'), await make('Unused')];
  await server.db.query('update plugin_keys set created_at = $2, last_used_at = $2 where id = any($1)', [
    [used.key.id, unused.key.id],
    new Date(clock.now().getTime() - 91 * DAY),
  ]);
  await server.db.query('update plugin_keys set last_used_at = $2 where id = $1', [used.key.id, clock.now()]);
  const stale = (await list('?stale_days=90')).map((each: { id: string }) => each.id);
  expect(stale).toEqual([unused.key.id]);
  expect((await list('?stale_days=92')).map((each: { id: string }) => each.id)).toEqual([]);
  expect((await call(server, 'GET', `${keys}?stale_days=0`, { token: ada.token })).status).toBe(400);
});
