import type { WebhookProblem, WebhookVerdict } from '@tonerow/sdk';
import { counted } from '#output/table.ts';

/** Why a signature does not fit, as far as it can be told. */
export type Cause = 'secret' | 'bytes' | 'time' | 'id' | 'encoding';

interface Question {
  body: string;
  headers: Readonly<Record<string, string>>;
  secret: string;
  now: Date;
}

type Verify = (body: string, headers: Record<string, string>, secret: string) => Promise<WebhookVerdict>;

const REFUSED = new Set<WebhookProblem>(['signature', 'malformed', 'missing']);

/**
 * Finds out what is wrong with a webhook that does not verify, by trying what usually went wrong: a body that was parsed and
 * printed again, a secret that was encoded once too often, an id of another event.
 */
export async function diagnose(question: Question, verify: Verify): Promise<{ cause: Cause; advice: string } | null> {
  const { body, headers, secret, now } = question;
  const fits = async (changed: Partial<Question>) => {
    const verdict = await verify(changed.body ?? body, { ...(changed.headers ?? headers) }, changed.secret ?? secret);
    return verdict.valid || !REFUSED.has(verdict.reason);
  };
  const verdict = await verify(body, { ...headers }, secret);
  if (verdict.valid) return null;
  if (verdict.reason === 'too_old' || verdict.reason === 'too_new') {
    const seconds = Math.abs(now.getTime() / 1000 - Number(headers['webhook-timestamp']));
    const way = verdict.reason === 'too_old' ? 'ago' : 'in the future';
    return {
      cause: 'time',
      advice: `The signature is right, but it was made ${lengthOf(seconds)} ${way}. Check this machine's clock, and verify at once; --at verifies as of when it arrived.`,
    };
  }
  if (!headers['webhook-id']) return { cause: 'id', advice: 'The header webhook-id is missing.' };
  for (const name of ['webhook-timestamp', 'webhook-signature']) {
    if (!headers[name]) return { cause: 'encoding', advice: `The header ${name} is missing.` };
  }
  if (/^\d{13}$/.test(headers['webhook-timestamp'] ?? ''))
    return {
      cause: 'time',
      advice: 'The header webhook-timestamp is in milliseconds: it must be as it arrived, in seconds.',
    };
  if (!/^\d{1,12}$/.test(headers['webhook-timestamp'] ?? ''))
    return {
      cause: 'time',
      advice: 'The header webhook-timestamp is not a number: it must be as it arrived, in seconds since 1970.',
    };
  const early = keyLike(secret, headers['webhook-signature'] ?? '') ?? bodyLike(body, headers['content-length']);
  if (early) return early;
  for (const changed of bodiesLike(body)) {
    if (await fits({ body: changed }))
      return {
        cause: 'bytes',
        advice: 'The body was changed: verify the bytes as they arrived, before anything parses or trims them.',
      };
  }
  const ids = idsLike(headers['webhook-id']);
  for (const id of ids) {
    if (await fits({ headers: { ...headers, 'webhook-id': id } }))
      return { cause: 'id', advice: `The header webhook-id was changed: it was signed as ${id}.` };
  }
  for (const changed of secretsLike(secret)) {
    if (await fits({ secret: changed }))
      return {
        cause: 'encoding',
        advice: 'The secret is encoded wrongly: use it as it was shown, from whsec_ on, and decode its base64 once.',
      };
  }
  if (verdict.reason === 'malformed' || !/(^| )v1a?,[A-Za-z0-9+/]+={0,2}( |$)/.test(headers['webhook-signature'] ?? ''))
    return { cause: 'encoding', advice: 'The signature or the secret is not in base64, or the secret is too short.' };
  return {
    cause: 'secret',
    advice: 'No known mistake explains it: it was signed with another secret, or the body has other content.',
  };
}

