import { defineCommand } from '#define/define-command.ts';
import { onOff, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findKeyId } from '#input/find-by-name.ts';
import { stateOf } from './state.ts';

export const keysUpdate = defineCommand({
  path: 'keys update',
  summary: 'Rename a plugin key, or switch it on or off',
  operations: ['updatePluginKey', 'listPluginKeys'],
  args: [['<key>', 'label or id']],
  options: {
    label: text('<text>', 'a new name'),
    active: onOff('off: plugins that use it are refused within half a second'),
  },
  examples: ['tonerow keys update "Prism Delay 1.x" --active off'],
  async run({ context, args: [text], options }) {
    if (options.label === undefined && options.active === undefined)
      throw new UsageError('Give --label, --active, or both.');
    const body = { label: options.label, is_active: options.active };
    const api = await context.api();
    const id = await findKeyId(api, text, context.io.signal);
    const key = await api.updatePluginKey({ path: { id }, body }, context.call);
    await context.print(key, `${key.label}: ${stateOf(key)}\n`);
  },
});
