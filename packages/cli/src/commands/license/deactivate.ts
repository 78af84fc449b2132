import { defineCommand } from '#define/define-command.ts';
import { asPlugin, card, KEY, MACHINE } from './as-plugin.ts';

export const licenseDeactivate = defineCommand({
  path: 'license deactivate',
  summary: 'Release a machine’s seat',
  operations: ['deactivateLicense'],
  args: [['<license-key>', 'the serial']],
  options: {
    ...MACHINE,
    ...KEY,
  },
  examples: ['tonerow license deactivate ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
  async run({ context, args: [license_key], options }) {
    const body = { license_key, machine_id: options.machine };
    const answer = await (await asPlugin(context, options)).deactivateLicense({ body }, context.call);
    await context.print(answer, card(answer));
  },
});
