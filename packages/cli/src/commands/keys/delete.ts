import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findKeyId } from '#input/find-by-name.ts';

export const keysDelete = defineCommand({
  path: 'keys delete',
  summary: 'Delete a plugin key',
  operations: ['deletePluginKey', 'listPluginKeys'],
  args: [['<key>', 'label or id']],
  options: YES,
  examples: ['tonerow keys delete "Prism Delay 1.x" --yes'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const id = await findKeyId(api, text, context.io.signal);
    const question = 'Delete this key permanently? Existing builds using it may stop working.';
    await context.confirm(options.yes, question);
    await api.deletePluginKey({ path: { id } }, context.call);
    context.note('The key has been deleted.');
  },
});
