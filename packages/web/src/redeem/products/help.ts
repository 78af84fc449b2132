import type { ProductCard } from '@tonerow/sdk';
import { mailto } from '#lib/mailto.ts';
import type { Texts } from '#lib/redeem-texts/en.ts';
import { fill } from '#lib/redeem-texts/words.ts';

export interface Support {
  email: string | null;
  url: string | null;
  /** The developer's name; null when no brand could be loaded. */
  name: string | null;
  /** The account is gone: nobody is there to help. */
  closed: boolean;
}

/** A prepared email to the developer, or their support page; null when they have neither. */
export function helpLink({ email, url }: Support, product: ProductCard, t: Texts): string | null {
  if (!email) return url;
  const values = { product: product.product_name, serial: product.serial_code };
  const body = helpMessage(product, t).replaceAll('\n', '\r\n');
  const query = Object.entries({ subject: fill(t.helpSubject, values), body })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${mailto(email)}?${query}`;
}

/** The message that somebody whose downloads are closed is likely to write. */
export function helpMessage({ revoked, withdrawn, product_name, serial_code }: ProductCard, t: Texts): string {
  const text = withdrawn ? t.helpWithdrawn : revoked ? t.helpSuspended : t.helpLimit;
  return fill(text, { product: product_name, serial: serial_code });
}
