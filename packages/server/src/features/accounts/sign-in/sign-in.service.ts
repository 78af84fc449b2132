import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { OpenedSession } from '#platform/access/session-tokens.ts';
import type { Clock } from '#platform/clock.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { type Device, deviceName } from '#platform/network/device.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { newDeviceEmail } from '../account-emails/security-emails.ts';
import type { Sessions } from '../credentials/sessions.ts';
import { withSamePassword } from '../passwords/confirm-password.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import type { TwoFactor } from '../two-factor/two-factor.service.ts';
import { accountViewOf, SHOWN, type Shown } from './account-view.ts';
import type { KnownPlaces } from './known-places.ts';
import type { AccountView } from './sign-in.schemas.ts';
import { SignInLimits } from './sign-in-limits.ts';

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  emailQueue: EmailQueue;
  limits: RateLimits;
  passwordHash: PasswordHash;
  sessions: Sessions;
  twoFactor: TwoFactor;
  knownPlaces: KnownPlaces;
  publicUrl: string;
}

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
  user: AccountView;
}

const MOST_SESSIONS = 100;

/** Signing in and out, and the sessions that are open. */
export class SignIn {
  readonly #deps: Dependencies;
  readonly #limits: SignInLimits;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#limits = new SignInLimits(deps.limits);
  }

  /**
   * @throws {AppError} invalid_credentials, the same after the same time for a wrong password and an unknown address;
   * two_factor_required and two_factor_invalid once the password is right.
   */
  async login(form: LoginForm, device: Device): Promise<SignedIn> {
    const { db, clock, sessions, twoFactor, knownPlaces } = this.#deps;
    const key = emailKey(form.email);
    const place = { ip: device.ip, deviceToken: form.device_token };
    const account = await db
      .selectFrom('users')
      .select([...SHOWN, 'password_hash', 'two_factor_since'])
      .where('email_key', '=', key)
      .executeTakeFirst();
    const attempt = await this.#limits.begin(key, await knownPlaces.recognize(db, account?.id, place), place);
    const checked = account?.password_hash ?? null;
    const fits = await this.#deps.passwordHash.fits(form.password, checked);
    if (!account || !fits || checked === null) throw wrongCredentials();
    await attempt.passwordWasRight(account.id);
    const renewed = await this.#deps.passwordHash.renewed(form.password, checked);
    const codeWasRight = form.code && account.two_factor_since ? await attempt.guessCode(account.id) : undefined;
    const confirmed = { accountId: account.id, password: form.password, checked };
    const opened = await withSamePassword(this.#deps, confirmed, async (tx, hash) => {
      await twoFactor.accept(tx, account.id, form.code, device);
      if (renewed && hash === checked)
        await tx.updateTable('users').set({ password_hash: renewed }).where('id', '=', account.id).execute();
      await this.#notifyOfNewDevice(tx, account, device);
      await recordAudit(tx, account.id, { action: 'signed_in', at: clock.now() });
      return {
        deviceToken: await knownPlaces.remember(tx, account.id, place),
        session: await sessions.open(tx, account.id, device),
      };
    });
    // when the password was changed, every session was ended; this one must not start afterwards
    if (opened === null) throw wrongCredentials();
    await codeWasRight?.();
    return { ...opened, user: accountViewOf(account) };
  }

  async logout(caller: Principal): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const ended = await tx
        .deleteFrom('sessions')
        .where('id', '=', caller.credentialId)
        .returning('id')
        .executeTakeFirst();
      if (ended) await recordAudit(tx, caller.accountId, { action: 'signed_out', at: clock.now() });
    });
  }

  async me(caller: Principal): Promise<AccountView> {
    const { db } = this.#deps;
    return accountViewOf(
      await db.selectFrom('users').select(SHOWN).where('id', '=', caller.accountId).executeTakeFirstOrThrow(),
    );
  }

  async sessions(caller: Principal) {
    const { db, clock } = this.#deps;
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'user_agent', 'machine', 'ip', 'created_at', 'last_seen_at', 'expires_at'])
      .where('user_id', '=', caller.accountId)
      .where('expires_at', '>', clock.now())
      .orderBy('last_seen_at', 'desc')
      .limit(MOST_SESSIONS)
      .execute();
    return rows.map((row) => ({
      ...row,
      device: deviceName(row.user_agent),
      isCurrent: row.id === caller.credentialId,
    }));
  }

  async revokeSession(caller: Principal, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const ended = await tx
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', caller.accountId)
        .returning(['user_agent', 'machine'])
        .executeTakeFirst();
      if (!ended) throw notFound('Session');
      const detail = ended.machine ?? deviceName(ended.user_agent);
      await recordAudit(tx, caller.accountId, { action: 'session_ended', at: clock.now(), detail });
    });
  }

  /** No email when there is no session to compare with: the first sign-in is always from a new device. */
  async #notifyOfNewDevice(tx: AccountsHandle, account: Shown, device: Device): Promise<void> {
    const rows = await tx
      .selectFrom('sessions')
      .select('user_agent')
      .distinct()
      .where('user_id', '=', account.id)
      .execute();
    const name = deviceName(device.userAgent);
    if (rows.length === 0 || rows.some((row) => deviceName(row.user_agent) === name)) return;
    const { emailQueue, clock, publicUrl } = this.#deps;
    const occasion = { to: account.email, timeZone: account.time_zone, device, at: clock.now(), publicUrl };
    await emailQueue.queue(tx, newDeviceEmail(occasion));
  }
}

function wrongCredentials(): AppError {
  return new AppError('invalid_credentials', 'Wrong email or password.');
}
