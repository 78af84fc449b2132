import type { EmailSwitches } from '#features/emails';
import type { Sql } from '#platform/db/database.ts';
import { mayCauseEmail } from '#platform/email/caused-emails.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { toDollars } from '#platform/money.ts';
import type { DealsDb } from '../tables.ts';
import { acceptedEmail, declinedEmail, newDealEmail, requestedEmail } from './deal-emails.ts';
import { countOpen, countUnseen, findRequest } from './deal-requests.queries.ts';
import type { DealsEvent } from './deal-requests.schemas.ts';
import { findDeal, presentResellerOf } from './partners.queries.ts';

/** What an email is about: a request, its answer, or a batch. */
export type DealEmail = RequestEmail | { developerId: string; batchId: string };

interface RequestEmail {
  developerId: string;
  requestId: string;
  about: 'request' | 'answer';
}

export const dealEmailJob = jobKind<DealEmail>({
  name: 'deal-notice',
  retryLimit: 5,
  retryDelay: 5,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
  isEmail: true,
});

interface Dependencies {
  db: DealsDb;
  jobs: Jobs;
  limits: RateLimits;
  emailQueue: EmailQueue;
  emailSwitches: EmailSwitches;
  events: Publisher<DealsEvent>;
  publicUrl: string;
}

/** Emails and live events about deals. */
export class DealEmails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Emails the recipient. A job does it, because emails per recipient are counted outside of the transaction. */
  async email(sql: Sql, notice: DealEmail): Promise<void> {
    await this.#deps.jobs.enqueueAll(sql, dealEmailJob, [notice]);
  }

  /** Reports to the open pages of both sides that something has changed. */
  async publish(sql: Sql, { developerId, resellerId }: { developerId: string; resellerId: string }): Promise<void> {
    const { events } = this.#deps;
    const developer = { type: 'deals' as const, data: { pending: await countOpen(sql, developerId) } };
    const reseller = { type: 'deals' as const, data: { pending: await countUnseen(sql, resellerId) } };
    await events.publish(sql, developerId, developer);
    await events.publish(sql, resellerId, reseller);
  }

  /** The job. */
  async run(notice: DealEmail): Promise<void> {
    if ('requestId' in notice) await this.#aboutRequest(notice);
    else await this.#aboutDeal(notice.developerId, notice.batchId);
  }

  /** A request that was answered before its email was sent has that of its answer only. */
  async #aboutRequest({ developerId, requestId, about }: RequestEmail): Promise<void> {
    const { db, publicUrl } = this.#deps;
    const request = await findRequest(db, { developerId }, requestId);
    const resellerId = request && (await presentResellerOf(db, developerId, request.reseller_id));
    if (!resellerId) return;
    if (request.is_open) {
      await this.#send({ from: resellerId, to: developerId }, (to) =>
        requestedEmail({ ...to, request, url: `${publicUrl}/dashboard/resellers` }),
      );
    } else if (about !== 'request' && (request.status === 'accepted' || request.status === 'declined')) {
      const compose = request.status === 'accepted' ? acceptedEmail : declinedEmail;
      await this.#send({ from: developerId, to: resellerId }, (to) =>
        compose({ ...to, request, url: `${publicUrl}/reseller/my-deals` }),
      );
    }
  }

  async #aboutDeal(developerId: string, batchId: string): Promise<void> {
    const { db, publicUrl } = this.#deps;
    const deal = await findDeal(db, developerId, batchId);
    if (!deal) return;
    const { reseller_id, price_cents, ...terms } = deal;
    await this.#send({ from: developerId, to: reseller_id }, (to) =>
      newDealEmail({ ...to, deal: { ...terms, price: toDollars(price_cents) }, url: `${publicUrl}/reseller/my-deals` }),
    );
  }

  /** Unless the account has turned it off, or had too many of the other one today: nobody's mailbox is filled by a partner. */
  async #send(
    { from, to }: { from: string; to: string },
    compose: (to: { to: string; timeZone: string; unsubscribeUrl: string }) => Parameters<EmailQueue['queue']>[1],
  ): Promise<void> {
    const { db, limits, emailQueue, emailSwitches } = this.#deps;
    const reached = await emailSwitches.recipientOf(db, to, 'deals');
    if (!reached || !(await mayCauseEmail(limits, from, reached.email))) return;
    await db.work({ tx: true }, async (tx) => {
      const account = await emailSwitches.recipientOf(tx, to, 'deals');
      if (!account) return;
      const { email, timeZone, unsubscribeUrl } = account;
      await emailQueue.queue(tx, compose({ to: email, timeZone, unsubscribeUrl }));
    });
  }
}
