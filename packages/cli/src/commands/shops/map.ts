import { mapShopItemsItemsRenewals, mapShopItemsItemsSource } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice, number, text, texts } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findMappedProductId } from '#input/find-by-name.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsMap = defineCommand({
  path: 'shops map',
  summary: 'Map something that a shop sells to products; orders that wait for it are delivered',
  operations: ['mapShopItems'],
  args: [...WHICH, ['<key>', 'a SKU, variant:… or product:…, as "tonerow shops items" shows it']],
  options: {
    product: texts('<product>', 'id or name; several are a bundle'),
    units: number('<n>', 'serials of each product for one of it', { fallback: '1' }),
    source: choice('<source>', 'generate new serials, or take them from a batch', {
      values: mapShopItemsItemsSource,
      fallback: 'generate',
    }),
    tag: text('<tag>', 'the tag of the batches that they are made in or taken from'),
    prefix: text('<text>', 'four letters or digits that generated codes begin with'),
    expires: text('<day>', 'the last day on which generated serials can be redeemed'),
    renewals: choice('<answer>', 'what the renewal of a subscription gives', {
      values: mapShopItemsItemsRenewals,
      fallback: 'ignore',
    }),
  },
  examples: ['tonerow shops map "My shop" GLIDE --product "Glide"'],
  async run({ context, args: [which, key], options }) {
    if (options.product.length === 0) throw new UsageError('Give at least one --product.');
    const { api, id } = await shopOf(context, which);
    const product_ids: string[] = [];
    for (const product of options.product) product_ids.push(await findMappedProductId(context, product));
    const { units, source, tag, prefix, expires, renewals } = options;
    const item = { key, product_ids, units, source, batch_tag: tag, prefix, expires_at: expires, renewals };
    const { items } = await api.mapShopItems({ path: { id }, body: { items: [item] } }, context.call);
    await context.print(items, '');
    context.note(`${key} is mapped. Orders that wait for it are delivered now.`);
  },
});
