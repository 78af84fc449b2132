import { defineCommand } from '#define/define-command.ts';
import { confirmPage } from './confirm-page.ts';
import { findInvoiceId, WHICH } from './find-invoice.ts';

export const billingConfirmPayment = defineCommand({
  path: 'billing confirm-payment',
  summary: 'Confirm an invoice’s payment that your bank asks about; the dashboard has the page',
  operations: ['confirmInvoicePayment', 'listInvoices'],
  args: [...WHICH],
  examples: ['tonerow billing confirm-payment 2026-0007'],
  async run({ context, args: [text] }) {
    const id = await findInvoiceId(context, text);
    const { status } = await (await context.api()).confirmInvoicePayment({ path: { id } }, context.call);
    // the secret is for a browser, and stays out of terminals and their logs
    const url = status === 'paid' ? null : await confirmPage(context, id);
    await context.print({ status, url }, url === null ? 'It is paid.\n' : `Confirm the payment at ${url}\n`);
  },
});
