import { createHmac, type KeyObject, sign } from 'node:crypto';

/**
 * The signer of an attempt. It has a key object, because bytes would cost more than the signature. During a rotation
 * there are two of `v1`.
 */
export type Signer = { kind: 'v1'; secret: KeyObject } | { kind: 'v1a'; privateKey: KeyObject };

/** An event's id, which stays the same over all attempts, and when this attempt begins. */
interface Attempt {
  id: string;
  at: Date;
}

const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/**
 * The value of `webhook-signature`: one signature by each signer. The signed text is `id.timestamp.body`, over the very bytes
 * that are sent.
 */
export function signatureOf({ id, at, body }: Attempt & { body: string }, signers: readonly Signer[]): string {
  const text = `${id}.${timestampOf(at)}.${body}`;
  const signatures = signers.map((signer) =>
    signer.kind === 'v1'
      ? `v1,${createHmac('sha256', signer.secret).update(text, 'utf8').digest('base64')}`
      : `v1a,${sign(null, Buffer.from(text), signer.privateKey).toString('base64')}`,
  );
  return signatures.join(' ');
}

/** All headers of an attempt but those of every request: the three of Standard Webhooks 1.0, and what the body is. */
export const headersOf = ({ id, at, signature }: Attempt & { signature: string }): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Tonerow-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': timestampOf(at),
  'webhook-signature': signature,
});

const SECRET = 'whsec_';
const PUBLIC_KEY = 'whpk_';
export const SECRET_BYTES = 32;

export const secretText = (secret: Buffer): string => `${SECRET}${secret.toString('base64')}`;
export const publicKeyText = (raw: Buffer): string => `${PUBLIC_KEY}${raw.toString('base64')}`;
