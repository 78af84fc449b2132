import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { during } from '#output/progress.ts';
import { counted } from '#output/table.ts';
import { groupOf, WHICH } from './selection/group-of.ts';

export const serialsDeleteGroup = defineCommand({
  path: 'serials delete-group',
  summary: 'Delete the available serials of a group; redeemed and revoked serials are kept',
  operations: ['deleteSerialGroup'],
  args: [['<name>', 'a product, or "product · tag"']],
  options: {
    ...WHICH,
    ...DRY_RUN,
    ...YES,
  },
  examples: [
    'tonerow serials delete-group "Prism Delay · Black Friday" --dry-run',
    'tonerow serials delete-group "Prism Delay · Black Friday" --yes',
  ],
  async run({ context, args: [name], options }) {
    const api = await context.api();
    const input = await groupOf(context, name, options);
    const remove = (dry_run: boolean) =>
      during(context, dry_run ? 'Counting' : 'Deleting', () =>
        api.deleteSerialGroup({ ...input, query: { ...input.query, dry_run } }, context.call),
      );
    if (!options.dryRun)
      await context.confirm(options.yes, async () => {
        const { count } = await remove(true);
        return `Are you sure you want to delete all ${counted(count, 'serial')} in group ${name}?`;
      });
    const done = await remove(options.dryRun);
    await context.print(done, `${done.message}\n`);
  },
});
