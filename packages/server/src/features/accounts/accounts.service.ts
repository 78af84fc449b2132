import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { OpenedSession } from '#platform/access/session-tokens.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql, Tx } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { toDollars } from '#platform/money.ts';
import { type Device, deviceName } from '#platform/network/device.ts';
import type { Random } from '#platform/random.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { accountDeletedEmail, newDeviceEmail, type Occasion } from './account-emails/security-emails.ts';
import { Session, User } from './accounts.entity.ts';
import { ANONYMISE_USER } from './accounts.queries.ts';
import type { AccountDeletion } from './accounts.schemas.ts';
import { AccessTokens } from './credentials/access-tokens.service.ts';
import { lockAccount } from './credentials/lock-account.ts';
import type { Sessions } from './credentials/sessions.ts';
import { confirmPassword, whilePasswordStays } from './passwords/confirm-password.ts';
import type { KnownPlaces } from './sign-in/known-places.ts';
import { SignInLimits } from './sign-in/sign-in-limits.ts';
import type { TwoFactor } from './two-factor/two-factor.service.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  emailQueue: EmailQueue;
  limits: RateLimits;
  passwordHash: PasswordHash;
  sessions: Sessions;
  twoFactor: TwoFactor;
  knownPlaces: KnownPlaces;
  onDelete: OnDelete;
  countUnpaid: CountUnpaid;
  lastBill: LastBillOf;
  closeMonths: OnDelete;
  publicUrl: string;
}

/** Port: payout statements of an account, on either side. */
export type CountUnpaid = (sql: Sql, userId: string) => Promise<Unpaid>;

export interface Unpaid {
  /** That are unpaid. */
  statements: number;
  /** That the months which are not closed yet will make, with something to pay. */
  open: number;
}

/** Port: what an account owes us when it is deleted now, in cents. */
export type LastBillOf = (
  sql: Sql,
  userId: string,
) => Promise<{
  months: { month: string; total_cents: number }[];
  outstanding: { invoices: number; total_cents: number };
  collected: boolean;
}>;

/** Port: follow-up work of an account's deletion, in its transaction and before the name is blanked. */
export type OnDelete = (sql: Sql, userId: string) => Promise<void>;

interface LoginForm {
  email: string;
  password: string;
  /** From the authenticator app, or a recovery code. */
  code?: string | undefined;
  /** The token returned by an earlier sign-in on this device. */
  device_token?: string | undefined;
}

interface SignedIn {
  session: OpenedSession;
  deviceToken: string;
  user: User;
}

