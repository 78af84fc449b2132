import { defineCommand } from '#define/define-command.ts';
import { WHICH } from './options.ts';

export const shopsResume = defineCommand({
  path: 'shops resume',
  summary: 'Resume a shop: what waited is worked on now',
  operations: ['resumeShop'],
  args: [...WHICH],
  examples: ['tonerow shops resume 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const shop = await (await context.api()).resumeShop({ path: { id } }, context.call);
    await context.print(shop, '');
    context.note('The shop is working again.');
  },
});
