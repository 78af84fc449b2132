import { defineCommand } from '#define/define-command.ts';
import { EMAIL_LANGUAGE } from '../downloads/language.ts';

export const drawsEmail = defineCommand({
  path: 'draws email',
  summary: 'Send the code of a sale by hand to the customer, for the first time or again',
  operations: ['emailHandSale'],
  args: [
    ['<reference>', 'your name for the sale'],
    ['<address>', 'where the code is sent'],
  ],
  options: EMAIL_LANGUAGE,
  examples: ['tonerow draws email fair-17 nina@example.com'],
  async run({ context, args: [reference, email], options: { language } }) {
    const api = await context.api();
    const sale = await api.emailHandSale({ path: { reference }, body: { email, language } }, context.call);
    await context.print(sale, `The code is on its way to ${email}.\n`);
  },
});
