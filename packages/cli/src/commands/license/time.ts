import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findProductId } from '#input/find-by-name.ts';
import { asPlugin, KEY } from './as-plugin.ts';

export const licenseTime = defineCommand({
  path: 'license time',
  summary: 'Get the server’s time, for plugins that do not trust the local clock',
  operations: ['getLicenseTime'],
  options: {
    product: text('<product>', 'sign it for this HISE plugin: id or name'),
    ...KEY,
  },
  examples: ['tonerow license time --key-file plugin-key.txt'],
  async run({ context, options }) {
    const product_id = options.product ? await findProductId(context, options.product) : undefined;
    const api = await asPlugin(context, options);
    const answer = await api.getLicenseTime({ query: { product_id } }, context.call);
    await context.print(answer, `${answer.time}\n${answer.hise === undefined ? '' : `${answer.hise}\n`}`);
  },
});
