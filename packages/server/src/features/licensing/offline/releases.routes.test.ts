import { randomBytes } from 'node:crypto';
import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUp,
  verifyEmail,
} from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { tokenInEnvelope } from './offline-format.ts';

const clock = new TestClock('2026-11-21T12:00:00Z');
let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string };
const email = 'jo@example.com';

beforeAll(async () => {
  server = await startServer({
    overrides: { clock },
    env: {
      TONEROW_RATE_LIMITS: 'on',
      TONEROW_TRUST_PROXY: '127.0.0.1',
      TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8',
    },
  });
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { max_activations: 1 });
  key = await keyOf(ada);
});
afterAll(() => server.stop());

const keyOf = async ({ token }: Person): Promise<string> =>
  (await call(server, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body.plaintext;

async function makeSerial(productId = product.id) {
  const body = { email: ada.email, password: PASSWORD };
  ada.token = (await call(server, 'POST', '/api/auth/login', { body })).body.token;
  return (await makeSerials(server, ada.token, productId, { quantity: 1 }))[0] as { id: string; code: string };
}

/** An offline computer, with a secret of its own. */
function computer(machine_id: string) {
  const secret = randomBytes(32).toString('hex');
  const release_hash = sha256(secret).toString('hex');
  return {
    secret,
    hash: release_hash,
    file: JSON.stringify({ machine_id, device: 'Studio', release_hash }),
    releaseOf: (serial_id: string, product_id = product.id) =>
      JSON.stringify({ release: secret, serial_id, product_id }),
  };
}

const offline = (license_key: string, machine_file: string) =>
  call(server, 'POST', '/api/license/v1/offline', { token: key, body: { license_key, machine_file, email } });
let asked = 0;
/** A new address for each request, where nothing else matters, because wrong ones are counted. */
const nextAddress = () => {
  asked += 1;
  return `10.2.0.${asked}`;
};
const release = async (text: string, token = key, address = nextAddress()) => {
  const { status, body } = await call(server, 'POST', '/api/license/v1/offline/release', {
    token,
    headers: { 'x-forwarded-for': address },
    body: { release: text },
  });
  return [status, body.status] as [number, string];
};
const seats = async (id: string) =>
  (await server.db.query<{ seats_used: number }>('select seats_used from serials where id = $1', [id]))[0]?.seats_used;
const claimsOf = (text: string) =>
  JSON.parse(Buffer.from((tokenInEnvelope(text) as string).split('.')[1] as string, 'base64url').toString());

const RELEASED = [200, 'deactivated'];
const UNKNOWN = [404, 'not_found'];

it('frees the seat at once for the secret of the license file, and answers a repeated release the same', async () => {
  const { id, code } = await makeSerial();
  const studio = computer('L1');
  const made = await offline(code, studio.file);
  expect(claimsOf(made.text).rel).toBe(studio.hash);
  expect((await offline(code, computer('L2').file)).body.status).toBe('seat_limit');
  expect(await seats(id)).toBe(1);

  expect(await release(studio.releaseOf(id))).toEqual(RELEASED);
  expect(await seats(id)).toBe(0);
  expect(await release(studio.releaseOf(id))).toEqual(RELEASED);
  const laptop = computer('L2');
  expect((await offline(code, laptop.file)).status).toBe(200);
  // neither is a repeated release of one computer a release of another, nor of the same one's next license
  expect(await release(studio.releaseOf(id))).toEqual(RELEASED);
  expect(await seats(id)).toBe(1);
  expect(await release(Buffer.from(laptop.releaseOf(id)).toString('base64'))).toEqual(RELEASED);
  const again = computer('L1');
  expect((await offline(code, again.file)).status).toBe(200);
  expect(await release(studio.releaseOf(id))).toEqual(RELEASED);
  expect(await seats(id)).toBe(1);
});

it('records the release as every other one', async () => {
  const { id, code } = await makeSerial();
  await verifyEmail(server, ada);
  const body = { url: 'http://127.0.0.1:9999/', events: ['license.deactivated'] };
  expect((await call(server, 'POST', '/api/webhooks', { token: ada.token, body })).status).toBe(201);
  const studio = computer('L1');
  await offline(code, studio.file);
  await Promise.all([release(studio.releaseOf(id)), release(studio.releaseOf(id))]);
  const events = await server.db.query<{ type: string }>(
    `select type from webhook_events where developer_id = $1 and type = 'license.deactivated' and $2 = any(object_ids)`,
    [ada.id, id],
  );
  expect(events).toHaveLength(1);
  expect(await seats(id)).toBe(0);
});

it('makes no other file for a secret that was used, not for another serial either', async () => {
  const [first, second] = [await makeSerial(), await makeSerial()];
  const studio = computer('L1');
  await offline(first.code, studio.file);
  expect(await release(studio.releaseOf(first.id))).toEqual(RELEASED);
  for (const { id, code } of [first, second]) {
    const refused = await offline(code, studio.file);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'The license file for this machine file was released. Save a new machine file in the plugin.',
    ]);
    expect(await seats(id)).toBe(0);
  }
});

