import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findProductId } from '#input/find-by-name.ts';
import { asPlugin, card, KEY, MACHINE, OLD_MACHINES, PRODUCT } from './as-plugin.ts';

export const licenseActivate = defineCommand({
  path: 'license activate',
  summary: 'Activate a license on a machine, as a plugin does',
  operations: ['activateLicense'],
  args: [['<license-key>', 'the serial']],
  options: {
    ...MACHINE,
    ...PRODUCT,
    email: text('<address>', 'required for the first activation'),
    pluginVersion: text('<text>', 'the plugin’s version'),
    ...KEY,
    ...OLD_MACHINES,
  },
  examples: [
    'tonerow license activate ABCD-EFGH-2345-6789 --machine studio-1 --email nina@example.com --key-file plugin-key.txt',
  ],
  async run({ context, args: [license_key], options }) {
    const body = {
      license_key,
      machine_id: options.machine,
      old_machine_ids: options.oldMachine,
      product_id: options.product ? await findProductId(context, options.product) : undefined,
      email: options.email,
      version: options.pluginVersion,
    };
    const answer = await (await asPlugin(context, options)).activateLicense({ body }, context.call);
    await context.print(answer, card(answer));
  },
});
