import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { WHICH } from './options.ts';

export const shopsDelete = defineCommand({
  path: 'shops delete',
  summary: 'Delete a shop; its orders and their serials stay',
  operations: ['deleteShop'],
  args: [...WHICH],
  options: YES,
  examples: ['tonerow shops delete 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    await context.confirm(options.yes, 'Delete this shop? What it reports from now on is refused.');
    await api.deleteShop({ path: { id } }, context.call);
    context.note('The shop has been deleted.');
  },
});
