import type { Cents } from '#platform/money.ts';

/**
 * The source of a line's dollars: the line is in dollars; the shop reports them; a day's rate; or they are unknown,
 * and its serials have the price of their product.
 */
export const rateSources = ['dollars', 'shop', 'day', 'list'] as const;
export type RateSource = (typeof rateSources)[number];

const digits = new Map<string, number>();

/** How many decimals a currency has: 0 for JPY, 3 for KWD; null: it is none. */
export function decimalsOf(currency: string): number | null {
  if (!/^[A-Z]{3}$/.test(currency)) return null;
  let known = digits.get(currency);
  if (known === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    known = format.resolvedOptions().maximumFractionDigits ?? 2;
    digits.set(currency, known);
  }
  return known;
}

const DECIMAL = /^(-?)(\d{1,13})(?:\.(\d{1,12}))?$/;

/** A decimal text such as `98.00` in the smallest unit of its currency, half of it rounded up; null: it is none. */
export function minorOf(text: string, currency: string): number | null {
  const [, sign, whole, part = ''] = DECIMAL.exec(text.trim()) ?? [];
  const decimals = decimalsOf(currency);
  if (whole === undefined || decimals === null) return null;
  const scaled = BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'));
  const up = (part[decimals] ?? '0') >= '5' ? 1n : 0n;
  const minor = Number(scaled + up);
  return sign && minor !== 0 ? -minor : minor;
}

/** The same as a decimal text. */
export function decimalOf(minor: number, currency: string): string {
  const decimals = decimalsOf(currency) ?? 2;
  const text = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return decimals === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** As many decimals as a rate is counted with. */
const RATE_DECIMALS = 12;
/** The most that a column of cents holds, with some room. */
const MOST_CENTS = 2_000_000_000;

/**
 * An amount in cents of the dollar, half a cent rounded up; null: it can't be computed.
 * @param rate dollars for one of the currency
 */
export function centsAt(minor: number, currency: string, rate: string): Cents | null {
  const decimals = decimalsOf(currency);
  const [, sign, whole, part = ''] = DECIMAL.exec(rate) ?? [];
  if (decimals === null || whole === undefined || sign) return null;
  const scaledRate = BigInt(whole + part.padEnd(RATE_DECIMALS, '0'));
  const below = 10n ** BigInt(decimals + RATE_DECIMALS);
  const cents = Number((BigInt(minor) * scaledRate * 100n * 2n + below) / (below * 2n));
  return cents > MOST_CENTS ? null : cents;
}

/** An amount in equal shares; odd cents go to the first. */
export function shared(amount: number, parts: number): number[] {
  const each = parts === 0 ? 0 : Math.floor(amount / parts);
  const odd = amount - each * parts;
  return Array.from({ length: parts }, (_, at) => each + (at < odd ? 1 : 0));
}

/** An amount by the worth of each part, and no part more than it is worth; odd cents go to the first that have room. */
export function sharedByWorth(amount: number, worth: readonly number[]): number[] {
  const total = worth.reduce((sum, each) => sum + each, 0);
  const capped = Math.min(amount, total);
  if (total === 0) return worth.map(() => 0);
  const shares = worth.map((each) => Number((BigInt(capped) * BigInt(each)) / BigInt(total)));
  let odd = capped - shares.reduce((sum, each) => sum + each, 0);
  for (let at = 0; odd > 0 && at < shares.length; at += 1) {
    if ((shares[at] as number) >= (worth[at] as number)) continue;
    shares[at] = (shares[at] as number) + 1;
    odd -= 1;
  }
  return shares;
}

/** An amount by the worth of each part, also where it is more than all of them; odd cents go to the first. */
export function splitByWorth(amount: number, worth: readonly number[]): number[] {
  const total = worth.reduce((sum, each) => sum + each, 0);
  if (total === 0) return shared(amount, worth.length);
  const shares = worth.map((each) => Number((BigInt(amount) * BigInt(each)) / BigInt(total)));
  const odd = amount - shares.reduce((sum, each) => sum + each, 0);
  return shares.map((share, at) => share + (at < odd ? 1 : 0));
}
