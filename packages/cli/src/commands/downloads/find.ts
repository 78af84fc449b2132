import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';

export const downloadsFind = defineCommand({
  path: 'downloads find',
  summary: 'Have a link mailed that opens all that an address owns at one developer',
  operations: ['requestMyProducts'],
  args: [['<email>', 'the customer’s address']],
  options: {
    dev: text('<id>', 'the developer whose page it is'),
  },
  examples: ['tonerow downloads find nina@example.com --dev 01900000-0000-7000-8000-000000000002'],
  async run({ context, args: [email], options }) {
    const body = { email, dev: options.dev };
    const { message } = await (await context.client()).requestMyProducts({ body }, context.call);
    context.note(message);
  },
});
