import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';

export const keysCreate = defineCommand({
  path: 'keys create',
  summary: 'Create a plugin key',
  operations: ['createPluginKey'],
  once: true,
  args: [['[label]', 'what it is for']],
  options: {
    test: flag('for development builds: also accepts test serials'),
  },
  examples: ['tonerow keys create "Prism Delay 1.x"', 'tonerow keys create Development --test'],
  async run({ context, args: [label], options }) {
    const body = { label, is_test: options.test };
    const made = await (await context.api()).createPluginKey({ body }, context.call);
    context.mask(made.plaintext);
    await context.print(made, `${made.plaintext}\n`);
    context.note(
      `Key "${made.key.label}" created. Build it into your plugin; "tonerow keys reveal ${made.key.id}" shows it again.`,
    );
  },
});
