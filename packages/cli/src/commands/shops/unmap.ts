import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { WHICH } from './options.ts';

export const shopsUnmap = defineCommand({
  path: 'shops unmap',
  summary: 'Forget what something that a shop sells is; what is sold from now on waits',
  operations: ['deleteShopItem'],
  args: [...WHICH, ['<key>', 'as "tonerow shops items" shows it']],
  options: YES,
  examples: ['tonerow shops unmap 01900000-0000-7000-8000-000000000001 GLIDE --yes'],
  async run({ context, args: [id, key], options }) {
    const api = await context.api();
    await context.confirm(options.yes, 'Forget what this is? Its orders wait until it is mapped again.');
    await api.deleteShopItem({ path: { id, key } }, context.call);
    context.note(`${key} is no longer mapped.`);
  },
});
