import { defineCommand } from '#define/define-command.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';
import { readTextFile } from '#input/local-file.ts';

export const downloadsReleaseOffline = defineCommand({
  path: 'downloads release-offline',
  summary: 'Release the seat of your own offline computer by its release file',
  operations: ['releaseOwnOfflineLicense'],
  args: [
    ['<token>', `the end of the link, after open=${OR_STDIN}`],
    ['<serial>', 'the code'],
    ['<release-file>', 'the release file written by the plugin on that computer'],
  ],
  examples: ['tonerow downloads release-offline LINK-TOKEN ABCD-EFGH-2345-6789 release.txt'],
  async run({ context, args: [token, serial, file] }) {
    const body = { token: await givenToken(context, token), serial, release: await readTextFile(file) };
    await (await context.client()).releaseOwnOfflineLicense({ body }, context.call);
    context.note('The seat has been released.');
  },
});
