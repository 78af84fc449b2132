import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import type { OpenedSession } from '#platform/access/session-tokens.ts';
import { type Clock, MINUTE, SECOND } from '#platform/clock.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import { AppError } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { addressOf } from '#platform/network/addresses.ts';
import { type Device, deviceName } from '#platform/network/device.ts';
import type { Random } from '#platform/random.ts';
import { looksLikeCredential, newCredential } from '#platform/secrets/credentials.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import { plainMachineName } from '#platform/text/machine-name.ts';
import { newUserCode, shownUserCode } from '#platform/text/user-code.ts';
import { terminalSignInEmail } from '../account-emails/security-emails.ts';
import { lockAccount } from '../credentials/lock-account.ts';
import type { Sessions } from '../credentials/sessions.ts';
import { limits as policies } from '../limits.ts';
import { accountViewOf } from '../sign-in/account-view.ts';
import type { AccountView } from '../sign-in/sign-in.schemas.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import * as q from './device-sign-ins.queries.ts';

const PREFIX = 'tnr_dvc_';
const PURPOSE = 'device sign-in';
const LIFETIME = 10 * MINUTE;
/** An expired sign-in is kept so long, so that its terminal hears that it has expired. */
const KEPT = 10 * MINUTE;
/** Seconds between two polls, and by how many a terminal that polls sooner is slowed down each time. */
const INTERVAL = 5;
const SLOWEST = 60;
/** That wait for an answer, of all terminals: strangers start them, and each is a row. */
const MOST = 20_000;

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  limits: RateLimits;
  emailQueue: EmailQueue;
  sessions: Sessions;
  publicUrl: string;
}

interface Finished {
  session: OpenedSession;
  user: AccountView;
}

/**
 * Signing in without a password in the terminal (RFC 8628): it shows a code, which its owner confirms in a browser where they are
 * signed in, while the terminal asks with a secret of its own whether that has happened.
 */
