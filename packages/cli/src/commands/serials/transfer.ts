import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findSerialId } from '#input/find-by-name.ts';

export const serialsTransfer = defineCommand({
  path: 'serials transfer',
  summary: 'Give a redeemed serial to another customer; both are told by email',
  operations: ['transferSerial'],
  args: [
    ['<serial>', 'code or id'],
    ['<email>', 'whose it becomes'],
  ],
  options: {
    first: text('<name>', 'first name of a new customer'),
    last: text('<name>', 'last name of a new customer'),
    ...DRY_RUN,
    ...YES,
  },
  examples: [
    'tonerow serials transfer ABCD-EFGH-2345-6789 otis@example.com --dry-run',
    'tonerow serials transfer ABCD-EFGH-2345-6789 otis@example.com --first Otis --yes',
  ],
  async run({ context, args: [serial, email], options }) {
    const api = await context.api();
    const id = await findSerialId(api, serial, context.io.signal);
    const { code, customer } = await api.getSerial({ path: { id } }, context.call);
    // null: the access token may not read it
    const from = customer?.email === null ? 'its owner' : customer?.email || 'an erased customer';
    if (options.dryRun) {
      await context.print({ id, from: customer, email }, `${code} would move from ${from} to ${email}.\n`);
      return;
    }
    await context.confirm(options.yes, `Move ${code} from ${from} to ${email}? Both get an email.`);
    const done = await api.transferSerial(
      {
        path: { id },
        body: {
          email,
          ...(options.first ? { first_name: options.first } : {}),
          ...(options.last ? { last_name: options.last } : {}),
          ...(customer ? { from_customer_id: customer.id } : {}),
        },
      },
      context.call,
    );
    await context.print(done, '');
    context.note(done.changed ? `${code} belongs to ${email} now.` : `${code} was theirs already.`);
  },
});
