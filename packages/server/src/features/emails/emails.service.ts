import type { DownloadProofs } from '#features/customers';
import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Brand } from '#platform/email/brand.ts';
import type { Mail } from '#platform/email/mailer.ts';
import { notFound } from '#platform/errors.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { type Account, findAccount, nameOfAccount } from './accounts.queries.ts';
import type { About, SentEmails } from './email-queue.service.ts';
import type { EmailPreview, EmailPreviewQuery } from './emails.schemas.ts';
import type { RedeemUrl } from './redeem-url.ts';
import type { EmailsDb } from './tables.ts';
import * as developerEmails from './to-accounts/developer-emails.ts';
import { type Redeemed, redeemedEmail, resaleEmail } from './to-accounts/redemption-emails.ts';
import { findWantingReseller } from './to-accounts/wanting-reseller.queries.ts';
import * as customers from './to-customers/customer-emails.ts';
import { findNewestProduct, findOwnedIds, findPurchase, findReader } from './to-customers/purchase.queries.ts';
import { quietEmail } from './to-customers/quiet-emails.ts';
import type { CustomerUpdates } from './unsubscribe/customer-updates.service.ts';
import type { Unsubscribing } from './unsubscribe/unsubscribe.service.ts';

interface Dependencies {
  db: EmailsDb;
  emailQueue: SentEmails;
  unsubscribing: Unsubscribing;
  customerUpdates: CustomerUpdates;
  redeemUrl: RedeemUrl;
  downloadProofs: DownloadProofs;
  publicUrl: string;
}

/** Of one customer, in one link. */
const MOST_SERIALS = 20;

interface Partner {
  partnershipId: string;
  /** What the developer calls the reseller. */
  name: string;
  /** Null: it has no account yet. */
  resellerId: string | null;
}

/** A serial that a customer has redeemed. */
interface PurchaseFact {
  developerId: string;
  customerId: string;
  productId: string;
  product: string;
  code: string;
  /** Opens the serial's downloads. */
  proof: string;
  email: string;
}

/** Somebody who is told about a new version. */
interface Owner extends customers.Reader {
  /** Of the email, so that nobody gets it twice. */
  mailId: string;
  customerId: string;
  code: string;
  /** Opens the serial's downloads. */
  proof: string;
  /** Whether somebody has come by a link that was sent to this address. */
  proven: boolean;
}

interface RedeemedFact extends PurchaseFact, Omit<Redeemed, 'name'> {
  /** Set when a reseller sold the serial. */
  resale: { partnershipId: string; commissionCents: number } | null;
}

