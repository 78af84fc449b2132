import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { during } from '#output/progress.ts';
import { counted, money } from '#output/table.ts';
import { staying } from './selection/change.ts';
import { REDEEMED_FILTER, redeemedFilter } from './selection/redeemed-filter.ts';
import { undoHint } from './undo.ts';

const ACTIONS = { revoke: 'revoke', reassign: 'reassign', refresh: 'reset_downloads' } as const;
const WORDS = { revoke: 'Revoke', reassign: 'Reassign', refresh: 'Reset the downloads of' };

export const serialsChangeRedeemed = defineCommand({
  path: 'serials change-redeemed',
  summary: 'Revoke, reassign or refresh all redeemed serials that fit a filter',
  operations: ['changeRedeemedSerials'],
  args: [['<action>', 'revoke, reassign or refresh', ['revoke', 'reassign', 'refresh']]],
  options: { ...REDEEMED_FILTER, ...DRY_RUN, ...YES },
  examples: [
    'tonerow serials change-redeemed refresh --status download_limit --dry-run',
    'tonerow serials change-redeemed revoke --batch 01900000-0000-7000-8000-000000000001 --yes',
  ],
  async run({ context, args: [action], options }) {
    const api = await context.api();
    const what = action as keyof typeof ACTIONS;
    const filter = await redeemedFilter(context, options);
    const change = (dry_run: boolean) =>
      during(context, dry_run ? 'Counting' : 'Changing', () =>
        api.changeRedeemedSerials({ body: { action: ACTIONS[what], filter, dry_run } }, context.call),
      );
    const before = await change(true);
    const price = before.cost > 0 ? ` for ${money(before.cost)}` : '';
    if (options.dryRun) {
      await context.print(before, `${before.count} would be changed${price}${staying(before)}.\n`);
      return;
    }
    if (before.count > 0) {
      await context.confirm(
        options.yes,
        `${WORDS[what]} ${counted(before.count, 'serial')}${price}${staying(before)}?`,
      );
    }
    const done = before.count > 0 ? await change(false) : before;
    await context.print(done, '');
    const charged = done.cost > 0 ? ` Charged: ${money(done.cost)}.` : '';
    context.note(`Changed ${counted(done.count, 'serial')}.${charged}${undoHint(done.changed_at)}`);
  },
});
