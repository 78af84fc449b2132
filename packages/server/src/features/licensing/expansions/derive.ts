import { createHmac } from 'node:crypto';

export interface DatedSecret {
  secret: Buffer;
  createdAt: Date;
}

/**
 * The secret that a serial's key is derived from: the newest of those that were there when it was redeemed, so that a
 * later one changes no key that is in use; for a serial older than all, the first.
 * @param secrets oldest first, at least one.
 */
export function secretFor(secrets: readonly DatedSecret[], redeemedAt: Date | null): DatedSecret {
  const then = secrets.filter(({ createdAt }) => redeemedAt !== null && createdAt <= redeemedAt);
  return (then.at(-1) ?? secrets[0]) as DatedSecret;
}

/** A key of a serial: text that HISE keeps as a credential, the same on all machines of its owner. */
export function deriveKey(secret: Buffer, serialId: string): string {
  return createHmac('sha256', secret).update(`tonerow hise expansion\n${serialId}`).digest('base64url');
}
