import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';
import { day } from '#output/zone.ts';

export const trustList = defineCommand({
  path: 'trust list',
  summary: 'List trusts for CI jobs',
  operations: ['listTrusts'],
  examples: ['tonerow trust list'],
  async run({ context }) {
    const trusts = await (await context.api()).listTrusts({}, context.call);
    const rows = trusts.map((each) => [
      each.id,
      each.name,
      new URL(each.issuer).host,
      each.repository_id,
      each.branch ?? '',
      each.environment ?? '',
      each.scopes.join(' '),
      day(each.last_used_at),
    ]);
    const head = ['ID', 'NAME', 'ISSUER', 'REPOSITORY', 'BRANCH', 'ENVIRONMENT', 'SCOPES', 'LAST USED'];
    const nothing =
      'No trusts yet. Create one: tonerow trust add NAME --github REPOSITORY_ID --branch main --scope …\n';
    await context.print(trusts, trusts.length === 0 ? nothing : table(head, rows));
  },
});
