import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { readTextFile } from '#input/local-file.ts';
import { OUT, show } from '#output/files/raw.ts';
import { outOf } from '#output/files/stream.ts';
import { asPlugin, KEY } from './as-plugin.ts';

export const licenseOffline = defineCommand({
  path: 'license offline',
  summary: 'Get the license file for an offline machine; reserves a seat for the product’s lease days',
  operations: ['createOfflineLicense'],
  args: [
    ['<license-key>', 'the serial'],
    ['<machine-file>', 'the machine file written by the plugin on that machine'],
  ],
  options: {
    email: text('<address>', 'required for the first activation'),
    ...KEY,
    ...OUT,
  },
  examples: ['tonerow license offline ABCD-EFGH-2345-6789 machine.txt --key-file plugin-key.txt --out license.txt'],
  async run({ context, args: [license_key, file], options }) {
    const body = {
      license_key,
      machine_file: await readTextFile(file),
      email: options.email,
    };
    const api = await asPlugin(context, options);
    const response = await api.stream.createOfflineLicense({ body }, { ...context.call, accept: '*/*' });
    await show(context, response, outOf(context, options.out));
  },
});
