import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, expectTypeOf, it } from 'vitest';
import { signForTest, verifyWebhook, type WebhookPayloadOf } from './verify-webhook.ts';

const key = randomBytes(32);
const secret = `whsec_${key.toString('base64')}`;
const now = new Date('2026-03-10T12:00:00Z');
const body = JSON.stringify({ type: 'webhook.test', data: { message: 'emoji 🎛, \u2028 and \ud800 alone' } });

function signed(over: { body?: string; at?: Date; keys?: Buffer[]; id?: string } = {}) {
  const { keys = [key], id = 'evt', at = now } = over;
  const time = String(Math.floor(at.getTime() / 1000));
  const signature = keys
    .map(
      (each) =>
        `v1,${createHmac('sha256', each)
          .update(`${id}.${time}.${over.body ?? body}`)
          .digest('base64')}`,
    )
    .join(' ');
  return { 'Webhook-Id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
}

it('accepts what the published library signs, as text, as bytes and with Headers', async () => {
  const library = { 'webhook-id': 'evt', 'webhook-timestamp': String(now.getTime() / 1000) };
  const headers = { ...library, 'webhook-signature': new Webhook(secret).sign('evt', now, body) };
  const expected = { valid: true, id: 'evt', sentAt: now, event: JSON.parse(body) };
  expect(await verifyWebhook(body, headers, secret, { now })).toEqual(expected);
  expect(await verifyWebhook(Buffer.from(body), new Headers(headers), secret, { now })).toEqual(expected);
  expect(await verifyWebhook(body, signed(), [`whsec_${randomBytes(32).toString('base64')}`, secret], { now })).toEqual(
    expected,
  );
});

it('goes by the secret that is set when another one is not', async () => {
  const unset: string | undefined = process.env.TONEROW_NO_SUCH_SECRET;
  expect(await verifyWebhook(body, signed(), [unset, secret], { now })).toMatchObject({ valid: true });
});

it('accepts either signature of a rotation, and Ed25519 by the key or the published keys', async () => {
  const other = randomBytes(32);
  expect(await verifyWebhook(body, signed({ keys: [other, key] }), secret, { now })).toMatchObject({ valid: true });
  const pair = generateKeyPairSync('ed25519');
  const x = pair.publicKey.export({ format: 'jwk' }).x as string;
  const headers = signed();
  const text = `evt.${headers['webhook-timestamp']}.${body}`;
  headers['webhook-signature'] = `v1a,${sign(null, Buffer.from(text), pair.privateKey).toString('base64')}`;
  const raw = `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
  const jwks = { keys: [{ kid: 'k', kty: 'OKP', crv: 'Ed25519', x }] };
  expect(await verifyWebhook(body, headers, raw, { now })).toMatchObject({ valid: true });
  expect(await verifyWebhook(body, headers, jwks, { now })).toMatchObject({ valid: true });
  expect(await verifyWebhook(`${body} `, headers, raw, { now })).toEqual({ valid: false, reason: 'signature' });
  expect(await verifyWebhook(body, headers, secret, { now })).toEqual({ valid: false, reason: 'signature' });
});

it('types an event by its name', async () => {
  const verdict = await verifyWebhook(body, signed(), secret, { now });
  if (!verdict.valid) throw new Error(verdict.reason);
  const { event } = verdict;
  if (event.type === 'serial.redeemed') expectTypeOf(event.data.price).toEqualTypeOf<number>();
  if (event.type === 'webhook.test') expectTypeOf(event.data.message).toEqualTypeOf<string>();
  // @ts-expect-error: there is no such event
  expect(event.type === 'serial.eaten').toBe(false);
});

const test: WebhookPayloadOf<'webhook.test'> = {
  type: 'webhook.test',
  timestamp: '2026-03-10T12:00:00.000Z',
  data: { endpoint_id: null, message: 'Grüße 🎛' },
};

it('signs what a test of a receiver sends, as the server does', async () => {
  const sent = await signForTest(test, secret, { id: 'evt', sentAt: now });
  const library = new Webhook(secret).sign('evt', now, sent.body);
  expect(sent.headers).toEqual({
    'webhook-id': 'evt',
    'webhook-timestamp': String(now.getTime() / 1000),
    'webhook-signature': library,
  });
  expect(await verifyWebhook(sent.body, sent.headers, secret, { now })).toMatchObject({ valid: true, event: test });
  const fresh = await signForTest(test, secret);
  expect(await verifyWebhook(fresh.body, new Headers(fresh.headers), secret)).toMatchObject({ valid: true });
  expect((await signForTest(test, secret)).headers['webhook-id']).not.toBe(fresh.headers['webhook-id']);
});

it('signs with nothing that could be guessed', async () => {
  for (const short of ['', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_not base64'])
    await expect(signForTest(test, short)).rejects.toThrow('24 bytes');
});

it.each([
  ['signature', body.replace('🎛', '🎚'), signed(), secret],
  ['signature', body, signed({ id: 'other' }), secret, { 'Webhook-Id': 'evt' }],
  ['signature', body, signed(), `whsec_${randomBytes(32).toString('base64')}`],
  ['too_old', body, signed({ at: new Date(now.getTime() - 301_000) }), secret],
  ['too_new', body, signed({ at: new Date(now.getTime() + 301_000) }), secret],
  ['missing', body, { ...signed(), 'webhook-signature': '' }, secret],
  ['missing', body, { ...signed(), 'webhook-id': 'evt' }, secret],
  ['malformed', body, { ...signed(), 'webhook-signature': 'sha256=abc' }, secret],
  ['malformed', body, { ...signed(), 'webhook-timestamp': 'now' }, secret],
  ['malformed', body, signed(), 'whsec_not base64'],
  ['malformed', body, signed(), 'whpk_c2hvcnQ='],
  ['malformed', body, signed(), ''],
  ['malformed', body, signed(), undefined],
  ['malformed', '[]', signed({ body: '[]' }), secret],
  ['malformed', 'null', signed({ body: 'null' }), secret],
  ['malformed', body, signed(), [undefined, '']],
  ['malformed', body, signed(), JSON.parse('{"message":"Not found"}')],
  ['malformed', body, signed({ keys: [key.subarray(0, 23)] }), `whsec_${key.subarray(0, 23).toString('base64')}`],
])('refuses with %s', async (reason, given, headers, by, over: Record<string, string> = {}) => {
  expect(await verifyWebhook(given, { ...headers, ...over }, by, { now })).toEqual({ valid: false, reason });
});
