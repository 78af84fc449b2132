import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLOCK_SKEW, isInTime, type LicenseClaims, publicKeyOf, signToken, verifyToken } from './license-token.ts';

const pair = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const keys = new Map([['k1', pair.publicKey]]);
const claims: LicenseClaims = { iss: 'x', sub: 's', aud: 'p', mid: 'm', iat: 1000, exp: 2000, lic: null };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const good = signToken(claims, { kid: 'k1', privateKey: pair.privateKey });
const [head, body, signature] = good.split('.') as [string, string, string];

describe('a token', () => {
  it('is what was signed', () => {
    expect(verifyToken(good, keys)).toEqual(claims);
  });

  const der = pair.publicKey.export({ format: 'der', type: 'spki' });
  const pem = pair.publicKey.export({ format: 'pem', type: 'spki' });
  const raw = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x as string, 'base64url');
  const far = encode({ ...claims, exp: 99_999_999_999 });
  const hs256 = (secret: string | Buffer) => {
    const text = `${encode({ alg: 'HS256', kid: 'k1' })}.${far}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const signedAs = (bytes: Buffer) => {
    const text = `${head}.${bytes.toString('base64url')}`;
    return `${text}.${sign(null, Buffer.from(text), pair.privateKey).toString('base64url')}`;
  };
  const refused: [string, string][] = [
    ['without algorithm', `${encode({ alg: 'none', kid: 'k1' })}.${far}.`],
    ['without algorithm, with a good signature', `${encode({ alg: 'none', kid: 'k1' })}.${body}.${signature}`],
    ['with HS256 and the public key as DER', hs256(der)],
    ['with HS256 and the public key as PEM', hs256(pem)],
    ['with HS256 and the public key’s bytes', hs256(raw)],
    ['of an unknown key', signToken(claims, { kid: 'k2', privateKey: pair.privateKey })],
    ['of a key that it only names', signToken(claims, { kid: 'k1', privateKey: other.privateKey })],
    ['with a number for a key', `${encode({ alg: 'EdDSA', kid: 1 })}.${body}.${signature}`],
    ['with later dates', `${head}.${far}.${signature}`],
    ['cut off', good.slice(0, -10)],
    ['cut off before its signature', `${head}.${body}`],
    ['with a part too many', `${good}.x`],
    ['that is empty', ''],
    ['of dots', '...'],
    ['of rubbish', 'a.b.c'],
    ['whose claims are no UTF-8', signedAs(Buffer.from(`{"\u00ff":1,${JSON.stringify(claims).slice(1)}`, 'latin1'))],
    ['of null', `${encode(null)}.${encode(null)}.${signature}`],
  ];
  it.each(refused)('%s is refused', (_what, token) => {
    expect(verifyToken(token, keys)).toBeNull();
  });

  it('is in time from its beginning to its end, with clocks that differ', () => {
    expect(isInTime(claims, 1000)).toBe(true);
    expect(isInTime(claims, 1000 - CLOCK_SKEW)).toBe(true);
    expect(isInTime(claims, 1000 - CLOCK_SKEW - 1)).toBe(false);
    expect(isInTime(claims, 2000 + CLOCK_SKEW - 1)).toBe(true);
    expect(isInTime(claims, 2000 + CLOCK_SKEW)).toBe(false);
    expect(isInTime({ ...claims, iat: 9_999_999_999, exp: 99_999_999_999 }, 1500)).toBe(false);
    for (const exp of [undefined, null, 'x', Number.NaN]) {
      expect(isInTime({ ...claims, exp: exp as never }, 1500)).toBe(false);
    }
  });
});

describe('the vectors of all verifiers', () => {
  const vectors = JSON.parse(readFileSync('test/vectors/license-tokens.json', 'utf8'));
  const ring = new Map<string, ReturnType<typeof publicKeyOf>>(
    vectors.jwks.keys.map(({ kid, x }: { kid: string; x: string }) => [kid, publicKeyOf(Buffer.from(x, 'base64url'))]),
  );
  interface Vector {
    name: string;
    token: string;
    is_unlock?: true;
    expected: { valid: boolean; reason?: string };
  }
  // the rest of what a plugin refuses, such as another machine, is asked of the claims
  const untrue = ['malformed', 'algorithm', 'unknown_key', 'signature'];

  it.each<Vector>(vectors.cases)('are judged as plugins do: $name', ({ token, is_unlock, expected }) => {
    // an unlock for good is nobody's activation
    const isTrue = is_unlock === undefined && !untrue.includes(expected.reason ?? '');
    expect(verifyToken(token, ring) !== null).toBe(isTrue);
  });
});
