import { defineCommand } from '#define/define-command.ts';
import { required, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { resellerIds } from '#input/filter-ids.ts';
import { outOf, receive } from '#output/files/stream.ts';

export const payoutsArchive = defineCommand({
  path: 'payouts archive',
  summary: 'Download all statements of a year, as CSV and PDF, in one ZIP file',
  operations: ['downloadPayoutArchive', 'downloadDeveloperPayoutArchive', 'getMe'],
  args: [['<year>', 'such as 2026']],
  options: {
    reseller: text('<reseller>', 'as the developer: only the statements of this reseller, by id or name'),
    out: required(text('<file>', 'write to a file ("-" for standard output)'), 'Name a file with --out.'),
  },
  examples: ['tonerow payouts archive 2026 --out statements-2026.zip'],
  async run({ context, args: [text], options }) {
    const year = Number(text);
    if (!/^\d{4}$/.test(text)) throw new UsageError('The year has four digits, such as 2026.');
    const api = await context.api();
    const { is_reseller } = await api.getMe({}, context.call);
    const call = { ...context.call, accept: 'application/zip' };
    const query = { year, reseller_id: await resellerIds(context, options.reseller) };
    const response = is_reseller
      ? await api.stream.downloadPayoutArchive({ query }, call)
      : await api.stream.downloadDeveloperPayoutArchive({ query }, call);
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
