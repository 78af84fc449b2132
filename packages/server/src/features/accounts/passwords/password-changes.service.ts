import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { OpenedSession } from '#platform/access/session-tokens.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql, Tx } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Device } from '#platform/network/device.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { AccountEmails } from '../account-emails/account-emails.service.ts';
import { passwordChangedEmail } from '../account-emails/security-emails.ts';
import type { Sessions } from '../credentials/sessions.ts';
import { limits as policies } from '../limits.ts';
import type { KnownPlaces, Place } from '../sign-in/known-places.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { confirmPassword, whilePasswordStays, wrongPassword } from './confirm-password.ts';

/**
 * Port: the owner of an address takes over an account that somebody else may have created with it. Everything that
 * person could keep using must end, in the same transaction.
 */
export type OnTakeover = (sql: Sql, userId: string) => Promise<void>;

interface Dependencies {
  db: Database;
  clock: Clock;
  emailQueue: EmailQueue;
  limits: RateLimits;
  passwordHash: PasswordHash;
  sessions: Sessions;
  accountEmails: AccountEmails;
  knownPlaces: KnownPlaces;
  onTakeover: OnTakeover;
  publicUrl: string;
}

/** New passwords, by a link from an email or from a session. Each ends every session and every access token. */
export class PasswordChanges {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Emails a link, when the address has an account. Nothing here looks that up. */
  async forgot(email: string): Promise<void> {
    const { db, limits, accountEmails } = this.#deps;
    await limits.take(policies.account_email, `reset ${emailKey(email)}`);
    await accountEmails.request(db, 'reset', email);
  }

  /**
   * Sets a new password through the emailed link, which also verifies the address. If it was never verified before,
   * somebody else may have created the account: then two-factor sign-in is switched off too, and `onTakeover` ends the
   * rest.
   * @returns the token that makes this device a known one at the next sign-in.
   * @throws {AppError} reset_token_invalid when the link is unknown, used, or older than an hour.
   */
  async reset(secret: string, password: string, place: Place): Promise<string> {
    await refuseCommonPassword(password, 'password');
    const { db, clock, knownPlaces } = this.#deps;
    const passwordHash = await this.#deps.passwordHash.hash(password);
    return db.transaction(async (tx) => {
      const now = clock.now();
      const [link] = await tx.query<{ user_id: string }>(
        `update password_resets set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2
         returning user_id`,
        [sha256(secret), now],
      );
      const [account] = await tx.query<{ id: string; verified: boolean }>(
        `select id, email_verified_at is not null as verified from users
         where id = $1 and deleted_at is null for no key update`,
        [link?.user_id ?? null],
      );
      if (!account) {
        throw new AppError('reset_token_invalid', 'This link has already been used or has expired. Request a new one.');
      }
      if (!account.verified) await this.#takeOver(tx, account.id);
      await this.#set(tx, account.id, passwordHash, { takeover: !account.verified });
      await recordAudit(tx, account.id, { action: 'password_reset', at: now });
      // the reader of the account's email can now sign in here, whatever strangers have guessed
      return knownPlaces.remember(tx, account.id, place);
    });
  }

  /**
   * Answers a new session, the only one left.
   * @throws {AppError} wrong_password
   */
  async change(caller: Principal, oldPassword: string, newPassword: string, device: Device): Promise<OpenedSession> {
    const { clock, sessions } = this.#deps;
    const checked = await confirmPassword(this.#deps, caller.userId, oldPassword, 'oldPassword');
    await refuseCommonPassword(newPassword, 'newPassword');
    const passwordHash = await this.#deps.passwordHash.hash(newPassword);
    const confirmed = { userId: caller.userId, password: oldPassword, checked };
    const session = await whilePasswordStays(this.#deps, confirmed, async (tx) => {
      // of two concurrent changes, the first has ended the session of the second, also if the password stays as it was
      const own = await tx.query('select 1 from sessions where id = $1', [caller.credentialId]);
      if (own.length === 0) throw wrongPassword('oldPassword');
      await recordAudit(tx, caller.userId, { action: 'password_changed', at: clock.now() });
      await this.#set(tx, caller.userId, passwordHash, { takeover: false });
      return sessions.open(tx, caller.userId, device);
    });
    if (session === null) throw wrongPassword('oldPassword');
    return session;
  }

  async #takeOver(tx: Tx, userId: string): Promise<void> {
    const { clock, knownPlaces, onTakeover } = this.#deps;
    await tx.query(
      `update users set email_verified_at = $2, two_factor_secret = null, two_factor_since = null, two_factor_step = null
       where id = $1`,
      [userId, clock.now()],
    );
    await tx.query('delete from recovery_codes where user_id = $1', [userId]);
    await knownPlaces.forgetAll(tx, userId);
    await onTakeover(tx, userId);
  }

  async #set(tx: Tx, userId: string, passwordHash: string, { takeover }: { takeover: boolean }): Promise<void> {
    const { clock, emailQueue, publicUrl } = this.#deps;
    const now = clock.now();
    const [account] = await tx.query<{ email: string }>(
      'update users set password_hash = $2 where id = $1 returning email',
      [userId, passwordHash],
    );
    await tx.query('delete from sessions where user_id = $1', [userId]);
    const tokens = await tx.query<{ name: string; live: boolean }>(
      `delete from access_tokens where user_id = $1
       returning name, (expires_at is null or expires_at > $2) as live`,
      [userId, now],
    );
    await tx.query('update password_resets set used_at = $2 where user_id = $1 and used_at is null', [userId, now]);
    const mail = passwordChangedEmail((account as { email: string }).email, publicUrl, {
      tokens: tokens.filter((token) => token.live).map((token) => token.name),
      takeover,
    });
    await emailQueue.queue(tx, mail);
  }
}
