import { accountName } from '#features/accounts';
import { CAME, type DownloadProofs, PROVEN } from '#features/customers';
import type { Database, Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Language } from '#platform/text/languages.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { RedeemUrl } from '../emails.service.ts';
import { accountClosedEmail, pageLink } from './customer-emails.ts';
import { quietEmail } from './quiet-emails.ts';

const BATCH = 500;
/** Of one customer, in one email. */
const MOST_SERIALS = 20;

/** Notifies the customers of a developer who has deleted the account. */
export const accountClosedJob = jobKind<{ developerId: string }>({
  name: 'account-closed',
  retryLimit: 12,
  retryDelay: 5,
  expireInSeconds: 3600,
});

interface Dependencies {
  db: Database;
  jobs: Jobs;
  emailQueue: SentEmails;
  redeemUrl: RedeemUrl;
  downloadProofs: DownloadProofs;
}

interface Closing {
  name: string;
  told_created_at: Date | null;
  told_id: string | null;
}

interface CustomerRow {
  id: string;
  email: string;
  created_at: Date;
  name: string;
  language: Language | null;
  proven: boolean;
  /** Product, code and id of each; null for a customer who is not notified. */
  serials: [string, string, string][] | null;
}

/** Notifies customers that their developer has deleted the account, and what that means for what they own. */
export class AccountClosings {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** In the transaction that deletes the account, while it still has a name. */
  async begin(sql: Sql, userId: string): Promise<void> {
    const made = await sql.query(
      `insert into account_closings (developer_id, name, verified)
       select u.id, ${accountName('u')}, u.email_verified_at is not null
       from users u where u.id = $1 and u.role = 'developer' returning developer_id`,
      [userId],
    );
    if (made.length > 0) await this.#deps.jobs.enqueue(sql, accountClosedJob, { developerId: userId });
  }

  /** The job: one batch per transaction. A repeat, even a concurrent one, continues where the last batch ended. */
  async run({ developerId }: { developerId: string }): Promise<void> {
    while (await this.#tellBatch(developerId));
  }

  /** @returns whether there may be more. */
  #tellBatch(developerId: string): Promise<boolean> {
    const { db, emailQueue, redeemUrl, downloadProofs } = this.#deps;
    return db.transaction(async (tx) => {
      const [closing] = await tx.query<Closing>('select * from account_closings where developer_id = $1 for update', [
        developerId,
      ]);
      if (!closing) return false;
      const customers = await tx.query<CustomerRow>(NEXT, [developerId, closing.told_created_at, closing.told_id]);
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
        emails.map((mail) => ({ mail, about: { kind: 'account_closed', developerId, bulk: true } })),
      );
      const last = customers.at(-1);
      if (!last || customers.length < BATCH) {
        await tx.query('delete from account_closings where developer_id = $1', [developerId]);
        return false;
      }
      await tx.query('update account_closings set told_created_at = $2, told_id = $3 where developer_id = $1', [
        developerId,
        last.created_at,
        last.id,
      ]);
      return true;
    });
  }
}

/**
 * Customers in order of creation, with the serials they own and can use. Only those who came by themselves are notified: others have
 * never dealt with us, and importing addresses and then deleting the account must not be a way to send email to anybody. Nor must
 * redeeming in their names be one: whoever has followed no link of ours learns it in our words.
 */
const NEXT = `
  select c.id, c.email, c.created_at, concat_ws(' ', c.first_name, c.last_name) as name, c.language, ${PROVEN} as proven, o.serials
  from (
    select * from customers c
    where developer_id = $1 and ${listOf('c')} and erased_at is null and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid))
    order by created_at, id limit ${BATCH}
  ) c
  left join lateral (
    select json_agg(json_build_array(owned.product, owned.code, owned.id)) as serials
    from (
      select p.name as product, s.code, s.id
      from serials s join batches b on b.developer_id = s.developer_id and b.id = s.batch_id
        join products p on p.developer_id = b.developer_id and p.id = b.product_id
      where s.developer_id = c.developer_id and s.customer_id = c.id and s.redeemed_at is not null
        and s.revoked_at is null and p.deleted_at is null
      order by s.redeemed_at desc, s.id desc limit ${MOST_SERIALS}
    ) owned
  ) o on ${CAME}
  order by c.created_at, c.id`;
