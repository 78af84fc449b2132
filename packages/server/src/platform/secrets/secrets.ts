import { createCipheriv, createDecipheriv, createHash, createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Random } from '../random.ts';

/** Something was sealed with a secret that is not configured: the server's trouble, not the caller's. */
export class MissingSecretError extends Error {
  override name = 'MissingSecretError';
}

/**
 * Keys derived from the server's secrets, one per purpose. The first secret signs and encrypts, all of them verify and
 * decrypt, so that a secret can be rotated without an outage.
 */
export class Secrets {
  readonly #masters: string[];
  readonly #random: Random;
  readonly #derived = new Map<string, Buffer[]>();

  constructor(masters: string[], random: Random) {
    if (masters.length === 0) throw new Error('at least one secret is needed');
    this.#masters = masters;
    this.#random = random;
  }

  /** 32-byte keys for a purpose, newest first. */
  keys(purpose: string): Buffer[] {
    let keys = this.#derived.get(purpose);
    if (!keys) {
      keys = this.#masters.map((master) => Buffer.from(hkdfSync('sha256', master, 'tonerow', purpose, 32)));
      this.#derived.set(purpose, keys);
    }
    return keys;
  }

  /** AES-256-GCM; the answer holds the key's mark, the nonce, the tag and the text. */
  seal(plain: Buffer | string, purpose: string): Buffer {
    const key = this.keys(purpose)[0] as Buffer;
    const nonce = this.#random.bytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([mark(key), nonce, cipher.getAuthTag(), body]);
  }

  /**
   * @throws {MissingSecretError} when no configured secret sealed it.
   * @throws when it was changed.
   */
  open(sealed: Buffer, purpose: string): Buffer {
    const key = this.#keyOf(sealed, purpose);
    if (!key) throw new MissingSecretError(`sealed with a secret that is not configured (${purpose})`);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(4, 16));
    decipher.setAuthTag(sealed.subarray(16, 32));
    return Buffer.concat([decipher.update(sealed.subarray(32)), decipher.final()]);
  }

  /** What sealed text begins with, for each configured secret, newest first. */
  marks(purpose: string): Buffer[] {
    return this.keys(purpose).map(mark);
  }

  /** Whether a configured secret sealed it. */
  canOpen(sealed: Buffer, purpose: string): boolean {
    return this.#keyOf(sealed, purpose) !== undefined;
  }

  /** Names of the configured secrets, newest first: safe to log, and the same in every process. */
  fingerprints(): string[] {
    return this.keys('fingerprint').map((key) => key.toString('hex').slice(0, 12));
  }

  #keyOf(sealed: Buffer, purpose: string): Buffer | undefined {
    const wanted = sealed.subarray(0, 4);
    return this.keys(purpose).find((candidate) => mark(candidate).equals(wanted));
  }

  /** HMAC-SHA256 under the newest secret: for values that are looked up, such as rate-limit keys. */
  mac(value: string, purpose: string): Buffer {
    return createHmac('sha256', this.keys(purpose)[0] as Buffer)
      .update(value)
      .digest();
  }
}

function mark(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 4);
}

/** How secrets with enough entropy of their own (tokens, keys) are stored: by SHA-256. */
export function sha256(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
