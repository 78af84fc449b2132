import type { Product, Reseller } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Failure } from '#exit.ts';
import { minute } from '#output/zone.ts';
import type { Context } from '#run/context.ts';
import { isId } from './is-id.ts';
import { sameName } from './same-name.ts';

/** As many partnerships as fit on a page. */
const MOST = 1000;

/** A product by its id or its full name. */
export async function findProduct(api: OperationClient, text: string, signal: AbortSignal): Promise<Product> {
  if (isId(text)) return api.getProduct({ path: { id: text } }, { signal });
  for await (const product of api.paginate.listProducts({ query: { search: text } }, { signal })) {
    if (sameName(product.name, text)) return product;
  }
  throw new Failure(`You have no product named "${text}". "tonerow products list" shows them.`, 'not_found');
}

/** The same where a plugin key suffices: only looking up a name needs the developer's own token. */
export async function findProductId(context: Context, text: string): Promise<string> {
  return isId(text) ? text : (await findProduct(await context.api(), text, context.io.signal)).id;
}

/** The id of a product that a reseller sells, given its full name or id. */
export async function findSoldProductId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  const found: { id: string; developer: string }[] = [];
  for await (const row of api.paginate.listResellerProducts({ query: { search: text } }, { signal })) {
    if (sameName(row.name, text)) found.push({ id: row.product_id, developer: row.developer_name });
  }
  if (found.length > 1) {
    const ids = found.map(({ id, developer }) => `${id} (${developer})`).join(', ');
    throw new Failure(`Several are named "${text}". Use an id instead: ${ids}.`);
  }
  if (!found[0])
    throw new Failure(`You sell no product named "${text}". "tonerow deals products" shows them.`, 'not_found');
  return found[0].id;
}

/** The id of a product that an account maps to, given its full name or id: its own, or one that it sells. */
export async function findMappedProductId(context: Context, text: string): Promise<string> {
  if (isId(text)) return text;
  const api = await context.api();
  const { is_reseller } = await api.getMe({}, context.call);
  return is_reseller ? findSoldProductId(api, text, context.io.signal) : findProductId(context, text);
}

/** The id of a batch, given its tag or id. */
export async function findBatchId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  const found: { id: string; product: string }[] = [];
  for await (const { id, batch_tag, product_name } of api.paginate.listBatches(
    { query: { search: text } },
    { signal },
  )) {
    if (sameName(batch_tag, text)) found.push({ id, product: product_name });
  }
  if (found.length > 1) {
    const ids = found.map(({ id, product }) => `${id} (${product})`).join(', ');
    throw new Failure(`Several batches are tagged "${text}". Use an id instead: ${ids}.`);
  }
  if (!found[0]) throw new Failure(`No batch is tagged "${text}". "tonerow serials batches" shows them.`, 'not_found');
  return found[0].id;
}

/**
 * The id of a plugin key, given its label or id.
 * @param which `current`: while a rotated key still works, the label means the one that replaced it. `any`: it may mean either, so that
 * what takes a key away from plugins wants an id.
 */
export async function findKeyId(
  api: OperationClient,
  text: string,
  signal: AbortSignal,
  which: 'current' | 'any' = 'any',
): Promise<string> {
  if (isId(text)) return text;
  const { keys } = await api.listPluginKeys({}, { signal });
  const named = keys.filter((key) => sameName(key.label, text));
  const current = named.filter((key) => key.expires_at === null);
  if (which === 'current' && current.length === 1) return (current[0] as { id: string }).id;
  if (named.length > 1) {
    const ids = named.map(
      ({ id, expires_at }) => `${id} (${expires_at ? `rotated, until ${minute(expires_at)}` : 'current'})`,
    );
    throw new Failure(`Several are named "${text}". Use an id instead: ${ids.join(', ')}.`);
  }
  return only(named, (key) => key.label, text, 'plugin key', 'tonerow keys list');
}

/** The id of an access token, given its name or id. */
export async function findTokenId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  return only(
    await api.listAccessTokens({}, { signal }),
    (token) => token.name,
    text,
    'access token',
    'tonerow tokens list',
  );
}

