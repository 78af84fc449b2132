import { came } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { findAccount } from '../accounts.queries.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { EmailState } from '../emails.schemas.ts';
import type { RedeemUrl } from '../redeem-url.ts';
import type { Senders } from '../senders.ts';
import { findDelivery } from '../sent-emails.queries.ts';
import { tables } from '../tables.ts';
import { orderedEmail, orderLinkEmail, pageLink, soldEmail } from './customer-emails.ts';
import { quietEmail } from './quiet-emails.ts';

interface Dependencies {
  emailQueue: SentEmails;
  redeemUrl: RedeemUrl;
  senders: Senders;
}

/** What an order gave its customer. */
interface Ordered {
  developerId: string;
  /** As the shop calls the order. */
  number: string;
  email: string;
  language: Language | null;
  codes: readonly { product: string; code: string; redeemBy: Date | null }[];
}

/**
 * The codes of an order in the developer's own shop, emailed to the customer: in the developer's name to customers who came, in our words and
 * with the names of what they bought to others. The shop asked nobody for a limit, so that what is too much for one address is held back, and the log shows it.
 */
export class OrderedCodes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Queued in the caller's transaction, under an id that the caller keeps.
   * @returns false when the account is closed, and nobody is emailed in its name.
   */
  async queue(handle: Sql, emailId: string, order: Ordered): Promise<boolean> {
    const { emailQueue, redeemUrl, senders } = this.#deps;
    const { developerId, email, codes, number } = order;
    const account = await findAccount(handle, developerId);
    const [first] = codes;
    if (!account || !first) return false;
    const known = await tables
      .in(handle)
      .selectFrom('customers as c')
      .select(['c.language', came('c').as('came')])
      .where('c.developer_id', '=', developerId)
      .where('c.email_key', '=', emailKey(email))
      .executeTakeFirst();
    const to = { email, language: known?.language ?? order.language };
    const single = codes.length === 1;
    const opens = { ...(single ? { serial: first.code } : {}), email };
    const link = pageLink(await redeemUrl(handle, developerId), to.language, opens);
    const sender = senders.of(account);
    const message = !known?.came
      ? quietEmail(single ? 'sold' : 'ordered', to, { seller: account.email, link, bought: codes })
      : single
        ? soldEmail(to, { ...first, developer: sender.brand.name }, sender, link)
        : orderedEmail(to, { number, codes }, sender, link);
    const about = { kind: 'order', developerId, unasked: true } as const;
    await emailQueue.queueAll(handle, [{ id: emailId, email: message, about }]);
    return true;
  }

  /** The link to the codes of an order, for whoever has asked with the order’s number and address. */
  async queueLink(
    handle: Sql,
    developerId: string,
    to: { email: string; language: Language | null },
    token: string,
  ): Promise<void> {
    const { emailQueue, redeemUrl, senders } = this.#deps;
    const account = await findAccount(handle, developerId);
    if (!account) return;
    const known = await tables
      .in(handle)
      .selectFrom('customers as c')
      .select(came('c').as('came'))
      .where('c.developer_id', '=', developerId)
      .where('c.email_key', '=', emailKey(to.email))
      .executeTakeFirst();
    const link = pageLink(await redeemUrl(handle, developerId), to.language, { codes: token });
    const message = known?.came
      ? orderLinkEmail(to, senders.of(account), link)
      : quietEmail('orderLink', to, { seller: account.email, link });
    await emailQueue.queue(handle, message, { kind: 'order_link', developerId });
  }

  linksSince(handle: Sql, developerId: string, email: string, since: Date): Promise<number> {
    return this.#deps.emailQueue.countSince(handle, { developerId, kind: 'order_link', to: email, since });
  }

  /** Where those emails went, and how far they came. */
  delivery(handle: Sql, emailIds: readonly string[]): Promise<Map<string, { address: string; state: EmailState }>> {
    return findDelivery(handle, emailIds);
  }
}
