import { isUtf8 } from 'node:buffer';
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/** The claims of a validation token. Times are seconds since 1970. */
export interface LicenseClaims {
  iss: string;
  /** Serial id. */
  sub: string;
  /** Product id: a token of one product never unlocks another. */
  aud: string;
  /** SHA-256 of the machine id, hex. */
  mid: string;
  iat: number;
  exp: number;
  /** The license's own end; null for one that has none. */
  lic: number | null;
  /** The token of a trial: `sub` is then the trial's id. */
  trial?: true;
}

/** Seconds a machine's clock may be wrong by. */
export const CLOCK_SKEW = 300;

export function machineHash(machineId: string): string {
  return hash('sha256', machineId, 'hex');
}

/** A compact JWS with `EdDSA`. */
export function signToken(claims: LicenseClaims, key: { kid: string; privateKey: KeyObject }): string {
  const head = encode({ alg: 'EdDSA', typ: 'JWT', kid: key.kid });
  const text = `${head}.${encode(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), key.privateKey).toString('base64url')}`;
}

/**
 * The claims of a token that one of these keys signed, or null. The algorithm is pinned: a token that names another
 * one, or none, is refused before anything else is looked at. As strict as the verifiers of plugins: one token has one
 * spelling, and an extension that has to be understood is not.
 */
export function verifyToken(token: string, keys: ReadonlyMap<string, KeyObject>): LicenseClaims | null {
  const [head, body, tail, ...more] = token.split('.');
  if (!head || !body || !tail || more.length > 0) return null;
  const header = decode(head);
  if (!header || 'crit' in header || header.alg !== 'EdDSA' || typeof header.kid !== 'string') return null;
  const key = keys.get(header.kid);
  const signature = bytesOf(tail);
  if (!key || !signature || !verify(null, Buffer.from(`${head}.${body}`), key, signature)) return null;
  const claims = decode(body);
  return claims && areClaims(claims) ? claims : null;
}

/** Whether a token can be used now, given that clocks differ. */
export function isInTime(claims: LicenseClaims, seconds: number): boolean {
  return claims.exp + CLOCK_SKEW > seconds && claims.iat - CLOCK_SKEW <= seconds;
}

/** The claims unverified: only for a token that is known by its hash. */
export function readToken(token: string): LicenseClaims | null {
  return decode(token.split('.')[1] ?? '') as LicenseClaims | null;
}

export function publicKeyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: jwkOf(raw), format: 'jwk' });
}

export function privateKeyOf(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

export function jwkOf(raw: Buffer): { kty: 'OKP'; crv: 'Ed25519'; x: string } {
  return { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Null for other characters, padding and spare bits, all of which Node would overlook. */
function bytesOf(base64url: string): Buffer | null {
  const bytes = Buffer.from(base64url, 'base64url');
  return bytes.toString('base64url') === base64url ? bytes : null;
}

function decode(base64url: string): Record<string, unknown> | null {
  const bytes = bytesOf(base64url);
  if (!bytes || !isUtf8(bytes)) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function areClaims(claims: object): claims is LicenseClaims {
  const { sub, aud, mid, iat, exp, lic = null } = claims as Partial<Record<keyof LicenseClaims, unknown>>;
  const areTexts = [sub, aud, mid].every((text) => typeof text === 'string');
  return areTexts && [iat, exp, ...(lic === null ? [] : [lic])].every(Number.isSafeInteger);
}
