import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands: RFC 6238 with SHA-1, 6 digits, 30 seconds. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A phone's clock may be one step off. */
const WINDOW = 1;
export const SECRET_BYTES = 20;

/** The time step a code belongs to, or null when it is none of this secret's codes around `at`. */
export function stepOf(code: string, secret: Buffer, at: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = at.getTime();
  const delta = TOTP.validate({ ...FORM, token: code, secret: secretOf(secret), timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: FORM.period, timestamp }) + delta;
}

/** The key for an authenticator app: the secret to type in, and the address behind the QR code. */
export function keyOf(secret: Buffer, email: string): { base32: string; url: string } {
  const totp = new TOTP({ ...FORM, issuer: 'Tonerow', label: email, secret: secretOf(secret) });
  return { base32: totp.secret.base32, url: totp.toString() };
}

function secretOf(bytes: Buffer): Secret {
  // a Buffer may be a view into a larger pool: only its own bytes are the secret
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
