import { listCustomerEmailsKind, listCustomerEmailsState } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';

export const customersEmails = defineCommand({
  path: 'customers emails',
  summary: 'List the emails that your customers were sent, and whether they arrived',
  operations: ['listCustomerEmails'],
  options: {
    to: text('<address>', 'only emails to exactly this address'),
    kind: choice('<kind>', 'such as redemption, my_products or order', {
      values: listCustomerEmailsKind,
    }),
    state: choice('<state>', 'queued, sent or failed', {
      values: listCustomerEmailsState,
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
