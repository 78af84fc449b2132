import { defineCommand } from '#define/define-command.ts';
import { asPlugin, SEATED, seatedBody } from './as-plugin.ts';

export const licenseExpansionKey = defineCommand({
  path: 'license expansion-key',
  summary: 'Get the key by which a HISE plugin opens the expansions of its license',
  operations: ['getExpansionKey'],
  args: [['<license-key>', 'the serial']],
  options: SEATED,
  examples: ['tonerow license expansion-key ABCD-EFGH-2345-6789 --machine studio-1 --key-file plugin-key.txt'],
  async run({ context, args: [license_key], options }) {
    const body = await seatedBody(context, license_key, options);
    const answer = await (await asPlugin(context, options)).getExpansionKey({ body }, context.call);
    await context.print(answer, `${answer.expansion_key}\n`);
  },
});
