import { availableParallelism } from 'node:os';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { AtMost } from './at-most.ts';

// the package declares a const enum, which type stripping cannot read: 2 is Argon2id
const ARGON2ID: Algorithm = 2;

/** What making or checking a hash costs: kibibytes, passes, and lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's second recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** All cores but one: whoever guesses passwords must not slow down what plugins ask. */
export const hashesAtOnce = (cores: number): number => Math.max(1, cores - 1);
export const hashing = new AtMost(hashesAtOnce(availableParallelism()));

/** Hashes passwords for storing them. A hash carries its own cost, so that one of an earlier cost can still be checked. */
export class PasswordHash {
  readonly #cost: PasswordCost;
  #decoy: Promise<string> | undefined;

  constructor(cost: PasswordCost = COST) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string> {
    return hashing.run(() => hash(password, { algorithm: ARGON2ID, ...this.#cost }));
  }

  /** Takes the same time whether there is a stored one or not. */
  async fits(password: string, stored: string | null): Promise<boolean> {
    this.#decoy ??= this.hash('nobody has this password');
    const known = stored ?? (await this.#decoy);
    const fits = await hashing.run(() => verify(known, password));
    return fits && stored !== null;
  }
}
