import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { outOf, receive } from '../../output/stream.ts';
import { findPayoutId, WHICH } from './find.ts';

export const payoutsExport = defineCommand({
  path: 'payouts export',
  summary: 'Download a statement with all of its transactions as CSV',
  operations: ['downloadPayoutCsv', 'downloadDeveloperPayoutCsv', 'getMe', 'listPayouts', 'listDeveloperPayouts'],
  args: [...WHICH],
  options: { out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }) },
  examples: ['tonerow payouts export 2026-0007 --out statement-2026-0007.csv'],
  async run({ context, args: [which], options }) {
    const id = await findPayoutId(context, which);
    const api = await context.api();
    const { is_reseller } = await api.getMe({}, context.call);
    const call = { ...context.call, accept: 'text/csv' };
    const response = is_reseller
      ? await api.stream.downloadPayoutCsv({ path: { id } }, call)
      : await api.stream.downloadDeveloperPayoutCsv({ path: { id } }, call);
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
