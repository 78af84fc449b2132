import { nameOf } from '#features/accounts';
import type { Sql } from '#platform/db/database.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { EmailState } from '../emails.schemas.ts';
import type { RedeemUrl } from '../redeem-url.ts';
import type { Senders } from '../senders.ts';
import { findDelivery } from '../sent-emails.queries.ts';
import { tables } from '../tables.ts';
import { pageLink, type Sender, soldEmail } from './customer-emails.ts';
import { findKnown } from './known-customers.queries.ts';
import { quietEmail } from './quiet-emails.ts';

interface Dependencies {
  emailQueue: SentEmails;
  redeemUrl: RedeemUrl;
  senders: Senders;
}

interface Sold {
  /** That the caller keeps. */
  emailId: string;
  developerId: string;
  developer: string;
  product: string;
  code: string;
  redeemBy: Date | null;
  email: string;
  language: Language | undefined;
}

/**
 * Codes that resellers sell by hand, emailed to their customers: in the reseller's name to those that the developer knows, in
 * our words to others.
 */
export class SoldCodes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The developer's, who reads what customers were sent in their name, is not told: these are another's customers. */
  async queue(sql: Sql, resellerId: string, sales: readonly Sold[]): Promise<void> {
    if (sales.length === 0) return;
    const { emailQueue, redeemUrl } = this.#deps;
    const { from, address: seller } = await this.#seller(sql, resellerId);
    for (const [developerId, some] of Map.groupBy(sales, (sale) => sale.developerId)) {
      const known = await findKnown(
        sql,
        developerId,
        some.map(({ email }) => email),
      );
      const url = await redeemUrl(sql, developerId);
      const emails = some.map(({ emailId, email, ...sale }) => {
        const customer = known.get(emailKey(email));
        const to = { email, language: customer?.language ?? sale.language ?? null };
        const link = pageLink(url, to.language, { serial: sale.code, email });
        const message = customer?.came
          ? soldEmail(to, sale, from, link)
          : quietEmail('sold', to, { seller, link, code: sale.code });
        return { id: emailId, email: message, about: { kind: 'sale' as const, developerId } };
      });
      await emailQueue.queueAll(sql, emails);
    }
  }

  async delivery(sql: Sql, emailIds: readonly string[]): Promise<Map<string, { address: string; state: EmailState }>> {
    return findDelivery(sql, emailIds);
  }

  async link(sql: Sql, developerId: string, code: string): Promise<string> {
    return pageLink(await this.#deps.redeemUrl(sql, developerId), null, { serial: code });
  }

  async #seller(sql: Sql, resellerId: string): Promise<{ from: Sender; address: string }> {
    const row = await tables
      .in(sql)
      .selectFrom('users as u')
      .select([nameOf('u').as('name'), 'u.email', 'u.brand_color', 'u.logo_url', 'u.support_email', 'u.support_url'])
      .where('u.id', '=', resellerId)
      .executeTakeFirstOrThrow();
    return { from: this.#deps.senders.named(row.name, row), address: row.email };
  }
}
