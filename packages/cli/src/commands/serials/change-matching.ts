import { changeMatchingSerialsAction } from '@tonerow/sdk/values';
import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { during } from '#output/progress.ts';
import { counted } from '#output/table.ts';
import { staying } from './selection/change.ts';
import { SERIAL_FILTER, serialFilter } from './selection/serial-filter.ts';
import { undoHint } from './undo.ts';

const WORDS = { revoke: 'Revoke', reassign: 'Reassign', delete: 'Delete' };

export const serialsChangeMatching = defineCommand({
  path: 'serials change-matching',
  summary: 'Revoke, reassign or delete all serials that fit a filter',
  operations: ['changeMatchingSerials'],
  args: [['<action>', 'revoke, reassign or delete', changeMatchingSerialsAction]],
  options: { ...SERIAL_FILTER, ...DRY_RUN, ...YES },
  examples: [
    'tonerow serials change-matching delete --status expired --dry-run',
    'tonerow serials change-matching revoke --batch 01900000-0000-7000-8000-000000000001 --status available --yes',
  ],
  async run({ context, args: [action], options }) {
    const api = await context.api();
    const what = action as keyof typeof WORDS;
    const filter = await serialFilter(context, options);
    const change = (dry_run: boolean) =>
      during(context, dry_run ? 'Counting' : 'Changing', () =>
        api.changeMatchingSerials({ body: { action: what, filter, dry_run } }, context.call),
      );
    const before = await change(true);
    if (options.dryRun) {
      await context.print(before, `${before.count} would be changed${staying(before)}.\n`);
      return;
    }
    const question = `${WORDS[what]} ${counted(before.count, 'serial')}${staying(before)}?`;
    if (before.count > 0) await context.confirm(options.yes, question);
    const done = before.count > 0 ? await change(false) : before;
    await context.print(done, '');
    context.note(`Changed ${counted(done.count, 'serial')}.${undoHint(done.changed_at)}`);
  },
});
