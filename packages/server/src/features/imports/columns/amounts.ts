import { narrow } from '#platform/text/text.ts';
import { CellError } from '../kinds/cell-error.ts';

/** What separates cents from dollars; the other sign groups thousands. */
export const decimalSigns = ['point', 'comma'] as const;
export type DecimalSign = (typeof decimalSigns)[number];

const MAX_CENTS = 100_000_000;
const signs = { point: '.', comma: ',' } as const;
/** Spaces of all widths, and the apostrophes that the Swiss put between thousands. */
const GAPS = /[\s\u00a0\u2007\u2009\u202f'’]/g;
const DOLLARS = /^(?:US)?\$|^USD|(?:US)?\$$|USD$/i;
const PLAIN = /^\d+$/;

/** Only digits, points and commas are left of an amount of dollars. */
function bare(text: string): string {
  return narrow(text).replace(GAPS, '').replace(DOLLARS, '');
}

/**
 * Derives the format of a column from one amount: `49,50` shows that cents follow a comma, `1.299.000` that thousands
 * follow a point. `41,597` may be either, and `49` shows nothing.
 */
export function decimalSignOf(text: string): DecimalSign | 'either' | null {
  if (PLAIN.test(text)) return null;
  const digits = bare(text).replace(/^[+-]/, '');
  if (!/^[\d.,]+$/.test(digits)) return null;
  const [points, commas] = [digits.split('.').length - 1, digits.split(',').length - 1];
  if (points + commas === 0) return null;
  if (points > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? 'point' : 'comma';
  const [only, other]: [DecimalSign, DecimalSign] = points > 0 ? ['point', 'comma'] : ['comma', 'point'];
  if (points + commas > 1) return other;
  const [whole = '', part = ''] = digits.split(signs[only]);
  return part.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? 'either' : only;
}

const CURRENCY =
  /[€£¥₹₽₩₺₴₪฿₫円元]|\b(?:EUR|GBP|JPY|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|INR|CNY|KRW)\b|\b(?:CA|A|AU|NZ|R)\$/iu;

/**
 * Dollars such as `9.99`, `$1,299.00`, `1.299,00` or `1 299,00` in whole cents; null when empty.
 * @throws {CellError} for what is no amount of dollars, or has fractions of a cent.
 */
export function cents(text: string, column: string, sign: DecimalSign): number | null {
  if (text === '') return null;
  const shown = text.slice(0, 40);
  const currency = CURRENCY.exec(text)?.[0];
  if (currency) throw new CellError(`${column} is in another currency than US dollars: "${shown}".`);
  const digits = bare(text);
  if (/^(?:-|\(.*\)$)/.test(digits)) throw new CellError(`${column} is below zero: "${shown}".`);
  const [decimal, group] = sign === 'point' ? ['.', ','] : [',', '.'];
  const [whole = '', part = '', ...rest] = digits.split(decimal);
  const grouped = whole.includes(group) ? /^\d{1,3}$/.test(whole.split(group)[0] ?? '') : true;
  const groups = whole.split(group);
  const isAmount =
    rest.length === 0 &&
    grouped &&
    groups.slice(1).every((each) => /^\d{3}$/.test(each)) &&
    /^\d*$/.test(groups.join('')) &&
    /^\d*$/.test(part) &&
    whole + part !== '';
  if (!isAmount) throw new CellError(`${column} is not a price: "${shown}".`);
  if (/[1-9]/.test(part.slice(2))) throw new CellError(`${column} has more than two decimals: "${shown}".`);
  const value = Number(groups.join('') || '0') * 100 + Number(part.slice(0, 2).padEnd(2, '0'));
  if (value > MAX_CENTS) throw new CellError(`${column} is above 1,000,000.`);
  return value;
}
