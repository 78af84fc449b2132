import { sql } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { AppError } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { AccountEmails } from '../account-emails/account-emails.service.ts';
import { limits as policies } from '../limits.ts';
import type { AccountsDb } from '../tables.ts';

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  limits: RateLimits;
  accountEmails: AccountEmails;
}

/** Shows that an account's email address is its owner's. */
export class EmailVerifications {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Follows the link from the email. Following it again changes nothing and answers the same.
   * @throws {AppError} link_invalid when it is unknown or older than seven days.
   */
  async verify(token: string): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const link = await db
      .selectFrom('email_verifications')
      .select('user_id')
      .where('token_hash', '=', sha256(token))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    // in a statement of its own: every machine has the accounts, and one the links
    const account =
      link &&
      (await db
        .updateTable('users')
        .set({ email_verified_at: sql`coalesce(email_verified_at, ${now})` })
        .where('id', '=', link.user_id)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst());
    if (!account) throw new AppError('link_invalid', 'This link is expired or incomplete. Request a new one.');
  }

  /** Sends another link if the address has an account that needs one. The response does not reveal whether it does. */
  async resend(email: string): Promise<void> {
    const { db, limits, accountEmails } = this.#deps;
    await limits.take(policies.account_email, `verify ${emailKey(email)}`);
    await accountEmails.request(db, 'verify', email);
  }
}
