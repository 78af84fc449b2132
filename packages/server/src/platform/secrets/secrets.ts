import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { Random } from '../random.ts';

/** Something was sealed with a secret that is not configured: the server's trouble, not the caller's. */
export class MissingSecretError extends Error {
  override name = 'MissingSecretError';
}

interface Derived {
  bytes: Buffer;
  /** Node takes five times as long with bytes. */
  key: KeyObject;
  /** The beginning of sealed text. */
  mark: Buffer;
}

/**
 * Keys derived from the server's secrets, one per purpose. The first secret signs and encrypts, all of them verify and
 * decrypt, so that a secret can be rotated without an outage.
 */
export class Secrets {
  readonly #masters: string[];
  readonly #random: Random;
  readonly #derived = new Map<string, Derived[]>();

  constructor(masters: string[], random: Random) {
    if (masters.length === 0) throw new Error('at least one secret is needed');
    this.#masters = masters;
    this.#random = random;
  }

  /** 32-byte keys for a purpose, newest first. */
  keys(purpose: string): Buffer[] {
    return this.#of(purpose).map(({ bytes }) => bytes);
  }

  /** AES-256-GCM; the answer holds the key's mark, the nonce, the tag and the text. */
  seal(plain: Buffer | string, purpose: string): Buffer {
    const { key, mark } = this.#newest(purpose);
    const nonce = this.#random.bytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([mark, nonce, cipher.getAuthTag(), body]);
  }

  /**
   * @throws {MissingSecretError} when no configured secret sealed it.
   * @throws when it was changed.
   */
  open(sealed: Buffer, purpose: string): Buffer {
    const known = this.#keyOf(sealed, purpose);
    if (!known) throw new MissingSecretError(`sealed with a secret that is not configured (${purpose})`);
    const decipher = createDecipheriv('aes-256-gcm', known.key, sealed.subarray(4, 16));
    decipher.setAuthTag(sealed.subarray(16, 32));
    return Buffer.concat([decipher.update(sealed.subarray(32)), decipher.final()]);
  }

  /** The beginnings of sealed text, for each configured secret, newest first. */
  marks(purpose: string): Buffer[] {
    return this.#of(purpose).map(({ mark }) => mark);
  }

  /** Whether a configured secret sealed it. */
  canOpen(sealed: Buffer, purpose: string): boolean {
    return this.#keyOf(sealed, purpose) !== undefined;
  }

  /** Names of the configured secrets, newest first: safe to log, and the same in every process. */
  fingerprints(): string[] {
    return this.keys('fingerprint').map((key) => key.toString('hex').slice(0, 12));
  }

  /** HMAC-SHA256 under the newest secret: for values that are looked up, such as rate-limit keys. */
  mac(value: string, purpose: string): Buffer {
    return createHmac('sha256', this.#newest(purpose).key).update(value).digest();
  }

  #of(purpose: string): Derived[] {
    let keys = this.#derived.get(purpose);
    if (!keys) {
      keys = this.#masters.map((master) => {
        const bytes = Buffer.from(hkdfSync('sha256', master, 'tonerow', purpose, 32));
        return { bytes, key: createSecretKey(bytes), mark: sha256(bytes).subarray(0, 4) };
      });
      this.#derived.set(purpose, keys);
    }
    return keys;
  }

  #newest(purpose: string): Derived {
    return this.#of(purpose)[0] as Derived;
  }

  #keyOf(sealed: Buffer, purpose: string): Derived | undefined {
    const wanted = sealed.subarray(0, 4);
    return this.#of(purpose).find(({ mark }) => mark.equals(wanted));
  }
}

/** How secrets with enough entropy of their own (tokens, keys) are stored: by SHA-256. */
export function sha256(value: string | Buffer): Buffer {
  return hash('sha256', value, 'buffer');
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
