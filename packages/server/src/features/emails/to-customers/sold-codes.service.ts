import { nameOf } from '#features/accounts';
import { came } from '#features/customers';
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
import { quietEmail } from './quiet-emails.ts';

interface Dependencies {
  emailQueue: SentEmails;
  redeemUrl: RedeemUrl;
  senders: Senders;
}

interface Sold {
  developerId: string;
  developer: string;
  resellerId: string;
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
  async queue(sql: Sql, emailId: string, sale: Sold): Promise<void> {
    const { emailQueue, redeemUrl } = this.#deps;
    const { developerId, email, code } = sale;
    const known = await tables
      .in(sql)
      .selectFrom('customers as c')
      .select(['c.language', came('c').as('came')])
      .where('c.developer_id', '=', developerId)
      .where('c.email_key', '=', emailKey(email))
      .executeTakeFirst();
    const language = known?.language ?? sale.language ?? null;
    const link = pageLink(await redeemUrl(sql, developerId), language, { serial: code, email });
    const { from, address: seller } = await this.#seller(sql, sale.resellerId);
    const message = known?.came
      ? soldEmail({ email, language }, sale, from, link)
      : quietEmail('sold', { email, language }, { seller, link, code });
    await emailQueue.queueAll(sql, [{ id: emailId, email: message, about: { kind: 'sale', developerId } }]);
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
