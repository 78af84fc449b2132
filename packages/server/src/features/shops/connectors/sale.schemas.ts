import { z } from 'zod';
import { parseEmail } from '#platform/text/email-address.ts';
import { decimalsOf, minorOf } from '../money.ts';
import type { LineSnapshot, OrderSnapshot } from './port.ts';

// Our own format of a sale, for shops that sign as Standard Webhooks does, and for the call that records a sale.

/** More would be another line. */
export const MOST_QUANTITY = 10_000;
export const MOST_LINES = 200;

const printable = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);
const name = z.string().trim().max(100).refine(printable, 'Use printable characters.').nullish();
/** A number or an id of the shop's own, which may be anything that can be shown. */
export const ShopId = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().trim().min(1, 'Required.').max(200).refine(printable, 'Use printable characters.'));
export const Decimal = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'Use a decimal text such as "98.00".')
  .describe('A decimal text such as `98.00`.');
export const Quantity = z.int().min(1).max(MOST_QUANTITY);
export const Currency = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => decimalsOf(code) !== null, 'Use a currency’s code, such as EUR.');

export const saleLine = {
  id: ShopId.describe('The shop’s id of the line, unique in the order.'),
  sku: z.string().trim().min(1).max(200).refine(printable).nullish().describe('What is sold, as it is mapped.'),
  name: z.string().trim().max(300).refine(printable).nullish().describe('What the shop calls it.'),
  quantity: Quantity.default(1).describe('How many of it.'),
  paid: Decimal.describe('What was paid for the whole line, after reductions and without tax: a decimal text.'),
};
export const saleFields = {
  order: ShopId.describe('The shop’s id or number of the order.'),
  email: z
    .string()
    .trim()
    .max(300)
    .nullish()
    .transform((text) => text || null)
    .refine((text) => text === null || parseEmail(text) !== null, 'Enter a valid email address.')
    .describe('Where the codes are sent; null: to nobody, as at a till.'),
  first_name: name.describe('The customer’s first name.'),
  last_name: name.describe('The customer’s last name.'),
  language: z
    .string()
    .max(20)
    .refine(printable, 'Use printable characters.')
    .nullish()
    .describe('The customer’s language, such as `de` or `de-DE`.'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .toUpperCase()
    .nullish()
    .describe('The customer’s country, as ISO 3166-1 has it.'),
  currency: Currency.describe('What was paid in, such as `EUR`.'),
  test: z.boolean().default(false).describe('A try: it issues test codes that count nowhere.'),
};

const uniqueIds = (lines: readonly { id: string }[]) => new Set(lines.map(({ id }) => id)).size === lines.length;
export const linesOf = <Line extends z.ZodType<{ id: string }>>(line: Line) =>
  z.array(line).min(1).max(MOST_LINES).refine(uniqueIds, 'Each line needs an id of its own.');

interface Line {
  id: string;
  sku?: string | null | undefined;
  name?: string | null | undefined;
  quantity: number;
  paid: string;
  product_ids?: readonly string[] | undefined;
}

interface Sale {
  order: string;
  email: string | null;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  language?: string | null | undefined;
  country?: string | null | undefined;
  currency: string;
  test: boolean;
  lines: readonly Line[];
}

export function orderOf(sale: Sale, { paidAt, versionAt }: { paidAt: Date | null; versionAt: Date }): OrderSnapshot {
  return {
    id: sale.order,
    number: sale.order,
    versionAt,
    paidAt,
    canceledAt: null,
    isTest: sale.test,
    currency: sale.currency,
    email: sale.email,
    firstName: sale.first_name || null,
    lastName: sale.last_name || null,
    language: sale.language || null,
    country: sale.country || null,
    lines: sale.lines.map((line) => lineOf(line, sale.currency)),
  };
}

function lineOf(line: Line, currency: string): LineSnapshot {
  const { id, sku, name: called, quantity, paid, product_ids } = line;
  return {
    id,
    keys: sku ? [sku] : [],
    sku: sku || null,
    name: called || sku || id,
    quantity,
    netMinor: minorOf(paid, currency) ?? 0,
    ...(product_ids ? { productIds: product_ids } : {}),
  };
}
