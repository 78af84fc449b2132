import { DRY_RUN } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { tryOut } from './selection/change.ts';
import { each } from './selection/each-serial.ts';

export const serialsReassign = defineCommand({
  path: 'serials reassign',
  summary: 'Undo revocations',
  operations: ['reassignSerial', 'changeSerials'],
  args: [['<serial...>', 'codes or ids']],
  options: DRY_RUN,
  examples: ['tonerow serials reassign ABCD-EFGH-2345-6789'],
  run: ({ context, args: serials, options }) =>
    options.dryRun
      ? tryOut(context, serials, 'reassign')
      : each(context, serials, 'Reassigned', (api, id) => api.reassignSerial({ path: { id } }, context.call)),
});
