import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { refusal } from '@tonerow/test-support/license-calls.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import type { Email } from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string };

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  product = await makeProduct(server, ada.token, { max_activations: 2 });
});

const plugin = (verb: string, body: object) => call(server, 'POST', `/api/license/v1/${verb}`, { token: key, body });

/** A serial whose seats are all taken, and a machine that wants one. */
async function full() {
  const email = `nina-${randomUUID()}@example.com`;
  const [made] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const license_key = made?.code as string;
  const download = (await redeem(server, license_key, email, ada.id)).body.download_token as string;
  const machines = [randomUUID(), randomUUID()];
  const tokens: string[] = [];
  for (const machine_id of machines) {
    const body = { license_key, machine_id, label: `Mac ${machines.indexOf(machine_id)}`, os: 'macOS', version: '1.2' };
    tokens.push((await plugin('activate', body)).body.validation_token);
  }
  const about = { license_key, machine_id: randomUUID(), product_id: product.id };
  expect(refusal(await plugin('activate', about))).toEqual([409, 'seat_limit']);
  return { email, download, machines, tokens, about };
}
type Full = Awaited<ReturnType<typeof full>>;

async function emailedCode({ email, about }: Full): Promise<string> {
  expect((await plugin('seats/code', about)).body).toEqual({ ok: true, status: 'code_sent' });
  const sent = await server.email((each: Email) => each.to?.[0]?.address === email && /Code/.test(each.subject ?? ''));
  return /\b[B-Z]{4}-[B-Z]{4}\b/.exec(sent.text ?? '')?.[0] as string;
}
const codesOf = (email: string) =>
  server.db.query(`select 1 from mails where recipient = $1 and kind = 'seat_code'`, [email]);

describe('with a code from the owner’s email', () => {
  it('a plugin lists the machines, releases one of them once, and takes its seat', async () => {
    const scene = await full();
    const { about, machines } = scene;
    const email_code = (await emailedCode(scene)).toLowerCase().replace('-', ' ');
    const listed = await plugin('seats', { ...about, email_code });
    expect(listed.body).toMatchObject({ ok: true, status: 'seats', max_activations: 2, remaining: 0 });
    expect(listed.body.seats).toHaveLength(2);
    const first = listed.body.seats.find((each: { name: string }) => each.name === 'Mac 0');
    expect(first).toEqual({
      id: expect.any(String),
      name: 'Mac 0',
      os: 'macOS',
      version: '1.2',
      machine: machines[0]?.slice(0, 8),
      last_seen_at: expect.any(String),
      leased_until: null,
      is_this: false,
    });
    const release = () => plugin('seats/release', { ...about, email_code, seat_id: first.id });
    const answers = await Promise.all([
      release(),
      release(),
      plugin('validate', { ...about, machine_id: machines[0] }),
    ]);
    expect(
      answers
        .slice(0, 2)
        .map(({ body }) => body.status)
        .sort(),
    ).toEqual(['deactivated', 'not_activated']);
    expect(answers.find(({ body }) => body.status === 'deactivated')?.body.remaining).toBe(1);
    const gone = await plugin('validate', { license_key: about.license_key, machine_id: machines[0] });
    expect(gone.body.status).toBe('not_activated');
    expect((await plugin('activate', about)).body.status).toBe('active');
  });

  it('no other machine and no other license is opened, nor one that has another owner by now', async () => {
    const scene = await full();
    const other = await full();
    const email_code = await emailedCode(scene);
    const ask = async (more: object) => refusal(await plugin('seats', { ...scene.about, email_code, ...more }));
    expect(await ask({ machine_id: randomUUID() })).toEqual([403, 'code_expired']);
    expect(await ask({ license_key: other.about.license_key })).toEqual([403, 'code_expired']);
    expect(await ask({ license_key: 'ABCD-EFGH-2345-6789' })).toEqual([403, 'code_expired']);
    const [seat] = (await plugin('seats', { ...scene.about, email_code })).body.seats;
    const foreign = { ...other.about, email_code: await emailedCode(other), seat_id: seat.id };
    expect(refusal(await plugin('seats/release', foreign))).toEqual([409, 'not_activated']);
    await server.db.query(
      `update serials set customer_id = (select customer_id from serials where developer_id = $1 and code = $3)
        where developer_id = $1 and code = $2`,
      [ada.id, scene.about.license_key, other.about.license_key],
    );
    expect(await ask({})).toEqual([403, 'code_expired']);
  });

  it('ten wrong codes end it, also at the same moment', async () => {
    const scene = await full();
    const email_code = await emailedCode(scene);
    const wrong = email_code.startsWith('B') ? 'CCCC-CCCC' : 'BBBB-BBBB';
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => plugin('seats', { ...scene.about, email_code: wrong })),
    );
    expect(new Set(tries.map(({ body }) => body.status))).toEqual(new Set(['code_expired']));
    expect(refusal(await plugin('seats', { ...scene.about, email_code }))[1]).toBe('code_expired');
    const next = await emailedCode(scene).then(() =>
      server.db.query(`update license_seat_codes set expires_at = now() where developer_id = $1 returning tries`, [
        ada.id,
      ]),
    );
    expect(next.length).toBeGreaterThan(1);
  });

  it('the answer is the same for what does not exist, and an owner gets ten in a day', async () => {
    const scene = await full();
    const same = { ok: true, status: 'code_sent' };
    const unknown = await plugin('seats/code', { ...scene.about, license_key: 'ABCD-EFGH-2345-6789' });
    expect([unknown.status, unknown.body]).toEqual([200, same]);
    expect((await plugin('seats/code', { ...scene.about, product_id: randomUUID() })).body).toEqual(same);
    expect(await codesOf(scene.email)).toEqual([]);
    const asked = await Promise.all(Array.from({ length: 12 }, () => plugin('seats/code', scene.about)));
    expect(new Set(asked.map(({ body }) => JSON.stringify(body)))).toEqual(new Set([JSON.stringify(same)]));
    expect(await codesOf(scene.email)).toHaveLength(10);
  });
});

