import { defineCommand } from '#define/define-command.ts';
import { list, money } from '#output/table.ts';
import { chosen } from '#output/zone.ts';
import { SERIALS, soldSerials } from './filter.ts';

export const dealsProduct = defineCommand({
  path: 'deals product',
  summary: 'Show a product you sell, and how many serials of it you have',
  operations: ['getResellerProduct'],
  args: [['<product>', 'id or name, from "tonerow deals products"']],
  options: SERIALS,
  examples: ['tonerow deals product "Prism Delay"'],
  async run({ context, args: [text], options }) {
    const { api, ...input } = await soldSerials(context, text, options);
    const found = await api.getResellerProduct(input, context.call);
    const { product, deal, serials } = found;
    await context.print(
      found,
      list([
        ['Product', product.name],
        ['Developer', product.developer_name],
        ['About', product.short_desc],
        ['Price', money(product.price)],
        ['Sale price', money(product.sale_price)],
        ['Commission', `${product.commission_rate}%`],
        ...(deal
          ? ([
              ['Deal price', money(deal.promo_price)],
              ['Promo starts', chosen(deal.promo_start, 'start', product.developer_time_zone)],
              ['Promo expires', chosen(deal.promo_expires, 'end', product.developer_time_zone)],
              ['Redeem by', chosen(deal.expires_at, 'end', product.developer_time_zone)],
            ] as [string, string | null][])
          : []),
        ['License', 'Never ends'],
        ['Available', serials.counts.available],
        ['Not for sale now', (deal ?? product).not_for_sale_serials],
        ['Redeemed', serials.counts.redeemed],
      ]),
    );
  },
});
