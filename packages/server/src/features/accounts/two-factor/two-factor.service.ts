import { toString as qrCode } from 'qrcode';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
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
import { lockAccount } from '../credentials/lock-account.ts';
import { limits as policies } from '../limits.ts';
import { confirmPassword } from '../passwords/confirm-password.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import { newRecoveryCode, plainRecoveryCode } from './recovery-codes.ts';
import { keyOf, SECRET_BYTES, stepOf } from './totp.ts';

const PURPOSE = 'two-factor';
const RECOVERY_CODES = 10;
const WRONG_CODE = 'This code is wrong or has already been used.';

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  emailQueue: EmailQueue;
  limits: RateLimits;
  passwordHash: PasswordHash;
  publicUrl: string;
}

type State = Columns<'users', 'email' | 'two_factor_secret' | 'two_factor_since'>;

/** No secret, and none that waits. */
const OFF = { two_factor_secret: null, two_factor_since: null, two_factor_step: null };

/** The second factor: codes from an authenticator app, and recovery codes for when that is lost. */
export class TwoFactor {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async status(caller: Principal) {
    const { db } = this.#deps;
    const account = await db
      .selectFrom('users')
      .select('two_factor_since')
      .where('id', '=', caller.accountId)
      .executeTakeFirst();
    const since = account?.two_factor_since ?? null;
    return { enabled: since !== null, since, recovery_codes_left: await codesLeft(db, caller.accountId) };
  }

