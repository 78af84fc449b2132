import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { change, tryOut } from './change.ts';

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
    const what = serials.length === 1 ? 'this serial' : `these ${serials.length} serials`;
    await context.confirm(options.yes, `Delete ${what} for good?`);
    const done = await change(context, serials, 'delete', false);
    await context.print(done, '');
    context.note(`${done.count} deleted${done.skipped > 0 ? `, ${done.skipped} redeemed and kept` : ''}.`);
  },
});
