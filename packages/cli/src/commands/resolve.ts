import type { Client, Product } from '@tonerow/sdk';
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
  const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();
  // codes that only begin like it come first when they are newer: RUN-10 before RUN-1
  for await (const row of api.paginate.listSerials({ query: { search: text } }, { signal })) {
    if (bare(row.code) === bare(text)) return row.id;
  }
  throw new Failure(`There is no serial ${text}.`);
}

export function wholeNumber(text: string, flag: string): number {
  // an empty variable of a script is no zero
  if (!/^-?\d+$/.test(text)) throw new UsageError(`${flag} takes a whole number, not "${text}".`);
  return Number(text);
}

/** A price in dollars; `none` takes it away. */
export function priceOf(text: string | undefined, flag: string): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(text)) throw new UsageError(`${flag} takes an amount such as 49.99, or "none".`);
  return Number(text);
}

/** Rows of a list up to a limit, or all. */
export async function take<Row>(
  rows: AsyncIterable<Row>,
  options: { limit?: string; all?: boolean },
): Promise<{ rows: Row[]; more: boolean }> {
  const limit = options.all ? Number.POSITIVE_INFINITY : wholeNumber(options.limit ?? '100', '--limit');
  if (limit < 1) throw new UsageError('--limit takes 1 or more.');
  const taken: Row[] = [];
  for await (const row of rows) {
    if (taken.length >= limit) return { rows: taken, more: true };
    taken.push(row);
  }
  return { rows: taken, more: false };
}