  /** Stores a new secret that waits for its first code, replacing an earlier one that is still waiting. */
  async setUp(caller: Principal, password: string) {
    await confirmPassword(this.#deps, caller.accountId, password, 'password');
    const { db, random, secrets } = this.#deps;
    const secret = random.bytes(SECRET_BYTES);
    const row = await db
      .updateTable('users')
      .set({ two_factor_secret: secrets.seal(secret, PURPOSE), two_factor_step: null })
      .where('id', '=', caller.accountId)
      .where('two_factor_since', 'is', null)
      .where('deleted_at', 'is', null)
      .returning('email')
      .executeTakeFirst();
    if (!row) throw new AppError('conflict', 'Two-factor sign-in is already on. Switch it off first.');
    const { base32, url } = keyOf(secret, row.email);
    const colors = { dark: '#000000ff', light: '#ffffffff' };
    const svg = await qrCode(url, { type: 'svg', errorCorrectionLevel: 'M', color: colors });
    return { secret: base32, otpauth_url: url, qr_svg: svg };
  }

  /** Switches it on with the first code, which proves that the app has the secret. Answers the recovery codes. */
  async enable(caller: Principal, code: string, device: Device): Promise<string[]> {
    const { db, clock, emailQueue } = this.#deps;
    return this.#limited(caller.accountId, () =>
      db.work({ tx: true }, async (tx) => {
        const state = await this.#lock(tx, caller);
        if (state.two_factor_since) throw new AppError('conflict', 'Two-factor sign-in is already on.');
        if (!state.two_factor_secret) throw new AppError('conflict', 'Request a secret first.');
        const now = clock.now();
        if (!(await this.#takeCode(tx, caller.accountId, state.two_factor_secret, code, now))) {
          throw invalidField('code', WRONG_CODE);
        }
        await tx.updateTable('users').set({ two_factor_since: now }).where('id', '=', caller.accountId).execute();
        await recordAudit(tx, caller.accountId, { action: 'two_factor_on', at: now });
        await emailQueue.queue(tx, twoFactorOnEmail(this.#occasion(state.email, caller.timeZone, device)));
        return this.#newCodes(tx, caller.accountId);
      }),
    );
  }

  async disable(caller: Principal, password: string, code: string, device: Device): Promise<void> {
    await confirmPassword(this.#deps, caller.accountId, password, 'password');
    const { db, emailQueue } = this.#deps;
    await this.#limited(caller.accountId, () =>
      db.work({ tx: true }, async (tx) => {
        const state = await this.#lock(tx, caller);
        if (!state.two_factor_since) throw notOn();
        if (!(await this.#take(tx, caller.accountId, state.two_factor_secret, code)))
          throw invalidField('code', WRONG_CODE);
        await tx.updateTable('users').set(OFF).where('id', '=', caller.accountId).execute();
        await tx.deleteFrom('recovery_codes').where('user_id', '=', caller.accountId).execute();
        await recordAudit(tx, caller.accountId, { action: 'two_factor_off', at: this.#deps.clock.now() });
        await emailQueue.queue(tx, twoFactorOffEmail(this.#occasion(state.email, caller.timeZone, device)));
      }),
    );
  }

  async renewRecoveryCodes(caller: Principal, password: string, device: Device): Promise<string[]> {
    await confirmPassword(this.#deps, caller.accountId, password, 'password');
    const { db, emailQueue } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const state = await this.#lock(tx, caller);
      if (!state.two_factor_since) throw notOn();
      await recordAudit(tx, caller.accountId, { action: 'recovery_codes_renewed', at: this.#deps.clock.now() });
      await emailQueue.queue(tx, recoveryCodesEmail(this.#occasion(state.email, caller.timeZone, device)));
      return this.#newCodes(tx, caller.accountId);
    });
  }

  /**
   * The second half of a sign-in, in its transaction: the code is used up if, and only if, the session is opened.
   * @throws {AppError} two_factor_required without a code, two_factor_invalid for a wrong or used one.
   */
  async accept(tx: AccountsHandle, accountId: string, code: string | undefined, device: Device): Promise<void> {
    const state = await tx
      .selectFrom('users')
      .select(['email', 'time_zone', 'two_factor_secret'])
      .where('id', '=', accountId)
      .where('two_factor_since', 'is not', null)
      .executeTakeFirst();
    if (!state) return;
    if (!code) throw new AppError('two_factor_required', 'Enter the code from your authenticator app.');
    const taken = await this.#take(tx, accountId, state.two_factor_secret, code);
    if (!taken) throw new AppError('two_factor_invalid', WRONG_CODE);
    if (taken !== 'recovery code') return;
    const left = await codesLeft(tx, accountId);
    const email = recoveryCodeUsedEmail(this.#occasion(state.email, state.time_zone, device), left);
    await this.#deps.emailQueue.queue(tx, email);
  }

  async #take(
    tx: AccountsHandle,
    accountId: string,
    secret: Uint8Array | null,
    typed: string,
  ): Promise<'code' | 'recovery code' | null> {
    const now = this.#deps.clock.now();
    const code = typed.replace(/[\s-]/g, '');
    if (/^\d{6}$/.test(code)) {
      return secret && (await this.#takeCode(tx, accountId, secret, code, now)) ? 'code' : null;
    }
    const used = await tx
      .updateTable('recovery_codes')
      .set({ used_at: now })
      .where('user_id', '=', accountId)
      .where('code_hash', '=', sha256(plainRecoveryCode(code)))
      .where('used_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return used ? 'recovery code' : null;
  }

  /** One statement decides among simultaneous tries: a step counts once, and none before it after that. */
  async #takeCode(
    tx: AccountsHandle,
    accountId: string,
    sealed: Uint8Array,
    typed: string,
    now: Date,
  ): Promise<boolean> {
    const step = stepOf(typed.replace(/[\s-]/g, ''), this.#deps.secrets.open(Buffer.from(sealed), PURPOSE), now);
    if (step === null) return false;
    const taken = await tx
      .updateTable('users')
      .set({ two_factor_step: step })
      .where('id', '=', accountId)
      .where('two_factor_secret', '=', sealed)
      .where((eb) => eb.or([eb('two_factor_step', 'is', null), eb('two_factor_step', '<', step)]))
      .returning('id')
      .executeTakeFirst();
    return taken !== undefined;
  }

  /** Replaces all recovery codes; only their hashes are kept. */
  async #newCodes(tx: AccountsHandle, accountId: string): Promise<string[]> {
    const { random } = this.#deps;
    const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(random));
    const hashOf = (code: string) => sha256(plainRecoveryCode(code));
    await tx.deleteFrom('recovery_codes').where('user_id', '=', accountId).execute();
    await tx
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ id: random.id(), user_id: accountId, code_hash: hashOf(code) })))
      .execute();
    return codes;
  }

  async #lock(tx: AccountsHandle, caller: Principal): Promise<State> {
    await lockAccount(tx, caller);
    return tx
      .selectFrom('users')
      .select(['email', 'two_factor_secret', 'two_factor_since'])
      .where('id', '=', caller.accountId)
      .executeTakeFirstOrThrow();
  }

  /** Guesses at a code have a count of their own, which the right password does not forgive. */
  async #limited<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const subject = `${accountId} code`;
    await this.#deps.limits.take(policies.login_account, subject);
    const result = await work();
    await this.#deps.limits.forgive(policies.login_account, subject);
    return result;
  }

  #occasion(to: string, timeZone: string, device: Device): Occasion {
    return { to, timeZone, device, at: this.#deps.clock.now(), publicUrl: this.#deps.publicUrl };
  }
}

/** How many recovery codes are not used yet. */
async function codesLeft(handle: AccountsHandle, accountId: string): Promise<number> {
  const { left } = await handle
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

function notOn(): AppError {
  return new AppError('conflict', 'Two-factor sign-in is not on.');
}
