import { defineCommand } from '#define/define-command.ts';
import { findKeyId } from '#input/find-by-name.ts';

export const keysReveal = defineCommand({
  path: 'keys reveal',
  summary: 'Reveal a plugin key; every reveal is logged',
  operations: ['revealPluginKey', 'listPluginKeys'],
  args: [['<key>', 'label or id']],
  examples: ['tonerow keys reveal "Prism Delay 1.x"'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const id = await findKeyId(api, text, context.io.signal, 'current');
    const shown = await api.revealPluginKey({ path: { id } }, context.call);
    context.mask(shown.plaintext);
    await context.print(shown, `${shown.plaintext}\n`);
  },
});
