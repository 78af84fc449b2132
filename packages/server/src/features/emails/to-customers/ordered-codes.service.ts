import type { Sql } from '#platform/db/database.ts';
import type { Email } from '#platform/email/mailer.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { findAccount } from '../accounts.queries.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { EmailState } from '../emails.schemas.ts';
import type { RedeemUrl } from '../redeem-url.ts';
import type { Senders } from '../senders.ts';
import { findDelivery } from '../sent-emails.queries.ts';
import { orderedEmail, orderedNote, orderLinkEmail, pageLink, type Sender, soldEmail } from './customer-emails.ts';
import { findKnown, type KnownCustomer } from './known-customers.queries.ts';
import { quietEmail } from './quiet-emails.ts';

interface Dependencies {
  emailQueue: SentEmails;
  redeemUrl: RedeemUrl;
  senders: Senders;
}

/** The codes that an order gave its customer. */
interface Ordered {
  /** That the caller keeps. */
  emailId: string;
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
   * Queued in the caller's transaction, an email for each order.
   * @returns false when the account is closed, and nobody is emailed in its name.
   */
  async queue(handle: Sql, developerId: string, orders: readonly Ordered[]): Promise<boolean> {
    const { emailQueue, redeemUrl, senders } = this.#deps;
    const account = await findAccount(handle, developerId);
    if (!account) return false;
    const known = await findKnown(
      handle,
      developerId,
      orders.map(({ email }) => email),
    );
    const from = { seller: account.email, sender: senders.of(account), url: await redeemUrl(handle, developerId) };
    const about = { kind: 'order', developerId, unasked: true } as const;
    const emails = orders.map((order) => {
      const customer = known.get(emailKey(order.email));
      return { id: order.emailId, email: emailOf(order, customer, from), about };
    });
    await emailQueue.queueAll(handle, emails);
    return true;
  }

  /** The codes of an order in a few plain lines, for a note that the developer's own shop gives its customer. */
  async noteText(handle: Sql, developerId: string, order: Omit<Ordered, 'emailId'>): Promise<string> {
    const { number, email, language, codes } = order;
    const customer = (await findKnown(handle, developerId, [email])).get(emailKey(email));
    const read = customer?.language ?? language;
    const [first, ...others] = codes;
    const opens: Record<string, string> = first && others.length === 0 ? { serial: first.code } : {};
    const link = pageLink(await this.#deps.redeemUrl(handle, developerId), read, opens);
    return orderedNote(read, { number, codes }, link);
  }

  /** Queues the email with the link to an order's codes, which was requested with the order’s number and address. */
  async queueLink(
    handle: Sql,
    developerId: string,
    to: { email: string; language: Language | null },
    token: string,
  ): Promise<void> {
    const { emailQueue, redeemUrl, senders } = this.#deps;
    const account = await findAccount(handle, developerId);
    if (!account) return;
    const known = (await findKnown(handle, developerId, [to.email])).get(emailKey(to.email));
    const link = pageLink(await redeemUrl(handle, developerId), to.language, { codes: token });
    const message = known?.came
      ? orderLinkEmail(to, senders.of(account), link)
      : quietEmail('orderLink', to, { seller: account.email, link });
    await emailQueue.queue(handle, message, { kind: 'order_link', developerId });
  }

  linksSince(handle: Sql, developerId: string, email: string, since: Date): Promise<number> {
    return this.#deps.emailQueue.countSince(handle, { developerId, kind: 'order_link', to: email, since });
  }

  /** The recipients and delivery states of those emails. */
  delivery(handle: Sql, emailIds: readonly string[]): Promise<Map<string, { address: string; state: EmailState }>> {
    return findDelivery(handle, emailIds);
  }
}

function emailOf(
  { number, email, language, codes }: Ordered,
  customer: KnownCustomer | undefined,
  { seller, sender, url }: { seller: string; sender: Sender; url: string },
): Email {
  const to = { email, language: customer?.language ?? language };
  const [first, ...others] = codes;
  const single = first && others.length === 0 ? first : null;
  const link = pageLink(url, to.language, { ...(single ? { serial: single.code } : {}), email });
  if (!customer?.came) return quietEmail(single ? 'sold' : 'ordered', to, { seller, link, bought: codes });
  return single
    ? soldEmail(to, { ...single, developer: sender.brand.name }, sender, link)
    : orderedEmail(to, { number, codes }, sender, link);
}
