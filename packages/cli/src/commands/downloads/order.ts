import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { LANGUAGE } from './language.ts';

export const downloadsOrder = defineCommand({
  path: 'downloads order',
  summary: 'Email a link to the codes of an order in a developer’s shop',
  operations: ['requestOrder'],
  args: [
    ['<order>', 'the number of the order, or the code from a receipt without an email address'],
    ['<email>', 'the email address of the order, or the customer’s own with such a code'],
  ],
  options: {
    dev: text('<id>', 'id of the developer whose page it is'),
    ...LANGUAGE,
  },
  examples: ['tonerow downloads order 1042 nina@example.com --dev 01900000-0000-7000-8000-000000000002'],
  async run({ context, args: [order, email], options }) {
    const body = { order, email, dev: options.dev, language: options.language };
    const { message } = await (await context.client()).requestOrder({ body }, context.call);
    context.note(message);
  },
});
