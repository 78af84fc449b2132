import type { Brand } from '#platform/email/brand.ts';
import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { bytesIn, type Language, momentIn } from '#platform/text/languages.ts';
import { emailTexts, fill } from '../languages/index.ts';

/** The developer in whose name customers are emailed. */
export interface Sender {
  brand: Brand;
  supportUrl: string | null;
}

/** The customer, and the language that the redemption page was in; null when it is unknown. */
export interface Reader {
  email: string;
  name: string | null;
  language: Language | null;
}

export interface Purchase {
  product: string;
  code: string;
  /** A full address, or null. */
  pictureUrl: string | null;
  /** The version of the files; null: it has no name. */
  version: string | null;
  /** The size is null for a file elsewhere. */
  files: { name: string; size: number | null }[];
}

/** The most files of a product in an email, the first ones. */
const MOST_FILES = 12;

/** @param link opens the downloads of this serial. */
export function customerEmail(to: Reader, purchase: Purchase, from: Sender, link: string): Email {
  const { t, base, language, help, hello } = wordsFor(to, from);
  const { product, code, pictureUrl, version, files } = purchase;
  const rows = files.slice(0, MOST_FILES).map(({ name, size }) => [name, size === null ? '' : bytesIn(language, size)]);
  const more = files.length - rows.length;
  return composeEmail({
    ...base,
    subject: fill(t.redeemedSubject, { product }),
    ...(pictureUrl ? { picture: { url: pictureUrl, alt: product } } : {}),
    lines: [hello, fill(t.redeemedText, { product }), ...help],
    serial: { label: t.serial, code },
    ...(rows.length > 0
      ? {
          list: {
            title: version ? `${t.files} · ${version}` : t.files,
            rows: more > 0 ? [...rows, [`+ ${more}`, '']] : rows,
          },
        }
      : {}),
    link: { label: t.open, url: link },
  });
}

export interface NewVersion {
  product: string;
  version: string;
  /** A full address, or null. */
  pictureUrl: string | null;
  /** The developer's own words, as plain text; an empty line starts a new paragraph. */
  note: string | null;
}

/**
 * The email to an owner about a new version.
 * @param links `page` opens the serial, `unsubscribe` stops these emails.
 */
export function newVersionEmail(
  to: Reader & { code: string },
  { product, version, pictureUrl, note }: NewVersion,
  from: Sender,
  links: { page: string; unsubscribe: string },
): Email {
  const { t, base, help, hello } = wordsFor(to, from);
  return composeEmail({
    ...base,
    words: { ...base.words, unsubscribe: t.updatesStop },
    subject: fill(t.versionSubject, { product, version }),
    ...(pictureUrl ? { picture: { url: pictureUrl, alt: product } } : {}),
    lines: [hello, fill(t.versionText, { product, version }), ...(note ? note.split(/\n{2,}/) : []), ...help],
    rows: [
      [t.product, product],
      [t.newVersion, version],
    ],
    serial: { label: t.serial, code: to.code },
    link: { label: t.open, url: links.page },
    unsubscribeUrl: links.unsubscribe,
  });
}

/** The email to a customer of a reseller, with a code. Only the seller's name is in the seller's words. */
export function soldEmail(
  to: Omit<Reader, 'name'>,
  sale: { product: string; code: string; developer: string; redeemBy: Date | null },
  from: Sender,
  link: string,
): Email {
  const { t, base, language, help, hello } = wordsFor({ ...to, name: null }, from);
  const { product, code, developer, redeemBy } = sale;
  return composeEmail({
    ...base,
    subject: fill(t.soldSubject, { product }),
    lines: [
      hello,
      fill(t.soldText, { reseller: from.brand.name, product, developer }),
      t.soldKeep,
      t.soldUnasked,
      ...help,
    ],
    serial: { label: t.serial, code },
    rows: [[t.product, product], ...(redeemBy ? [[t.redeemBy, momentIn(language, redeemBy)]] : [])],
    link: { label: t.redeem, url: link },
  });
}

/** The email to a customer who bought several products, or several copies of one, in the developer's own shop. */
export function orderedEmail(
  to: Omit<Reader, 'name'>,
  order: { number: string; codes: readonly { product: string; code: string; redeemBy: Date | null }[] },
  from: Sender,
  link: string,
): Email {
  const { t, base, language, help, hello } = wordsFor({ ...to, name: null }, from);
  const until = (redeemBy: Date | null) => (redeemBy ? `${t.redeemBy}: ${momentIn(language, redeemBy)}` : '');
  return composeEmail({
    ...base,
    subject: fill(t.orderedSubject, { developer: from.brand.name }),
    lines: [hello, fill(t.orderedText, { order: order.number }), t.soldKeep, t.soldUnasked, ...help],
    rows: order.codes.map(({ product, code, redeemBy }) => [
      product,
      [code, until(redeemBy)].filter(Boolean).join(' · '),
    ]),
    link: { label: t.redeem, url: link },
  });
}

