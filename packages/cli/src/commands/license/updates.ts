import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findProductId } from '#input/find-by-name.ts';
import { list } from '#output/table.ts';
import { asPlugin, KEY } from './as-plugin.ts';

export const licenseUpdates = defineCommand({
  path: 'license updates',
  summary: 'Look for a newer version, as a plugin does',
  operations: ['findPluginUpdate'],
  args: [['<product>', 'id or name']],
  options: {
    pluginVersion: text('<version>', 'the version of the plugin that asks; default: one before all'),
    os: text('<system>', 'its operating system, such as "macOS"'),
    arch: text('<processor>', 'its processor, such as arm64 or x86_64'),
    ...KEY,
  },
  examples: [
    'tonerow license updates "Prism Delay" --plugin-version 1.4.0 --os macOS --arch arm64 --key-file plugin-key.txt',
  ],
  async run({ context, args: [product], options: { pluginVersion: version, os, arch, ...rest } }) {
    const query = { product_id: await findProductId(context, product), version, os, arch };
    const answer = await (await asPlugin(context, rest)).findPluginUpdate({ query }, context.call);
    const { file } = answer;
    const card = list([
      ['Version', answer.version],
      ['Notes', answer.notes],
      ['Link', answer.link],
      ['File', file ? `${file.name} (${file.size} bytes)` : 'none that is surely for this computer'],
      ['SHA-256', file?.sha256],
    ]);
    await context.print(answer, answer.up_to_date ? 'There is nothing newer.\n' : card);
  },
});
