/** The response of `GET /api/license/v1/jwks?dev=…`, or a copy of it embedded in an app. */
export interface LicenseKeys {
  keys: readonly { kid: string; kty: string; crv: string; x: string }[];
}

/** The problem with an Ed25519 signature of the key `kid` over a text; null when there is none. */
export async function signatureProblem(
  jwks: LicenseKeys,
  kid: unknown,
  base64url: string,
  text: string,
): Promise<'unknown_key' | 'signature' | null> {
  const jwk = jwks.keys.find((each) => each.kid === kid && each.kty === 'OKP' && each.crv === 'Ed25519');
  const publicKey = jwk && bytesOf(jwk.x);
  if (publicKey?.length !== 32) return 'unknown_key';
  const signature = bytesOf(base64url);
  if (signature?.length !== 64) return 'signature';
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  const signed = new TextEncoder().encode(text);
  return (await crypto.subtle.verify('Ed25519', key, signature, signed)) ? null : 'signature';
}

/** SHA-256 in lower-case hexadecimal, of a text's UTF-8 or of bytes. */
export async function sha256(data: string | ArrayBuffer | Uint8Array): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The last character of two or three: what it leaves over of a byte has to be zero, or the same bytes had several spellings. */
const WHOLE = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/;

/** @internal */
export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | null {
  if (!WHOLE.test(base64url)) return null;
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
