import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { findPayoutId, WHICH } from './find.ts';

export const payoutsExport = defineCommand({
  path: 'payouts export',
  summary: 'Download a statement: as CSV with all of its transactions, or as PDF',
  operations: [
    'downloadPayoutCsv',
    'downloadDeveloperPayoutCsv',
    'downloadPayoutPdf',
    'downloadDeveloperPayoutPdf',
    'getMe',
    'listPayouts',
    'listDeveloperPayouts',
  ],
  args: [...WHICH],
  options: {
    format: choice('<format>', 'csv or pdf', { values: ['csv', 'pdf'], fallback: 'csv' }),
    out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
  },
  examples: [
    'tonerow payouts export 2026-0007 --out statement-2026-0007.csv',
    'tonerow payouts export 2026-0007 --format pdf --out statement.pdf',
  ],
  async run({ context, args: [which], options }) {
    const id = await findPayoutId(context, which);
    const api = await context.api();
    const { is_reseller } = await api.getMe({}, context.call);
    const path = { id };
    const pdf = options.format === 'pdf';
    const call = { ...context.call, accept: pdf ? 'application/pdf' : 'text/csv' };
    const response = pdf
      ? await (is_reseller
          ? api.stream.downloadPayoutPdf({ path }, call)
          : api.stream.downloadDeveloperPayoutPdf({ path }, call))
      : await (is_reseller
          ? api.stream.downloadPayoutCsv({ path }, call)
          : api.stream.downloadDeveloperPayoutCsv({ path }, call));
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
