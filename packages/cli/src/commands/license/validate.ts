import { defineCommand } from '#define/define-command.ts';
import { asPlugin, card, SEATED, seatedBody } from './as-plugin.ts';

export const licenseValidate = defineCommand({
  path: 'license validate',
  summary: 'Validate a machine’s activation',
  operations: ['validateLicense'],
  args: [['<license-key>', 'the serial']],
  options: SEATED,
  examples: ['tonerow license validate ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
  async run({ context, args: [license_key], options }) {
    const body = await seatedBody(context, license_key, options);
    const answer = await (await asPlugin(context, options)).validateLicense({ body }, context.call);
    await context.print(answer, card(answer));
  },
});
