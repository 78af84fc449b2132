import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import type { Language } from '#platform/text/languages.ts';
import type { EmailTexts } from '../languages/en.ts';
import { emailTexts, fill } from '../languages/index.ts';

/** An event to report to somebody who has never followed a link of ours. */
export type QuietOccasion =
  | 'given'
  | 'moved'
  | 'addressGiven'
  | 'addressLeft'
  | 'version'
  | 'closed'
  | 'sold'
  | 'ordered'
  | 'orderLink';

type Words = { subject: keyof EmailTexts; lines: (keyof EmailTexts)[] };
const occasions: Record<QuietOccasion, Words> = {
  given: { subject: 'quietGivenSubject', lines: ['quietGivenText'] },
  moved: { subject: 'quietMovedSubject', lines: ['quietMovedText'] },
  addressGiven: { subject: 'quietAddressSubject', lines: ['quietAddressText'] },
  addressLeft: { subject: 'quietLeftSubject', lines: ['quietLeftText'] },
  version: { subject: 'quietVersionSubject', lines: ['quietVersionText'] },
  sold: { subject: 'quietSoldSubject', lines: ['quietSoldText', 'soldKeep'] },
  ordered: { subject: 'quietOrderedSubject', lines: ['quietOrderedText', 'soldKeep'] },
  orderLink: { subject: 'quietLinkSubject', lines: ['quietLinkText', 'orderLinkLasts'] },
  closed: { subject: 'quietClosedSubject', lines: ['quietClosedText', 'closedDownload', 'closedUnredeemed'] },
};

/**
 * An email to somebody who may never have heard of the developer. It has our look and our words, and nothing that the
 * developer typed: no name, product, code, image or note. The details are behind the link; following it shows that the
 * reader has this address.
 * @param from.maker the address that the developer has verified; null: the account is gone.
 * @param from.seller the address of the seller of a code, and `code` that code; `codes` where there are several.
 * @param from.bought products of a shop's order, one for each code: its customer knows them, so the email names them.
 */
export function quietEmail(
  occasion: QuietOccasion,
  to: { email: string; language: Language | null },
  from: {
    maker?: string | null;
    seller?: string;
    code?: string;
    codes?: readonly string[];
    bought?: readonly { product: string; code: string }[];
    link?: string;
    unsubscribeUrl?: string;
  },
): Email {
  const language = to.language ?? 'en';
  const t = emailTexts[language];
  const { subject, lines } = occasions[occasion];
  const [single, ...others] = from.bought ?? [];
  const code = from.code ?? (others.length === 0 ? single?.code : undefined);
  const codes = from.codes?.map((each) => [t.serial, each] as [string, string]);
  const rows =
    single && others.length === 0
      ? [[t.product, plainName(single.product)] as [string, string]].filter(([, name]) => name !== '')
      : (from.bought?.map((each) => [plainName(each.product) || t.serial, each.code] as [string, string]) ?? codes);
  return composeEmail({
    to: to.email,
    words: { language, help: t.help, unsubscribe: t.updatesStop },
    subject: t[subject],
    lines: [
      t.hello,
      ...lines.map((line) => t[line]),
      ...(from.maker ? [fill(t.quietMaker, { maker: from.maker })] : []),
      ...(from.seller ? [fill(t.quietSeller, { seller: from.seller })] : []),
      t.quietIgnore,
    ],
    ...(code ? { serial: { label: t.serial, code } } : {}),
    ...(rows ? { rows } : {}),
    ...(from.link ? { link: { label: code || rows ? t.redeem : t.open, url: from.link } } : {}),
    ...(from.unsubscribeUrl ? { unsubscribeUrl: from.unsubscribeUrl } : {}),
  });
}

const LONGEST_NAME = 80;

/** A name that strangers may be sent: none that could become a link. */
function plainName(name: string): string {
  return /:\/\/|[\p{L}\p{N}-]\.\p{L}{2,}|@/u.test(name) ? '' : name.slice(0, LONGEST_NAME);
}
