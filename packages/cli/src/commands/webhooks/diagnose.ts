import type { WebhookProblem, WebhookVerdict } from '@tonerow/sdk';

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
    const seconds = Math.round(Math.abs(now.getTime() / 1000 - Number(headers['webhook-timestamp'])));
    const way = verdict.reason === 'too_old' ? 'ago' : 'in the future';
    return {
      cause: 'time',
      advice: `The signature is right, but it was made ${seconds} s ${way}. Check this machine's clock, and verify at once.`,
    };
  }
  if (!headers['webhook-id']) return { cause: 'id', advice: 'The header webhook-id is missing.' };
  for (const name of ['webhook-timestamp', 'webhook-signature']) {
    if (!headers[name]) return { cause: 'encoding', advice: `The header ${name} is missing.` };
  }
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

/** What the secret may have been made from, or into. */
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