export class DeviceSignIns {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} busy when more terminals are waiting than people can be answering. */
  async start(machine: string | undefined, device: Device, country: string | null) {
    const { db, clock, random, publicUrl } = this.#deps;
    const now = clock.now();
    if ((await q.countPending(db, now)) >= MOST)
      throw new AppError('busy', 'Too many terminals are signing in at the moment. Try again in a few minutes.', {
        retryAfter: 60,
      });
    const [deviceCode, userCode] = [newCredential(PREFIX, random), newUserCode(random)];
    await q.addSignIn(db, {
      id: random.id(),
      device_code_hash: sha256(deviceCode),
      user_code_hash: this.#hashOf(userCode),
      machine: machine === undefined ? null : plainMachineName(machine),
      user_agent: device.userAgent?.slice(0, 500) ?? null,
      ip: device.ip,
      country,
      interval_seconds: INTERVAL,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFETIME),
    });
    const shown = shownUserCode(userCode);
    return {
      device_code: deviceCode,
      user_code: shown,
      verification_uri: `${publicUrl}/device`,
      verification_uri_complete: `${publicUrl}/device?code=${shown}`,
      expires_in: LIFETIME / SECOND,
      interval: INTERVAL,
    };
  }

  /**
   * The terminal asks. Works once: afterwards its code is unknown.
   * @throws {AppError} authorization_pending, slow_down, access_denied, expired_token or invalid_grant.
   */
  async finish(deviceCode: string, device: Device): Promise<Finished> {
    if (!looksLikeCredential(PREFIX, deviceCode)) throw unknownCode();
    const hash = sha256(deviceCode);
    const polled = await this.#deps.db.work({ tx: true }, (tx) => this.#notePoll(tx, hash));
    if (polled.state === 'expired') throw new AppError('expired_token', 'The code has expired. Start again.');
    if (polled.state === 'denied') throw new AppError('access_denied', 'The sign-in was denied in the browser.');
    if (polled.state === 'approved') return this.#open(polled, device);
    if (polled.early) throw new AppError('slow_down', `Wait ${polled.interval} seconds between two calls.`);
    throw new AppError('authorization_pending', 'The code has not been confirmed in the browser yet.');
  }

  /** The sign-in behind a code, for its owner to compare. */
  async find(caller: Principal, userCode: string, from: Device) {
    const now = this.#deps.clock.now();
    const row = await this.#counted(caller, () =>
      q.findShown(this.#deps.db, this.#hashOf(userCode), caller.credentialId, now),
    );
    const { user_agent, ...rest } = row;
    return {
      ...rest,
      user_code: shownUserCode(userCode),
      device: deviceName(user_agent),
      same_network: addressOf(row.ip) === addressOf(from.ip),
      expires_in: Math.ceil((row.expires_at.getTime() - now.getTime()) / SECOND),
    };
  }

  /**
   * The owner of an account answers. What was approved ends with the session that approved it, until the terminal has taken it up.
   * Answering the same again changes nothing.
   */
  async answer(caller: Principal, userCode: string, answer: 'approved' | 'denied'): Promise<void> {
    const { db, clock, limits } = this.#deps;
    if (answer === 'approved') await limits.take(policies.sign_ins, `${caller.accountId} code`);
    await this.#counted(caller, () =>
      db.work({ tx: true }, async (tx) => {
        await lockAccount(tx, caller);
        return q.answer(tx, this.#hashOf(userCode), { answer, sessionId: caller.credentialId }, clock.now());
      }),
    );
  }

  /** Hourly: deletes those whose terminals have heard that they expired. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    await q.deleteExpired(db, new Date(clock.now().getTime() - KEPT));
  }

  async #notePoll(tx: AccountsHandle, hash: Buffer) {
    const now = this.#deps.clock.now();
    const row = await q.lockByDeviceCode(tx, hash);
    if (!row) throw unknownCode();
    const { interval_seconds, polled_at, expires_at, ...rest } = row;
    const early = polled_at !== null && now.getTime() < polled_at.getTime() + interval_seconds * SECOND;
    const interval = early ? Math.min(interval_seconds + INTERVAL, SLOWEST) : interval_seconds;
    await q.notePoll(tx, row.id, now, interval);
    // a sign-in that was approved in the last moment still waits for the next poll
    const end = expires_at.getTime() + (row.state === 'approved' ? SLOWEST * SECOND : 0);
    return { ...rest, early, interval, state: now.getTime() >= end ? ('expired' as const) : row.state };
  }

  /** Opens the session that was approved, unless the account has ended what approved it. */
  async #open(approved: { id: string; session_id: string | null; machine: string | null }, device: Device) {
    const { db, clock, sessions } = this.#deps;
    const approver = approved.session_id === null ? undefined : await q.approverOf(db, approved.session_id);
    if (!approver) throw unknownCode();
    const { user_id: accountId, id: credentialId } = approver;
    return db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, { kind: 'session', accountId, credentialId }).catch((error: unknown) => {
        throw error instanceof AppError ? unknownCode() : error;
      });
      const taken = await q.takeApproved(tx, approved.id);
      if (!taken) throw unknownCode();
      const account = await q.accountOf(tx, accountId);
      await this.#notifyOfNewTerminal(tx, account, { ...device, machine: taken.machine });
      const detail = taken.machine ?? deviceName(device.userAgent);
      await recordAudit(tx, accountId, { action: 'terminal_signed_in', at: clock.now(), detail });
      return {
        session: await sessions.open(tx, accountId, device, taken.machine),
        user: accountViewOf(account),
      };
    });
  }

  /** Not of a machine that is signed in already. */
  async #notifyOfNewTerminal(
    tx: AccountsHandle,
    account: { id: string; email: string; time_zone: string },
    device: Device & { machine: string | null },
  ): Promise<void> {
    const { clock, emailQueue, publicUrl } = this.#deps;
    if (await q.isSignedIn(tx, account.id, device)) return;
    const occasion = { to: account.email, timeZone: account.time_zone, device, at: clock.now(), publicUrl };
    await emailQueue.queue(tx, terminalSignInEmail(occasion, device.machine));
  }

  /**
   * Counts a code as a guess unless it is right: before it is looked up, so that simultaneous ones are counted too.
   * @throws {AppError} not_found, the same for one that is unknown, expired, or answered by somebody else.
   */
  async #counted<T>(caller: Principal, look: () => Promise<T | undefined>): Promise<T> {
    const { limits } = this.#deps;
    await limits.take(policies.user_codes, caller.accountId);
    const found = await look();
    if (found === undefined)
      throw new AppError(
        'not_found',
        'No terminal is waiting with this code. It may have expired: sign in again there.',
      );
    await limits.giveBack(policies.user_codes, caller.accountId);
    return found;
  }

  /** Under a key: eight characters alone could be tried out on what was read from a backup. */
  #hashOf(userCode: string): Buffer {
    return this.#deps.secrets.mac(userCode, PURPOSE);
  }
}

function unknownCode(): AppError {
  return new AppError('invalid_grant', 'The code is unknown, has been used, or is no longer valid. Start again.');
}
