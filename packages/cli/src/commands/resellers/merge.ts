import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { counted } from '#output/table.ts';

export const resellersMerge = defineCommand({
  path: 'resellers merge',
  summary: 'Merge a reseller without an account into one with an account; the reseller gets an email',
  operations: ['mergeReseller', 'listResellers'],
  args: [
    ['<reseller>', 'name or id of the one without an account'],
    ['<into>', 'name or id of the other'],
  ],
  options: { ...DRY_RUN, ...YES },
  examples: [
    'tonerow resellers merge "Plugin Shop (old)" "Plugin Shop" --dry-run',
    'tonerow resellers merge "Plugin Shop (old)" "Plugin Shop" --yes',
  ],
  async run({ context, args: [reseller, other], options }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    const into = await findResellerId(api, other, context.io.signal);
    const merge = (dry_run: boolean) => api.mergeReseller({ path: { id }, body: { into, dry_run } }, context.call);
    const would = await merge(true);
    const { company_name: name, commission_rate: rate } = would.reseller;
    const moving = `${would.batches === 1 ? '1 batch' : `${would.batches} batches`} with ${counted(would.serials, 'available serial')}`;
    const rates = `They earn ${rate}% from then on (${would.commission_rate_before}% until now).`;
    const past = `${counted(would.redemptions, 'past redemption')} and their statements are shown to ${name} too.`;
    if (options.dryRun) return context.print(would, `Dry run: ${moving} would move to ${name}. ${rates}\n${past}\n`);
    await context.confirm(options.yes, `Move ${moving} to ${name}? ${rates} ${past} This can't be undone.`);
    await context.print(await merge(false), `Merged into ${name}: ${moving} moved.\n`);
  },
});
