import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type LicenseVerdict, verifyLicense } from '../index.ts';

interface Vector {
  name: string;
  token: string;
  expected: { valid: boolean; expires_at?: number };
  now?: number;
  machine_id?: string;
}

const vectors = JSON.parse(readFileSync('test/vectors/license-tokens.json', 'utf8'));
const { jwks, product_id: productId, machine_id: machineId } = vectors;
const at = (seconds: number) => new Date(seconds * 1000);
const good = vectors.cases[0].token as string;

/** The verdict in the vectors' format. */
function plain(verdict: LicenseVerdict) {
  if (!verdict.valid) return verdict;
  const { serialId, expiresAt, licenseEndsAt, trial, onLoss, forGood } = verdict;
  return {
    valid: true,
    serial_id: serialId,
    product_id: verdict.productId,
    expires_at: expiresAt.getTime() / 1000,
    license_ends_at: licenseEndsAt && licenseEndsAt.getTime() / 1000,
    trial,
    on_loss: onLoss,
    for_good: forGood,
  };
}

describe('the shared vectors', () => {
  it('are there', () => expect(vectors.cases.length).toBeGreaterThan(35));

  it.each<Vector>(vectors.cases)('$name', async ({ token, expected, now = vectors.now, machine_id = machineId }) => {
    const verdict = await verifyLicense(token, jwks, { productId, machineId: machine_id, now: at(now) });
    expect(plain(verdict)).toEqual(expected);
  });
});

describe('verifying', () => {
  const now = at(vectors.now);

  it('knows no token when it knows no keys', async () => {
    const verdict = await verifyLicense(good, { keys: [] }, { productId, machineId, now });
    expect(verdict).toEqual({ valid: false, reason: 'unknown_key' });
  });

  it('takes no key of another kind for one of ours', async () => {
    for (const change of [{ kty: 'oct' }, { crv: 'X25519' }, { x: 'AAAA' }, { x: '*' }]) {
      const keys = jwks.keys.map((key: object) => ({ ...key, ...change }));
      const verdict = await verifyLicense(good, { keys }, { productId, machineId, now });
      expect(verdict, JSON.stringify(change)).toEqual({ valid: false, reason: 'unknown_key' });
    }
  });

  it('tolerates as much clock error as configured', async () => {
    const late = at(vectors.cases[0].expected.expires_at + 10);
    const ask = (clockSkewSeconds?: number) =>
      verifyLicense(good, jwks, { productId, machineId, now: late, clockSkewSeconds });
    expect((await ask()).valid).toBe(true);
    expect(await ask(0)).toEqual({ valid: false, reason: 'expired' });
  });

  it('lets a clock be ten minutes slow, however little error is configured', async () => {
    const { iat } = JSON.parse(Buffer.from(good.split('.')[1] as string, 'base64url').toString());
    const ask = (seconds: number, clockSkewSeconds?: number) =>
      verifyLicense(good, jwks, { productId, machineId, now: at(iat - seconds), clockSkewSeconds });
    for (const skew of [undefined, 0, 600]) {
      expect((await ask(600, skew)).valid).toBe(true);
      expect(await ask(601, skew)).toEqual({ valid: false, reason: 'not_yet_valid' });
    }
    expect((await ask(3600, 3600)).valid).toBe(true);
  });

  it('unlocks nothing at a time that is none', async () => {
    const verdict = await verifyLicense(good, jwks, { productId, machineId, now: new Date(Number.NaN) });
    expect(verdict.valid).toBe(false);
  });

  it('refuses a token with any one character changed', async () => {
    for (let index = 0; index < good.length; index += 7) {
      const changed = `${good.slice(0, index)}${good[index] === 'x' ? 'y' : 'x'}${good.slice(index + 1)}`;
      expect((await verifyLicense(changed, jwks, { productId, machineId, now })).valid, changed).toBe(false);
    }
  });
});

describe('an unlock for good', () => {
  const keyOf = (kid: string) => ({ kid, ...generateKeyPairSync('ed25519') });
  const [own, stranger] = [keyOf('own'), keyOf('stranger')];
  const keys = { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own' }] } as typeof jwks;
  const claims = { iss: 'https://licenses.example.com', sub: 'unlock-1', aud: productId, iat: 5000, unlock: true };
  const signed = (typ: unknown, body: object, key = own) => {
    const parts = [{ alg: 'EdDSA', typ, kid: key.kid }, body];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString('base64url')}`;
  };
  const ask = (token: string, now: Date) => verifyLicense(token, keys, { productId, machineId: 'any', now });

  it('is of every machine at every time', async () => {
    for (const seconds of [0, 5000, 4_000_000_000]) {
      expect(await ask(signed('unlock+jwt', claims), at(seconds))).toEqual({
        valid: true,
        serialId: '',
        productId,
        expiresAt: new Date('9999-12-31T23:59:59Z'),
        licenseEndsAt: null,
        trial: false,
        onLoss: 'finish',
        forGood: true,
      });
    }
  });

  it('is of its product, its type and its key', async () => {
    const reasonOf = async (token: string) => {
      const verdict = await ask(token, at(6000));
      return verdict.valid ? 'valid' : verdict.reason;
    };
    expect(await reasonOf(signed('unlock+jwt', { ...claims, aud: 'another' }))).toBe('wrong_product');
    expect(await reasonOf(signed('unlock+jwt', claims, stranger))).toBe('unknown_key');
    // neither is a license an unlock for good, nor the other way round
    expect(await reasonOf(signed('JWT', claims))).toBe('malformed');
    expect(await reasonOf(signed('tonerow-update+jwt', claims))).toBe('malformed');
    for (const lacking of [{ unlock: 'true' }, { sub: '' }, { aud: undefined }, { iat: 1.5 }])
      expect(await reasonOf(signed('unlock+jwt', { ...claims, ...lacking }))).toBe('malformed');
    const license = JSON.parse(Buffer.from(good.split('.')[1] as string, 'base64url').toString());
    expect(await reasonOf(signed('unlock+jwt', license))).toBe('malformed');
    expect(await reasonOf(signed('at+jwt', license))).toBe('malformed');
  });
});
