import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { RateLimits } from '../../platform/http/rate-limits.ts';
import type { PasswordHash } from '../../platform/password-hash.ts';
import { User } from './accounts.entity.ts';
import { limits as policies } from './limits.ts';

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

export function wrongPassword(path: string): AppError {
  const message = 'The password is wrong.';
  return new AppError('wrong_password', message, { errors: [{ path, message }] });
}
