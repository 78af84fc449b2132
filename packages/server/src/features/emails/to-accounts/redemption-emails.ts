import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { toDollars } from '#platform/money.ts';
import { plural } from '#platform/text/plural.ts';

export interface Redeemed {
  product: string;
  code: string;
  email: string;
  name: string | null;
  priceCents: number;
}

interface Links {
  page: string;
  unsubscribeUrl: string;
}

/** The email to the developer, for each redemption. */
export function redeemedEmail(to: string, sale: Redeemed, links: Links): Email {
  return composeEmail({
    to,
    subject: `${sale.product} was redeemed`,
    lines: ['One of your serials was redeemed.'],
    rows: [
      ['Product', sale.product],
      ['Serial', sale.code],
      ['Customer', customerOf(sale)],
      ['Price', dollars(sale.priceCents)],
    ],
    link: { label: 'See your customers', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

/** The email to the reseller who sold the serial, for each redemption. */
export function resaleEmail(
  to: string,
  sale: Redeemed & { developer: string; commissionCents: number },
  links: Links,
): Email {
  return composeEmail({
    to,
    subject: `${sale.product} was redeemed`,
    lines: [`A serial that you sold was redeemed. Your commission is ${dollars(sale.commissionCents)}.`],
    rows: [
      ['Product', sale.product],
      ['Developer', sale.developer],
      ['Serial', sale.code],
      ['Customer', customerOf(sale)],
      ['Price', dollars(sale.priceCents)],
      ['Commission', dollars(sale.commissionCents)],
    ],
    link: { label: 'See your transactions', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

export interface Digest {
  /** As text, such as `on 9 March 2026`. */
  when: string;
  redemptions: number;
  revenueCents: number;
  /** The first ones of all `productCount`. */
  products: { name: string; redemptions: number; revenueCents: number }[];
  productCount: number;
}

export function digestEmail(to: string, digest: Digest, links: Links): Email {
  const times = plural(digest.redemptions, 'redemption');
  return composeEmail({
    to,
    subject: `${times} ${digest.when}`,
    lines: [`There were ${times} ${digest.when}, worth ${dollars(digest.revenueCents)}.`, ...othersOf(digest)],
    rows: digest.products.map((product) => [
      product.name,
      plural(product.redemptions, 'redemption'),
      dollars(product.revenueCents),
    ]),
    link: { label: 'See your analytics', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

export interface ResellerDigest extends Digest {
  commissionCents: number;
  products: (Digest['products'][number] & { developer: string; commissionCents: number })[];
}

export function resellerDigestEmail(to: string, digest: ResellerDigest, links: Links): Email {
  const times = plural(digest.redemptions, 'redemption');
  return composeEmail({
    to,
    subject: `${times} ${digest.when}`,
    lines: [
      `There were ${times} of serials you sold ${digest.when}. You earned ${dollars(digest.commissionCents)}.`,
      ...othersOf(digest),
    ],
    rows: digest.products.map((product) => [
      product.name,
      product.developer,
      plural(product.redemptions, 'redemption'),
      dollars(product.commissionCents),
    ]),
    link: { label: 'See your transactions', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

const customerOf = (sale: Redeemed) => [sale.name, sale.email].filter(Boolean).join(', ');

function othersOf({ products, productCount }: Digest): string[] {
  const others = productCount - products.length;
  return others > 0 ? [`These are the top ${products.length} products; ${others} more had redemptions.`] : [];
}

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const dollars = (cents: number) => money.format(toDollars(cents));
