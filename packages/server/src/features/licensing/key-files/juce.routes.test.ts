import { generateKeyPairSync } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf, juceReply } from '@tonerow/test-support/juce.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE, TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
let key: string;
let testKey: string;
let product: { id: string; name: string };
let publicKey: string;
const clock = new TestClock('2026-11-21T01:33:47Z');

const newKey = async (body: object) =>
  (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body })).body.plaintext;
const rsa = (id: string, format = 'juce', token = ada.token) =>
  call(server, 'GET', `/api/products/${id}/rsa?format=${format}`, { token });
const importRsa = (id: string, body: object) =>
  call(server, 'POST', `/api/products/${id}/rsa`, { token: ada.token, body });
const serial = async (productId = product.id) =>
  (await makeSerials(server, ada.token, productId, { quantity: 1 }))[0] as { id: string; code: string };
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
const unlock = async (fields: Record<string, string>, token = key) => {
  const answer = await call(server, 'POST', '/api/license/juce/unlock', { token, headers: asForm, body: form(fields) });
  expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(answer.status).toBe(200);
  return juceReply(answer.text);
};
const keyFile = (body: object | string, token = key) =>
  call(server, 'POST', '/api/license/v1/keyfile', { token, body });
const seats = async (id: string) =>
  (await server.db.query<{ seats_used: number }>('select seats_used from serials where id = $1', [id]))[0]?.seats_used;

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, { name: 'My Synth' });
  key = await newKey({ label: 'Release' });
  testKey = await newKey({ label: 'Builds in development', is_test: true });
  publicKey = (await rsa(product.id)).text;
});
afterAll(() => server.stop());

describe('the RSA pair of a product', () => {
  it('is created once, however many requests need it at once, and is sealed', async () => {
    const { id } = await makeProduct(server, ada.token);
    // two processes, each with several callers
    const other = await startServer({ overrides: { clock }, db: server.db });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        call(i % 2 ? server : other, 'GET', `/api/products/${id}/rsa`, { token: ada.token }),
      ),
    );
    await other.stop();
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.body).toEqual({
      e: '10001',
      n: expect.stringMatching(/^[89a-f][0-9a-f]{511}$/),
      bits: 2048,
      created_at: clock.now().toISOString(),
    });
    const rows = await server.db.query<{ private_key: Buffer }>(
      'select private_key from product_keys where product_id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    // a PKCS #8 key begins with a sequence
    expect(rows[0]?.private_key.indexOf(Buffer.from('2a864886f70d010101', 'hex'))).toBe(-1);
  });

  it('comes as text for JUCE, C++ and HISE, to its developer only', async () => {
    const { n } = (await rsa(product.id, 'json')).body;
    expect(publicKey).toBe(`10001,${n}`);
    expect((await rsa(product.id, 'cpp')).text).toContain(`("${publicKey}")`);
    const hise = await rsa(product.id, 'hise');
    expect(hise.headers.get('content-disposition')).toContain('RSA.xml');
    expect(hise.text).toContain(`<PublicKey value="${publicKey}"/>`);
    expect((await rsa(product.id, 'json', (await signUp(server)).token)).status).toBe(404);
    expect((await rsa(product.id, 'pgp')).status).toBe(400);
  });

  it('can be an own one, unless it is weak or belongs to another product', async () => {
    const pem = (bits: number, publicExponent = 65537) =>
      generateKeyPairSync('rsa', { modulusLength: bits, publicExponent }).privateKey.export({
        format: 'pem',
        type: 'pkcs8',
      }) as string;
    const { id } = await makeProduct(server, ada.token);
    for (const weak of [pem(1024), pem(2048, 3), 'nothing']) {
      const refused = await importRsa(id, { private_key_pem: weak });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'private_key_pem']);
    }
    const own = pem(2048);
    const taken = await importRsa(id, { private_key_pem: own });
    expect(taken.body).toMatchObject({ e: '10001', bits: 2048 });
    expect((await rsa(id)).text).toBe(`10001,${taken.body.n}`);
    expect((await importRsa(id, { private_key_pem: own })).status).toBe(200);
    const other = pem(2048);
    expect((await importRsa(id, { private_key_pem: other })).status).toBe(409);
    expect((await importRsa(product.id, { private_key_pem: own, replace: true })).status).toBe(422);
    const replaced = await importRsa(id, { private_key_pem: other, replace: true });
    expect(replaced.body.n).not.toBe(taken.body.n);
    expect((await rsa(id)).text).toBe(`10001,${replaced.body.n}`);
  });
});

