import type { Brand } from '../../platform/mail/brand.ts';
import { composeEmail } from '../../platform/mail/compose-email.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { plural, type Redeemed } from './redemption-emails.ts';

/** The developer in whose name customers are emailed. */
export interface Sender {
  brand: Brand;
  supportUrl: string | null;
}

export function customerEmail(to: Redeemed, from: Sender, redeemUrl: string): Mail {
  return composeEmail({
    to: to.email,
    brand: from.brand,
    subject: `${to.product} is yours`,
    lines: [
      to.name ? `Hello ${to.name},` : 'Hello,',
      `You have redeemed ${to.product}. Keep this email: you can open your downloads again with the serial and this email address.`,
      ...help(from),
    ],
    rows: [
      ['Product', to.product],
      ['Serial', to.code],
    ],
    link: { label: 'Open your downloads', url: redeemUrl },
  });
}

/** To the address that a customer had until now, so that nobody is moved without knowing. */
export function addressLeftEmail(change: { name: string | null; from: string; to: string }, from: Sender): Mail {
  return composeEmail({
    to: change.from,
    brand: from.brand,
    subject: `Your email address at ${from.brand.name} was changed`,
    lines: [
      change.name ? `Hello ${change.name},` : 'Hello,',
      `${from.brand.name} has changed the email address of your products to ${change.to}. From now on they open with that address.`,
      'If you did not ask for this, contact them.',
      ...help(from),
    ],
  });
}

/** To both owners of a serial that was given to somebody else. Neither learns the other's address. */
export function transferEmails(
  change: { product: string; code: string; from: string | null; to: string; name: string | null },
  from: Sender,
  redeemUrl: string,
): Mail[] {
  const { brand } = from;
  const what = `${change.product} (${change.code})`;
  const left = (to: string) =>
    composeEmail({
      to,
      brand,
      subject: `${change.product} was moved to another owner`,
      lines: [
        'Hello,',
        `${brand.name} has moved ${what} to another owner. It no longer opens with your email address.`,
        'If you did not ask for this, contact them.',
        ...help(from),
      ],
    });
  const given = composeEmail({
    to: change.to,
    brand,
    subject: `${change.product} is yours now`,
    lines: [
      change.name ? `Hello ${change.name},` : 'Hello,',
      `${brand.name} has moved ${what} to you. Open your downloads with this email address and the serial.`,
      ...help(from),
    ],
    link: { label: 'Open your downloads', url: redeemUrl },
  });
  return [...(change.from ? [left(change.from)] : []), given];
}

/** To the address that a customer has from now on. */
export function addressGivenEmail(change: { name: string | null; to: string }, from: Sender, redeemUrl: string): Mail {
  return composeEmail({
    to: change.to,
    brand: from.brand,
    subject: `Your products from ${from.brand.name} have a new email address`,
    lines: [
      change.name ? `Hello ${change.name},` : 'Hello,',
      `${from.brand.name} has put your products under this email address. Open your downloads with it and your serials.`,
      ...help(from),
    ],
    link: { label: 'Open your downloads', url: redeemUrl },
  });
}

/** @param from null when the developer has deleted the account. */
export function myProductsEmail(to: string, from: Sender | null, url: string): Mail {
  const whose = from ? ` from ${from.brand.name}` : '';
  return composeEmail({
    to,
    ...(from ? { brand: from.brand } : {}),
    subject: `Your products${whose}`,
    lines: [
      `Somebody, hopefully you, asked for all products${whose} that belong to this email address.`,
      'The link opens them, with their serials and machines, and works for 30 minutes. If it was not you, ignore this email.',
      ...(from ? help(from) : []),
    ],
    link: { label: 'Open all my products', url },
  });
}

/** To a customer of a developer who has deleted the account. Sent as Tonerow, because the developer's brand is gone. */
export function accountClosedEmail(
  to: { email: string; name: string; serials: [string, string][] },
  developer: string,
  redeemUrl: string,
): Mail {
  return composeEmail({
    to: to.email,
    subject: `${developer} has closed their account`,
    lines: [
      to.name ? `Hello ${to.name},` : 'Hello,',
      `${developer} used Tonerow for the licenses of their plugins, and has closed that account. What you own keeps working: your plugins still validate, and you can activate them on your computers as before.`,
      'Download your files now, and keep this email: you can open your downloads with the serial and this email address for as long as the files exist.',
      'Serials that were never redeemed can no longer be redeemed. If you have one, ask the shop that sold it for a refund.',
    ],
    rows: to.serials,
    link: { label: 'Open your downloads', url: redeemUrl },
  });
}

function help({ brand, supportUrl }: Sender): string[] {
  const ways = [brand.supportEmail, supportUrl].filter(Boolean).join(' or ');
  return ways ? [`Need help? ${ways}`] : [];
}

export interface Stock {
  product: string;
  left: number;
  threshold: number;
}

export function lowStockEmail(to: string, stock: Stock, links: { page: string; unsubscribeUrl: string }): Mail {
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
  /** What the two call each other. */
  developer: string;
  reseller: string;
}

/** To a developer one of whose resellers is running low. */
export function resellerLowStockEmail(
  to: string,
  stock: PartnerStock,
  links: { page: string; unsubscribeUrl: string },
): Mail {
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

/** To the reseller who is running low. */
export function ownLowStockEmail(
  to: string,
  stock: PartnerStock,
  links: { page: string; unsubscribeUrl: string },
): Mail {
  const left = stock.left === 0 ? 'no serials' : plural(stock.left, 'serial');
  return composeEmail({
    to,
    subject: `You have ${left} of ${stock.product} left`,
    lines: [
      `You have ${left} of ${stock.product} by ${stock.developer} left. ${stock.developer} is notified too, because it is below ${stock.threshold}.`,
    ],
    link: { label: 'See your partner', url: links.page },
    unsubscribeUrl: links.unsubscribeUrl,
  });
}

export function announcementEmail(
  to: string,
  content: { subject: string; body: string },
  unsubscribeUrl: string,
): Mail {
  const lines = content.body.split(/\n{2,}/).filter((line) => line.trim() !== '');
  return composeEmail({ to, subject: content.subject, lines, unsubscribeUrl });
}

export function testEmail(to: string, brand: Brand | null): Mail {
  return composeEmail({
    to,
    subject: 'Test email from Tonerow',
    lines: ['This is what your emails look like. If you can read this, email delivery works.'],
    ...(brand ? { brand } : {}),
  });
}