/** Emails about what happens to a developer's serials, queued in the transaction in which it happens. */
export class Emails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Emails the customer, and the developer and the reseller if they want an email per redemption. Daily emails are left to the
   * digest.
   */
  async redeemed(sql: Sql, fact: RedeemedFact): Promise<void> {
    const { emailQueue, publicUrl, unsubscribing } = this.#deps;
    const { developerId } = fact;
    const account = await findAccount(sql, developerId);
    if (!account) return;
    const toDeveloper = account.notify_redemptions && account.redemption_emails === 'each';
    const reseller = fact.resale ? await findWantingReseller(sql, developerId, fact.resale.partnershipId) : undefined;
    if (!toDeveloper && !account.send_customer_emails && !reseller) return;
    const reader = await findReader(sql, fact);
    const sale = { ...fact, name: reader.name };
    const queued: { mail: Mail; about: About }[] = [];
    if (account.send_customer_emails) {
      const mail = await this.#purchaseEmail(sql, fact, reader, account);
      queued.push({ mail, about: { kind: 'redemption', developerId, unasked: true } });
    }
    if (toDeveloper) {
      const page = `${publicUrl}/dashboard/customers`;
      const unsubscribeUrl = unsubscribing.url(developerId, 'redemptions');
      const mail = redeemedEmail(account.email, sale, { page, unsubscribeUrl });
      queued.push({ mail, about: { kind: 'developer_redemptions', developerId } });
    }
    if (reseller && fact.resale) {
      const page = `${publicUrl}/reseller/transactions`;
      const unsubscribeUrl = unsubscribing.url(reseller.id, 'redemptions');
      const resale = { ...sale, developer: nameOfAccount(account), commissionCents: fact.resale.commissionCents };
      const mail = resaleEmail(reseller.email, resale, { page, unsubscribeUrl });
      queued.push({ mail, about: { kind: 'reseller_redemptions', developerId: null } });
    }
    await emailQueue.queueAll(sql, queued);
  }

  /** A product has fewer serials left than the account's threshold, or a reseller has fewer than the partnership's. */
  async lowStock(sql: Sql, developerId: string, stock: developerEmails.Stock & { partner?: Partner }): Promise<void> {
    const { partner } = stock;
    if (partner) return this.#partnerLowStock(sql, developerId, { ...stock, partner });
    const account = await findAccount(sql, developerId);
    if (!account?.notify_low_serials) return;
    const page = `${this.#deps.publicUrl}/dashboard/serials`;
    const unsubscribeUrl = this.#deps.unsubscribing.url(developerId, 'low_serials');
    const mail = developerEmails.lowStockEmail(account.email, stock, { page, unsubscribeUrl });
    await this.#deps.emailQueue.queue(sql, mail, { kind: 'low_serials', developerId });
  }

  async #partnerLowStock(
    sql: Sql,
    developerId: string,
    stock: developerEmails.Stock & { partner: Partner },
  ): Promise<void> {
    const { publicUrl, unsubscribing, emailQueue } = this.#deps;
    const { partner } = stock;
    const developer = await findAccount(sql, developerId);
    const reseller = partner.resellerId ? await findAccount(sql, partner.resellerId) : undefined;
    if (!developer) return;
    const names = { developer: nameOfAccount(developer), reseller: reseller ? nameOfAccount(reseller) : partner.name };
    const about: About = { kind: 'low_serials', developerId };
    if (developer.notify_low_serials) {
      const page = `${publicUrl}/dashboard/resellers/${partner.partnershipId}`;
      const links = { page, unsubscribeUrl: unsubscribing.url(developerId, 'low_serials') };
      await emailQueue.queue(
        sql,
        developerEmails.resellerLowStockEmail(developer.email, { ...stock, ...names }, links),
        about,
      );
    }
    if (reseller?.notify_low_serials && partner.resellerId) {
      const page = `${publicUrl}/reseller/developers/${developerId}`;
      const links = { page, unsubscribeUrl: unsubscribing.url(partner.resellerId, 'low_serials') };
      const mail = developerEmails.ownLowStockEmail(reseller.email, { ...stock, ...names }, links);
      await emailQueue.queue(sql, mail, { ...about, unasked: true });
    }
  }

  /**
   * The customer's email about a redemption, once more; the developer asked for it, so no setting keeps it back. Who has never redeemed
   * anything gets it without the developer's words.
   */
  async resend(sql: Sql, fact: PurchaseFact): Promise<void> {
    const { developerId } = fact;
    const account = await findAccount(sql, developerId);
    if (!account) return;
    const reader = await findReader(sql, fact);
    const mail = reader.came
      ? await this.#purchaseEmail(sql, fact, reader, account)
      : quietEmail('given', reader, { maker: account.email, link: this.#quietLink(developerId, reader, fact.proof) });
    await this.#deps.emailQueue.queue(sql, mail, { kind: 'redemption', developerId });
  }

  /**
   * Emails owners about a new version, after what anybody waits for. An owner who has never followed a link of ours gets our words
   * alone, and those once a month at most, until they follow one.
   * @returns how many were queued; null when the account is closed, and nobody is to be told.
   */
  async newVersion(
    sql: Sql,
    developerId: string,
    { imageUrl, ...version }: Omit<customers.NewVersion, 'pictureUrl'> & { imageUrl: string | null },
    owners: readonly Owner[],
  ): Promise<number | null> {
    const account = await findAccount(sql, developerId);
    if (!account) return null;
    const { emailQueue, customerUpdates } = this.#deps;
    const [sender, url] = [this.#sender(account), await this.#deps.redeemUrl(sql, developerId)];
    const fact = { ...version, pictureUrl: this.#absolute(imageUrl) };
    const about: About = { kind: 'new_version', developerId, bulk: true, unasked: true };
    const unproven = owners.filter(({ proven }) => !proven).map(({ email }) => email);
    const asked = await emailQueue.sentThisMonth(sql, { developerId, kind: 'new_version', to: unproven });
    return emailQueue.queueNew(
      sql,
      owners.flatMap(({ mailId, customerId, proof, proven, ...to }) => {
        if (!proven && asked.has(emailKey(to.email))) return [];
        const unsubscribe = customerUpdates.url(developerId, customerId);
        const page = customers.pageLink(url, to.language, { downloads: proof, serial: to.code, email: to.email });
        const link = this.#quietLink(developerId, to, proof);
        const mail = proven
          ? customers.newVersionEmail(to, fact, sender, { page, unsubscribe })
          : quietEmail('version', to, { maker: account.email, link, unsubscribeUrl: unsubscribe });
        return [{ id: mailId, mail, about }];
      }),
    );
  }

  /** A developer has changed a customer's address: both addresses are told. Nobody has come by a link to the new one yet. */
  async addressChanged(
    sql: Sql,
    developerId: string,
    change: {
      customerId: string;
      name: string | null;
      language: Language | null;
      from: string;
      fromProven: boolean;
      to: string;
    },
  ): Promise<void> {
    const account = await findAccount(sql, developerId);
    if (!account) return;
    const { customerId, fromProven } = change;
    const { emailQueue, downloadProofs } = this.#deps;
    const about: About = { kind: 'customer_changed', developerId };
    const [before, after] = [
      { ...change, email: change.from },
      { ...change, email: change.to },
    ];
    const owned = await findOwnedIds(sql, developerId, customerId, MOST_SERIALS);
    const proof = downloadProofs.signEmailed(developerId, owned, { customerId, email: change.to });
    const link = this.#quietLink(developerId, after, owned.length > 0 ? proof : undefined);
    const left = fromProven
      ? customers.addressLeftEmail(before, change.to, this.#sender(account))
      : quietEmail('addressLeft', before, { maker: account.email });
    await emailQueue.queueAll(sql, [
      { mail: left, about },
      { mail: quietEmail('addressGiven', after, { maker: account.email, link }), about },
    ]);
  }

  /** A serial was given to somebody else: both are told. */
  async transferred(
    sql: Sql,
    developerId: string,
    change: {
      product: string;
      code: string;
      from: { customerId: string; email: string } | null;
      to: { customerId: string; email: string; name: string | null };
      proof: string;
    },
  ): Promise<void> {
    const account = await findAccount(sql, developerId);
    if (!account) return;
    const about: About = { kind: 'customer_changed', developerId };
    const maker = account.email;
    const [sender, url] = [this.#sender(account), await this.#deps.redeemUrl(sql, developerId)];
    const { product, code, from, to, proof } = change;
    const given = { ...(await findReader(sql, { developerId, ...to })), name: to.name };
    const page = customers.pageLink(url, given.language, { downloads: proof, serial: code, email: to.email });
    const messages = [
      given.proven
        ? customers.serialGivenEmail(given, { product, code }, sender, page)
        : quietEmail('given', given, { maker, link: this.#quietLink(developerId, given, proof) }),
    ];
    if (from) {
      const left = { ...(await findReader(sql, { developerId, ...from })), name: null };
      const mail = left.proven
        ? customers.serialLeftEmail(left, { product, code }, sender)
        : quietEmail('moved', left, { maker });
      messages.unshift(mail);
    }
    await this.#deps.emailQueue.queueAll(
      sql,
      messages.map((mail) => ({ mail, about })),
    );
  }

  /** A customer asks the developer for help: to the support address, else to the account's own. */
  async helpRequested(
    sql: Sql,
    fact: Omit<developerEmails.HelpRequest, 'to'> & { developerId: string; serialId: string },
  ): Promise<void> {
    const { developerId, serialId } = fact;
    const account = await findAccount(sql, developerId);
    if (!account) return;
    const page = `${this.#deps.publicUrl}/dashboard/serials/${serialId}`;
    const mail = developerEmails.helpRequestEmail({ ...fact, to: account.support_email ?? account.email }, page);
    await this.#deps.emailQueue.queue(sql, mail, { kind: 'help_request', developerId });
  }

  /** The link to everything that an address owns at this developer. */
  async myProducts(
    sql: Sql,
    developerId: string,
    to: { email: string; language: Language | null; came: boolean },
    { token, lasts }: { token: string; lasts: 'minutes' | 'a day' },
  ): Promise<void> {
    // also when the developer has deleted the account: what customers own stays theirs
    const account = await findAccount(sql, developerId);
    const page = to.came ? await this.#deps.redeemUrl(sql, developerId) : this.#quietPage(developerId);
    const url = new URL(customers.pageLink(page, to.language));
    url.searchParams.set('open', token);
    const sender = account && to.came ? this.#sender(account) : null;
    const mail = customers.myProductsEmail(to, sender, { url: url.toString(), lasts });
    await this.#deps.emailQueue.queue(sql, mail, { kind: 'my_products', developerId });
  }

  myProductsSince(sql: Sql, developerId: string, email: string, since: Date): Promise<number> {
    return this.#deps.emailQueue.countSince(sql, { developerId, kind: 'my_products', to: email, since });
  }

  /** An email to oneself: developers see it as their customers would. */
  async sendTest(caller: Principal): Promise<void> {
    await this.#deps.db.work({ tx: true }, async (tx) => {
      const account = await findAccount(tx, caller.userId);
      if (!account) return;
      const brand = account.role === 'developer' ? this.#sender(account).brand : null;
      const developerId = brand ? caller.userId : null;
      await this.#deps.emailQueue.queue(tx, developerEmails.testEmail(account.email, brand), {
        kind: 'test',
        developerId,
      });
    });
  }

  /**
   * What a customer would be emailed after redeeming; nothing is sent.
   * @param wanted with a look that is tried, in place of the saved one.
   * @throws {AppError} not_found
   */
  async preview(caller: Principal, { language, ...wanted }: EmailPreviewQuery): Promise<EmailPreview> {
    const { db, redeemUrl } = this.#deps;
    const developerId = caller.userId;
    const account = await findAccount(db, developerId);
    if (!account) throw notFound('Account');
    const product = await findNewestProduct(db, developerId);
    const { imageUrl, version, files } = product
      ? await findPurchase(db, { developerId, productId: product.id })
      : { imageUrl: null, version: null, files: [] };
    const example = { product: product?.name ?? 'Prism Delay', code: EXAMPLE_CODE, version, files };
    const { subject, text, html } = customers.customerEmail(
      { email: account.email, name: null, language },
      { ...example, pictureUrl: this.#absolute(imageUrl) },
      this.#sender(Object.assign(account, wanted)),
      customers.pageLink(await redeemUrl(db, developerId), language),
    );
    return { subject, text, html };
  }

  /** The link opens the serial's downloads; once that has expired, the form is filled in. */
  async #purchaseEmail(sql: Sql, fact: PurchaseFact, reader: customers.Reader, account: Account): Promise<Mail> {
    const purchase = await findPurchase(sql, fact);
    const opens = { downloads: fact.proof, serial: fact.code, email: reader.email };
    const link = customers.pageLink(await this.#deps.redeemUrl(sql, fact.developerId), reader.language, opens);
    const pictureUrl = this.#absolute(purchase.imageUrl);
    return customers.customerEmail(reader, { ...fact, ...purchase, pictureUrl }, this.#sender(account), link);
  }

  /** On our own host: a domain of the developer's is one of their words. */
  #quietPage(developerId: string): string {
    return `${this.#deps.publicUrl}/redeem?dev=${developerId}`;
  }

  #quietLink(developerId: string, to: { email: string; language: Language | null }, proof?: string): string {
    const opens = { ...(proof ? { downloads: proof } : {}), email: to.email };
    return customers.pageLink(this.#quietPage(developerId), to.language, opens);
  }

  #absolute(url: string | null): string | null {
    return url?.startsWith('/') ? `${this.#deps.publicUrl}${url}` : url;
  }

  #sender(account: Account): customers.Sender {
    const brand: Brand = {
      name: nameOfAccount(account),
      color: account.brand_color,
      logoUrl: this.#absolute(account.logo_url),
      supportEmail: account.support_email,
    };
    return { brand, supportUrl: account.support_url };
  }
}

/** Of no serial: the page’s preview shows it too. */
const EXAMPLE_CODE = 'K7QM-2XWN-HV9D-4RTB';