describe('unlocking a stock JUCE plugin', () => {
  it('redeems the serial, takes a seat, and answers a key that the plugin accepts', async () => {
    const { id, code } = await serial();
    const fields = { product: 'My Synth', email: 'jo@example.com', pw: code, os: 'Linux', mach: 'L896D48A88' };
    const reply = await unlock(fields);
    expect(reply).toMatchObject({ tag: 'MESSAGE', error: undefined });
    expect(reply.key).toMatch(/^Keyfile for My Synth\nUser: jo@example.com\n/);
    expect(juceKeyOf(reply.key as string, publicKey)).toEqual({
      user: 'jo@example.com',
      email: 'jo@example.com',
      mach: 'L896D48A88',
      app: 'My Synth',
      date: clock.now().getTime().toString(16),
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await seats(id)).toBe(1);
    expect((await unlock(fields)).key).toBeTruthy();
    expect(await seats(id)).toBe(1);
    expect(await server.db.query('select source from redemptions where serial_id = $1', [id])).toEqual([
      { source: 'activation' },
    ]);
  });

  it('sends every refusal as an ERROR with status 200', async () => {
    const { code } = await serial();
    const fields = { product: 'My Synth', email: 'jo@example.com', pw: code, os: 'Linux', mach: 'L1' };
    const refused = async (more: object, token?: string) => {
      const reply = await unlock({ ...fields, ...more }, token);
      expect(reply).toMatchObject({ tag: 'ERROR', key: undefined });
      return reply.error;
    };
    expect(await refused({ pw: 'no such' })).toMatch(/License not found/);
    expect(await refused({ pw: '' })).toMatch(/Enter your serial/);
    expect(await refused({ email: '' })).toMatch(/email address/);
    expect(await refused({ mach: 'LAAA,LBBB,LCCC' })).toMatch(/machine_id/);
    expect(await refused({ mach: '' })).toMatch(/machine id/);
    expect(await refused({}, 'tnr_plg_wrong')).toMatch(/plugin key/);
    const other = await makeProduct(server, ada.token, { name: 'Other' });
    expect(await refused({ product: other.name })).toMatch(/another product/);
    expect(await refused({ product: `${other.name} 2.1.0` })).toMatch(/another product/);
    for (const mach of ['L1', 'L2', 'L3']) expect((await unlock({ ...fields, mach })).key).toBeTruthy();
    expect(await refused({ mach: 'L4' })).toMatch(/in use/);
    expect(await refused({ email: 'other@example.com' })).toMatch(/another email/);
  });

  it('takes GET, legacy credentials in the query, and names with every character', async () => {
    await call(server, 'PUT', `/api/products/${product.id}`, {
      token: ada.token,
      body: { juce_product_id: 'Sÿnth <&> "Ü"' },
    });
    const { code } = await serial();
    const query = form({
      product: 'Sÿnth <&> "Ü"',
      email: "o'neil+x@example.com",
      pw: code,
      mach: 'W1',
      app_id: ada.id,
      app_key: key,
    });
    const answer = await call(server, 'GET', `/api/license/juce/unlock?${query}/`);
    const reply = juceReply(answer.text);
    expect(juceKeyOf(reply.key as string, publicKey)).toMatchObject({
      app: 'Sÿnth <&> "Ü"',
      email: "o'neil+x@example.com",
    });
    const wrong = await call(server, 'GET', `/api/license/juce/unlock?${query.replace(ada.id, product.id)}`);
    expect(juceReply(wrong.text).error).toMatch(/plugin key/);
    await call(server, 'PUT', `/api/products/${product.id}`, { token: ada.token, body: { juce_product_id: '' } });
  });

  it('redeems nothing for a plugin that names no product, or another one', async () => {
    const other = await makeProduct(server, ada.token, { juce_product_id: 'com.row.other' });
    const { id, code } = await serial();
    const fields = { email: 'jo@example.com', pw: code, os: 'Linux', mach: 'L1' };
    const refused = async (named: Record<string, string>) => {
      const reply = await unlock({ ...fields, ...named });
      expect(reply).toMatchObject({ tag: 'ERROR', key: undefined });
      return reply.error;
    };
    for (const unknown of ['My Synth Pro', 'My', 'My Synth 2', 'com.row.other.demo', '%', 'Synth 1.0.0']) {
      expect(await refused({ product: unknown }), unknown).toContain(`“${unknown}”`);
    }
    expect(await refused({})).toMatch(/does not identify its product/);
    expect(await refused({ product: ' ' })).toMatch(/does not identify its product/);
    for (const theirs of ['com.row.other', 'COM.ROW.OTHER 1.2.0', other.name, other.id]) {
      expect(await refused({ product: theirs }), theirs).toMatch(/another product/);
    }
    // nor by the plugin's own name on the route for key files
    const file = await keyFile({
      license_key: code,
      machine_id: 'L1',
      email: fields.email,
      app: 'com.row.other 1.0.0',
    });
    expect([file.status, file.body.status]).toEqual([422, 'product_mismatch']);
    expect(await seats(id)).toBe(0);
    expect(await server.db.query('select 1 from redemptions where serial_id = $1', [id])).toEqual([]);
    // for the developer to see
    const noted = () => server.db.query('select 1 from license_refusals where product_id is null');
    await expect.poll(noted, { timeout: 10_000 }).not.toEqual([]);
    for (const named of ['my synth', 'MY SYNTH 1.2.0', 'My Synth v2.0.1-beta', product.id]) {
      const { key: text } = await unlock({ ...fields, product: named });
      expect(juceKeyOf(text as string, publicKey).app).toBe(named);
    }
  });

  it('keeps working after its product is renamed', async () => {
    const one = await makeProduct(server, ada.token, { name: 'Old Name' });
    await rsa(one.id);
    const rename = (body: object) => call(server, 'PUT', `/api/products/${one.id}`, { token: ada.token, body });
    expect((await rename({ name: 'New Name' })).body).toMatchObject({ name: 'New Name', juce_product_id: 'Old Name' });
    const { code } = await serial(one.id);
    const fields = { email: 'jo@example.com', pw: code, os: 'Linux', mach: 'L1' };
    expect((await unlock({ ...fields, product: 'Old Name' })).key).toBeTruthy();
    // another product of that name would be found instead
    const second = await call(server, 'POST', '/api/products', { token: ada.token, body: { name: 'old name' } });
    expect([second.status, second.body.code, second.body.errors[0].path]).toEqual([409, 'name_taken', 'name']);
    expect(second.body.message).toContain('“New Name”');
    expect((await rename({ juce_product_id: null })).body.juce_product_id).toBe('New Name');
    expect((await unlock({ ...fields, product: 'Old Name' })).error).toContain('“Old Name”');
    expect((await makeProduct(server, ada.token, { name: 'old name' })).name).toBe('old name');
  });

  it('answers XML for a body that is none', async () => {
    const answer = await call(server, 'POST', '/api/license/juce/unlock/', { token: key, body: '{"pw": ' });
    expect(juceReply(answer.text).error).toMatch(/JSON/);
  });
});

describe('key files', () => {
  it('are answered as text, for HISE with a version', async () => {
    const { code } = await serial();
    const body = { license_key: code, machine_id: 'L1', email: 'jo@example.com', version: '1.2.0' };
    const answer = await keyFile(body);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.text).toMatch(/^Keyfile for My Synth 1\.2\.0\r\n/);
    expect(juceKeyOf(answer.text, publicKey)).toMatchObject({ app: 'My Synth 1.2.0', mach: 'L1' });
    const own = await keyFile({ license_key: code, machine_id: 'L1', app: 'com.row.synth' });
    expect(juceKeyOf(own.text, publicKey)).toMatchObject({ app: 'com.row.synth', email: 'licensed@example.invalid' });
    expect(own.text).not.toContain('jo@');
  });

  it('give each machine of a list its seat, or none', async () => {
    const { id, code } = await serial();
    const list = (machine_ids: string[]) => keyFile({ license_key: code, machine_ids, email: 'jo@example.com' });
    expect(juceKeyOf((await list(['L1', 'L2'])).text, publicKey).mach).toBe('L1,L2');
    expect(await seats(id)).toBe(2);
    const tooMany = await list(['L1', 'L3', 'L4']);
    expect([tooMany.status, tooMany.body.status]).toEqual([409, 'seat_limit']);
    expect(await seats(id)).toBe(2);
    for (const bad of ['LA,LB', 'LA;LB', 'LA LB', 'LA#', '']) {
      expect((await list([bad])).body.status).toBe('invalid_request');
    }
    expect((await list([])).status).toBe(400);
    expect((await keyFile({ license_key: code, machine_id: 'L1' }, 'tnr_plg_no')).status).toBe(401);
  });

  it('expire when the seat is leased, and not once the machine activates again', async () => {
    const { id, code } = await serial();
    const body = { license_key: code, machine_id: 'L1', email: 'jo@example.com' };
    const leased = await keyFile(form({ ...body, lease_days: '30' }));
    const found = juceKeyOf(leased.text, publicKey);
    const until = new Date(clock.now().getTime() + 30 * DAY);
    expect(found).toMatchObject({ expiring_mach: 'L1', expiryTime: until.getTime().toString(16) });
    expect(found.mach).toBeUndefined();
    expect(leased.text).toMatch(/^Expires: 21 Dec 2026 /m);
    const held = () => server.db.query('select leased_until from activations where serial_id = $1', [id]);
    expect(await held()).toEqual([{ leased_until: until }]);
    for (const lease_days of [0, 366, 'long']) expect((await keyFile({ ...body, lease_days })).status).toBe(400);
    expect(juceKeyOf((await keyFile(body)).text, publicKey).mach).toBe('L1');
    expect(await held()).toEqual([{ leased_until: null }]);
  });
});

