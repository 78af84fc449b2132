import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { OpenedSession } from '#platform/access/session-tokens.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
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
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { confirmPassword, withSamePassword, wrongPassword } from './confirm-password.ts';

/**
 * Port: the owner of an address takes over an account that somebody else may have created with it. Everything that
 * person could keep using must end, in the same transaction.
 */
export type OnTakeover = (sql: Sql, accountId: string) => Promise<void>;

interface Dependencies {
  db: AccountsDb;
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

/** New passwords, by a link from an email or from a session. Each ends every session, access token and trust. */
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
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const link = await tx
        .updateTable('password_resets')
        .set({ used_at: now })
        .where('token_hash', '=', sha256(secret))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .returning('user_id')
        .executeTakeFirst();
      const account = link && (await lockOpen(tx, link.user_id));
      if (!account) {
        throw new AppError('reset_token_invalid', 'This link has already been used or has expired. Request a new one.');
      }
      const takeover = account.email_verified_at === null;
      if (takeover) await this.#takeOver(tx, account.id);
      await this.#set(tx, account.id, passwordHash, { takeover });
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
    const checked = await confirmPassword(this.#deps, caller.accountId, oldPassword, 'oldPassword');
    await refuseCommonPassword(newPassword, 'newPassword');
    const passwordHash = await this.#deps.passwordHash.hash(newPassword);
    const confirmed = { accountId: caller.accountId, password: oldPassword, checked };
    const session = await withSamePassword(this.#deps, confirmed, async (tx) => {
      // the first of two concurrent changes has ended the session of the second, also if the password stays as it was
      const own = await tx.selectFrom('sessions').select('id').where('id', '=', caller.credentialId).execute();
      if (own.length === 0) throw wrongPassword('oldPassword');
      await recordAudit(tx, caller.accountId, { action: 'password_changed', at: clock.now() });
      await this.#set(tx, caller.accountId, passwordHash, { takeover: false });
      return sessions.open(tx, caller.accountId, device);
    });
    if (session === null) throw wrongPassword('oldPassword');
    return session;
  }

  async #takeOver(tx: AccountsHandle, accountId: string): Promise<void> {
    const { clock, knownPlaces, onTakeover } = this.#deps;
    await tx
      .updateTable('users')
      .set({
        email_verified_at: clock.now(),
        two_factor_secret: null,
        two_factor_since: null,
        two_factor_step: null,
      })
      .where('id', '=', accountId)
      .execute();
    await tx.deleteFrom('recovery_codes').where('user_id', '=', accountId).execute();
    await knownPlaces.forgetAll(tx, accountId);
    await onTakeover(tx, accountId);
  }

  async #set(
    tx: AccountsHandle,
    accountId: string,
    passwordHash: string,
    { takeover }: { takeover: boolean },
  ): Promise<void> {
    const { clock, emailQueue, publicUrl } = this.#deps;
    const now = clock.now();
    const account = await tx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', accountId)
      .returning('email')
      .executeTakeFirstOrThrow();
    await tx.deleteFrom('sessions').where('user_id', '=', accountId).execute();
    const tokens = await tx
      .deleteFrom('access_tokens')
      .where('user_id', '=', accountId)
      .where('trust_id', 'is', null)
      .returning(['name', 'expires_at'])
      .execute();
    // with the tokens that they issued
    const trusts = await tx.deleteFrom('oidc_trusts').where('user_id', '=', accountId).returning('name').execute();
    await tx
      .updateTable('password_resets')
      .set({ used_at: now })
      .where('user_id', '=', accountId)
      .where('used_at', 'is', null)
      .execute();
    const email = passwordChangedEmail(account.email, publicUrl, {
      tokens: tokens.filter((token) => token.expires_at === null || token.expires_at > now).map(({ name }) => name),
      trusts: trusts.map(({ name }) => name),
      takeover,
    });
    await emailQueue.queue(tx, email);
  }
}

/** An account that is not deleted, locked until the transaction ends. */
function lockOpen(tx: AccountsHandle, accountId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email_verified_at'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
