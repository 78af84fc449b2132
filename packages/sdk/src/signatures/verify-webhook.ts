import type { Webhooks } from '../generated/types.gen.ts';
import { bytesOf, type LicenseKeys } from './signatures.ts';

/** A `Headers`, or an object as in Node's `http`. Names in any case. */
type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** `whsec_…`, `whpk_…`, or the public keys as the server publishes them; undefined, as of a variable that nobody set, fits nothing. */
export type WebhookKey = string | LicenseKeys | undefined;

export interface WebhookExpectation {
  /** The time, if not this machine's. */
  now?: Date;
  /** The seconds by which the sender's clock may differ. Default 300. */
  toleranceSeconds?: number;
}

export type WebhookProblem =
  /** A header is missing, or there is more than one of it. */
  | 'missing'
  /** A header or the key cannot be read, or there is no key. */
  | 'malformed'
  /** No signature in the header fits: another secret, or other bytes. */
  | 'signature'
  | 'too_old'
  | 'too_new';

/**
 * The events that are sent to webhooks: `event.type` decides what `event.data` is. A newer server may send types that
 * are not among these; ignore those that you do not handle.
 */
export type WebhookPayload = Webhooks['body'];
/** The events of one type, such as `WebhookPayloadOf<'serial.redeemed'>`. */
export type WebhookPayloadOf<Type extends WebhookPayload['type']> = Extract<WebhookPayload, { type: Type }>;

export type WebhookVerdict =
  | { valid: true; id: string; sentAt: Date; event: WebhookPayload }
  /** `too_old` and `too_new` come last: everything but the time was right. */
  | { valid: false; reason: WebhookProblem };

/** Bytes, as in Standard Webhooks: what is shorter, or empty because nobody set it, could be guessed. */
const SHORTEST_SECRET = 24;

interface Verifier {
  kind: 'v1' | 'v1a';
  verify(signature: Uint8Array<ArrayBuffer>, text: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

/**
 * Whether a webhook comes from Tonerow, by the rules of Standard Webhooks 1.0. Runs in Node, workers and browsers.
 *
 * Pass the body exactly as it arrived: one that was parsed and printed again does not verify.
 * @param secretOrKey the webhook's secret (`whsec_…`), its public key (`whpk_…`), or the published keys; several during a
 * rotation.
 * @example
 * const verdict = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
 * if (!verdict.valid) return new Response(verdict.reason, { status: 400 });
 * if (await alreadySeen(verdict.id)) return new Response(null, { status: 204 });
 * if (verdict.event.type === 'serial.redeemed') console.log(verdict.event.data.code);
 */
export async function verifyWebhook(
  body: string | ArrayBuffer | Uint8Array,
  headers: HeadersLike,
  secretOrKey: WebhookKey | readonly WebhookKey[],
  { now = new Date(), toleranceSeconds = 300 }: WebhookExpectation = {},
): Promise<WebhookVerdict> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) return no('missing');
  const keys = Array.isArray(secretOrKey) ? (secretOrKey as readonly WebhookKey[]) : [secretOrKey as WebhookKey];
  const verifiers = (await Promise.all(keys.map(verifiersOf))).flat();
  if (!/^\d{1,12}$/.test(timestamp) || verifiers.length === 0) return no('malformed');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const text = new Uint8Array(head.length + bytes.length);
  text.set(head);
  text.set(bytes, head.length);
  const given = signaturesIn(signatures);
  if (given.length === 0) return no('malformed');
  if (!(await anyFits(given, verifiers, text))) return no('signature');
  const age = now.getTime() / 1000 - Number(timestamp);
  if (!(age <= toleranceSeconds)) return no('too_old');
  if (!(age >= -toleranceSeconds)) return no('too_new');
  const event = parsed(new TextDecoder().decode(bytes));
  if (!isEvent(event)) return no('malformed');
  return { valid: true, id, sentAt: new Date(Number(timestamp) * 1000), event };
}