describe('test serials', () => {
  it('answer their status and touch nothing', async () => {
    const count = async () =>
      (
        await server.db.query<{ n: number }>(
          'select (select count(*) from activations) + (select count(*) from redemptions) as n',
        )
      )[0]?.n;
    const before = await count();
    const fields = { product: 'My Synth', email: 'jo@example.com', os: 'Linux', mach: 'L1' };
    expect((await unlock({ ...fields, pw: 'TEST-EXPD-AAAA-BBBB' })).error).toMatch(/expired/);
    expect((await unlock({ ...fields, pw: 'TEST-RVKD-AAAA-BBBB' })).error).toMatch(/revoked/);
    expect((await unlock({ ...fields, pw: 'TEST-FULL-AAAA-BBBB' })).error).toMatch(/in use/);
    const active = await unlock({ ...fields, pw: 'TEST-ACTV-AAAA-BBBB' }, testKey);
    expect(juceKeyOf(active.key as string, publicKey)).toMatchObject({ mach: 'L1', app: 'My Synth' });
    expect(await count()).toBe(before);
  });

  it('never unlock with the key of a shipped plugin', async () => {
    const pw = 'TEST-ACTV-AAAA-BBBB';
    expect((await unlock({ product: 'My Synth', email: 'j@example.com', pw, mach: 'L1' })).error).toMatch(/not found/);
    expect((await keyFile({ license_key: pw, machine_id: 'L1', app: 'My Synth' })).status).toBe(404);
    expect((await keyFile({ license_key: pw, machine_id: 'L1', app: 'My Synth 1.0.0' }, testKey)).text).toContain('#');
    clock.advance(MINUTE);
  });
});
