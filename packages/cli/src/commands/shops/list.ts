import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';
import { stateOf } from './card.ts';

export const shopsList = defineCommand({
  path: 'shops list',
  summary: 'List the shops that report their sales',
  operations: ['listShops'],
  shows: ['getShop'],
  examples: ['tonerow shops list'],
  async run({ context }) {
    const { shops } = await (await context.api()).listShops({}, context.call);
    const rows = shops.map((shop) => [shop.name, shop.kind, shop.mode, stateOf(shop), shop.unmapped, shop.id]);
    await context.print(
      shops,
      shops.length === 0
        ? 'No shops yet. Connect one: tonerow shops connect\n'
        : table(['NAME', 'KIND', 'MODE', 'STATE', 'UNMAPPED', 'ID'], rows),
    );
  },
});
