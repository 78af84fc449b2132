import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { LANGUAGE } from './language.ts';

export const downloadsFind = defineCommand({
  path: 'downloads find',
  summary: 'Email a link that opens everything an address owns with one developer',
  operations: ['requestMyProducts'],
  args: [['<email>', 'the customer’s email address']],
  options: {
    dev: text('<id>', 'id of the developer whose page it is'),
    ...LANGUAGE,
  },
  examples: ['tonerow downloads find nina@example.com --dev 01900000-0000-7000-8000-000000000002'],
  async run({ context, args: [email], options }) {
    const body = { email, dev: options.dev, language: options.language };
    const { message } = await (await context.client()).requestMyProducts({ body }, context.call);
    context.note(message);
  },
});
