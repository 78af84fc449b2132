import type { Client, Product, Serial } from '@tonerow/sdk';
import type { Context } from '../context.ts';
import { Failure, UsageError } from '../exit.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A product by its id or its whole name. */
export async function findProduct(api: Client, text: string, signal: AbortSignal): Promise<Product> {
  if (UUID.test(text)) return api.getProduct({ path: { id: text } }, { signal });
  for await (const product of api.paginate.listProducts({ query: { search: text } }, { signal })) {
    if (product.name.toLowerCase() === text.toLowerCase()) return product;
  }
  throw new Failure(`You have no product named "${text}". "tonerow products list" shows them.`);
}

/** The same for a command that a plugin key is enough for: only a name needs the developer's own token. */
export async function findProductId(context: Context, text: string): Promise<string> {
  return UUID.test(text) ? text : (await findProduct(await context.api(), text, context.io.signal)).id;
}

/** The id of a serial by its id or its code, however that is written. */
export async function findSerialId(api: Client, text: string, signal: AbortSignal): Promise<string> {
  if (UUID.test(text)) return text;
  const { rows } = await api.listSerials({ query: { search: text, limit: 5 } }, { signal });
  const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();
  const found = rows.find((row: Serial) => bare(row.code) === bare(text));
  if (!found) throw new Failure(`There is no serial ${text}.`);
  return found.id;
}

export function wholeNumber(text: string, flag: string): number {
  const value = Number(text);
  if (!Number.isInteger(value)) throw new UsageError(`${flag} takes a whole number, not "${text}".`);
  return value;
}

/** A price in dollars; `none` takes it away. */
export function priceOf(text: string | undefined, flag: string): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new UsageError(`${flag} takes an amount such as 49.99, or "none".`);
  return value;
}

/** Rows of a list up to a limit, or all. */
export async function take<Row>(
  rows: AsyncIterable<Row>,
  options: { limit?: string; all?: boolean },
): Promise<{ rows: Row[]; more: boolean }> {
  const limit = options.all ? Number.POSITIVE_INFINITY : wholeNumber(options.limit ?? '100', '--limit');
  const taken: Row[] = [];
  for await (const row of rows) {
    if (taken.length >= limit) return { rows: taken, more: true };
    taken.push(row);
  }
  return { rows: taken, more: false };
}
