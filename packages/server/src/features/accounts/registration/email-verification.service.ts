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
    const { rows } = await sql`update users u set email_verified_at = coalesce(u.email_verified_at, ${now})
      from email_verifications v where v.token_hash = ${sha256(token)} and v.expires_at > ${now}
        and u.id = v.user_id and u.deleted_at is null returning u.id`.execute(db);
    if (rows.length === 0) throw new AppError('link_invalid', 'This link is expired or incomplete. Request a new one.');
  }

  /** Sends another link if the address has an account that needs one. The response does not reveal whether it does. */
  async resend(email: string): Promise<void> {
    const { db, limits, accountEmails } = this.#deps;
    await limits.take(policies.account_email, `verify ${emailKey(email)}`);
    await accountEmails.request(db, 'verify', email);
  }
}
