import type { InputOf } from '@tonerow/sdk';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, everyOf, text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';

type Query = NonNullable<InputOf<'listCustomerEmails'>['query']>;

export const customersEmails = defineCommand({
  path: 'customers emails',
  summary: 'List the emails that your customers were sent, and whether they arrived',
  operations: ['listCustomerEmails'],
  options: {
    to: text('<address>', 'only emails to exactly this address'),
    kind: choice('<kind>', 'redemption, my_products, customer_changed, new_version or account_closed', {
      values: everyOf<NonNullable<Query['kind']>>({
        redemption: 0,
        my_products: 0,
        customer_changed: 0,
        new_version: 0,
        account_closed: 0,
      }),
    }),
    state: choice('<state>', 'queued, sent or failed', {
      values: everyOf<NonNullable<Query['state']>>({ queued: 0, sent: 0, failed: 0 }),
    }),
    ...PAGE,
  },
  examples: ['tonerow customers emails', 'tonerow customers emails --to nina@example.com --state failed'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { recipient: options.to, kind: options.kind, state: options.state };
    await printRows(context, api.paginate.listCustomerEmails({ query }, context.call), options, {
      head: ['QUEUED', 'KIND', 'TO', 'SUBJECT', 'STATE', 'TRIES', 'LAST ERROR'],
      cells: (row) => [row.created_at, row.kind, row.recipient, row.subject, row.state, row.attempts, row.error],
      none: 'No emails.\n',
    });
  },
});
