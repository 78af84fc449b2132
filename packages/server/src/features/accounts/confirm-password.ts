import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { RateLimits } from '../../platform/http/rate-limits.ts';
import { User } from './accounts.entity.ts';
import { checkPassword } from './passwords.ts';

/**
 * Asks somebody who is signed in for the password again.
 * @throws {AppError} wrong_password at `path`.
 */
export async function confirmPassword(
  { db, limits }: { db: Database; limits: RateLimits },
  userId: string,
  password: string,
  path: string,
): Promise<void> {
  await limits.take('login_account', userId);
  const user = await db.orm.em.fork().findOne(User, userId);
  if (!(await checkPassword(password, user?.passwordHash ?? null))) {
    throw new AppError('wrong_password', 'The password is wrong.', {
      errors: [{ path, message: 'The password is wrong.' }],
    });
  }
  await limits.forgive('login_account', userId);
}
