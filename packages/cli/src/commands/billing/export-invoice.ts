import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { findInvoiceId, WHICH } from './find-invoice.ts';

export const billingExportInvoice = defineCommand({
  path: 'billing export-invoice',
  summary: 'Download an invoice, or its receipt when it is paid: as PDF, or as a page to print',
  operations: ['downloadInvoicePdf', 'printInvoice', 'listInvoices'],
  args: [...WHICH],
  options: {
    format: choice('<format>', 'pdf or html', { values: ['pdf', 'html'], fallback: 'pdf' }),
    out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
  },
  examples: [
    'tonerow billing export-invoice 2026-0007 --out invoice.pdf',
    'tonerow billing export-invoice 2026-0007 --format html --out invoice.html',
  ],
  async run({ context, args: [which], options }) {
    const path = { id: await findInvoiceId(context, which) };
    const api = await context.api();
    const response =
      options.format === 'pdf'
        ? await api.stream.downloadInvoicePdf({ path }, { ...context.call, accept: 'application/pdf' })
        : await api.stream.printInvoice({ path }, { ...context.call, accept: 'text/html' });
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
