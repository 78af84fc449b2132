import { createHmac, type KeyObject, sign } from 'node:crypto';

/** What signs an attempt, by a key object, as bytes would cost more than the signature. During a rotation there are two of `v1`. */
export type Signer = { kind: 'v1'; secret: KeyObject } | { kind: 'v1a'; privateKey: KeyObject };

/**
 * The headers of Standard Webhooks 1.0. The signed text is `id.timestamp.body`, over the very bytes that are sent; the id
 * stays the same over all attempts, the timestamp is the attempt's.
 */
export function signedHeaders(
  { id, at, body }: { id: string; at: Date; body: string },
  signers: readonly Signer[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const text = `${id}.${timestamp}.${body}`;
  const signatures = signers.map((signer) =>
    signer.kind === 'v1'
      ? `v1,${createHmac('sha256', signer.secret).update(text, 'utf8').digest('base64')}`
      : `v1a,${sign(null, Buffer.from(text), signer.privateKey).toString('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const SECRET = 'whsec_';
const PUBLIC_KEY = 'whpk_';
export const SECRET_BYTES = 32;

export const secretText = (secret: Buffer): string => `${SECRET}${secret.toString('base64')}`;
export const publicKeyText = (raw: Buffer): string => `${PUBLIC_KEY}${raw.toString('base64')}`;
