import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { refusal } from '@tonerow/test-support/license-calls.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import type { Email } from 'postal-mime';
import { create as qrCode } from 'qrcode';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  product = await makeProduct(server, ada.token, { max_activations: 1 });
});

const plugin = (verb: string, body: object, token = key) =>
  call(server, 'POST', `/api/license/v1/${verb}`, { token, body });
const page = (verb: string, body: object) =>
  call(server, 'POST', `/api/redeem/device/${verb}`, { body: { dev: ada.id, ...body } });

interface Waiting {
  machine: string;
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
  qr: string[];
}

async function start(more: object = {}): Promise<Waiting> {
  const machine = randomUUID();
  const body = { product_id: product.id, machine_id: machine, label: 'Studio <b>Mac</b>', os: 'macOS 26.1', ...more };
  const answer = await plugin('device', body);
  expect(answer.status).toBe(200);
  return { machine, ...answer.body };
}
/** The answer that the plugin gets; its last question is long ago. */
async function poll({ device_code, machine }: Waiting, more: object = {}) {
  await server.db.query(`update license_device_codes set polled_at = null where developer_id = $1`, [ada.id]);
  return plugin('device/token', { device_code, machine_id: machine, ...more });
}
async function sell(email: string, productId = product.id): Promise<{ serial: string; token: string }> {
  const [made] = await makeSerials(server, ada.token, productId, { quantity: 1 });
  const done = await redeem(server, made?.code as string, email, ada.id);
  return { serial: made?.code as string, token: done.body.download_token };
}
/** The token of the link in the email. */
async function link(email: string): Promise<string> {
  await call(server, 'POST', '/api/redeem/my-products', { body: { dev: ada.id, email } });
  const sent = await server.email((each: Email) => each.to?.[0]?.address === email && /open=/.test(each.text ?? ''));
  return new URL(/https?:\S+open=\S+/.exec(sent.text ?? '')?.[0] as string).searchParams.get('open') as string;
}
const expire = ({ machine }: Waiting) =>
  server.db.query(`update license_device_codes set expires_at = now() where developer_id = $1 and machine_id = $2`, [
    ada.id,
    machine,
  ]);
const address = () => `nina-${randomUUID()}@example.com`;

