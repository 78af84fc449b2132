import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';

export const drawsEmail = defineCommand({
  path: 'draws email',
  summary: 'Send the code of a sale by hand to the customer, for the first time or again',
  operations: ['emailHandSale'],
  args: [
    ['<reference>', 'your name for the sale'],
    ['<address>', 'where the code is sent'],
  ],
  options: {
    language: choice('<language>', 'of the email, where the customer’s own is not known: en, de, fr, es or ja', {
      values: ['en', 'de', 'fr', 'es', 'ja'],
    }),
  },
  examples: ['tonerow draws email fair-17 nina@example.com'],
  async run({ context, args: [reference, email], options: { language } }) {
    const api = await context.api();
    const sale = await api.emailHandSale({ path: { reference }, body: { email, language } }, context.call);
    await context.print(sale, `The code is on its way to ${email}.\n`);
  },
});
