import type { Sql } from '#platform/db/database.ts';
import type { Email } from '#platform/email/mailer.ts';
import { findAccount, nameOfAccount } from './accounts.queries.ts';
import type { About, SentEmails } from './email-queue.service.ts';
import { type Redeemed, redeemedEmail, resaleEmail } from './to-accounts/redemption-emails.ts';
import { findWantingReseller } from './to-accounts/wanting-reseller.queries.ts';
import type { CustomerEmails, PurchaseFact } from './to-customers/customer-emails.service.ts';
import { findReader } from './to-customers/purchase.queries.ts';
import type { Unsubscribing } from './unsubscribe/unsubscribe.service.ts';

interface Dependencies {
  emailQueue: SentEmails;
  customerEmails: CustomerEmails;
  unsubscribing: Unsubscribing;
  publicUrl: string;
}

interface RedeemedFact extends PurchaseFact, Omit<Redeemed, 'name'> {
  /** Set when a reseller sold the serial. */
  resale: { partnershipId: string; commissionCents: number } | null;
}

/** Reports a redemption to everybody concerned, in the transaction of the redemption. */
export class RedemptionEmails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Emails the customer, and the developer and the reseller if they want an email per redemption. Daily emails are left to the
   * digest.
   */
  async redeemed(handle: Sql, fact: RedeemedFact): Promise<void> {
    const { emailQueue, customerEmails, publicUrl, unsubscribing } = this.#deps;
    const { developerId } = fact;
    const account = await findAccount(handle, developerId);
    if (!account) return;
    const toDeveloper = account.notify_redemptions && account.redemption_emails === 'each';
    const reseller = fact.resale
      ? await findWantingReseller(handle, developerId, fact.resale.partnershipId)
      : undefined;
    if (!toDeveloper && !account.send_customer_emails && !reseller) return;
    const reader = await findReader(handle, fact);
    const sale = { ...fact, name: reader.name };
    const queued: { email: Email; about: About }[] = [];
    if (account.send_customer_emails) {
      const email = await customerEmails.purchaseEmail(handle, fact, reader, account);
      queued.push({ email, about: { kind: 'redemption', developerId, unasked: true } });
    }
    if (toDeveloper) {
      const page = `${publicUrl}/dashboard/customers`;
      const unsubscribeUrl = unsubscribing.url(developerId, 'redemptions');
      const email = redeemedEmail(account.email, sale, { page, unsubscribeUrl });
      queued.push({ email, about: { kind: 'developer_redemptions', developerId } });
    }
    if (reseller && fact.resale) {
      const page = `${publicUrl}/reseller/transactions`;
      const unsubscribeUrl = unsubscribing.url(reseller.id, 'redemptions');
      const resale = { ...sale, developer: nameOfAccount(account), commissionCents: fact.resale.commissionCents };
      const email = resaleEmail(reseller.email, resale, { page, unsubscribeUrl });
      queued.push({ email, about: { kind: 'reseller_redemptions', developerId: null } });
    }
    await emailQueue.queueAll(handle, queued);
  }
}
