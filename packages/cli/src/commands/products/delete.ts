import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { findProduct } from '#input/find-by-name.ts';
import { counted } from '#output/table.ts';

export const productsDelete = defineCommand({
  path: 'products delete',
  summary: 'Delete a product and its available serials',
  operations: ['deleteProduct'],
  args: [['<product>', 'id or name']],
  options: {
    force: flag('also with redeemed serials: they are revoked'),
    ...DRY_RUN,
    ...YES,
  },
  examples: ['tonerow products delete "Prism Delay" --dry-run', 'tonerow products delete "Prism Delay" --force --yes'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const product = await findProduct(api, text, context.io.signal);
    const dry = options.dryRun;
    const remove = (dry_run: boolean) =>
      api.deleteProduct({ path: { id: product.id }, query: { force: options.force, dry_run } }, context.call);
    if (!dry)
      await context.confirm(options.yes, async () => {
        const { serials_deleted, serials_revoked } = await remove(true);
        const summary = `Permanently delete ${product.name} and its ${counted(serials_deleted, 'available serial')}`;
        if (serials_revoked === 0) return `${summary}?`;
        return `${summary}, and revoke ${counted(serials_revoked, 'redeemed serial')} of its customers?`;
      });
    const done = await remove(dry);
    const counts = `${counted(done.serials_deleted, 'serial')} deleted, ${done.serials_revoked} revoked`;
    await context.print(done, dry ? `Dry run: ${counts}.\n` : '');
    if (!dry) context.note(`${done.message} ${counts}.`);
  },
});
