import { toString as qrCode } from 'qrcode';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql, Tx } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Device } from '#platform/network/device.ts';
import type { Random } from '#platform/random.ts';
import type { PasswordHash } from '#platform/secrets/password-hash.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import {
  type Occasion,
  recoveryCodesEmail,
  recoveryCodeUsedEmail,
  twoFactorOffEmail,
  twoFactorOnEmail,
} from '../account-emails/security-emails.ts';
import { RecoveryCode } from '../accounts.entity.ts';
import { lockAccount } from '../credentials/lock-account.ts';
import { limits as policies } from '../limits.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';
import { newRecoveryCode, plainRecoveryCode } from './recovery-codes.ts';
import { keyOf, SECRET_BYTES, stepOf } from './totp.ts';

const PURPOSE = 'two-factor';
const RECOVERY_CODES = 10;
const WRONG_CODE = 'This code is wrong or has already been used.';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  emailQueue: EmailQueue;
  limits: RateLimits;
  passwordHash: PasswordHash;
  publicUrl: string;
}

interface State {
  email: string;
  secret: Buffer | null;
  since: Date | null;
}

/** The second factor: codes from an authenticator app, and recovery codes for when that is lost. */
export class TwoFactor {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async status(caller: Principal) {
    const [row] = await this.#deps.db.query<{ since: Date | null; left: number }>(
      `select u.two_factor_since as since,
         (select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null) as left
       from users u where u.id = $1`,
      [caller.userId],
    );
    const since = row?.since ?? null;
    return { enabled: since !== null, since, recovery_codes_left: row?.left ?? 0 };
  }

  /** Stores a new secret that waits for its first code, replacing an earlier one that is still waiting. */
  async setUp(caller: Principal, password: string) {
    await confirmPassword(this.#deps, caller.userId, password, 'password');
    const { db, random, secrets } = this.#deps;
    const secret = random.bytes(SECRET_BYTES);
    const [row] = await db.query<{ email: string }>(
      `update users set two_factor_secret = $2, two_factor_step = null
       where id = $1 and two_factor_since is null and deleted_at is null returning email`,
      [caller.userId, secrets.seal(secret, PURPOSE)],
    );
    if (!row) throw new AppError('conflict', 'Two-factor sign-in is already on. Switch it off first.');
    const { base32, url } = keyOf(secret, row.email);
    const colours = { dark: '#000000ff', light: '#ffffffff' };
    const svg = await qrCode(url, { type: 'svg', errorCorrectionLevel: 'M', color: colours });
    return { secret: base32, otpauth_url: url, qr_svg: svg };
  }

  /** Switches it on with the first code, which proves that the app has the secret. Answers the recovery codes. */
  async enable(caller: Principal, code: string, device: Device): Promise<string[]> {
    const { db, clock, emailQueue } = this.#deps;
    return this.#limited(caller.userId, () =>
      db.transaction(async (tx) => {
        const state = await this.#lock(tx, caller);
        if (state.since) throw new AppError('conflict', 'Two-factor sign-in is already on.');
        if (!state.secret) throw new AppError('conflict', 'Request a secret first.');
        const now = clock.now();
        if (!(await this.#takeCode(tx, caller.userId, state.secret, code, now))) {
          throw invalidField('code', WRONG_CODE);
        }
        await tx.query('update users set two_factor_since = $2 where id = $1', [caller.userId, now]);
        await recordAudit(tx, caller.userId, { action: 'two_factor_on', at: now });
        await emailQueue.queue(tx, twoFactorOnEmail(this.#occasion(state.email, caller.timeZone, device)));
        return this.#newCodes(tx, caller.userId);
      }),
    );
  }

  async disable(caller: Principal, password: string, code: string, device: Device): Promise<void> {
    await confirmPassword(this.#deps, caller.userId, password, 'password');
    const { db, emailQueue } = this.#deps;
    await this.#limited(caller.userId, () =>
      db.transaction(async (tx) => {
        const state = await this.#lock(tx, caller);
        if (!state.since) throw notOn();
        if (!(await this.#take(tx, caller.userId, state.secret, code))) throw invalidField('code', WRONG_CODE);
        await tx.query(
          'update users set two_factor_secret = null, two_factor_since = null, two_factor_step = null where id = $1',
          [caller.userId],
        );
        await tx.query('delete from recovery_codes where user_id = $1', [caller.userId]);
        await recordAudit(tx, caller.userId, { action: 'two_factor_off', at: this.#deps.clock.now() });
        await emailQueue.queue(tx, twoFactorOffEmail(this.#occasion(state.email, caller.timeZone, device)));
      }),
    );
  }

  async renewRecoveryCodes(caller: Principal, password: string, device: Device): Promise<string[]> {
    await confirmPassword(this.#deps, caller.userId, password, 'password');
    const { db, emailQueue } = this.#deps;
    return db.transaction(async (tx) => {
      const state = await this.#lock(tx, caller);
      if (!state.since) throw notOn();
      await recordAudit(tx, caller.userId, { action: 'recovery_codes_renewed', at: this.#deps.clock.now() });
      await emailQueue.queue(tx, recoveryCodesEmail(this.#occasion(state.email, caller.timeZone, device)));
      return this.#newCodes(tx, caller.userId);
    });
  }

  /**
   * The second half of a sign-in, in its transaction: the code is used up if, and only if, the session is opened.
   * @throws {AppError} two_factor_required without a code, two_factor_invalid for a wrong or used one.
   */
  async accept(tx: Sql, userId: string, code: string | undefined, device: Device): Promise<void> {
    const [state] = await tx.query<State & { time_zone: string }>(
      'select email, time_zone, two_factor_secret as secret from users where id = $1 and two_factor_since is not null',
      [userId],
    );
    if (!state) return;
    if (!code) throw new AppError('two_factor_required', 'Enter the code from your authenticator app.');
    const taken = await this.#take(tx, userId, state.secret, code);
    if (!taken) throw new AppError('two_factor_invalid', WRONG_CODE);
    if (taken !== 'recovery code') return;
    const [row] = await tx.query<{ left: number }>(
      'select count(*) as left from recovery_codes where user_id = $1 and used_at is null',
      [userId],
    );
    const mail = recoveryCodeUsedEmail(this.#occasion(state.email, state.time_zone, device), row?.left ?? 0);
    await this.#deps.emailQueue.queue(tx, mail);
  }

  async #take(tx: Sql, userId: string, secret: Buffer | null, typed: string): Promise<'code' | 'recovery code' | null> {
    const now = this.#deps.clock.now();
    const code = typed.replace(/[\s-]/g, '');
    if (/^\d{6}$/.test(code)) {
      return secret && (await this.#takeCode(tx, userId, secret, code, now)) ? 'code' : null;
    }
    const rows = await tx.query(
      'update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null returning id',
      [userId, sha256(plainRecoveryCode(code)), now],
    );
    return rows.length > 0 ? 'recovery code' : null;
  }

  /** One statement decides among simultaneous tries: a step counts once, and none before it after that. */
  async #takeCode(tx: Sql, userId: string, sealed: Buffer, typed: string, now: Date): Promise<boolean> {
    const step = stepOf(typed.replace(/[\s-]/g, ''), this.#deps.secrets.open(sealed, PURPOSE), now);
    if (step === null) return false;
    const rows = await tx.query(
      `update users set two_factor_step = $2
       where id = $1 and two_factor_secret = $3 and (two_factor_step is null or two_factor_step < $2) returning id`,
      [userId, step, sealed],
    );
    return rows.length > 0;
  }

  /** Replaces all recovery codes; only their hashes are kept. */
  async #newCodes(tx: Tx, userId: string): Promise<string[]> {
    const { random } = this.#deps;
    const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(random));
    await tx.query('delete from recovery_codes where user_id = $1', [userId]);
    for (const code of codes) {
      tx.em.create(RecoveryCode, { id: random.id(), userId, codeHash: sha256(plainRecoveryCode(code)), usedAt: null });
    }
    return codes;
  }

  async #lock(tx: Sql, caller: Principal): Promise<State> {
    await lockAccount(tx, caller);
    const [state] = await tx.query<State>(
      'select email, two_factor_secret as secret, two_factor_since as since from users where id = $1',
      [caller.userId],
    );
    return state as State;
  }

  /** Guesses at a code have a count of their own, which the right password does not forgive. */
  async #limited<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const subject = `${userId} code`;
    await this.#deps.limits.take(policies.login_account, subject);
    const result = await work();
    await this.#deps.limits.forgive(policies.login_account, subject);
    return result;
  }

  #occasion(to: string, timeZone: string, device: Device): Occasion {
    return { to, timeZone, device, at: this.#deps.clock.now(), publicUrl: this.#deps.publicUrl };
  }
}

function notOn(): AppError {
  return new AppError('conflict', 'Two-factor sign-in is not on.');
}
