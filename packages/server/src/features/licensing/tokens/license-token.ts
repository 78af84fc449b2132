import { isUtf8 } from 'node:buffer';
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import type { OnLoss } from '#features/products';
import { type Clock, DAY } from '#platform/clock.ts';
import { sameBytes, sha256 } from '#platform/secrets/secrets.ts';
import { LicenseRefusal } from '../rules/license-status.ts';

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
  /** The plugin's action when it loses the license while it runs; without it, the session is finished. */
  loss?: Exclude<OnLoss, 'finish'>;
  /** Only in license files: SHA-256 of the secret with which its machine gives it up, hex. */
  rel?: string;
}

/** A key that signs, and the name by which it is found. */
export interface TokenKey {
  kid: string;
  privateKey: KeyObject;
}

/** Seconds a machine's clock may be wrong by. */
export const CLOCK_SKEW = 300;

export function machineHash(machineId: string): string {
  return hash('sha256', machineId, 'hex');
}

/** A compact JWS with `EdDSA`. */
export function signToken(claims: LicenseClaims, key: TokenKey): string {
  return signTyped('JWT', claims, key);
}

/** The same of another type. */
export function signTyped(typ: string, claims: object, key: TokenKey): string {
  const text = `${encode({ alg: 'EdDSA', typ, kid: key.kid })}.${encode(claims)}`;
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
  // the same keys sign other things, too
  if ('typ' in header && header.typ !== 'JWT') return null;
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

/** The claims unverified: only for a token that is known by its hash, so that it is one of ours to the last byte. */
export function readToken(token: string): LicenseClaims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
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

interface Dependencies {
  clock: Clock;
  keys: {
    ring(developerId: string): Promise<{ current: TokenKey; publicKeys: ReadonlyMap<string, KeyObject> }>;
  };
  publicUrl: string;
}

/** A product's settings for its tokens. */
export interface TokenPolicy {
  offline_days: number;
  on_loss: OnLoss;
}

/** The claim of a product's choice. */
export function lossOf({ on_loss }: Pick<TokenPolicy, 'on_loss'>): Pick<LicenseClaims, 'loss'> {
  return on_loss === 'finish' ? {} : { loss: on_loss };
}

/** The subject of a token. */
export interface Subject {
  developerId: string;
  /** The serial, or the trial. */
  id: string;
  productId: string;
  machineId: string;
}

/** Writes validation tokens and reads them back. */
export class TokenIssuer {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @param trialEnd for a trial, whose tokens expire with it. */
  async issue(subject: Subject, policy: TokenPolicy, trialEnd?: Date): Promise<string> {
    const iat = secondsOf(this.#deps.clock.now());
    const offline = iat + (policy.offline_days * DAY) / 1000;
    const end = trialEnd && secondsOf(trialEnd);
    return this.#sign(subject, {
      iat,
      exp: end === undefined ? offline : Math.min(offline, end),
      // serials have no end of their own after redemption
      lic: end ?? null,
      ...(end === undefined ? {} : { trial: true }),
      ...lossOf(policy),
    });
  }

  /** A token with custom times: only for test serials, because it represents no license. */
  async issueFor(subject: Subject, from: Date, until: Date): Promise<string> {
    return this.#sign(subject, { iat: secondsOf(from), exp: secondsOf(until), lic: null });
  }

  async #sign(subject: Subject, rest: Omit<LicenseClaims, 'iss' | 'sub' | 'aud' | 'mid'>): Promise<string> {
    const { keys, publicUrl } = this.#deps;
    const { current } = await keys.ring(subject.developerId);
    const { id: sub, productId: aud, machineId } = subject;
    return signToken({ iss: publicUrl, sub, aud, mid: machineHash(machineId), ...rest }, current);
  }

  /**
   * The claims of a token, once it is verified to be ours and about this license on this machine. An expired token is
   * accepted: a computer that was offline for long has no other, and its seat decides whether it may continue.
   * @param newest the hashes of the newest tokens issued for this machine: these need no signature check.
   * @throws {LicenseRefusal} invalid_token
   */
  async check(token: string, subject: Subject, newest: readonly Buffer[]): Promise<LicenseClaims> {
    const { keys } = this.#deps;
    // the hashes belong to this machine, so a matching token's claims were checked when it was issued
    const hash = sha256(token);
    const known = newest.some((issued) => sameBytes(issued, hash));
    const claims = known ? readToken(token) : verifyToken(token, (await keys.ring(subject.developerId)).publicKeys);
    if (claims === null || !(known || isAbout(claims, subject))) throw new LicenseRefusal('invalid_token');
    return claims;
  }

  /**
   * Whether a machine should be given a fresh token: less than half of its own is left, or a wrong clock has issued it.
   */
  isWorn(claims: LicenseClaims): boolean {
    const now = this.#deps.clock.now().getTime() / 1000;
    return !isInTime(claims, now) || claims.exp - now < (claims.exp - claims.iat) / 2;
  }

  /** Whether the product's choice has changed since a token was signed. */
  isOutdated(claims: LicenseClaims, policy: TokenPolicy): boolean {
    return claims.loss !== lossOf(policy).loss;
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function isAbout(claims: LicenseClaims, { id, productId, machineId }: Subject): boolean {
  return claims.sub === id && claims.aud === productId && claims.mid === machineHash(machineId);
}
