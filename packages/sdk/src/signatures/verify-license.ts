import { bytesOf, type LicenseKeys, sha256, signatureProblem } from './signatures.ts';

export interface LicenseExpectation {
  productId: string;
  /** As it was sent to `activate`; only its hash is in the token. */
  machineId: string;
  now?: Date;
  /** The tolerance for the machine's clock. Of a clock that is slow, ten minutes are always tolerated: the token is signed. */
  clockSkewSeconds?: number;
}

export type LicenseProblem =
  | 'malformed'
  | 'algorithm'
  | 'unknown_key'
  | 'signature'
  | 'wrong_product'
  | 'wrong_machine'
  | 'expired'
  | 'not_yet_valid';

export type LicenseVerdict =
  | {
      valid: true;
      /** The trial's id for a trial. Empty for an unlock for good, which belongs to no serial. */
      serialId: string;
      productId: string;
      /** When the machine has to ask the server again; for an unlock for good, the last second of the year 9999. */
      expiresAt: Date;
      /** When the license itself expires; null for never. */
      licenseEndsAt: Date | null;
      trial: boolean;
      /** How the product wants a plugin to react when it loses its license while it runs. */
      onLoss: 'finish' | 'bypass' | 'mute';
      /** An unlock for good: of every machine, at every time. */
      forGood: boolean;
    }
  | { valid: false; reason: LicenseProblem };

/** Seconds that a clock may be behind a token's creation: refusing the token would lock out a customer just let in. */
const SLOW_CLOCK = 600;
/** When a token without an end expires. */
const ENDLESS = new Date('9999-12-31T23:59:59Z');

/**
 * Verifies a validation token, or the token of an unlock for good, without the network, using only the developer's public keys. Runs in browsers (over
 * https), Node and every other platform whose WebCrypto knows Ed25519; where it does not, this rejects.
 *
 * Trust depends on the keys: embed them in the app rather than fetch them along with the token. `unknown_key` means
 * that the token may be newer than they are.
 * @example
 * const api = createClient({ baseUrl: 'https://licenses.example.com', token: pluginKey });
 * const jwks = await api.getLicenseKeys({ query: { dev: developerId } });
 * const license = await verifyLicense(token, jwks, { productId, machineId });
 * if (license.valid) console.log('unlocked until', license.expiresAt);
 * else console.log('locked:', license.reason);
 */
export async function verifyLicense(
  token: string,
  jwks: LicenseKeys,
  { productId, machineId, now = new Date(), clockSkewSeconds = 300 }: LicenseExpectation,
): Promise<LicenseVerdict> {
  const [head = '', body = '', tail = '', ...more] = token.split('.');
  const header = objectOf(head);
  // RFC 7515: a token with a critical extension that we don't know must be rejected
  if (!header || body === '' || more.length > 0 || 'crit' in header) return no('malformed');
  // pinned and checked first: the token must never choose its own algorithm
  if (header.alg !== 'EdDSA') return no('algorithm');
  // the same keys sign other things, too
  const isForGood = header.typ === 'unlock+jwt';
  if ('typ' in header && header.typ !== 'JWT' && !isForGood) return no('malformed');

  const problem = await signatureProblem(jwks, header.kid, tail, `${head}.${body}`);
  if (problem) return no(problem);

  const claims = objectOf(body) ?? {};
  if (isForGood) return judgeForGood(claims, productId);
  const { sub, aud, mid, iat, exp, lic = null, trial, loss } = claims;
  if (typeof sub !== 'string' || typeof aud !== 'string' || typeof mid !== 'string') return no('malformed');
  if (!isTime(iat) || !isTime(exp) || !(lic === null || isTime(lic))) return no('malformed');
  if (aud !== productId) return no('wrong_product');
  if (mid !== (await sha256(machineId))) return no('wrong_machine');
  const seconds = now.getTime() / 1000;
  if (!(iat - Math.max(clockSkewSeconds, SLOW_CLOCK) <= seconds)) return no('not_yet_valid');
  const end = lic === null ? exp : Math.min(exp, lic);
  if (!(end + clockSkewSeconds > seconds)) return no('expired');
  return {
    valid: true,
    serialId: sub,
    productId: aud,
    expiresAt: new Date(exp * 1000),
    licenseEndsAt: lic === null ? null : new Date(lic * 1000),
    trial: trial === true,
    onLoss: loss === 'bypass' || loss === 'mute' ? loss : 'finish',
    forGood: false,
  };
}

/** No machine and no clock has a part in it: it has to last longer than both. */
function judgeForGood({ sub, aud, iat, unlock }: Record<string, unknown>, productId: string): LicenseVerdict {
  const areTexts = [sub, aud].every((text) => typeof text === 'string' && text !== '');
  if (!areTexts || !isTime(iat) || unlock !== true) return no('malformed');
  if (aud !== productId) return no('wrong_product');
  return {
    valid: true,
    serialId: '',
    productId,
    expiresAt: ENDLESS,
    licenseEndsAt: null,
    trial: false,
    onLoss: 'finish',
    forGood: true,
  };
}

function no(reason: LicenseProblem): LicenseVerdict {
  return { valid: false, reason };
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function objectOf(base64url: string): Record<string, unknown> | null {
  const bytes = bytesOf(base64url);
  if (!bytes) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
