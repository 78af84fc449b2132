import type { Command } from '../command.ts';
import { YES } from '../command.ts';
import { day, table } from '../output/table.ts';
import { confirm } from '../prompt.ts';

export const keyCommands: Command[] = [
  {
    path: 'keys list',
    summary: 'List plugin keys',
    operations: ['listPluginKeys'],
    async run(context) {
      const { keys } = await (await context.api()).listPluginKeys({}, context.call);
      const rows = keys.map((key) => [
        key.id,
        key.label,
        `…${key.hint}`,
        key.isActive ? 'active' : 'inactive',
        day(key.createdAt),
        day(key.lastUsedAt),
      ]);
      await context.print(
        keys,
        keys.length === 0
          ? 'No plugin keys yet. Make one: tonerow keys create\n'
          : table(['ID', 'LABEL', 'KEY', 'STATE', 'MADE', 'LAST USED'], rows),
      );
    },
  },
  {
    path: 'keys create',
    summary: 'Create a plugin key',
    operations: ['createPluginKey'],
    args: [['[label]', 'what it is for']],
    async run(context, [label]) {
      const made = await (await context.api()).createPluginKey({ body: { label } }, context.call);
      await context.print(made, `${made.plaintext}\n`);
      context.note(
        `Key "${made.key.label}" made. Put it into your plugin; "tonerow keys reveal ${made.key.id}" shows it again.`,
      );
    },
  },
  {
    path: 'keys reveal',
    summary: 'Show a plugin key again; every look is written down',
    operations: ['revealPluginKey'],
    args: [['<id>', 'from "tonerow keys list"']],
    async run(context, [id]) {
      const shown = await (await context.api()).revealPluginKey({ path: { id: id as string } }, context.call);
      await context.print(shown, `${shown.plaintext}\n`);
    },
  },
  {
    path: 'keys delete',
    summary: 'Delete a plugin key',
    operations: ['deletePluginKey'],
    args: [['<id>', 'from "tonerow keys list"']],
    options: [YES],
    async run(context, [id], options) {
      const question = 'Delete this key permanently? Existing builds using it may stop working.';
      await confirm(context.io, { yes: options.yes === true, input: context.globals.input }, question);
      await (await context.api()).deletePluginKey({ path: { id: id as string } }, context.call);
      context.note('The key is deleted.');
    },
  },
];
