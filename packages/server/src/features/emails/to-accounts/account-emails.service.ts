import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import { findAccount, nameOfAccount } from '../accounts.queries.ts';
import type { About, SentEmails } from '../email-queue.service.ts';
import type { Senders } from '../senders.ts';
import type { EmailsDb } from '../tables.ts';
import type { Unsubscribing } from '../unsubscribe/unsubscribe.service.ts';
import * as emails from './developer-emails.ts';

interface Dependencies {
  db: EmailsDb;
  emailQueue: SentEmails;
  senders: Senders;
  unsubscribing: Unsubscribing;
  publicUrl: string;
}

interface Reseller {
  partnershipId: string;
  /** The developer's name for the reseller. */
  name: string;
  /** Null: it has no account yet. */
  resellerId: string | null;
}

/** Emails to developers and resellers about what happens to their serials, queued in the transaction in which it happens. */
export class AccountEmails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A product has fewer serials left than the account's threshold, or a reseller has fewer than the partnership's. */
  async lowStock(handle: Sql, developerId: string, stock: emails.Stock & { reseller?: Reseller }): Promise<void> {
    const { reseller } = stock;
    if (reseller) return this.#resellerLowStock(handle, developerId, { ...stock, reseller });
    const account = await findAccount(handle, developerId);
    if (!account?.notify_low_serials) return;
    const page = `${this.#deps.publicUrl}/dashboard/serials`;
    const unsubscribeUrl = this.#deps.unsubscribing.url(developerId, 'low_serials');
    const email = emails.lowStockEmail(account.email, stock, { page, unsubscribeUrl });
    await this.#deps.emailQueue.queue(handle, email, { kind: 'low_serials', developerId });
  }

  async #resellerLowStock(
    handle: Sql,
    developerId: string,
    stock: emails.Stock & { reseller: Reseller },
  ): Promise<void> {
    const { publicUrl, unsubscribing, emailQueue } = this.#deps;
    const { reseller } = stock;
    const developer = await findAccount(handle, developerId);
    const account = reseller.resellerId ? await findAccount(handle, reseller.resellerId) : undefined;
    if (!developer) return;
    const names = { developer: nameOfAccount(developer), reseller: account ? nameOfAccount(account) : reseller.name };
    const about: About = { kind: 'low_serials', developerId };
    if (developer.notify_low_serials) {
      const page = `${publicUrl}/dashboard/resellers/${reseller.partnershipId}`;
      const links = { page, unsubscribeUrl: unsubscribing.url(developerId, 'low_serials') };
      await emailQueue.queue(
        handle,
        emails.resellerLowStockEmail(developer.email, { ...stock, ...names }, links),
        about,
      );
    }
    if (account?.notify_low_serials && reseller.resellerId) {
      const page = `${publicUrl}/reseller/developers/${developerId}`;
      const links = { page, unsubscribeUrl: unsubscribing.url(reseller.resellerId, 'low_serials') };
      const email = emails.ownLowStockEmail(account.email, { ...stock, ...names }, links);
      await emailQueue.queue(handle, email, { ...about, unasked: true });
    }
  }

  /** A customer asks the developer for help: to the support address, else to the account's own. */
  async helpRequested(
    handle: Sql,
    fact: Omit<emails.HelpRequest, 'to'> & { developerId: string; serialId: string },
  ): Promise<void> {
    const { developerId, serialId } = fact;
    const account = await findAccount(handle, developerId);
    if (!account) return;
    const page = `${this.#deps.publicUrl}/dashboard/serials/${serialId}`;
    const email = emails.helpRequestEmail({ ...fact, to: account.support_email ?? account.email }, page);
    await this.#deps.emailQueue.queue(handle, email, { kind: 'help_request', developerId });
  }

  /** An email to oneself: developers see it as their customers would. */
  async sendTest(caller: Principal): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const account = await findAccount(tx, caller.accountId);
      if (!account) return;
      const brand = account.role === 'developer' ? this.#deps.senders.of(account).brand : null;
      const developerId = brand ? caller.accountId : null;
      await this.#deps.emailQueue.queue(tx, emails.testEmail(account.email, brand), {
        kind: 'test',
        developerId,
      });
    });
  }
}
