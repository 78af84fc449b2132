import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import type { EmailSwitches } from '#features/emails';
import { SEEN_BY_RESELLERS } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
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
    const resellerId = request && (await this.#resellerOf(developerId, request.reseller_id));
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

  /** The account behind a partnership that has not ended. */
  async #resellerOf(developerId: string, partnershipId: string): Promise<string | null> {
    const partnership = await this.#deps.db
      .selectFrom('partnerships')
      .select('reseller_id')
      .where('developer_id', '=', developerId)
      .where('id', '=', partnershipId)
      .where('status', '<>', 'ended')
      .executeTakeFirst();
    return partnership?.reseller_id ?? null;
  }

  async #aboutDeal(developerId: string, batchId: string): Promise<void> {
    const { db, publicUrl } = this.#deps;
    const { rows } = await sql<Deal>`
      select t.reseller_id, p.name as product_name, ${nameOf('u')} as developer_name, u.time_zone as developer_time_zone,
        b.promo_price_cents as price_cents, b.quantity, b.promo_start, b.promo_expires, b.expires_at
      from batches b join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id) and t.status = 'active'
        join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) and ${SEEN_BY_RESELLERS}
        join users u on u.id = b.developer_id
      where b.developer_id = ${developerId} and b.id = ${batchId} and b.promo_price_cents is not null`.execute(db);
    const [deal] = rows;
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

interface Deal extends Columns<'batches', 'quantity' | 'promo_start' | 'promo_expires' | 'expires_at'> {
  reseller_id: string;
  product_name: string;
  developer_name: string;
  developer_time_zone: string;
  price_cents: number;
}
