import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { OUT, show } from '#output/files/raw.ts';
import { outOf } from '#output/files/stream.ts';
import { asPlugin, KEY, MACHINE, OLD_MACHINES } from './as-plugin.ts';

export const licenseKeyfile = defineCommand({
  path: 'license keyfile',
  summary: 'Get a machine’s key file for stock JUCE and HISE plugins; takes a seat',
  operations: ['createKeyFile'],
  args: [['<license-key>', 'the serial']],
  options: {
    ...MACHINE,
    email: text('<address>', 'required for the first activation'),
    app: text('<text>', 'what the plugin calls itself; in HISE "Name 1.0.0"'),
    ...KEY,
    ...OUT,
    ...OLD_MACHINES,
  },
  examples: [
    'tonerow license keyfile ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt --out PrismDelay.license',
  ],
  async run({ context, args: [license_key], options }) {
    const body = {
      license_key,
      machine_id: [options.machine],
      old_machine_ids: options.oldMachine,
      email: options.email,
      app: options.app,
    };
    const api = await asPlugin(context, options);
    await show(
      context,
      await api.stream.createKeyFile({ body }, { ...context.call, accept: '*/*' }),
      outOf(context, options.out),
    );
  },
});
