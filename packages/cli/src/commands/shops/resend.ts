import { defineCommand } from '#define/define-command.ts';
import { ORDER } from './options.ts';

export const shopsResend = defineCommand({
  path: 'shops resend',
  summary: 'Email the codes of an order again',
  operations: ['resendShopOrder'],
  once: true,
  args: [...ORDER],
  examples: ['tonerow shops resend 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const { order } = await (await context.api()).resendShopOrder({ path: { id } }, context.call);
    await context.print(order, '');
    context.note(`Its codes are on their way to ${order.email}.`);
  },
});