describe('a plugin that asks in the browser', () => {
  it('is activated with the serial that its owner chooses there, and again when the answer is lost', async () => {
    const email = address();
    const { serial } = await sell(email);
    const waiting = await start();
    const url = new URL(waiting.verification_uri_complete);
    expect([url.pathname, url.searchParams.get('dev'), url.hash]).toEqual([
      '/redeem',
      ada.id,
      `#device=${waiting.user_code}`,
    ]);
    const { size, data } = qrCode(waiting.verification_uri_complete, { errorCorrectionLevel: 'M' }).modules;
    expect(waiting.qr).toHaveLength(size);
    expect(waiting.qr.join('')).toBe([...data].join(''));
    expect(refusal(await poll(waiting))).toEqual([400, 'pending']);
    const { user_code } = waiting;
    const typed = user_code.toLowerCase().replace('-', ' ');
    const found = await page('find', { user_code: typed });
    expect(found.body).toMatchObject({ user_code, product: product.name, os: 'macOS 26.1', state: 'pending' });
    expect(found.body).toMatchObject({ machine: 'Studio b Mac b', same_network: true });
    const token = await link(email);
    const mine = await page('serials', { user_code, token });
    expect(mine.body).toEqual({
      by_email: true,
      serials: [{ serial, max_activations: 1, seats_used: 0, is_full: false, is_activated: false, machines: [] }],
    });
    expect((await page('confirm', { user_code, token, serial })).body).toEqual({ ok: true });
    const done = await poll(waiting);
    expect(done.body).toMatchObject({ ok: true, status: 'active', license_key: serial, remaining: 0 });
    const claims = JSON.parse(Buffer.from(done.body.validation_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ aud: product.id });
    expect((await poll(waiting)).body).toMatchObject({ status: 'active', license_key: serial });
    const again = { license_key: serial, machine_id: waiting.machine };
    expect((await plugin('validate', again)).body.status).toBe('active');
  });

  it('hears that it asks too often, that it was denied, and that its code has expired', async () => {
    const early = await start();
    const ask = () => plugin('device/token', { device_code: early.device_code, machine_id: early.machine });
    expect(refusal(await ask())).toEqual([400, 'pending']);
    expect(refusal(await ask())).toEqual([400, 'slow_down']);
    expect(
      await server.db.query('select interval_seconds from license_device_codes where machine_id = $1', [early.machine]),
    ).toEqual([{ interval_seconds: 10 }]);
    expect((await page('deny', { user_code: early.user_code })).status).toBe(200);
    expect(refusal(await ask())).toEqual([403, 'denied']);
    const late = await start();
    await expire(late);
    expect(refusal(await poll(late))).toEqual([403, 'code_expired']);
    expect((await page('find', { user_code: late.user_code })).status).toBe(404);
    expect(refusal(await plugin('device/token', { device_code: 'nonsense', machine_id: 'x' }))).toEqual([
      403,
      'code_expired',
    ]);
  });

  it('is answered with a signature, and so is every refusal', async () => {
    const waiting = await start();
    const answer = await call(server, 'POST', '/api/license/v1/device/token', {
      token: key,
      headers: { 'x-tonerow-nonce': 'a-nonce-of-the-plugin' },
      body: { device_code: waiting.device_code, machine_id: waiting.machine },
    });
    expect(answer.body.status).toBe('pending');
    expect(answer.headers.get('x-tonerow-signature')).toMatch(/^ed25519=/);
  });

  it('gets nothing with the code of another computer, product or developer', async () => {
    const { serial, token } = await sell(address());
    const waiting = await start();
    const { user_code, device_code } = waiting;
    await page('confirm', { user_code, token, serial });
    expect(refusal(await plugin('device/token', { device_code, machine_id: randomUUID() }))[1]).toBe('code_expired');
    expect(refusal(await poll(waiting, { product_id: randomUUID() }))[1]).toBe('code_expired');
    const bob = await signUp(server);
    const bobs = (await call(server, 'POST', '/api/developer/plugin-keys', { token: bob.token, body: {} })).body
      .plaintext;
    const stolen = await plugin('device/token', { device_code, machine_id: waiting.machine }, bobs);
    expect(refusal(stolen)[1]).toBe('code_expired');
    const theirs = { dev: bob.id, user_code };
    expect((await call(server, 'POST', '/api/redeem/device/find', { body: theirs })).status).toBe(404);
    expect(refusal(await plugin('device', { product_id: product.id, machine_id: 'm' }, bobs))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('hears that all seats are in use, and is activated once one is released', async () => {
    const email = address();
    const { serial } = await sell(email);
    const full = { license_key: serial, machine_id: randomUUID() };
    expect((await plugin('activate', full)).body.ok).toBe(true);
    const waiting = await start();
    const { user_code } = waiting;
    const token = await link(email);
    const [mine] = (await page('serials', { user_code, token })).body.serials;
    expect(mine).toMatchObject({ is_full: true, machines: [{ version: null }] });
    await page('confirm', { user_code, token, serial });
    expect(refusal(await poll(waiting))).toEqual([409, 'seat_limit']);
    const freed = await call(server, 'POST', '/api/redeem/my-products/release', {
      body: { token, machine_id: mine.machines[0].id },
    });
    expect(freed.status).toBe(200);
    expect((await poll(waiting)).body.status).toBe('active');
  });
});

describe('the page', () => {
  it('offers the serial that was redeemed there, and of the owner’s only those of this plugin', async () => {
    const email = address();
    const other = await makeProduct(server, ada.token);
    await sell(email, other.id);
    const { serial, token } = await sell(email);
    const { user_code } = await start();
    const mine = await page('serials', { user_code, token });
    expect(mine.body).toMatchObject({ by_email: false, serials: [{ serial, machines: [] }] });
    expect((await page('serials', { user_code, token: await link(email) })).body.serials).toHaveLength(1);
    const strange = await sell(address());
    const refused = await page('confirm', { user_code, token, serial: strange.serial });
    expect([refused.status, refused.body.code]).toEqual([404, 'serial_not_found']);
    expect((await page('serials', { user_code, token: 'x.y.z' })).body.code).toBe('link_invalid');
    await server.db.query('update serials set revoked_at = now() where developer_id = $1 and code = $2', [
      ada.id,
      serial,
    ]);
    expect((await page('serials', { user_code, token })).body.serials).toEqual([]);
  });

  it('answers once: of two owners and a denial at the same moment one counts', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, two] = [await sell(address()), await sell(address())];
      const waiting = await start();
      const { user_code } = waiting;
      const answers = await Promise.all([
        page('confirm', { user_code, ...one }),
        page('confirm', { user_code, ...two }),
        page('deny', { user_code }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const chosen = [one, two][winner];
      const heard = (await poll(waiting)).body;
      expect([heard.status, heard.license_key]).toEqual(chosen ? ['active', chosen.serial] : ['denied', undefined]);
      expect((await page('find', { user_code })).body.state).toBe(chosen ? 'confirmed' : 'denied');
      // the same answer again changes nothing
      expect((await page(chosen ? 'confirm' : 'deny', { user_code, ...chosen })).status).toBe(200);
    }
  });

  it('confirms nothing for a serial that has another owner by now', async () => {
    const { serial, token } = await sell(address());
    const waiting = await start();
    const { user_code } = waiting;
    expect((await page('confirm', { user_code, token, serial })).status).toBe(200);
    await server.db.query(
      `update serials set customer_id = (select customer_id from serials where developer_id = $1 and code = $3)
        where developer_id = $1 and code = $2`,
      [ada.id, serial, (await sell(address())).serial],
    );
    expect(refusal(await poll(waiting))[1]).toBe('code_expired');
  });

  it('needs the code in a form that could be one, and the page of a developer', async () => {
    expect((await page('find', { user_code: 'AAAA-AAAA' })).body.errors[0].path).toBe('user_code');
    const nobodys = await call(server, 'POST', '/api/redeem/device/find', { body: { user_code: 'BCDF-GHJK' } });
    expect(nobodys.body.errors[0].path).toBe('dev');
  });
});