/** A key of the other kind, or a signature in another notation, which no trial finds out. */
function keyLike(secret: string, signatures: string): { cause: Cause; advice: string } | null {
  const parts = signatures.split(' ').flatMap((part) => {
    const [, kind, text] = /^(v1a?),(.*)$/.exec(part) ?? [];
    return kind === undefined || text === undefined ? [] : [{ kind, text }];
  });
  if (parts.length === 0) return null;
  const kind = secret.trim().startsWith('whpk_') ? 'v1a' : 'v1';
  const matching = parts.filter((part) => part.kind === kind);
  if (matching.length === 0)
    return {
      cause: 'secret',
      advice:
        kind === 'v1a'
          ? 'It is signed by a secret (v1), and a public key verifies v1a only: use the secret (whsec_…) of the webhook.'
          : 'It is signed by a key pair (v1a), and a secret verifies v1 only: use the public key (whpk_…) of the webhook.',
    };
  const bytes = kind === 'v1a' ? 64 : 32;
  if (matching.every(({ text }) => /^[0-9a-f]+$/i.test(text) && text.length === bytes * 2))
    return { cause: 'encoding', advice: 'The signature is in hex: it must be as it arrived, in base64.' };
  if (matching.every(({ text }) => Buffer.from(text, 'base64').length !== bytes))
    return { cause: 'encoding', advice: `The signature is not whole: ${kind} has ${bytes} bytes in base64.` };
  return null;
}

/** A body that cannot be what was signed, whatever the key is: events are JSON objects. */
function bodyLike(body: string, declared: string | undefined): { cause: Cause; advice: string } | null {
  const length = Buffer.byteLength(body);
  if (body.trim() === '')
    return { cause: 'bytes', advice: 'The body is empty: something has read it before it was kept.' };
  if (declared !== undefined && /^\d+$/.test(declared) && Number(declared) !== length)
    return {
      cause: 'bytes',
      advice: `The body has ${length} bytes, but its content-length is ${declared}.`,
    };
  try {
    const parsed: unknown = JSON.parse(body);
    if (parsed !== null && typeof parsed === 'object') return null;
    return { cause: 'bytes', advice: 'The body is in quotes, or no object: verify the bytes as they arrived.' };
  } catch {
    const decoded = Buffer.from(body, 'base64').toString();
    const how = decoded.startsWith('{')
      ? 'in base64'
      : 'not whole JSON: cut off, quoted or printed in another notation';
    return { cause: 'bytes', advice: `The body is ${how}. Verify the bytes as they arrived.` };
  }
}

/** A duration for people: `5 days`. */
function lengthOf(seconds: number): string {
  const [size, unit] = (
    [
      [86_400, 'day'],
      [3600, 'hour'],
      [60, 'minute'],
      [1, 'second'],
    ] as const
  ).find(([each]) => seconds >= each * 2) ?? [1, 'second'];
  return counted(Math.round(seconds / size), unit);
}

function bodiesLike(body: string): string[] {
  const parsed = (() => {
    try {
      return JSON.parse(body) as unknown;
    } catch {
      return undefined;
    }
  })();
  return [
    body.replace(/\r?\n$/, ''),
    body.trim(),
    body.replace(/^\uFEFF/, ''),
    body.replaceAll('\r\n', '\n'),
    ...(parsed === undefined ? [] : [JSON.stringify(parsed)]),
  ].filter((each) => each !== body);
}

const idsLike = (id: string): string[] =>
  [id.trim(), id.toLowerCase(), id.replace(/^["']|["']$/g, '')].filter((each) => each !== id);

/** Secrets that this one may have been made from, or turned into. */
function secretsLike(secret: string): string[] {
  const bare = secret.trim().replace(/^whsec_/, '');
  const base64 = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
  const decoded = Buffer.from(bare, 'base64').toString();
  return [
    base64(secret.trim()),
    base64(bare),
    decoded,
    `whsec_${bare.replaceAll('-', '+').replaceAll('_', '/')}`,
    `whsec_${Buffer.from(bare, 'hex').toString('base64')}`,
  ].filter((each) => each !== secret && each !== 'whsec_' && each !== '');
}