/** The same as plain lines, for a note of the developer's own shop, which emails it in its own look. */
export function orderedNote(
  language: Language | null,
  order: { number: string; codes: readonly { product: string; code: string; redeemBy: Date | null }[] },
  link: string,
): string {
  const t = emailTexts[language ?? 'en'];
  const lines = order.codes.map(({ product, code, redeemBy }) => {
    const until = redeemBy ? ` (${t.redeemBy}: ${momentIn(language ?? 'en', redeemBy)})` : '';
    return `${product}: ${code}${until}`;
  });
  return [fill(t.orderedText, { order: order.number }), '', ...lines, '', `${t.redeem}: ${link}`].join('\n');
}

/** The link to the codes of an order. */
export function orderLinkEmail(to: Omit<Reader, 'name'>, from: Sender, link: string): Email {
  const { t, base, help, hello } = wordsFor({ ...to, name: null }, from);
  const values = { developer: from.brand.name };
  return composeEmail({
    ...base,
    subject: fill(t.orderLinkSubject, values),
    lines: [hello, fill(t.orderLinkText, values), t.orderLinkLasts, ...help],
    link: { label: t.open, url: link },
  });
}

/** The email to a customer's previous address, so that nobody is moved without knowing. */
export function addressLeftEmail(reader: Reader, newAddress: string, from: Sender): Email {
  const { t, base, help, hello } = wordsFor(reader, from);
  const values = { developer: from.brand.name, address: newAddress };
  return composeEmail({
    ...base,
    subject: fill(t.leftSubject, values),
    lines: [hello, fill(t.leftText, values), t.leftUnasked, ...help],
  });
}

/** The email to a serial's previous owner, who does not learn the address of the new one. */
export function serialLeftEmail(reader: Reader, serial: { product: string; code: string }, from: Sender): Email {
  const { t, base, help, hello } = wordsFor(reader, from);
  const values = { ...serial, developer: from.brand.name };
  return composeEmail({
    ...base,
    subject: fill(t.movedSubject, values),
    lines: [hello, fill(t.movedText, values), t.leftUnasked, ...help],
  });
}

/** The email to a serial's new owner. */
export function serialGivenEmail(
  reader: Reader,
  serial: { product: string; code: string },
  from: Sender,
  link: string,
): Email {
  const { t, base, help, hello } = wordsFor(reader, from);
  const values = { ...serial, developer: from.brand.name };
  return composeEmail({
    ...base,
    subject: fill(t.receivedSubject, values),
    lines: [hello, fill(t.receivedText, values), ...help],
    serial: { label: t.serial, code: serial.code },
    link: { label: t.open, url: link },
  });
}

/** @param from null when the developer has deleted the account, or the reader has never redeemed anything. */
export function myProductsEmail(
  to: Omit<Reader, 'name'>,
  from: Sender | null,
  link: { url: string; lasts: 'minutes' | 'a day' },
): Email {
  const { t, base, help } = wordsFor({ ...to, name: null }, from);
  const values = { developer: from?.brand.name ?? '' };
  return composeEmail({
    ...base,
    subject: from ? fill(t.mineSubject, values) : t.mineSubjectClosed,
    lines: [
      from ? fill(t.mineText, values) : t.mineTextClosed,
      link.lasts === 'minutes' ? t.mineLink : t.mineLast,
      ...help,
    ],
    link: { label: t.mineOpen, url: link.url },
  });
}

/** @param from null when the developer has deleted the account, or the reader has never redeemed anything. */
export function seatCodeEmail(to: Omit<Reader, 'name'>, from: Sender | null, code: string): Email {
  const { t, base, help } = wordsFor({ ...to, name: null }, from);
  return composeEmail({
    ...base,
    subject: from ? fill(t.seatCodeSubject, { developer: from.brand.name }) : t.seatCodeSubjectClosed,
    lines: [t.seatCodeText, t.seatCodeLasts, ...help],
    serial: { label: t.seatCode, code },
  });
}

/** The email to a customer of a developer who deleted the account. Sent as Tonerow: the developer's brand is gone. */
export function accountClosedEmail(
  to: Reader & { serials: [string, string][] },
  developer: string,
  redeemUrl: string,
): Email {
  const { t, base, hello } = wordsFor(to, null);
  return composeEmail({
    ...base,
    subject: fill(t.closedSubject, { developer }),
    lines: [hello, fill(t.closedText, { developer }), t.closedDownload, t.closedUnredeemed],
    rows: to.serials,
    link: { label: t.open, url: redeemUrl },
  });
}

/** The redemption page in the reader's language, and what it opens with; the part behind # never leaves the browser. */
export function pageLink(redeemUrl: string, language: Language | null, opens: Record<string, string> = {}): string {
  const url = new URL(redeemUrl);
  if (language) url.searchParams.set('lang', language);
  url.hash = new URLSearchParams(opens).toString();
  return url.toString();
}

function wordsFor(reader: Reader, from: Sender | null) {
  const language = reader.language ?? 'en';
  const t = emailTexts[language];
  const ways = [from?.brand.supportEmail, from?.supportUrl].filter(Boolean).join(` ${t.or} `);
  return {
    t,
    language,
    base: { to: reader.email, ...(from ? { brand: from.brand } : {}), words: { language, help: t.help } },
    hello: reader.name ? fill(t.helloName, { name: reader.name }) : t.hello,
    help: ways ? [fill(t.needHelp, { ways })] : [],
  };
}
