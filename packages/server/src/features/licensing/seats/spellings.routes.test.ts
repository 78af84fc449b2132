import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { sha256 } from '#platform/secrets/secrets.ts';
import { machineHash, readToken } from '../tokens/license-token.ts';

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { max_activations: 1, trial_days: 7 });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
const ask = (path: string, body: object) => call(server, 'POST', `/api/license/${path}`, { token: key, body });
const serial = async () => (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.code as string;
const email = 'nina@example.com';
let last = 0;
const uuid = () => {
  last += 1;
  return `4c4c4544-0039-5a10-8053-${String(last).padStart(11, '0')}f`;
};

it('a UUID in another case is the same machine: one seat, on every route, and each token has the id as it was sent', async () => {
  const [code, lower] = [await serial(), uuid()];
  const upper = lower.toUpperCase();
  const tokens = [];
  for (const machine_id of [upper, lower, upper]) {
    const { body } = await ask('v1/activate', { license_key: code, machine_id, email, version: machine_id });
    expect(body).toMatchObject({ ok: true, remaining: 0 });
    expect(readToken(body.validation_token).mid).toBe(machineHash(machine_id));
    tokens.push([machine_id, body.validation_token]);
  }
  for (const [machine_id, validation_token] of tokens) {
    const { body } = await ask('v1/validate', { license_key: code, machine_id, validation_token });
    expect(body.status).toBe('active');
  }
  expect((await ask('activate', { key: code, instance_id: lower })).body.ok).toBe(true);
  for (const more of [{}, { lease_days: 30 }]) {
    const file = await ask('v1/keyfile', { license_key: code, machine_id: lower, ...more });
    expect([file.status, file.text]).toEqual([200, expect.stringContaining(`Machine numbers: ${lower}`)]);
  }
  const machine = JSON.stringify({ machine_id: lower });
  expect((await ask('v1/offline', { license_key: code, machine_file: machine })).status).toBe(200);
  expect((await ask('v1/activate', { license_key: code, machine_id: upper })).body.ok).toBe(true);
  expect((await ask('v1/deactivate', { license_key: code, machine_id: lower })).body).toMatchObject({ remaining: 1 });
  expect((await ask('v1/activate', { license_key: code, machine_id: lower })).body.ok).toBe(true);
});

it.each(['its first redemption', 'a free seat'])(
  'a UUID in two spellings, both at once, takes one seat of %s and gets a token for each',
  async (of) => {
    const roomy = await makeProduct(server, ada.token, { max_activations: 3 });
    const [made] = await makeSerials(server, ada.token, roomy.id, { quantity: 1 });
    const code = made?.code as string;
    if (of === 'a free seat') await ask('v1/activate', { license_key: code, machine_id: 'Studio', email });
    const lower = uuid();
    const spelled = [lower, lower.toUpperCase(), `4C4c${lower.slice(4)}`];
    const lock = await lockWith(server.db, `select 1 from serials where id = '${made?.id}' for update`);
    const asked = spelled.map((machine_id) => ask('v1/activate', { license_key: code, machine_id, email }));
    await lock.untilWaiting(2);
    await lock.release();
    for (const [at, { body }] of (await Promise.all(asked)).entries()) {
      expect(body).toMatchObject({ ok: true, remaining: of === 'a free seat' ? 1 : 2 });
      expect(readToken(body.validation_token).mid).toBe(machineHash(spelled[at] as string));
    }
    const held = 'select machine_id from activations where serial_id = $1 and released_at is null';
    const rows = await server.db.query<{ machine_id: string }>(held, [made?.id]);
    const [machine] = rows.filter(({ machine_id }) => machine_id !== 'Studio');
    expect([rows.length, spelled.includes(machine?.machine_id ?? '')]).toEqual([of === 'a free seat' ? 2 : 1, true]);
  },
);

it('the database itself refuses a machine’s second seat by another spelling', async () => {
  const [code, machine_id] = [await serial(), uuid()];
  await ask('v1/activate', { license_key: code, machine_id, email });
  const again = `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
    select gen_random_uuid(), developer_id, serial_id, $2, created_at, last_seen_at from activations where machine_id = $1`;
  await expect(server.db.query(again, [machine_id, machine_id.toUpperCase()])).rejects.toThrow(
    'activations_folded_unique',
  );
  await expect(server.db.query(again, [machine_id, `${machine_id}x`])).resolves.toBeDefined();
});

it('a trial that two spellings of a UUID begin at once is one', async () => {
  const machine_id = uuid();
  const both = [machine_id, machine_id.toUpperCase()];
  const answers = await Promise.all(both.map((id) => ask('v1/trial', { product_id: product.id, machine_id: id })));
  const [one, other] = answers.map(({ body }) => body.trial_ends_at);
  expect([typeof one, other]).toEqual(['string', one]);
  const count = 'select count(*)::int as n from trials where developer_id = $1 and machine_hash = any($2)';
  const [row] = await server.db.query<{ n: number }>(count, [ada.id, both.map((id) => sha256(id))]);
  expect(row?.n).toBe(1);
});

it('an old id in another case gives its seat', async () => {
  const [code, old, next] = [await serial(), uuid(), uuid()];
  await ask('v1/activate', { license_key: code, machine_id: old, email });
  const old_machine_ids = [old.toUpperCase()];
  expect((await ask('v1/activate', { license_key: code, machine_id: next, old_machine_ids })).body.ok).toBe(true);
  const fields = { license_key: code, machine_id: next.toUpperCase() };
  const { validation_token } = (await ask('v1/activate', fields)).body;
  const moved = { license_key: code, old_machine_id: next.toUpperCase(), machine_id: old, validation_token };
  expect((await ask('v1/transfer', moved)).body).toMatchObject({ ok: true, remaining: 0 });
  const itself = { license_key: code, old_machine_id: old, machine_id: old.toUpperCase(), validation_token };
  expect((await ask('v1/transfer', itself)).body.status).toBe('invalid_request');
});

it('other ids differ by their case', async () => {
  const code = await serial();
  expect((await ask('v1/activate', { license_key: code, machine_id: 'Studio', email })).body.ok).toBe(true);
  expect((await ask('v1/activate', { license_key: code, machine_id: 'studio' })).body.status).toBe('seat_limit');
});

it('a trial is one in every case', async () => {
  const machine_id = uuid();
  const first = (await ask('v1/trial', { product_id: product.id, machine_id })).body;
  await server.db.query(
    "update trials set ends_at = (ends_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where product_id = $1",
    [product.id],
  );
  const again = (await ask('v1/trial', { product_id: product.id, machine_id: machine_id.toUpperCase() })).body;
  expect(Date.parse(first.trial_ends_at) - Date.parse(again.trial_ends_at)).toBe(86_400_000);
  expect(readToken(again.validation_token).mid).toBe(machineHash(machine_id.toUpperCase()));
});

it('an id that many computers share takes no seat, starts no trial, and the answer shows why', async () => {
  const code = await serial();
  const id = '00000000-0000-0000-0000-000000000000';
  const known = 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF';
  const told = { status: 'invalid_request', error: expect.stringContaining('placeholder') };
  expect((await ask('v1/activate', { license_key: code, machine_id: id, email })).body).toMatchObject(told);
  expect((await ask('activate', { key: code, instance_id: id, email })).body).toMatchObject({ error: told.error });
  expect((await ask('v1/trial', { product_id: product.id, machine_id: id })).body).toMatchObject(told);
  expect((await ask('v1/keyfile', { license_key: code, machine_id: id, email })).text).toContain('placeholder');
  expect((await ask('juce/unlock', { product: 'x', email, pw: code, mach: id })).text).toContain('ERROR');
  const machine_file = JSON.stringify({ machine_id: id });
  expect((await ask('v1/offline', { license_key: code, machine_file, email })).text).toContain('placeholder');
  // a machine that has such a seat already is not locked out
  const machine_id = uuid();
  await ask('v1/activate', { license_key: code, machine_id, email });
  await server.db.query('update activations set machine_id = $2 where machine_id = $1', [machine_id, known]);
  expect((await ask('v1/validate', { license_key: code, machine_id: known })).body.ok).toBe(true);
  expect((await ask('v1/deactivate', { license_key: code, machine_id: known })).body.ok).toBe(true);
});

it('no machine is every computer: a key file for it would be a license for everybody', async () => {
  const code = await serial();
  const body = { token: ada.token, body: { is_test: true } };
  const testKey = (await call(server, 'POST', '/api/developer/plugin-keys', body)).body.plaintext as string;
  const reserved = { status: 'invalid_request', error: expect.stringContaining('reserved') };
  for (const id of ['EVERY-COMPUTER', 'every-Computer', '\u180eEVERY-COMPUTER', 'EVERY-COMPUTER\u200b']) {
    expect((await ask('v1/activate', { license_key: code, machine_id: id, email })).body).toMatchObject(reserved);
    expect((await ask('v1/trial', { product_id: product.id, machine_id: id })).body).toMatchObject(reserved);
    const machine_ids = ['A', id];
    expect((await ask('v1/keyfile', { license_key: code, machine_ids, email })).text).toContain('reserved');
    const machine_file = JSON.stringify({ machine_id: id });
    expect((await ask('v1/offline', { license_key: code, machine_file, email })).text).toContain('reserved');
    const mach = [id, `A,${id}`, `A;${id}`];
    for (const each of mach) {
      const form = { product: product.name, email, mach: each };
      expect((await ask('juce/unlock', { ...form, pw: code })).text).toContain('<ERROR');
      const { text } = await call(server, 'POST', '/api/license/juce/unlock', {
        token: testKey,
        body: { ...form, pw: 'TEST-ACTV-AAAA-AAAA' },
      });
      expect(text).toContain('<ERROR');
    }
  }
  const machine_id = uuid();
  const old_machine_ids = ['EVERY-COMPUTER'];
  const given = await ask('v1/keyfile', { license_key: code, machine_id, old_machine_ids, email });
  expect([given.status, given.text.includes('EVERY')]).toEqual([200, false]);
});
