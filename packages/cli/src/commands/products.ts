import type { Product } from '@tonerow/sdk';
import type { Command, Options } from '../command.ts';
import { DRY_RUN, PAGE, YES } from '../command.ts';
import { UsageError } from '../exit.ts';
import { wholeNumber } from '../number.ts';
import { printRows } from '../output/rows.ts';
import { counted, list, money } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { findProduct, priceOf } from './resolve.ts';

const fields = [
  ['--short-desc <text>', 'one line about it'],
  ['--long-desc <text>', 'all about it'],
  ['--price <amount>', 'dollars, or "none"'],
  ['--sale-price <amount>', 'dollars, or "none"'],
  ['--seats <n>', 'machines a serial can be activated on'],
  ['--offline-days <n>', 'days a plugin works without the network'],
  ['--lease-days <n>', 'days a license file holds a seat for a machine without network'],
  ['--trial-days <n>', 'days of trial, 0 for none'],
  ['--juce-product-id <text>', 'what its stock JUCE plugin calls itself; "" for the name'],
] as const;
const repeatable = [
  ['--feature <text>', 'a line of the feature list'],
  ['--file <label=url>', 'a file to download: Label=https://…'],
] as const;

function formOf(options: Options) {
  const number = (name: string, flag: string) =>
    options[name] === undefined ? undefined : wholeNumber(options[name], flag);
  return {
    short_desc: options.shortDesc as string | undefined,
    long_desc: options.longDesc as string | undefined,
    price: priceOf(options.price, '--price'),
    sale_price: priceOf(options.salePrice, '--sale-price'),
    max_activations: number('seats', '--seats'),
    offline_days: number('offlineDays', '--offline-days'),
    lease_days: number('leaseDays', '--lease-days'),
    trial_days: number('trialDays', '--trial-days'),
    juce_product_id: options.juceProductId as string | undefined,
    ...(options.feature.length > 0 ? { feature_list: options.feature as string[] } : {}),
    ...(options.file.length > 0 ? { file_urls: (options.file as string[]).map(fileOf) } : {}),
  };
}

/** `Label=https://…`, or the address alone. */
function fileOf(text: string): { name: string; url: string } {
  const match = /^([^=:/]*)=(.+)$/s.exec(text);
  return match ? { name: match[1] as string, url: match[2] as string } : { name: '', url: text };
}

function card(product: Product): string {
  return list([
    ['Name', product.name],
    ['Id', product.id],
    ['State', product.is_draft ? 'draft' : 'submitted'],
    ['Price', money(product.price)],
    ['Sale price', money(product.sale_price)],
    ['Serials available', product.serials_available],
    ['Seats', product.max_activations],
    ['Offline days', product.offline_days],
    ['Lease days', product.lease_days],
    ['Trial days', product.trial_days],
    ['JUCE product id', product.juce_product_id],
    ['About', product.short_desc],
    ['Features', product.feature_list.join('; ')],
    ['Files', product.file_urls.map((file) => `${file.name} (${file.url})`).join('; ')],
  ]);
}

export const productCommands: Command[] = [
  {
    path: 'products list',
    summary: 'List products',
    operations: ['listProducts'],
    options: [['--search <text>', 'part of the name'], ...PAGE],
    examples: ['tonerow products list --search delay', 'tonerow products list --all --json'],
    async run(context, _args, options) {
      const api = await context.api();
      await printRows(
        context,
        api.paginate.listProducts({ query: { search: options.search } }, context.call),
        options,
        {
          head: ['ID', 'NAME', 'STATE', 'PRICE', 'SERIALS'],
          cells: (each) => [
            each.id,
            each.name,
            each.is_draft ? 'draft' : 'submitted',
            money(each.sale_price ?? each.price),
            each.serials_available,
          ],
          none: 'No products yet. Make one: tonerow products create NAME\n',
        },
      );
    },
  },
  {
    path: 'products get',
    summary: 'Show a product',
    operations: ['getProduct'],
    args: [['<product>', 'id or name']],
    examples: ['tonerow products get "Prism Delay"'],
    async run(context, [text]) {
      const product = await findProduct(await context.api(), text as string, context.io.signal);
      await context.print(product, card(product));
    },
  },
  {
    path: 'products create',
    summary: 'Create a product',
    operations: ['createProduct'],
    once: true,
    args: [['<name>', 'its name']],
    options: [...fields, ['--draft', 'keep it back until it is published']],
    repeatable,
    examples: ['tonerow products create "Prism Delay" --price 99 --file "macOS=https://cdn.example.com/prism.dmg"'],
    async run(context, [name], options) {
      const product = await (await context.api()).createProduct(
        { body: { name: name as string, ...formOf(options), is_draft: options.draft === true } },
        context.call,
      );
      await context.print(product, card(product));
      context.note(product.is_draft ? 'Saved as draft!' : 'Product submitted!');
    },
  },
  {
    path: 'products update',
    summary: 'Change a product; what is not given stays',
    operations: ['updateProduct'],
    args: [['<product>', 'id or name']],
    options: [['--name <text>', 'a new name'], ...fields],
    repeatable,
    examples: ['tonerow products update "Prism Delay" --price 79 --sale-price none'],
    async run(context, [text], options) {
      const change = { name: options.name as string | undefined, ...formOf(options) };
      if (Object.values(change).every((value) => value === undefined))
        throw new UsageError('Say what to change, such as --price 99.');
      const api = await context.api();
      const { id, version } = await findProduct(api, text as string, context.io.signal);
      const product = await api.updateProduct({ path: { id }, body: { ...change, version } }, context.call);
      await context.print(product, card(product));
      context.note('Product updated!');
    },
  },
  {
    path: 'products publish',
    summary: 'Turn a draft into a submitted product',
    operations: ['publishProduct'],
    args: [['<product>', 'id or name']],
    examples: ['tonerow products publish "Prism Delay"'],
    async run(context, [text]) {
      const api = await context.api();
      const { id } = await findProduct(api, text as string, context.io.signal);
      const product = await api.publishProduct({ path: { id } }, context.call);
      await context.print(product, card(product));
      context.note('Product submitted!');
    },
  },
  {
    path: 'products delete',
    summary: 'Delete a product and its available serials',
    operations: ['deleteProduct'],
    args: [['<product>', 'id or name']],
    options: [['--force', 'also with redeemed serials: they are revoked'], DRY_RUN, YES],
    examples: [
      'tonerow products delete "Prism Delay" --dry-run',
      'tonerow products delete "Prism Delay" --force --yes',
    ],
    async run(context, [text], options) {
      const api = await context.api();
      const product = await findProduct(api, text as string, context.io.signal);
      const question = `Are you sure you want to permanently delete this product? (${product.name})`;
      const dry = options.dryRun === true;
      if (!dry) await confirm(context.io, { yes: options.yes === true, input: context.globals.input }, question);
      const query = { force: options.force === true, dry_run: dry };
      const done = await api.deleteProduct({ path: { id: product.id }, query }, context.call);
      const counts = `${counted(done.serials_deleted, 'serial')} deleted, ${done.serials_revoked} revoked`;
      await context.print(done, dry ? `There would be ${counts}.\n` : '');
      if (!dry) context.note(`${done.message} ${counts}.`);
    },
  },
];
