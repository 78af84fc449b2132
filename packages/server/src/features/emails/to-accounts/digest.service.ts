import type { Clock } from '#platform/clock.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { EmailsDb } from '../tables.ts';
import type { Unsubscribing } from '../unsubscribe/unsubscribe.service.ts';
import * as q from './digest.queries.ts';
import { digestEmail, resellerDigestEmail } from './redemption-emails.ts';

export const dailyDigestJob = jobKind({
  name: 'daily-digest',
  cron: '3 * * * *',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 600,
});

interface Dependencies {
  db: EmailsDb;
  clock: Clock;
  emailQueue: SentEmails;
  unsubscribing: Unsubscribing;
  publicUrl: string;
}

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
    for (const id of await q.findDue(db, now)) {
      await this.#queueDigest(id, now).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} daily emails could not be queued`);
  }

  /** The row decides who sends it: the second of two workers finds that it is no longer due. */
  async #queueDigest(id: string, now: Date): Promise<void> {
    const { db, emailQueue, unsubscribing, publicUrl } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const due = await q.holdDue(tx, id, now);
      if (!due) return;
      await q.noteDigested(tx, id, due.midnight);
      const period = q.periodOf(due);
      const unsubscribeUrl = unsubscribing.url(id, 'redemptions');
      if (due.role === 'developer') {
        const digest = await q.developerDigest(tx, id, period);
        if (digest.redemptions === 0) return;
        const email = digestEmail(due.email, digest, { page: `${publicUrl}/dashboard/analytics`, unsubscribeUrl });
        await emailQueue.queue(tx, email, { kind: 'developer_redemptions', developerId: id });
      } else {
        const digest = await q.resellerDigest(tx, id, period);
        if (digest.redemptions === 0) return;
        const links = { page: `${publicUrl}/reseller/transactions`, unsubscribeUrl };
        const email = resellerDigestEmail(due.email, digest, links);
        await emailQueue.queue(tx, email, { kind: 'reseller_redemptions', developerId: null });
      }
    });
  }
}
