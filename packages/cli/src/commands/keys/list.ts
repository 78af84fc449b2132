import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { table } from '#output/table.ts';
import { day } from '#output/zone.ts';
import { secondsOf } from './duration.ts';
import { stateOf } from './state.ts';

export const keysList = defineCommand({
  path: 'keys list',
  summary: 'List plugin keys',
  operations: ['listPluginKeys'],
  options: {
    stale: text('<age>', 'only keys unused for this long, such as 90d'),
  },
  examples: ['tonerow keys list --stale 90d'],
  async run({ context, options }) {
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
        ? 'No plugin keys yet. Create one: tonerow keys create\n'
        : `No plugin key has been unused for ${options.stale}.\n`;
    await context.print(
      keys,
      keys.length === 0 ? nothing : table(['ID', 'LABEL', 'KEY', 'STATE', 'MADE', 'LAST USED'], rows),
    );
  },
});
