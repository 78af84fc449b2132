import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { counted } from '#output/table.ts';
import { change, staying, tryOut } from './selection/change.ts';

export const serialsDelete = defineCommand({
  path: 'serials delete',
  summary: 'Delete unredeemed serials',
  operations: ['changeSerials'],
  args: [['<serial...>', 'codes or ids']],
  options: {
    ...DRY_RUN,
    ...YES,
  },
  examples: ['tonerow serials delete ABCD-EFGH-2345-6789 --yes'],
  async run({ context, args: serials, options }) {
    if (options.dryRun) return tryOut(context, serials, 'delete');
    await context.confirm(options.yes, async () => {
      const would = await change(context, serials, 'delete', true);
      return `Delete ${counted(would.count, 'serial')} for good${staying(would)}?`;
    });
    const done = await change(context, serials, 'delete', false);
    await context.print(done, '');
    context.note(`${done.count} deleted${done.skipped > 0 ? `, ${done.skipped} redeemed and kept` : ''}.`);
  },
});