it('refuses whatever is no proof, and frees nothing', async () => {
  const { id, code } = await makeSerial();
  const other = await makeSerial();
  const studio = computer('L1');
  await offline(code, studio.file);
  await offline(other.code, computer('L9').file);
  const bob = await signUp(server);
  const bobs = await keyOf(bob);

  for (const text of [
    computer('L1').releaseOf(id),
    studio.releaseOf(other.id),
    studio.releaseOf('019cd0a0-0000-7000-8000-00000000000a'),
  ])
    expect(await release(text)).toEqual(UNKNOWN);
  // the hash is in the license file, which others may see: it is no secret
  expect(await release(JSON.stringify({ release: studio.hash, serial_id: id, product_id: product.id }))).toEqual(
    UNKNOWN,
  );
  expect(await release(studio.releaseOf(id), bobs)).toEqual(UNKNOWN);
  expect(await release(studio.releaseOf(id), 'tnr_plg_no')).toEqual([401, 'unauthorized']);
  const { id: another } = await makeProduct(server, ada.token);
  expect(await release(studio.releaseOf(id, another))).toEqual([422, 'product_mismatch']);
  for (const text of ['', 'L1', '{}', '[]', 'null', studio.file, 'x'.repeat(16 * 1024 + 1)])
    expect(await release(text)).toEqual([400, 'invalid_request']);
  expect(await seats(id)).toBe(1);

  expect(await release(studio.releaseOf(id))).toEqual(RELEASED);
});

it('frees a seat of a product that was deleted, and finds nothing for a serial that was', async () => {
  const gone = await makeProduct(server, ada.token, { max_activations: 2 });
  const [{ id, code }, unsold] = [await makeSerial(gone.id), await makeSerial(gone.id)];
  const studio = computer('L1');
  await offline(code, studio.file);
  const deleted = await call(server, 'DELETE', `/api/products/${gone.id}?force=true`, { token: ada.token });
  expect(deleted.status).toBe(200);
  expect(await release(studio.releaseOf(unsold.id, gone.id))).toEqual(UNKNOWN);
  expect(await release(studio.releaseOf(id, gone.id))).toEqual(RELEASED);
  expect(await seats(id)).toBe(0);
});

it('counts wrong proofs as guesses, and lets a good one through all the same', async () => {
  const { id, code } = await makeSerial();
  const studio = computer('L1');
  await offline(code, studio.file);
  const guess = (text: string) => release(text, key, '203.0.113.7');
  const outcomes = new Set<number>();
  for (let tried = 0; tried < 21; tried += 1) outcomes.add((await guess(computer('L1').releaseOf(id)))[0]);
  expect([...outcomes]).toEqual([404, 429]);
  expect(await guess(studio.releaseOf(id))).toEqual(RELEASED);
});

