import type { DownloadProofs } from '#features/customers';
import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Email } from '#platform/email/mailer.ts';
import { notFound } from '#platform/errors.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { type Account, findAccount } from '../accounts.queries.ts';
import type { About, SentEmails } from '../email-queue.service.ts';
import type { EmailPreview, EmailPreviewQuery } from '../emails.schemas.ts';
import type { RedeemUrl } from '../redeem-url.ts';
import type { Senders } from '../senders.ts';
import type { EmailsDb } from '../tables.ts';
import type { CustomerUpdates } from '../unsubscribe/customer-updates.service.ts';
import * as customers from './customer-emails.ts';
import { findNewestProduct, findOwnedIds, findPurchase, findReader } from './purchase.queries.ts';
import { quietEmail } from './quiet-emails.ts';

interface Dependencies {
  db: EmailsDb;
  emailQueue: SentEmails;
  senders: Senders;
  customerUpdates: CustomerUpdates;
  redeemUrl: RedeemUrl;
  downloadProofs: DownloadProofs;
  publicUrl: string;
}

/** The most serials of one customer in one link. */
const MOST_SERIALS = 20;

/** A serial that a customer has redeemed. */
export interface PurchaseFact {
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
  /** The email's id, so that nobody gets it twice. */
  emailId: string;
  customerId: string;
  code: string;
  /** Opens the serial's downloads. */
  proof: string;
  /** Whether somebody has come by a link that was sent to this address. */
  proven: boolean;
}

