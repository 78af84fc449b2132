import type { ProductCard } from '@tonerow/sdk';
import { mailto } from '../lib/mailto.ts';
import type { Texts } from './texts/en.ts';
import { fill } from './words.tsx';

export interface Support {
  email: string | null;
  url: string | null;
}

/** A prepared email to the developer, or their support page; null when they have neither. */
export function helpLink({ email, url }: Support, product: ProductCard, t: Texts): string | null {
  if (!email) return url;
  const values = { product: product.product_name, serial: product.serial_code };
  const body = fill(product.revoked ? t.helpSuspended : t.helpLimit, values).replaceAll('\n', '\r\n');
  const query = Object.entries({ subject: fill(t.helpSubject, values), body })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${mailto(email)}?${query}`;
}
