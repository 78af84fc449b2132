import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { during } from '#output/progress.ts';
import { counted } from '#output/table.ts';

export const serialsRevokeBatch = defineCommand({
  path: 'serials revoke-batch',
  summary: 'Revoke the unredeemed serials of a batch',
  operations: ['revokeBatch'],
  args: [['<id>', 'from "tonerow serials batches"']],
  options: {
    ...DRY_RUN,
    ...YES,
  },
  examples: [
    'tonerow serials revoke-batch 01900000-0000-7000-8000-000000000001 --dry-run',
    'tonerow serials revoke-batch 01900000-0000-7000-8000-000000000001 --yes',
  ],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const revoke = (dry_run: boolean) =>
      during(context, dry_run ? 'Counting' : 'Revoking', () =>
        api.revokeBatch({ path: { id }, query: { dry_run } }, context.call),
      );
    if (options.dryRun) {
      const would = await revoke(true);
      return context.print(would, `${counted(would.count, 'serial')} would be revoked.\n`);
    }
    await context.confirm(options.yes, async () => {
      const { count } = await revoke(true);
      return `Revoke ${counted(count, 'unredeemed serial')} of this batch?`;
    });
    const done = await revoke(false);
    await context.print(done, '');
    context.note(`${counted(done.count, 'serial')} revoked.`);
  },
});
