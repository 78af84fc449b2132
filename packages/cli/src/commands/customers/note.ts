import { defineCommand } from '#define/define-command.ts';
import { customerOf, WHO } from './find.ts';

export const customersNote = defineCommand({
  path: 'customers note',
  summary: 'Add a note about a customer, which only you read',
  operations: ['addCustomerNote'],
  args: [...WHO, ['<text>', 'the note']],
  examples: ['tonerow customers note nina@example.com "Got a second seat for her laptop"'],
  async run({ context, args: [who, text] }) {
    const { api, id } = await customerOf(context, who);
    const note = await api.addCustomerNote({ path: { id }, body: { text } }, context.call);
    await context.print(note, '');
    context.note('Noted.');
  },
});
