import { AppError } from '#platform/errors.ts';
import type { Base } from '#platform/feature.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { limits as policies } from '../limits.ts';
import { type AccountsDb, type AccountsHandle, tables } from '../tables.ts';

/**
 * Checks the password of a signed-in user again.
 * @returns its hash, to detect a change in the meantime.
 * @throws {AppError} wrong_password at `path`.
 */
export async function confirmPassword(
  { db, limits, passwordHash }: { db: AccountsDb; limits: RateLimits; passwordHash: PasswordHash },
  accountId: string,
  password: string,
  path: string,
): Promise<string> {
  await limits.take(policies.login_account, accountId);
  const stored = await storedHash(db, accountId);
  if (!(await passwordHash.fits(password, stored)) || stored === null) throw wrongPassword(path);
  await limits.forgive(policies.login_account, accountId);
  return stored;
}

/** The same for other features. @throws {AppError} wrong_password at `path`. */
export async function confirmPasswordOf(
  base: Pick<Base, 'db' | 'limits' | 'passwordHash'>,
  accountId: string,
  password: string,
  path: string,
): Promise<void> {
  await confirmPassword({ ...base, db: tables.of(base.db) }, accountId, password, path);
}

/**
 * Runs a use case in a transaction through which the password stays the one that was checked. Another sign-in may have hashed the
 * same password anew since then: it is checked again, with the new hash.
 * @param checked the hash that the password fits.
 * @returns null when the password has been changed; nothing was done.
 */
export async function withSamePassword<T extends object | string>(
  { db, passwordHash }: { db: AccountsDb; passwordHash: PasswordHash },
  { accountId, password, checked }: { accountId: string; password: string; checked: string },
  work: (tx: AccountsHandle, hash: string) => Promise<T>,
): Promise<T | null> {
  let hash: string | null = checked;
  while (hash !== null) {
    const sure: string = hash;
    const done = await db.work({ tx: true }, async (tx) =>
      (await lockPassword(tx, accountId, sure)) ? work(tx, sure) : null,
    );
    if (done !== null) return done;
    const now = await storedHash(db, accountId);
    hash = now !== null && now !== sure && (await passwordHash.fits(password, now)) ? now : null;
  }
  return null;
}

/** Whether the password's hash is still this one, which it then stays until the transaction ends. */
async function lockPassword(tx: AccountsHandle, accountId: string, hash: string): Promise<boolean> {
  const locked = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', accountId)
    .where('password_hash', '=', hash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked !== undefined;
}

/** Null when there is no such account, or it was deleted. */
async function storedHash(db: AccountsDb, accountId: string): Promise<string | null> {
  const account = await db.selectFrom('users').select('password_hash').where('id', '=', accountId).executeTakeFirst();
  return account?.password_hash ?? null;
}

export function wrongPassword(path: string): AppError {
  const message = 'The password is wrong.';
  return new AppError('wrong_password', message, { errors: [{ path, message }] });
}