/** Emails to customers about what happens to their serials, queued in the transaction in which it happens. */
export class CustomerEmails {
  readonly #deps: Dependencies;
  readonly #senders: Senders;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#senders = deps.senders;
  }

  /**
   * The customer's email about a redemption, once more; the developer asked for it, so no setting keeps it back. Who has never redeemed
   * anything gets it without the developer's words.
   */
  async resend(handle: Sql, fact: PurchaseFact): Promise<void> {
    const { developerId } = fact;
    const account = await findAccount(handle, developerId);
    if (!account) return;
    const reader = await findReader(handle, fact);
    const email = reader.came
      ? await this.purchaseEmail(handle, fact, reader, account)
      : quietEmail('given', reader, { maker: account.email, link: this.#quietLink(developerId, reader, fact.proof) });
    await this.#deps.emailQueue.queue(handle, email, { kind: 'redemption', developerId });
  }

  /**
   * Emails owners about a new version, after what anybody waits for. An owner who has never followed a link of ours gets our words
   * alone, and those once a month at most, until they follow one.
   * @returns how many were queued; null when the account is closed, and nobody is to be told.
   */
  async newVersion(
    handle: Sql,
    developerId: string,
    { imageUrl, ...version }: Omit<customers.NewVersion, 'pictureUrl'> & { imageUrl: string | null },
    owners: readonly Owner[],
  ): Promise<number | null> {
    const account = await findAccount(handle, developerId);
    if (!account) return null;
    const { emailQueue, customerUpdates } = this.#deps;
    const [sender, url] = [this.#senders.of(account), await this.#deps.redeemUrl(handle, developerId)];
    const fact = { ...version, pictureUrl: this.#senders.absolute(imageUrl) };
    const about: About = { kind: 'new_version', developerId, bulk: true, unasked: true };
    const unproven = owners.filter(({ proven }) => !proven).map(({ email }) => email);
    const asked = await emailQueue.sentThisMonth(handle, { developerId, kind: 'new_version', to: unproven });
    return emailQueue.queueNew(
      handle,
      owners.flatMap(({ emailId, customerId, proof, proven, ...to }) => {
        if (!proven && asked.has(emailKey(to.email))) return [];
        const unsubscribe = customerUpdates.url(developerId, customerId);
        const page = customers.pageLink(url, to.language, { downloads: proof, serial: to.code, email: to.email });
        const link = this.#quietLink(developerId, to, proof);
        const email = proven
          ? customers.newVersionEmail(to, fact, sender, { page, unsubscribe })
          : quietEmail('version', to, { maker: account.email, link, unsubscribeUrl: unsubscribe });
        return [{ id: emailId, email, about }];
      }),
    );
  }

  /** A developer has changed a customer's address: both addresses are told. Nobody has come by a link to the new one yet. */
  async addressChanged(
    handle: Sql,
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
    const account = await findAccount(handle, developerId);
    if (!account) return;
    const { customerId, fromProven } = change;
    const { emailQueue, downloadProofs } = this.#deps;
    const about: About = { kind: 'customer_changed', developerId };
    const [before, after] = [
      { ...change, email: change.from },
      { ...change, email: change.to },
    ];
    const owned = await findOwnedIds(handle, developerId, customerId, MOST_SERIALS);
    const proof = downloadProofs.signEmailed(developerId, owned, { customerId, email: change.to });
    const link = this.#quietLink(developerId, after, owned.length > 0 ? proof : undefined);
    const left = fromProven
      ? customers.addressLeftEmail(before, change.to, this.#senders.of(account))
      : quietEmail('addressLeft', before, { maker: account.email });
    await emailQueue.queueAll(handle, [
      { email: left, about },
      { email: quietEmail('addressGiven', after, { maker: account.email, link }), about },
    ]);
  }

  /** A serial was given to somebody else: both are told. */
  async transferred(
    handle: Sql,
    developerId: string,
    change: {
      product: string;
      code: string;
      from: { customerId: string; email: string } | null;
      to: { customerId: string; email: string; name: string | null };
      proof: string;
    },
  ): Promise<void> {
    const account = await findAccount(handle, developerId);
    if (!account) return;
    const about: About = { kind: 'customer_changed', developerId };
    const maker = account.email;
    const [sender, url] = [this.#senders.of(account), await this.#deps.redeemUrl(handle, developerId)];
    const { product, code, from, to, proof } = change;
    const given = { ...(await findReader(handle, { developerId, ...to })), name: to.name };
    const page = customers.pageLink(url, given.language, { downloads: proof, serial: code, email: to.email });
    const messages = [
      given.proven
        ? customers.serialGivenEmail(given, { product, code }, sender, page)
        : quietEmail('given', given, { maker, link: this.#quietLink(developerId, given, proof) }),
    ];
    if (from) {
      const left = { ...(await findReader(handle, { developerId, ...from })), name: null };
      const email = left.proven
        ? customers.serialLeftEmail(left, { product, code }, sender)
        : quietEmail('moved', left, { maker });
      messages.unshift(email);
    }
    await this.#deps.emailQueue.queueAll(
      handle,
      messages.map((email) => ({ email, about })),
    );
  }

  /** The link to everything that an address owns at this developer. */
  async myProducts(
    handle: Sql,
    developerId: string,
    to: { email: string; language: Language | null; came: boolean },
    { token, lasts }: { token: string; lasts: 'minutes' | 'a day' },
  ): Promise<void> {
    // also when the developer has deleted the account: what customers own stays theirs
    const account = await findAccount(handle, developerId);
    const page = to.came ? await this.#deps.redeemUrl(handle, developerId) : this.#quietPage(developerId);
    const url = new URL(customers.pageLink(page, to.language));
    url.searchParams.set('open', token);
    const sender = account && to.came ? this.#senders.of(account) : null;
    const email = customers.myProductsEmail(to, sender, { url: url.toString(), lasts });
    await this.#deps.emailQueue.queue(handle, email, { kind: 'my_products', developerId });
  }

  /** A code that a plugin asks for, to show that its license's owner sits before it. */
  async seatCode(
    handle: Sql,
    developerId: string,
    to: { email: string; language: Language | null; came: boolean },
    code: string,
  ): Promise<void> {
    const account = to.came ? await findAccount(handle, developerId) : null;
    const email = customers.seatCodeEmail(to, account ? this.#senders.of(account) : null, code);
    await this.#deps.emailQueue.queue(handle, email, { kind: 'seat_code', developerId });
  }

  myProductsSince(handle: Sql, developerId: string, email: string, since: Date): Promise<number> {
    return this.#deps.emailQueue.countSince(handle, { developerId, kind: 'my_products', to: email, since });
  }

  /**
   * Previews the email that a customer would get after redeeming; nothing is sent.
   * @param wanted with a look that is tried, in place of the saved one.
   * @throws {AppError} not_found
   */
  async preview(caller: Principal, { language, ...wanted }: EmailPreviewQuery): Promise<EmailPreview> {
    const { db, redeemUrl } = this.#deps;
    const developerId = caller.accountId;
    const account = await findAccount(db, developerId);
    if (!account) throw notFound('Account');
    const product = await findNewestProduct(db, developerId);
    const { imageUrl, version, files } = product
      ? await findPurchase(db, { developerId, productId: product.id })
      : { imageUrl: null, version: null, files: [] };
    const example = { product: product?.name ?? 'Prism Delay', code: EXAMPLE_CODE, version, files };
    const { subject, text, html } = customers.customerEmail(
      { email: account.email, name: null, language },
      { ...example, pictureUrl: this.#senders.absolute(imageUrl) },
      this.#senders.of(Object.assign(account, wanted)),
      customers.pageLink(await redeemUrl(db, developerId), language),
    );
    return { subject, text, html };
  }

  /** The link opens the serial's downloads; once that has expired, the form is filled in. */
  async purchaseEmail(handle: Sql, fact: PurchaseFact, reader: customers.Reader, account: Account): Promise<Email> {
    const purchase = await findPurchase(handle, fact);
    const opens = { downloads: fact.proof, serial: fact.code, email: reader.email };
    const link = customers.pageLink(await this.#deps.redeemUrl(handle, fact.developerId), reader.language, opens);
    const pictureUrl = this.#senders.absolute(purchase.imageUrl);
    return customers.customerEmail(reader, { ...fact, ...purchase, pictureUrl }, this.#senders.of(account), link);
  }

  /** On our own host: a domain of the developer's is one of their words. */
  #quietPage(developerId: string): string {
    return `${this.#deps.publicUrl}/redeem?dev=${developerId}`;
  }

  #quietLink(developerId: string, to: { email: string; language: Language | null }, proof?: string): string {
    const opens = { ...(proof ? { downloads: proof } : {}), email: to.email };
    return customers.pageLink(this.#quietPage(developerId), to.language, opens);
  }
}

/** The code of no serial: the page’s preview shows it too. */
const EXAMPLE_CODE = 'K7QM-2XWN-HV9D-4RTB';
