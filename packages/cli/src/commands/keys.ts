import type { PluginKey } from '@tonerow/sdk';
import type { Command } from '../command.ts';
import { YES } from '../command.ts';
import { UsageError } from '../exit.ts';
import { day, table } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { findKeyId } from './resolve.ts';

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A length of time such as 90d, 12h or 30m, in seconds. */
function secondsOf(text: string, flag: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (!match) throw new UsageError(`${flag} takes a time such as 7d, 12h or 30m.`);
  return Number(match[1]) * (UNITS[match[2] as string] as number);
}

function stateOf(key: PluginKey): string {
  if (!key.isActive) return 'inactive';
  if (key.expires_at) return `${key.is_expiring ? 'until' : 'ended'} ${key.expires_at}`;
  return key.is_test ? 'active, for tests' : 'active';
}

export const keyCommands: Command[] = [
  {
    path: 'keys list',
    summary: 'List plugin keys',
    operations: ['listPluginKeys'],
    options: [['--stale <age>', 'only those not used for so long, such as 90d']],
    examples: ['tonerow keys list --stale 90d'],
    async run(context, _args, options) {
      const stale_days = options.stale === undefined ? undefined : secondsOf(options.stale, '--stale') / 86_400;
      if (stale_days !== undefined && (stale_days < 1 || !Number.isInteger(stale_days)))
        throw new UsageError('--stale takes whole days, such as 90d.');
      const { keys } = await (await context.api()).listPluginKeys({ query: { stale_days } }, context.call);
      const rows = keys.map((key) => [
        key.id,
        key.label,
        `…${key.hint}`,
        stateOf(key),
        day(key.createdAt),
        day(key.lastUsedAt),
      ]);
      const nothing =
        stale_days === undefined
          ? 'No plugin keys yet. Make one: tonerow keys create\n'
          : `No plugin key has been unused for ${options.stale}.\n`;
      await context.print(
        keys,
        keys.length === 0 ? nothing : table(['ID', 'LABEL', 'KEY', 'STATE', 'MADE', 'LAST USED'], rows),
      );
    },
  },
  {
    path: 'keys create',
    summary: 'Create a plugin key',
    operations: ['createPluginKey'],
    once: true,
    args: [['[label]', 'what it is for']],
    options: [['--test', 'for builds in development: also opens test serials']],
    examples: ['tonerow keys create "Prism Delay 1.x"', 'tonerow keys create Development --test'],
    async run(context, [label], options) {
      const body = { label, is_test: options.test === true };
      const made = await (await context.api()).createPluginKey({ body }, context.call);
      await context.print(made, `${made.plaintext}\n`);
      context.note(
        `Key "${made.key.label}" made. Put it into your plugin; "tonerow keys reveal ${made.key.id}" shows it again.`,
      );
    },
  },
  {
    path: 'keys reveal',
    summary: 'Show a plugin key again; every look is written down',
    operations: ['revealPluginKey', 'listPluginKeys'],
    args: [['<key>', 'label or id']],
    examples: ['tonerow keys reveal "Prism Delay 1.x"'],
    async run(context, [text]) {
      const api = await context.api();
      const id = await findKeyId(api, text as string, context.io.signal);
      const shown = await api.revealPluginKey({ path: { id } }, context.call);
      await context.print(shown, `${shown.plaintext}\n`);
    },
  },
  {
    path: 'keys rotate',
    summary: 'Make a successor; the old key goes on working for a while',
    operations: ['rotatePluginKey', 'listPluginKeys'],
    once: true,
    args: [['<key>', 'label or id']],
    options: [
      ['--grace <time>', 'how long both work, such as 12h or 7d', '7d'],
      ['--label <text>', 'of the new key; the old one’s when left out'],
    ],
    examples: ['tonerow keys rotate "Prism Delay 1.x" --grace 7d --json'],
    async run(context, [text], options) {
      const body = { grace_seconds: secondsOf(options.grace, '--grace'), label: options.label };
      const api = await context.api();
      const id = await findKeyId(api, text as string, context.io.signal);
      const made = await api.rotatePluginKey({ path: { id }, body }, context.call);
      await context.print(made, `${made.plaintext}\n`);
      context.note(`The old key works for another ${options.grace}. "tonerow keys list" shows when it was last used.`);
    },
  },
  {
    path: 'keys update',
    summary: 'Rename a plugin key, or switch it on or off',
    operations: ['updatePluginKey', 'listPluginKeys'],
    args: [['<key>', 'label or id']],
    options: [
      ['--label <text>', 'a new name'],
      ['--active <on|off>', 'off: plugins with it are refused within half a second'],
    ],
    examples: ['tonerow keys update "Prism Delay 1.x" --active off'],
    async run(context, [text], options) {
      if (options.active !== undefined && options.active !== 'on' && options.active !== 'off')
        throw new UsageError('--active takes on or off.');
      const is_active = options.active === undefined ? undefined : options.active === 'on';
      if (options.label === undefined && is_active === undefined)
        throw new UsageError('Give --label, --active, or both.');
      const body = { label: options.label as string | undefined, is_active };
      const api = await context.api();
      const id = await findKeyId(api, text as string, context.io.signal);
      const key = await api.updatePluginKey({ path: { id }, body }, context.call);
      await context.print(key, `${key.label}: ${stateOf(key)}\n`);
    },
  },
  {
    path: 'keys delete',
    summary: 'Delete a plugin key',
    operations: ['deletePluginKey', 'listPluginKeys'],
    args: [['<key>', 'label or id']],
    options: [YES],
    examples: ['tonerow keys delete "Prism Delay 1.x" --yes'],
    async run(context, [text], options) {
      const api = await context.api();
      const id = await findKeyId(api, text as string, context.io.signal);
      const question = 'Delete this key permanently? Existing builds using it may stop working.';
      await confirm(context.io, { yes: options.yes === true, input: context.globals.input }, question);
      await api.deletePluginKey({ path: { id } }, context.call);
      context.note('The key is deleted.');
    },
  },
];
