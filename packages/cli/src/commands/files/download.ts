import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { fetchLinked } from '#output/files/linked-file.ts';
import { outOf, receive } from '#output/files/stream.ts';

export const filesDownload = defineCommand({
  path: 'files download',
  summary: 'Download one of your files',
  operations: ['downloadOwnFile', 'getFile'],
  args: [['<id>', 'from "tonerow files list"']],
  options: {
    out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
  },
  examples: ['tonerow files download 01900000-0000-7000-8000-000000000001 --out PrismDelay-1.2.dmg'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const { name, size } = await api.getFile({ path: { id } }, context.call);
    const answer = await api.stream.downloadOwnFile({ path: { id } }, context.call);
    await receive(
      context,
      await fetchLinked(context, answer, name),
      outOf(context, options.out, 'public'),
      'Receiving',
      size,
    );
  },
});
