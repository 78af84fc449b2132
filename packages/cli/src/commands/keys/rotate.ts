import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findKeyId } from '#input/find-by-name.ts';
import { secondsOf } from './duration.ts';

export const keysRotate = defineCommand({
  path: 'keys rotate',
  summary: 'Rotate a plugin key; the old one keeps working for a grace period',
  operations: ['rotatePluginKey', 'listPluginKeys'],
  once: true,
  args: [['<key>', 'label or id']],
  options: {
    grace: text('<time>', 'how long both keys work, such as 12h or 7d', { fallback: '7d' }),
    label: text('<text>', 'label of the new key; defaults to the old label'),
  },
  examples: ['tonerow keys rotate "Prism Delay 1.x" --grace 7d --json'],
  async run({ context, args: [text], options }) {
    const body = { grace_seconds: secondsOf(options.grace, '--grace'), label: options.label };
    const api = await context.api();
    const id = await findKeyId(api, text, context.io.signal, 'current');
    const made = await api.rotatePluginKey({ path: { id }, body }, context.call);
    context.mask(made.plaintext);
    await context.print(made, `${made.plaintext}\n`);
    context.note(
      secondsOf(options.grace, '--grace') === 0
        ? 'The old key has stopped working.'
        : `The old key works for another ${options.grace}. "tonerow keys list" shows when it was last used; "${made.key.label}" now means the new one.`,
    );
  },
});
