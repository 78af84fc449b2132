import type { Brand } from '#platform/email/brand.ts';
import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { plural } from '#platform/text/plural.ts';

export interface HelpRequest {
  to: string;
  product: string;
  code: string;
  email: string;
  name: string | null;
  downloads: string;
  message: string;
}

/** The email to a developer from a customer, who gets the answer. */
export function helpRequestEmail(request: HelpRequest, page: string): Email {
  const { product, code, email, name, downloads, message } = request;
  const composed = composeEmail({
    to: request.to,
    subject: `Help with ${product}, serial ${code}`,
    lines: [`${name ?? email} wrote to you from your redemption page. Answer this email to reach them.`, message],
    rows: [
      ['Customer', [name, email].filter(Boolean).join(', ')],
      ['Product', product],
      ['Serial', code],
      ['Downloads', downloads],
    ],
    link: { label: 'See the serial', url: page },
  });
  return { ...composed, replyTo: email.replace(/[\p{Cc}\s]+/gu, '') };
}

export interface Stock {
  product: string;
  left: number;
  threshold: number;
}

export function lowStockEmail(to: string, stock: Stock, links: { page: string; unsubscribeUrl: string }): Email {
  const left = stock.left === 0 ? 'no serials' : stock.left === 1 ? 'one serial' : `${stock.left} serials`;
  return composeEmail({
    to,
    subject: `${stock.product} has ${left} left`,
    lines: [
      `${stock.product} has ${left} left to redeem. You asked to be notified below ${stock.threshold}.`,
      'Generate more so that nobody who buys your plugin has to wait.',
    ],
    link: { label: 'Generate serials', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

interface PartnerStock extends Stock {
  /** The names that the two give each other. */
  developer: string;
  reseller: string;
}

/** The email to a developer about a reseller who is running low. */
export function resellerLowStockEmail(
  to: string,
  stock: PartnerStock,
  links: { page: string; unsubscribeUrl: string },
): Email {
  const left = stock.left === 0 ? 'no serials' : plural(stock.left, 'serial');
  return composeEmail({
    to,
    subject: `${stock.reseller} has ${left} of ${stock.product} left`,
    lines: [
      `${stock.reseller} has ${left} of ${stock.product} left. You asked to be notified below ${stock.threshold}.`,
      'Generate more for this reseller so that it can go on selling.',
    ],
    link: { label: 'See the reseller', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

/** The email to the reseller who is running low. */
export function ownLowStockEmail(
  to: string,
  stock: PartnerStock,
  links: { page: string; unsubscribeUrl: string },
): Email {
  const left = stock.left === 0 ? 'no serials' : plural(stock.left, 'serial');
  return composeEmail({
    to,
    subject: `You have ${left} of ${stock.product} left`,
    lines: [
      `You have ${left} of ${stock.product} by ${stock.developer} left. ${stock.developer} is notified too, because it is below ${stock.threshold}.`,
    ],
    link: { label: 'See your partnership', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

export function announcementEmail(
  to: string,
  content: { subject: string; body: string },
  unsubscribeUrl: string,
): Email {
  const lines = content.body.split(/\n{2,}/).filter((line) => line.trim() !== '');
  return composeEmail({ to, subject: content.subject, lines, unsubscribeUrl });
}

export function testEmail(to: string, brand: Brand | null): Email {
  return composeEmail({
    to,
    subject: 'Test email from Tonerow',
    lines: ['This is what your emails look like. If you can read this, email delivery works.'],
    ...(brand ? { brand } : {}),
  });
}
