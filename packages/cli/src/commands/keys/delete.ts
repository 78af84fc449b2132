import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findKeyId } from '#input/find-by-name.ts';
import { listed } from '#input/listed.ts';

export const keysDelete = defineCommand({
  path: 'keys delete',
  summary: 'Delete a plugin key',
  operations: ['deletePluginKey', 'listPluginKeys'],
  args: [['<key>', 'label or id']],
  options: SURE,
  examples: ['tonerow keys delete "Prism Delay 1.x" --yes', 'tonerow keys delete "Prism Delay 1.x" --dry-run'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const id = await findKeyId(api, text, context.io.signal);
    const sure = await context.sure(options, {
      question: 'Delete this key permanently? Existing builds using it may stop working.',
      look: async () =>
        listed((await api.listPluginKeys({}, context.call)).keys, (each) => each.id === id, 'Plugin key'),
      would: ({ label, lastUsedAt }) => `The key ${label} would be deleted, last used ${lastUsedAt ?? 'never'}.`,
    });
    if (!sure) return;
    await api.deletePluginKey({ path: { id } }, context.call);
    context.note('The key has been deleted.');
  },
});
