import { defineCommand } from '#define/define-command.ts';
import { readTextFile } from '#input/local-file.ts';
import { list } from '#output/table.ts';
import { asPlugin, KEY } from './as-plugin.ts';

export const licenseReleaseOffline = defineCommand({
  path: 'license release-offline',
  summary: 'Release the seat of an offline machine by its release file, before the lease ends',
  operations: ['releaseOfflineLicense'],
  args: [['<release-file>', 'the release file written by the plugin on that machine']],
  options: KEY,
  examples: ['tonerow license release-offline release.txt --key-file plugin-key.txt'],
  async run({ context, args: [file], options }) {
    const body = { release: await readTextFile(file) };
    const answer = await (await asPlugin(context, options)).releaseOfflineLicense({ body }, context.call);
    await context.print(answer, list([['Status', answer.status]]));
  },
});
