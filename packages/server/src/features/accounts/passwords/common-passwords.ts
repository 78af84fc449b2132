import { invalidField } from '#platform/errors.ts';
import { settledPassword } from '#platform/secrets/password-hash.ts';

let common: Promise<Set<string>> | undefined;

/** @throws {AppError} invalid_request at `path` when the password is on the list of the most common ones. */
export async function refuseCommonPassword(password: string, path: string): Promise<void> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = (dictionary as Record<string, string[]>)['passwords-common'] ?? [];
    return new Set(words.filter((word) => word.length >= 8));
  });
  const plain = settledPassword(password).toLowerCase();
  if ((await common).has(plain) || /^(.)\1*$/u.test(plain)) {
    throw invalidField(path, 'This password is one of the most common ones. Choose another.');
  }
}
