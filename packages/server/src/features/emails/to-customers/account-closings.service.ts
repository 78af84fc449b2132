import type { DownloadProofs } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { RedeemUrl } from '../redeem-url.ts';
import type { EmailsDb } from '../tables.ts';
import * as q from './account-closings.queries.ts';
import { accountClosedEmail, pageLink } from './customer-emails.ts';
import { quietEmail } from './quiet-emails.ts';

/** Notifies the customers of a developer who has deleted the account. */
export const accountClosedJob = jobKind<{ developerId: string }>({
  name: 'account-closed',
  retryLimit: 12,
  retryDelay: 5,
  expireInSeconds: 3600,
});

interface Dependencies {
  db: EmailsDb;
  jobs: Jobs;
  emailQueue: SentEmails;
  redeemUrl: RedeemUrl;
  downloadProofs: DownloadProofs;
}

/** Notifies customers that their developer has deleted the account, and what that means for what they own. */
export class AccountClosings {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Begins in the transaction that deletes the account, while it still has a name. */
  async begin(sql: Sql, accountId: string): Promise<void> {
    const begun = await q.beginClosing(sql, accountId);
    if (begun) await this.#deps.jobs.enqueue(sql, accountClosedJob, { developerId: accountId });
  }

  /** The job: one batch per transaction. A repeat, even a concurrent one, continues where the last batch ended. */
  async run({ developerId }: { developerId: string }): Promise<void> {
    while (await this.#notifyBatch(developerId));
  }

  /** @returns whether there may be more. */
  #notifyBatch(developerId: string): Promise<boolean> {
    const { db, emailQueue, redeemUrl, downloadProofs } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const closing = await q.holdClosing(tx, developerId);
      if (!closing) return false;
      const customers = await q.nextCustomers(tx, developerId, closing);
      const url = await redeemUrl(tx, developerId);
      const emails = customers.flatMap(({ id: customerId, serials: owned, ...customer }) => {
        if (!owned) return [];
        const { email, language } = customer;
        const ids = owned.map(([, , id]) => id);
        const downloads = downloadProofs.signEmailed(developerId, ids, { customerId, email });
        if (!customer.proven)
          return [quietEmail('closed', customer, { maker: null, link: pageLink(url, language, { downloads, email }) })];
        const serials = owned.map(([product, code]): [string, string] => [product, code]);
        return [accountClosedEmail({ ...customer, serials }, closing.name, pageLink(url, language))];
      });
      await emailQueue.queueAll(
        tx,
        emails.map((email) => ({ email, about: { kind: 'account_closed', developerId, bulk: true } })),
      );
      const last = customers.at(-1);
      if (!last || customers.length < q.BATCH) {
        await q.endClosing(tx, developerId);
        return false;
      }
      await q.noteNotified(tx, developerId, last);
      return true;
    });
  }
}