it('the token of a seat lists all machines, and releases its own alone', async () => {
  const { about, machines, tokens } = await full();
  const mine = { ...about, machine_id: machines[0], validation_token: tokens[0] };
  const { seats } = (await plugin('seats', mine)).body;
  const [own, other] = [true, false].map((is) => seats.find((each: { is_this: boolean }) => each.is_this === is));
  expect(refusal(await plugin('seats/release', { ...mine, seat_id: other.id }))).toEqual([403, 'code_required']);
  const swapped = await plugin('seats', { ...mine, machine_id: machines[1] });
  expect(refusal(swapped)).toEqual([403, 'invalid_token']);
  expect((await plugin('seats/release', { ...mine, seat_id: own.id })).body.status).toBe('deactivated');
  expect(refusal(await plugin('seats', mine))).toEqual([409, 'not_activated']);
});

it('without any proof nothing is listed, whether or not there is such a license', async () => {
  const { about } = await full();
  expect(refusal(await plugin('seats', about))).toEqual([403, 'code_required']);
  expect(refusal(await plugin('seats', { ...about, license_key: 'ABCD-EFGH-2345-6789' }))).toEqual([
    403,
    'code_required',
  ]);
});

it('a plugin that was confirmed in the browser lists machines, and releases others if that was by the owner’s email', async () => {
  const { email, download, about, machines } = await full();
  const confirmed = async (token: string) => {
    const { body } = await plugin('device', { product_id: product.id, machine_id: about.machine_id });
    const answer = { dev: ada.id, user_code: body.user_code, token, serial: about.license_key };
    expect((await call(server, 'POST', '/api/redeem/device/confirm', { body: answer })).status).toBe(200);
    return { machine_id: about.machine_id, product_id: product.id, device_code: body.device_code };
  };
  const shown = await confirmed(download);
  const [seat] = (await plugin('seats', shown)).body.seats;
  expect(refusal(await plugin('seats/release', { ...shown, seat_id: seat.id }))).toEqual([403, 'code_required']);
  await call(server, 'POST', '/api/redeem/my-products', { body: { dev: ada.id, email } });
  const sent = await server.email((each: Email) => each.to?.[0]?.address === email && /open=/.test(each.text ?? ''));
  const url = new URL(/https?:\S+open=\S+/.exec(sent.text ?? '')?.[0] as string);
  const proven = await confirmed(url.searchParams.get('open') as string);
  expect((await plugin('device/token', proven)).body.status).toBe('seat_limit');
  expect((await plugin('seats/release', { ...proven, seat_id: seat.id })).body.status).toBe('deactivated');
  expect((await plugin('device/token', proven)).body).toMatchObject({
    status: 'active',
    license_key: about.license_key,
  });
  expect(machines).toHaveLength(2);
});