/** The id of a trust for CI jobs, given its name or id. */
export async function findTrustId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  return only(await api.listTrusts({}, { signal }), (trust) => trust.name, text, 'trust', 'tonerow trust list');
}

/** The id of a shop, given its name or id. */
export async function findShopId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  const { shops } = await api.listShops({}, { signal });
  return only(shops, (shop) => shop.name, text, 'shop', 'tonerow shops list');
}

/** The id of a webhook, given its address or id. */
export async function findWebhookId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  const { webhooks } = await api.listWebhooks({}, { signal });
  return only(webhooks, (webhook) => webhook.url, text, 'webhook', 'tonerow webhooks list', 'at');
}

/** The id of a customer, given their email address or id. */
export async function findCustomerId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  // the search also finds addresses that contain this one
  for await (const { id, email } of api.paginate.listCustomers({ query: { search: text } }, { signal })) {
    if (sameName(email, text)) return id;
  }
  throw new Failure(`You have no customer ${text}.`, 'not_found');
}

/** The id of a deal for one product, given the tag of its batch or its id. */
export async function findDealId(
  api: OperationClient,
  text: string,
  productId: string,
  signal: AbortSignal,
): Promise<string> {
  if (isId(text)) return text;
  const found: string[] = [];
  for await (const deal of api.paginate.listResellerDeals({ query: { search: text } }, { signal })) {
    if (deal.product_id === productId && sameName(deal.batch_tag, text)) found.push(deal.id);
  }
  if (found.length > 1)
    throw new Failure(`Several deals are tagged "${text}". Use an id instead: ${found.join(', ')}.`);
  if (!found[0]) throw new Failure(`No deal is tagged "${text}". "tonerow deals list" shows them.`, 'not_found');
  return found[0];
}

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** All resellers of a developer, in as few requests as possible. */
export const everyReseller = (api: OperationClient, call: { signal: AbortSignal }): Promise<Reseller[]> =>
  collect(api.paginate.listResellers({ query: { limit: MOST } }, call));

/** The id of a reseller, given its name or id. */
export async function findResellerId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  const resellers = await everyReseller(api, { signal });
  const isNamed = resellers.some(({ name }) => sameName(name, text));
  return only(
    resellers,
    (reseller) => (isNamed ? reseller.name : reseller.company_name),
    text,
    'reseller',
    'tonerow resellers list',
  );
}

/** The id of a developer that the caller sells for, given its name or id. */
export async function findDeveloperId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  const developers = await collect(api.paginate.listPartners({ query: { limit: MOST } }, { signal }));
  return only(developers, (developer) => developer.company_name, text, 'developer', 'tonerow partners list');
}

/** The only one with this name. */
function only<Row extends { id: string }>(
  rows: Row[],
  nameOf: (row: Row) => string,
  text: string,
  what: string,
  list: string,
  by = 'named',
): string {
  const found = rows.filter((row) => sameName(nameOf(row), text));
  if (found.length > 1)
    throw new Failure(`Several are ${by} "${text}". Use an id instead: ${found.map(({ id }) => id).join(', ')}.`);
  if (!found[0]) throw new Failure(`You have no ${what} ${by} "${text}". "${list}" shows them.`, 'not_found');
  return found[0].id;
}

/** The id of a serial, given its id or its code in any notation. */
export async function findSerialId(api: OperationClient, text: string, signal: AbortSignal): Promise<string> {
  if (isId(text)) return text;
  const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();
  let within: string | undefined;
  // newer codes that merely start with it come first: RUN-10 before RUN-1
  for await (const row of api.paginate.listSerials({ query: { search: text } }, { signal })) {
    if (bare(row.code) === bare(text)) return row.id;
    // in quotes, or in a sentence, where the server has found it
    if (bare(text).includes(bare(row.code))) within ??= row.id;
  }
  if (within) return within;
  throw new Failure(`There is no serial ${text}.`, 'not_found');
}