it('waits for an earlier file of the same computer that has another secret, or none', async () => {
  const { id, code } = await makeSerial();
  await offline(code, 'L1');
  clock.advance(60 * DAY);
  const studio = computer('L1');
  expect((await offline(code, studio.file)).status).toBe(200);
  expect(await release(studio.releaseOf(id))).toEqual([409, 'leased']);
  // a renewal for the same secret changes nothing about it
  clock.advance(DAY);
  await offline(code, studio.file);
  expect(await release(studio.releaseOf(id))).toEqual([409, 'leased']);
  expect(await seats(id)).toBe(1);
  clock.advance(30 * DAY);
  expect(await release(studio.releaseOf(id))).toEqual(RELEASED);

  // two secrets of one computer: neither of them speaks for both files
  const [first, second] = [computer('L1'), computer('L1')];
  await offline(code, first.file);
  clock.advance(DAY);
  await offline(code, second.file);
  expect([await release(first.releaseOf(id)), await release(second.releaseOf(id))]).toEqual([UNKNOWN, [409, 'leased']]);
});

it('is one of the two when a renewal is asked for meanwhile: no file for a seat that is free', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, code } = await makeSerial();
    const studio = computer('L1');
    await offline(code, studio.file);
    const [renewed, ...released] = await Promise.all([
      offline(code, studio.file),
      release(studio.releaseOf(id)),
      release(studio.releaseOf(id)),
    ]);
    expect(released).toEqual([RELEASED, RELEASED]);
    // its file is for the secret that was given up, so that the computer refuses it
    if (renewed.status === 200) expect(claimsOf(renewed.text).rel).toBe(studio.hash);
    else expect(['invalid_request', 'not_activated']).toContain(renewed.body.status);
    const leases = await server.db.query(
      'select 1 from activations where serial_id = $1 and released_at is null and leased_until is not null',
      [id],
    );
    expect(leases).toEqual([]);
  }
});

it('takes a revoked serial’s, and one whose lease has ended', async () => {
  const { id, code } = await makeSerial();
  const studio = computer('L1');
  await offline(code, studio.file);
  await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
  expect(await release(studio.releaseOf(id))).toEqual(RELEASED);
  expect(await seats(id)).toBe(0);
  const ended = await makeSerial();
  const laptop = computer('L1');
  await offline(ended.code, laptop.file);
  clock.advance(100 * DAY);
  expect(await release(laptop.releaseOf(ended.id))).toEqual(RELEASED);
  expect(await seats(ended.id)).toBe(0);
});

it('is done by the owner on the redemption page, for their own serial', async () => {
  const [mine, another] = [await makeSerial(), await makeSerial()];
  const nina = `nina-${ada.id}@example.com`;
  for (const { code } of [mine, another]) await redeem(server, code, nina, ada.id);
  await call(server, 'POST', '/api/redeem/my-products', { body: { email: nina, dev: ada.id } });
  const sent = await server.email((each) => each.to?.[0]?.address === nina && /open=/.test(each.text ?? ''));
  const token = /open=([^\s&]+)/.exec(sent.text ?? '')?.[1] as string;
  const own = async (serial: string, text: string) => {
    const { status, body } = await call(server, 'POST', '/api/redeem/my-products/offline/release', {
      body: { token, serial, release: text },
    });
    return status === 200 ? body : [status, body.message];
  };
  const studio = computer('STUDIO-1');
  const made = await call(server, 'POST', '/api/redeem/my-products/offline', {
    body: { token, serial: mine.code, machine_file: studio.file },
  });
  expect(claimsOf(made.text).rel).toBe(studio.hash);
  const wrong = [422, 'This release file does not belong to a license file of ours.'];
  expect(await own(another.code, studio.releaseOf(mine.id))).toEqual(wrong);
  expect(await own(mine.code, computer('STUDIO-1').releaseOf(mine.id))).toEqual(wrong);
  expect(await own(mine.code, studio.file)).toEqual([422, 'This is not a release file.']);
  expect(await own(mine.code, studio.releaseOf(mine.id))).toEqual({ ok: true });
  expect(await own(mine.code, studio.releaseOf(mine.id))).toEqual({ ok: true });
  expect(await seats(mine.id)).toBe(0);
});
