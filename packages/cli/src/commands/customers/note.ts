import { defineCommand } from '#define/define-command.ts';
import { find, WHO } from './find.ts';

export const customersNote = defineCommand({
  path: 'customers note',
  summary: 'Add a note about a customer, which only you read',
  operations: ['addCustomerNote'],
  args: [...WHO, ['<text>', 'the note']],
  examples: ['tonerow customers note nina@example.com "Got a second seat for her laptop"'],
  async run({ context, args: [who, text] }) {
    const id = await find(context, who);
    const note = await (await context.api()).addCustomerNote({ path: { id }, body: { text } }, context.call);
    await context.print(note, '');
    context.note('Noted.');
  },
});
