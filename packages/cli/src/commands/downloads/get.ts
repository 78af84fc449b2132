import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { Failure, UsageError } from '#exit.ts';
import { fetchLinked } from '#output/files/linked-file.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { opened, TOKEN } from './token.ts';

export const downloadsGet = defineCommand({
  path: 'downloads get',
  summary: 'Download a file; counts as one of five downloads, once within six hours',
  operations: ['downloadFile'],
  args: [['<file>', 'its label']],
  options: {
    ...TOKEN,
    serial: text('<code>', 'which serial, if there are several'),
    out: text('<file>', 'output file'),
  },
  examples: ['tonerow downloads get macOS --token-file download-token.txt --out PrismDelay.dmg'],
  async run({ context, args: [label], options }) {
    if (!options.out) throw new UsageError('Specify the output: --out FILE.');
    const products = await opened(context, options);
    const bare = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();
    const fitting = products.filter((each) => !options.serial || bare(each.serial_code) === bare(options.serial));
    const files = fitting.flatMap((each) => each.files).filter((file) => file.name === label);
    if (files.length === 0)
      throw new Failure(`There is no file "${label}". "tonerow downloads list" shows them.`, 'not_found');
    if (files.length > 1) throw new UsageError('Several products have this file: choose one with --serial.');
    const token = new URL((files[0] as { url: string }).url).searchParams.get('token') ?? '';
    const response = await (await context.client()).stream.downloadFile({ query: { token } }, context.call);
    const file = await fetchLinked(context, response, label);
    await receive(context, file, outOf(context, options.out, 'public'), 'Receiving');
  },
});
