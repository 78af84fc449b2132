import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AnswerVerdict, verifyAnswer } from '../index.ts';

interface Vector {
  name: string;
  headers: Record<string, string>;
  body?: string;
  body_hex?: string;
  now?: number;
  method?: string;
  path?: string;
  nonce?: string;
  expected: object;
}

const vectors = JSON.parse(readFileSync('test/vectors/license-answers.json', 'utf8'));
const { jwks, method, path, nonce } = vectors;
const at = (seconds: number) => new Date(seconds * 1000);
const asked = { method, path, nonce, now: at(vectors.now) };
const good = vectors.cases[0] as Required<Vector>;

/** The verdict in the vectors' format. */
function plain(verdict: AnswerVerdict) {
  if (!verdict.valid) return verdict;
  return { valid: true, key_id: verdict.keyId, signed_at: verdict.signedAt.getTime() / 1000 };
}

describe('the shared vectors', () => {
  it('are there', () => expect(vectors.cases.length).toBeGreaterThan(35));

  it.each<Vector>(vectors.cases)('$name', async ({ headers, body, body_hex: hex, now, expected, ...own }) => {
    const bytes = hex === undefined ? new TextEncoder().encode(body) : Buffer.from(hex, 'hex');
    const expectation = { ...asked, ...own, now: at(now ?? vectors.now) };
    expect(plain(await verifyAnswer({ headers, body: bytes }, jwks, expectation))).toEqual(expected);
    if (body !== undefined) {
      expect(plain(await verifyAnswer({ headers: new Headers(headers), body }, jwks, expectation))).toEqual(expected);
    }
  });
});

describe('verifying an answer', () => {
  const { headers, body } = good;

  it('takes headers and bodies in every shape that they come in', async () => {
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const bytes = new TextEncoder().encode(body);
    for (const each of [headers, capitals, new Headers(headers), new Response('', { headers }).headers]) {
      for (const form of [body, bytes, bytes.buffer, Buffer.from(body), new Uint8Array([0, ...bytes]).subarray(1)]) {
        expect((await verifyAnswer({ headers: each, body: form }, jwks, asked)).valid).toBe(true);
      }
    }
  });

  it('takes none of several signatures', async () => {
    const signature = headers['x-tonerow-signature'] as string;
    const twice = { ...headers, 'x-tonerow-signature': [signature, signature] };
    expect(await verifyAnswer({ headers: twice, body }, jwks, asked)).toEqual({ valid: false, reason: 'malformed' });
  });

  it('knows no answer when it knows no keys', async () => {
    const verdict = await verifyAnswer({ headers, body }, { keys: [] }, asked);
    expect(verdict).toEqual({ valid: false, reason: 'unknown_key' });
  });

  it('believes nothing at a time that is none', async () => {
    const verdict = await verifyAnswer({ headers, body }, jwks, { ...asked, now: at(Number.NaN) });
    expect(verdict.valid).toBe(false);
  });

  it('uses this machine’s clock when no time is given', async () => {
    const verdict = await verifyAnswer({ headers, body }, jwks, { method, path, nonce });
    expect(verdict).toEqual({ valid: false, reason: 'too_old' });
  });

  it('refuses an answer with any one character changed', async () => {
    for (let index = 0; index < body.length; index += 3) {
      const changed = `${body.slice(0, index)}${body[index] === 'x' ? 'y' : 'x'}${body.slice(index + 1)}`;
      const verdict = await verifyAnswer({ headers, body: changed }, jwks, asked);
      expect(verdict, changed).toEqual({ valid: false, reason: 'signature' });
    }
  });
});
