import { type Clock, DAY, HOUR } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Email, EmailQueue } from '#platform/email/mailer.ts';
import { AppError } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { base62, type Random } from '#platform/random.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { limits as policies } from '../limits.ts';
import type { AccountsDb, AccountsHandle } from '../tables.ts';
import { accountExistsEmail, resetEmail, verificationEmail } from './link-emails.ts';

/** A request for an email to an address that someone entered. The job looks up whether it has an account. */
interface Request {
  kind: 'reset' | 'verify' | 'exists';
  email: string;
}

export type EmailKind = Request['kind'];

export const accountEmailJob = jobKind<Request>({
  name: 'account-email',
  retryLimit: 5,
  retryDelay: 5,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
  isEmail: true,
});

const RESET_LIFETIME = HOUR;
const VERIFICATION_LIFETIME = 7 * DAY;

interface Dependencies {
  db: AccountsDb;
  clock: Clock;
  random: Random;
  jobs: Jobs;
  emailQueue: EmailQueue;
  limits: RateLimits;
  publicUrl: string;
}

interface Recipient {
  id: string;
  email: string;
  verified: boolean;
}

/** Emails that anybody can have sent by typing in an address. */
export class AccountEmails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Takes the request and looks nothing up. A job finds out whether the address has an account, so that neither the
   * answer nor the time it takes depends on that.
   */
  async request(sql: Sql, kind: EmailKind, email: string): Promise<void> {
    await this.#deps.jobs.enqueue(sql, accountEmailJob, { kind, email: emailKey(email) });
  }

  /** The job. Sends nothing to an address without an account, or that needs no such email. */
  async send({ kind, email }: Request): Promise<void> {
    // registering the same address over and over must not fill its owner's mailbox
    if (kind === 'exists' && !(await this.#mayNotify(email))) return;
    const { db, emailQueue } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const account = await tx
        .selectFrom('users')
        .select(['id', 'email'])
        .select((eb) => eb('email_verified_at', 'is not', null).$castTo<boolean>().as('verified'))
        .where('email_key', '=', email)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!account) return;
      const message = await this.#compose(tx, kind, account);
      if (message) await emailQueue.queue(tx, message);
    });
  }

  /** Hourly: deletes links that are too old to be followed. */
  async expireLinks(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    for (const table of ['password_resets', 'email_verifications'] as const)
      await db.deleteFrom(table).where('expires_at', '<=', now).execute();
  }

  async #compose(sql: AccountsHandle, kind: EmailKind, account: Recipient): Promise<Email | null> {
    const { publicUrl } = this.#deps;
    if (kind === 'exists') return accountExistsEmail(account.email, publicUrl, account.verified);
    if (kind === 'reset') {
      const token = await this.#link(sql, 'password_resets', account.id, RESET_LIFETIME);
      return resetEmail(account.email, `${publicUrl}/reset-password?token=${token}`);
    }
    if (account.verified) return null;
    const token = await this.#link(sql, 'email_verifications', account.id, VERIFICATION_LIFETIME);
    return verificationEmail(account.email, `${publicUrl}/verify-email?token=${token}`, publicUrl);
  }

  /** @returns the secret of a new link. Only its hash is stored. */
  async #link(
    sql: AccountsHandle,
    table: 'password_resets' | 'email_verifications',
    accountId: string,
    lifetime: number,
  ): Promise<string> {
    const { clock, random } = this.#deps;
    const secret = base62(random, 40);
    const now = clock.now();
    await sql
      .insertInto(table)
      .values({
        id: random.id(),
        user_id: accountId,
        token_hash: sha256(secret),
        created_at: now,
        expires_at: new Date(now.getTime() + lifetime),
      })
      .execute();
    return secret;
  }

  async #mayNotify(email: string): Promise<boolean> {
    try {
      await this.#deps.limits.take(policies.account_email, `exists ${email}`);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return false;
      throw error;
    }
  }
}
