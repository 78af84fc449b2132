import type { PluginKey, Product } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Failure, UsageError } from '#exit.ts';
import { findKeyId, findProduct } from '#input/find-by-name.ts';
import { sameName } from '#input/same-name.ts';
import type { Context } from '#run/context.ts';

/** The product that was named, or the one that is called like the project. */
export async function productOf(context: Context, api: OperationClient, name: string, product: string | undefined) {
  if (product !== undefined) return findProduct(api, product, context.io.signal);
  for await (const each of api.paginate.listProducts({ query: { search: name } }, context.call))
    if (sameName(each.name, name)) return each;
  const all: Product[] = [];
  for await (const each of api.paginate.listProducts({}, context.call)) if (all.push(each) === 20) break;
  if (all.length === 0)
    throw new Failure(`You have no product yet. Create it first: tonerow products create "${name}" --price 49`);
  const question = `Which product is it for?\n${all.map((each, at) => `  ${at + 1}  ${each.name}\n`).join('')}Number: `;
  const answer = await context.ask({ text: question, instead: '--product PRODUCT' });
  return chosen(all, answer);
}

interface Choice {
  key: string | undefined;
  keyFile: string | undefined;
  yes: boolean;
}

/** The plugin key to build in: one that exists, or a new one. */
export async function keyOf(context: Context, api: OperationClient, label: string, choice: Choice): Promise<string> {
  if (choice.key !== undefined) return reveal(context, api, choice.key);
  if (choice.keyFile !== undefined || context.io.env.TONEROW_PLUGIN_KEY) {
    const key = await context.secret({
      env: 'TONEROW_PLUGIN_KEY',
      file: choice.keyFile,
      what: 'the plugin key',
      how: '--key-file',
    });
    // whatever else is in that file must not ship in a plugin
    if (!/^tnr_plg_[\w-]+$/.test(key)) throw new UsageError('This is not a plugin key: those begin with tnr_plg_.');
    const { keys } = await api.listPluginKeys({}, context.call);
    const own = keys.filter(({ hint }) => key.endsWith(hint));
    if (own.length === 0) throw new Failure('This plugin key is not one of yours.');
    if (!own.some(({ isActive }) => isActive)) throw new Failure('This plugin key is inactive.');
    return key;
  }
  if (choice.yes) return make(context, api, label);
  const { keys } = await api.listPluginKeys({}, context.call);
  const usable = keys.filter((key) => key.isActive && key.can_reveal && key.expires_at === null);
  const rows = usable.map((key, at) => `  ${at + 1}  ${key.label}${key.is_test ? ' (test key)' : ''}\n`);
  const question = `Which plugin key ships in it?\n${rows.join('')}  0  a new one\nNumber: `;
  const answer = await context.ask({ text: question, instead: '--key KEY, or --yes for a new one' });
  if (answer.trim() === '0') return make(context, api, label);
  return (await api.revealPluginKey({ path: { id: chosen<PluginKey>(usable, answer).id } }, context.call)).plaintext;
}

async function reveal(context: Context, api: OperationClient, text: string): Promise<string> {
  const id = await findKeyId(api, text, context.io.signal, 'current');
  return (await api.revealPluginKey({ path: { id } }, context.call)).plaintext;
}

async function make(context: Context, api: OperationClient, label: string): Promise<string> {
  const made = await api.createPluginKey({ body: { label } }, context.call);
  context.note(`Key "${made.key.label}" created.`);
  return made.plaintext;
}

function chosen<Each>(all: readonly Each[], answer: string): Each {
  const found = /^\d+$/.test(answer.trim()) ? all[Number(answer.trim()) - 1] : undefined;
  if (found === undefined) throw new UsageError('This is none of the numbers.');
  return found;
}

/** The developer's public keys. The first one is made for the first answer that is signed. */
export async function publicKeysOf(context: Context, developerId: string, pluginKey: string) {
  const plugin = await context.client(pluginKey);
  await plugin.getLicenseTime({}, { ...context.call, headers: { 'x-tonerow-sign': '1' } });
  const { keys } = await plugin.getLicenseKeys({ query: { dev: developerId } }, context.call);
  if (keys.length === 0) throw new Failure('The server has no public keys of yours.');
  return keys;
}
