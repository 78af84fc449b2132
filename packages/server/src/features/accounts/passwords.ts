import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { invalidField } from '../../platform/errors.ts';

// the package declares a const enum, which type stripping cannot read: 2 is Argon2id
const ARGON2ID: Algorithm = 2;

/** OWASP's second recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let common: Promise<Set<string>> | undefined;

/** @throws {AppError} invalid_request at `path` when the password is on the list of the most common ones. */
export async function refuseCommonPassword(password: string, path: string): Promise<void> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = (dictionary as Record<string, string[]>)['passwords-common'] ?? [];
    return new Set(words.filter((word) => word.length >= 8));
  });
  const plain = password.toLowerCase();
  if ((await common).has(plain) || /^(.)\1*$/u.test(plain)) {
    throw invalidField(path, 'This password is one of the most common ones. Choose another.');
  }
}

export async function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

let decoy: Promise<string> | undefined;

/** Takes the same time whether there is an account or not. */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const known = stored ?? (await decoy);
  const fits = await verify(known, password);
  return fits && stored !== null;
}
