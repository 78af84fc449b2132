/** The answer of `GET /api/license/v1/jwks?dev=…`, or a copy of it that an app carries. */
export interface LicenseKeys {
  keys: readonly { kid: string; kty: string; crv: string; x: string }[];
}

export interface LicenseExpectation {
  productId: string;
  /** As it was sent to `activate`; only its hash is in the token. */
  machineId: string;
  now?: Date;
  /** How wrong the machine's clock may be. */
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
      /** For a trial, the trial's id. */
      serialId: string;
      productId: string;
      /** When the machine has to ask the server again. */
      expiresAt: Date;
      /** The licence's own end; null for one that has none. */
      licenseEndsAt: Date | null;
      trial: boolean;
    }
  | { valid: false; reason: LicenseProblem };

/**
 * Verifies a validation token without the network, with nothing but the developer's public keys. Runs in browsers (over
 * https), Node and every other platform whose WebCrypto knows Ed25519; where it does not, this rejects.
 *
 * The keys decide what is believed: carry them in the app rather than fetch them next to the token. `unknown_key` means
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
  // nobody has told us what an extension that must be understood means
  if (!header || body === '' || more.length > 0 || 'crit' in header) return no('malformed');
  // pinned, and looked at first: what the token wants to be verified with never matters
  if (header.alg !== 'EdDSA') return no('algorithm');

  const jwk = jwks.keys.find((each) => each.kid === header.kid && each.kty === 'OKP' && each.crv === 'Ed25519');
  const publicKey = jwk && bytesOf(jwk.x);
  if (publicKey?.length !== 32) return no('unknown_key');
  const signature = bytesOf(tail);
  if (signature?.length !== 64) return no('signature');
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!(await crypto.subtle.verify('Ed25519', key, signature, signed))) return no('signature');

  const { sub, aud, mid, iat, exp, lic = null, trial } = objectOf(body) ?? {};
  if (typeof sub !== 'string' || typeof aud !== 'string' || typeof mid !== 'string') return no('malformed');
  if (!isTime(iat) || !isTime(exp) || !(lic === null || isTime(lic))) return no('malformed');
  if (aud !== productId) return no('wrong_product');
  if (mid !== (await sha256(machineId))) return no('wrong_machine');
  const seconds = now.getTime() / 1000;
  if (!(iat - clockSkewSeconds <= seconds)) return no('not_yet_valid');
  const end = lic === null ? exp : Math.min(exp, lic);
  if (!(end + clockSkewSeconds > seconds)) return no('expired');
  return {
    valid: true,
    serialId: sub,
    productId: aud,
    expiresAt: new Date(exp * 1000),
    licenseEndsAt: lic === null ? null : new Date(lic * 1000),
    trial: trial === true,
  };
}

function no(reason: LicenseProblem): LicenseVerdict {
  return { valid: false, reason };
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
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

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(base64url) || base64url.length % 4 === 1) return null;
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