/** A signed body of Tonerow is always an event, but anyone who has the secret can sign anything. */
function isEvent(value: unknown): value is WebhookPayload {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  return typeof type === 'string' && typeof data === 'object' && data !== null;
}

/** A webhook for the tests of a receiver: the body and the headers, as they would be sent. */
export interface SignedWebhook {
  body: string;
  headers: { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string };
}

/**
 * Signs an event as Tonerow signs webhooks, so that a receiver can be tested without a server.
 * @param secret a secret (`whsec_…`) that the test makes up: 24 bytes or more, in Base64.
 * @throws {TypeError} for a secret that {@link verifyWebhook} would not accept.
 * @example
 * const { body, headers } = await signForTest({ type: 'webhook.test', timestamp: new Date().toISOString(), data }, secret);
 * const response = await receive(new Request('http://localhost/hook', { method: 'POST', body, headers }));
 */
export async function signForTest(
  event: WebhookPayload,
  secret: string,
  { id = `test_${crypto.randomUUID()}`, sentAt = new Date() }: { id?: string; sentAt?: Date } = {},
): Promise<SignedWebhook> {
  const bytes = secretOf(secret);
  if (!bytes) throw new TypeError(`The secret must be whsec_ and at least ${SHORTEST_SECRET} bytes in Base64.`);
  const hmac = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signed = await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`;
  return { body, headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } };
}

interface Given {
  kind: string;
  signature: Uint8Array<ArrayBuffer>;
}

function signaturesIn(header: string): Given[] {
  return header.split(' ').flatMap((part) => {
    const [, kind, base64] = /^(v1a?),(.+)$/.exec(part) ?? [];
    const signature = base64 && base64Bytes(base64);
    return kind && signature ? [{ kind, signature }] : [];
  });
}

async function anyFits(
  given: readonly Given[],
  verifiers: readonly Verifier[],
  text: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const { kind, signature } of given)
    for (const verifier of verifiers)
      if (verifier.kind === kind && (await verifier.verify(signature, text))) return true;
  return false;
}

/** The verifiers of a key; none for a key that cannot be read. */
async function verifiersOf(key: WebhookKey): Promise<Verifier[]> {
  if (typeof key !== 'string') {
    if (!Array.isArray(key?.keys)) return [];
    const raw = key.keys.flatMap(({ kty, crv, x }) => (kty === 'OKP' && crv === 'Ed25519' ? [bytesOf(x)] : []));
    return (await Promise.all(raw.map((each) => (each?.length === 32 ? [ed25519(each)] : [])))).flat();
  }
  const text = key.trim();
  if (text.startsWith('whpk_')) {
    const raw = base64Bytes(text.slice(5));
    return raw?.length === 32 ? [ed25519(raw)] : [];
  }
  const secret = secretOf(text);
  if (!secret) return [];
  const hmac = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  return [{ kind: 'v1', verify: (signature, signed) => crypto.subtle.verify('HMAC', hmac, signature, signed) }];
}

/** The bytes of a secret; null for one that cannot be read, or could be guessed. */
function secretOf(given: string): Uint8Array<ArrayBuffer> | null {
  const text = given.trim();
  const secret = base64Bytes(text.startsWith('whsec_') ? text.slice(6) : text);
  return secret && secret.length >= SHORTEST_SECRET ? secret : null;
}

function ed25519(raw: Uint8Array<ArrayBuffer>): Verifier {
  return {
    kind: 'v1a',
    async verify(signature, text) {
      if (signature.length !== 64) return false;
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
      return crypto.subtle.verify('Ed25519', key, signature, text);
    },
  };
}

function base64Bytes(base64: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  return bytesOf(base64.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function no(reason: WebhookProblem): WebhookVerdict {
  return { valid: false, reason };
}

/** A header's value; empty when it is missing, or when there is more than one, which is ambiguous. */
function headerOf(headers: HeadersLike, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const found = Object.entries(headers).filter(([each]) => each.toLowerCase() === name);
  const [value] = found.map(([, each]) => each);
  return found.length === 1 && typeof value === 'string' ? value : '';
}
