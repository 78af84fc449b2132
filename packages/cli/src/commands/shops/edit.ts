import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { ORDER } from './options.ts';
import { textOf } from './order.ts';

export const shopsEdit = defineCommand({
  path: 'shops edit',
  summary: 'Change the note of an order, or where its codes are sent',
  operations: ['updateShopOrder'],
  args: [...ORDER],
  options: {
    email: text('<address>', 'where its codes are sent from now on; a redeemed serial stays with its customer'),
    note: text('<text>', 'your own note; an empty one is none'),
  },
  examples: ['tonerow shops edit 01900000-0000-7000-8000-000000000001 --email nina@example.com'],
  async run({ context, args: [id], options: { email, note } }) {
    if (email === undefined && note === undefined) throw new UsageError('Give --email or --note.');
    const body = { email, note: note === '' ? null : note };
    const { order } = await (await context.api()).updateShopOrder({ path: { id }, body }, context.call);
    await context.print(order, textOf(order));
  },
});