/** Sign-in, sessions and account deletion. */
export class Accounts {
  readonly #deps: Dependencies;
  readonly #limits: SignInLimits;
  readonly tokens: AccessTokens;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#limits = new SignInLimits(deps.limits);
    this.tokens = new AccessTokens(deps);
  }

  /**
   * @throws {AppError} invalid_credentials, the same after the same time for a wrong password and an unknown address;
   * two_factor_required and two_factor_invalid once the password is right.
   */
  async login(form: LoginForm, device: Device): Promise<SignedIn> {
    const { db, sessions, twoFactor, knownPlaces } = this.#deps;
    const key = emailKey(form.email);
    const place = { ip: device.ip, deviceToken: form.device_token };
    const user = await db.orm.em.fork().findOne(User, { emailKey: key });
    const attempt = await this.#limits.begin(key, await knownPlaces.recognize(db, user?.id, place), place);
    const checked = user?.passwordHash ?? null;
    const fits = await this.#deps.passwordHash.fits(form.password, checked);
    if (!user || !fits || checked === null) throw wrongCredentials();
    await attempt.passwordWasRight(user.id);
    const renewed = await this.#deps.passwordHash.renewed(form.password, checked);
    const codeWasRight = form.code && user.twoFactorSince ? await attempt.guessCode(user.id) : undefined;
    const confirmed = { userId: user.id, password: form.password, checked };
    const opened = await whilePasswordStays(this.#deps, confirmed, async (tx, hash) => {
      await twoFactor.accept(tx, user.id, form.code, device);
      if (renewed && hash === checked)
        await tx.query('update users set password_hash = $2 where id = $1', [user.id, renewed]);
      await this.#tellOfNewDevice(tx, user, device);
      await recordAudit(tx, user.id, { action: 'signed_in', at: this.#deps.clock.now() });
      return {
        deviceToken: await knownPlaces.remember(tx, user.id, place),
        session: await sessions.open(tx, user.id, device),
      };
    });
    // when the password was changed, every session was ended; this one must not start afterwards
    if (opened === null) throw wrongCredentials();
    await codeWasRight?.();
    return { ...opened, user };
  }

  /** No email when there is no session to compare with: the first sign-in is always from a new device. */
  async #tellOfNewDevice(tx: Tx, user: User, device: Device): Promise<void> {
    const rows = await tx.query<{ user_agent: string | null }>(
      'select distinct user_agent from sessions where user_id = $1',
      [user.id],
    );
    const name = deviceName(device.userAgent);
    if (rows.length === 0 || rows.some((row) => deviceName(row.user_agent) === name)) return;
    await this.#deps.emailQueue.queue(tx, newDeviceEmail(this.#occasion(user.email, user.timeZone, device)));
  }

  #occasion(to: string, timeZone: string, device: Device): Occasion {
    return { to, timeZone, device, at: this.#deps.clock.now(), publicUrl: this.#deps.publicUrl };
  }

  async logout(caller: Principal): Promise<void> {
    const { db, clock } = this.#deps;
    await db.transaction(async (tx) => {
      const ended = await tx.query('delete from sessions where id = $1 returning id', [caller.credentialId]);
      if (ended.length === 1) await recordAudit(tx, caller.userId, { action: 'signed_out', at: clock.now() });
    });
  }

  async me(caller: Principal): Promise<User> {
    return this.#deps.db.orm.em.fork().findOneOrFail(User, caller.userId);
  }

  /**
   * Ends all sessions and tokens, blanks personal data, and keeps the row that the ledger references. From then on
   * nothing can be redeemed; what customers own keeps working, and they are notified.
   */
  async deleteAccount(caller: Principal, form: { password: string; unpaid: boolean }, device: Device): Promise<void> {
    await confirmPassword(this.#deps, caller.userId, form.password, 'password');
    const { db, clock, emailQueue, onDelete, countUnpaid, closeMonths } = this.#deps;
    await db.transaction(async (tx) => {
      const rows = await tx.query<{ email: string }>(
        'select email from users where id = $1 and deleted_at is null for update',
        [caller.userId],
      );
      if (!rows[0]) return;
      await lockAccount(tx, caller);
      if (!form.unpaid) refuseUnpaid(await countUnpaid(tx, caller.userId));
      // while the account still has the name that its last statements carry
      await closeMonths(tx, caller.userId);
      await emailQueue.queue(tx, accountDeletedEmail(this.#occasion(rows[0].email, caller.timeZone, device)));
      for (const table of [
        'sessions',
        'access_tokens',
        'password_resets',
        'email_verifications',
        'recovery_codes',
        'known_places',
      ]) {
        await tx.query(`delete from ${table} where user_id = $1`, [caller.userId]);
      }
      await onDelete(tx, caller.userId);
      await tx.query(ANONYMISE_USER, [caller.userId, clock.now()]);
    });
  }

  /** What a deletion would leave unpaid, close and bill, for whoever is about to ask for it. */
  async deletion({ userId }: Principal): Promise<AccountDeletion> {
    const { db, countUnpaid, lastBill } = this.#deps;
    const [unpaid, bill] = [await countUnpaid(db, userId), await lastBill(db, userId)];
    const total = bill.months.reduce((cents, { total_cents }) => cents + total_cents, bill.outstanding.total_cents);
    return {
      unpaid_statements: unpaid.statements,
      open_statements: unpaid.open,
      months: bill.months.map(({ month, total_cents }) => ({ month, total: toDollars(total_cents) })),
      open_invoices: bill.outstanding.invoices,
      open_total: toDollars(bill.outstanding.total_cents),
      total: toDollars(total),
      charges_card: bill.collected && total > 0,
    };
  }

  async sessions(caller: Principal) {
    const rows = await this.#deps.db.orm.em
      .fork()
      .find(
        Session,
        { userId: caller.userId, expiresAt: { $gt: this.#deps.clock.now() } },
        { orderBy: { lastSeenAt: 'desc' }, limit: 100 },
      );
    return rows.map((row) => ({
      id: row.id,
      user_agent: row.userAgent ?? null,
      device: deviceName(row.userAgent ?? null),
      ip: row.ip ?? null,
      isCurrent: row.id === caller.credentialId,
      created_at: row.createdAt,
      last_seen_at: row.lastSeenAt,
      expires_at: row.expiresAt,
    }));
  }

  async revokeSession(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.transaction(async (tx) => {
      const sql = 'delete from sessions where id = $1 and user_id = $2 returning user_agent';
      const [row] = await tx.query<{ user_agent: string | null }>(sql, [id, caller.userId]);
      if (!row) throw notFound('Session');
      const detail = deviceName(row.user_agent);
      await recordAudit(tx, caller.userId, { action: 'session_ended', at: clock.now(), detail });
    });
  }

  /** Only from the server's own machine. @returns undefined when there is no such account. */
  async setAdmin(email: string, admin: boolean): Promise<{ verified: boolean } | undefined> {
    const [account] = await this.#deps.db.query<{ verified: boolean }>(
      'update users set is_admin = $2 where email_key = $1 returning email_verified_at is not null as verified',
      [emailKey(email), admin],
    );
    return account;
  }
}

/** @throws {AppError} unpaid_statements */
function refuseUnpaid({ statements, open }: Unpaid): void {
  const words = (count: number) => (count === 1 ? '1 payout statement is' : `${count} payout statements are`);
  const problems = [
    statements > 0 ? `${words(statements)} unpaid. Settle ${statements === 1 ? 'it' : 'them'} first.` : '',
    open > 0 ? `${words(open)} still to come, of sales in a month that is not closed yet.` : '',
  ].filter((problem) => problem !== '');
  if (problems.length > 0) throw new AppError('unpaid_statements', problems.join(' '));
}

function wrongCredentials(): AppError {
  return new AppError('invalid_credentials', 'Wrong email or password.');
}
