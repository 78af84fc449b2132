import type { Role } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { Unsubscribing } from '../unsubscribe/unsubscribe.service.ts';
import { developerDigest, periodOf, resellerDigest } from './digest.queries.ts';
import { digestEmail, resellerDigestEmail } from './redemption-emails.ts';

export const dailyDigestJob = jobKind({
  name: 'daily-digest',
  cron: '3 * * * *',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 600,
});

interface Dependencies {
  db: Database;
  clock: Clock;
  emailQueue: SentEmails;
  unsubscribing: Unsubscribing;
  publicUrl: string;
}

interface Due {
  role: Role;
  email: string;
  time_zone: string;
  digested_until: Date | null;
  midnight: Date;
}

const MIDNIGHT = `(date_trunc('day', $1::timestamptz at time zone u.time_zone) at time zone u.time_zone)`;
const IS_DUE = `u.deleted_at is null and u.notify_redemptions and u.redemption_emails = 'daily'
  and extract(hour from $1::timestamptz at time zone u.time_zone) = 8
  and (u.digested_until is null or u.digested_until < ${MIDNIGHT})`;

/**
 * One email a day, at eight in the morning of the account, about the redemptions up to its last midnight: a developer's
 * own, and those of serials that a reseller sold.
 */
export class Digests {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Hourly. An account that fails is tried again by the next run; the others are not kept from theirs. */
  async run(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const failures: unknown[] = [];
    for (const { id } of await db.query<{ id: string }>(`select u.id from users u where ${IS_DUE}`, [now])) {
      await this.#tell(id, now).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} daily emails could not be queued`);
  }

  /** The row decides who sends it: the second of two workers finds that it is no longer due. */
  async #tell(id: string, now: Date): Promise<void> {
    const { db, emailQueue, unsubscribing, publicUrl } = this.#deps;
    await db.transaction(async (tx) => {
      const [due] = await tx.query<Due>(
        `with u as (select * from users where id = $2 for update)
         update users set digested_until = ${MIDNIGHT} from u where users.id = u.id and ${IS_DUE}
         returning u.role, u.email, u.time_zone, u.digested_until, users.digested_until as midnight`,
        [now, id],
      );
      if (!due) return;
      const period = periodOf(due);
      const unsubscribeUrl = unsubscribing.url(id, 'redemptions');
      if (due.role === 'developer') {
        const digest = await developerDigest(tx, id, period);
        if (digest.redemptions === 0) return;
        const mail = digestEmail(due.email, digest, { page: `${publicUrl}/dashboard/analytics`, unsubscribeUrl });
        await emailQueue.queue(tx, mail, { kind: 'developer_redemptions', developerId: id });
      } else {
        const digest = await resellerDigest(tx, id, period);
        if (digest.redemptions === 0) return;
        const links = { page: `${publicUrl}/reseller/transactions`, unsubscribeUrl };
        const mail = resellerDigestEmail(due.email, digest, links);
        await emailQueue.queue(tx, mail, { kind: 'reseller_redemptions', developerId: null });
      }
    });
  }
}
