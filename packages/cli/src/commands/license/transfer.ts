import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { readTextFile } from '#input/local-file.ts';
import { asPlugin, card, KEY, MACHINE } from './as-plugin.ts';

export const licenseTransfer = defineCommand({
  path: 'license transfer',
  summary: 'Move a seat to a machine whose id has changed',
  operations: ['transferLicense'],
  args: [['<license-key>', 'the serial']],
  options: {
    from: text('<id>', 'the old machine id'),
    ...MACHINE,
    tokenFile: text('<file>', 'the old machine’s validation token'),
    ...KEY,
  },
  examples: [
    'tonerow license transfer ABCD-EFGH-2345-6789 --from studio-1 --machine studio-2 --token-file validation-token.txt --key-file plugin-key.txt',
  ],
  async run({ context, args: [license_key], options }) {
    if (!options.from || !options.tokenFile) throw new UsageError('Give --from and --token-file.');
    const body = {
      license_key,
      old_machine_id: options.from,
      machine_id: options.machine,
      validation_token: (await readTextFile(options.tokenFile)).trim(),
    };
    const answer = await (await asPlugin(context, options)).transferLicense({ body }, context.call);
    await context.print(answer, card(answer));
  },
});
