import { type Clock, DAY, HOUR } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import type { EmailQueue, Mail } from '#platform/email/mailer.ts';
import { AppError } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { base62, type Random } from '#platform/random.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { limits as policies } from '../limits.ts';
import { accountExistsEmail, resetEmail, verificationEmail } from './link-emails.ts';

/** Which email to send to an address that someone entered; whether it has an account is up to the job. */
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
  db: Database;
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
    if (kind === 'exists' && !(await this.#mayHear(email))) return;
    const { db, emailQueue } = this.#deps;
    await db.transaction(async (tx) => {
      const [user] = await tx.query<Recipient>(
        `select id, email, email_verified_at is not null as verified from users
         where email_key = $1 and deleted_at is null`,
        [email],
      );
      if (!user) return;
      const mail = await this.#compose(tx, kind, user);
      if (mail) await emailQueue.queue(tx, mail);
    });
  }

  /** Hourly: deletes links that are too old to be followed. */
  async expireLinks(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    await db.query('delete from password_resets where expires_at <= $1', [now]);
    await db.query('delete from email_verifications where expires_at <= $1', [now]);
  }

  async #compose(sql: Sql, kind: EmailKind, user: Recipient): Promise<Mail | null> {
    const { publicUrl } = this.#deps;
    if (kind === 'exists') return accountExistsEmail(user.email, publicUrl, user.verified);
    if (kind === 'reset') {
      const token = await this.#link(sql, 'password_resets', user.id, RESET_LIFETIME);
      return resetEmail(user.email, `${publicUrl}/reset-password?token=${token}`);
    }
    if (user.verified) return null;
    const token = await this.#link(sql, 'email_verifications', user.id, VERIFICATION_LIFETIME);
    return verificationEmail(user.email, `${publicUrl}/verify-email?token=${token}`, publicUrl);
  }

  /** @returns the secret of a new link. Only its hash is stored. */
  async #link(
    sql: Sql,
    table: 'password_resets' | 'email_verifications',
    userId: string,
    lifetime: number,
  ): Promise<string> {
    const { clock, random } = this.#deps;
    const secret = base62(random, 40);
    const now = clock.now();
    await sql.query(
      `insert into ${table} (id, user_id, token_hash, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
      [random.id(), userId, sha256(secret), now, new Date(now.getTime() + lifetime)],
    );
    return secret;
  }

  async #mayHear(email: string): Promise<boolean> {
    try {
      await this.#deps.limits.take(policies.account_email, `exists ${email}`);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return false;
      throw error;
    }
  }
}
