import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findProductId } from '#input/find-by-name.ts';
import { asPlugin, KEY, MACHINE, PRODUCT } from './as-plugin.ts';

export const licenseExpansionKey = defineCommand({
  path: 'license expansion-key',
  summary: 'Get the key by which a HISE plugin opens the expansions of its license',
  operations: ['getExpansionKey'],
  args: [['<license-key>', 'the serial']],
  options: {
    ...MACHINE,
    ...PRODUCT,
    tokenFile: text('<file>', 'the validation token'),
    ...KEY,
  },
  examples: ['tonerow license expansion-key ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
  async run({ context, args: [license_key], options }) {
    const validation_token = options.tokenFile
      ? await context.secret({ file: options.tokenFile, what: 'the validation token', how: '--token-file' })
      : undefined;
    const product_id = options.product ? await findProductId(context, options.product) : undefined;
    const body = { license_key, machine_id: options.machine, product_id, validation_token };
    const answer = await (await asPlugin(context, options)).getExpansionKey({ body }, context.call);
    await context.print(answer, `${answer.expansion_key}\n`);
  },
});
