import type { Database, Sql, Tx } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { User } from '../accounts.entity.ts';
import { limits as policies } from '../limits.ts';

/**
 * Checks the password of a signed-in user again.
 * @returns its hash, to detect a change in the meantime.
 * @throws {AppError} wrong_password at `path`.
 */
export async function confirmPassword(
  { db, limits, passwordHash }: { db: Database; limits: RateLimits; passwordHash: PasswordHash },
  userId: string,
  password: string,
  path: string,
): Promise<string> {
  await limits.take(policies.login_account, userId);
  const user = await db.orm.em.fork().findOne(User, userId);
  const stored = user?.passwordHash ?? null;
  if (!(await passwordHash.fits(password, stored)) || stored === null) throw wrongPassword(path);
  await limits.forgive(policies.login_account, userId);
  return stored;
}

/**
 * Runs a use case in a transaction through which the password stays the one that was checked. Another sign-in may have hashed the
 * same password anew since then: it is checked again, with the new hash.
 * @param checked the hash that the password fits.
 * @returns null when the password has been changed; nothing was done.
 */
export async function whilePasswordStays<T extends object | string>(
  { db, passwordHash }: { db: Database; passwordHash: PasswordHash },
  { userId, password, checked }: { userId: string; password: string; checked: string },
  work: (tx: Tx, hash: string) => Promise<T>,
): Promise<T | null> {
  let hash: string | null = checked;
  while (hash !== null) {
    const sure: string = hash;
    const done = await db.transaction(async (tx) => ((await lockPassword(tx, userId, sure)) ? work(tx, sure) : null));
    if (done !== null) return done;
    const [row] = await db.query<{ hash: string | null }>('select password_hash as hash from users where id = $1', [
      userId,
    ]);
    const now = row?.hash ?? null;
    hash = now !== null && now !== sure && (await passwordHash.fits(password, now)) ? now : null;
  }
  return null;
}

/** Whether the password's hash is still this one, which it then stays until the transaction ends. */
async function lockPassword(tx: Sql, userId: string, hash: string): Promise<boolean> {
  const locked = 'select 1 from users where id = $1 and password_hash = $2 for no key update';
  return (await tx.query(locked, [userId, hash])).length > 0;
}

export function wrongPassword(path: string): AppError {
  const message = 'The password is wrong.';
  return new AppError('wrong_password', message, { errors: [{ path, message }] });
}
