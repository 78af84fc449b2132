import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { show } from '#output/files/raw.ts';
import { outOf } from '#output/files/stream.ts';
import { asPlugin, KEY, MACHINE, OLD_MACHINES } from './as-plugin.ts';

export const licenseUnlock = defineCommand({
  path: 'license unlock',
  summary: 'Unlock as a stock JUCE plugin does; prints JUCE’s XML',
  operations: ['juceUnlock', 'juceUnlockGet'],
  args: [['<license-key>', 'the serial']],
  options: {
    ...MACHINE,
    product: text('<product>', 'name or id, as the plugin sends it'),
    email: text('<address>', 'the owner’s email address'),
    os: text('<name>', 'such as "Mac OSX 14"'),
    get: flag('use GET, as older clients do'),
    ...KEY,
    ...OLD_MACHINES,
  },
  examples: [
    'tonerow license unlock ABCD-EFGH-2345-6789 --machine studio-1 --product "Prism Delay" --email nina@example.com --key-file plugin-key.txt',
  ],
  async run({ context, args: [pw], options }) {
    if (!options.product || !options.email) throw new UsageError('Give --product and --email, as the plugin does.');
    const fields = {
      product: options.product,
      email: options.email,
      pw,
      os: options.os,
      mach: [options.machine, ...options.oldMachine],
    };
    const api = await asPlugin(context, options);
    const call = { ...context.call, accept: '*/*' };
    const response = options.get
      ? await api.stream.juceUnlockGet({ query: fields } as never, call)
      : await api.stream.juceUnlock({ body: fields } as never, call);
    await show(context, response, outOf(context));
  },
});
