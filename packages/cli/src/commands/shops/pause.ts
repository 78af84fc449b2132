import { defineCommand } from '#define/define-command.ts';
import { WHICH } from './options.ts';

export const shopsPause = defineCommand({
  path: 'shops pause',
  summary: 'Pause a shop: what it reports is kept, and waits',
  operations: ['pauseShop'],
  args: [...WHICH],
  examples: ['tonerow shops pause 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const shop = await (await context.api()).pauseShop({ path: { id } }, context.call);
    await context.print(shop, '');
    context.note('The shop is paused.');
  },
});
