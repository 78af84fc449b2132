import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { customerOf, WHO } from './find.ts';

export const customersChange = defineCommand({
  path: 'customers change',
  summary: 'Change a customer’s name or email address; both addresses are told',
  operations: ['changeCustomer'],
  args: WHO,
  options: {
    email: text('<address>', 'the new email address'),
    firstName: text('<name>', 'the first name; empty for none'),
    lastName: text('<name>', 'the last name; empty for none'),
  },
  examples: ['tonerow customers change nina@example.com --email nina.simone@example.com'],
  async run({ context, args: [who], options }) {
    const { email, firstName, lastName } = options;
    if (email === undefined && firstName === undefined && lastName === undefined) {
      throw new UsageError('Nothing to change: give --email, --first-name or --last-name.');
    }
    const { api, id } = await customerOf(context, who);
    const body = {
      ...(email === undefined ? {} : { email }),
      ...(firstName === undefined ? {} : { first_name: firstName || null }),
      ...(lastName === undefined ? {} : { last_name: lastName || null }),
    };
    const customer = await api.changeCustomer({ path: { id }, body }, context.call);
    await context.print(customer, '');
    context.note(
      `Changed: ${[customer.first_name, customer.last_name, `<${customer.email}>`].filter(Boolean).join(' ')}`,
    );
  },
});
