import { availableParallelism } from 'node:os';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { AtMost } from '../limits/at-most.ts';

// the package declares a const enum, which type stripping cannot read: 2 is Argon2id
const ARGON2ID: Algorithm = 2;

/** The cost of making or checking a hash: kibibytes, passes, and lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's second recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** All cores but one: clients that guess passwords must not slow down plugin calls. */
export const hashesAtOnce = (cores: number): number => Math.max(1, cores - 1);
export const hashing = new AtMost(hashesAtOnce(availableParallelism()));

/**
 * A password as it is hashed: compatible forms are one (NFKC, as NIST SP 800-63B has it), so that an accent, a wide letter or
 * the space of another keyboard is the same character.
 */
export function settledPassword(typed: string): string {
  return typed.normalize('NFKC');
}

/** The forms that an older hash may have been made of, the settled one first. Of ASCII there is one. */
function formsOf(typed: string): string[] {
  return [...new Set([settledPassword(typed), typed, typed.normalize('NFC'), typed.normalize('NFD')])];
}

/** Hashes passwords for storing them. A hash carries its own cost, so that one of an earlier cost can still be checked. */
export class PasswordHash {
  readonly #cost: PasswordCost;
  #decoy: Promise<string> | undefined;

  constructor(cost: PasswordCost = COST) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string> {
    return hashing.run(() => hash(settledPassword(password), { algorithm: ARGON2ID, ...this.#cost }));
  }

  /** Takes the same time whether there is a stored one or not. Passwords hashed before forms were settled fit in theirs. */
  async fits(password: string, stored: string | null): Promise<boolean> {
    this.#decoy ??= this.hash('nobody has this password');
    const known = stored ?? (await this.#decoy);
    for (const form of formsOf(password)) {
      if (await hashing.run(() => verify(known, form))) return stored !== null;
    }
    return false;
  }

  /** A new hash of a password that fits, if the stored hash is not of its settled form; else null. */
  async renewed(password: string, stored: string): Promise<string | null> {
    const [settled = '', ...others] = formsOf(password);
    if (others.length === 0 || (await hashing.run(() => verify(stored, settled)))) return null;
    return this.hash(settled);
  }
}
