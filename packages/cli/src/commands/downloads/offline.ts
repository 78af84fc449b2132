import { readFile } from 'node:fs/promises';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';
import { outOf, receive } from '#output/files/stream.ts';

export const downloadsOffline = defineCommand({
  path: 'downloads offline',
  summary: 'Get the license file for your own offline computer',
  operations: ['createOwnOfflineLicense'],
  args: [
    ['<token>', `the end of the link, after open=${OR_STDIN}`],
    ['<serial>', 'the code'],
    ['<machine-file>', 'the machine file written by the plugin on that computer'],
  ],
  options: {
    out: text('<file>', 'write to a file', { fallback: '-' }),
  },
  examples: ['tonerow downloads offline LINK-TOKEN ABCD-EFGH-2345-6789 machine.txt --out license.txt'],
  async run({ context, args: [token, serial, file], options }) {
    const machine_file = await readFile(file, 'utf8');
    const body = { token: await givenToken(context, token), serial, machine_file };
    const api = await context.client();
    const response = await api.stream.createOwnOfflineLicense({ body }, { ...context.call, accept: '*/*' });
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
