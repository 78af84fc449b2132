import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';
import { day } from '#output/zone.ts';

export const tokensList = defineCommand({
  path: 'tokens list',
  summary: 'List access tokens',
  operations: ['listAccessTokens'],
  examples: ['tonerow tokens list'],
  async run({ context }) {
    const tokens = await (await context.api()).listAccessTokens({}, context.call);
    const rows = tokens.map((each) => [
      each.id,
      each.name,
      `…${each.hint}`,
      each.scopes.join(' '),
      day(each.expires_at),
      day(each.last_used_at),
    ]);
    const head = ['ID', 'NAME', 'TOKEN', 'SCOPES', 'EXPIRES', 'LAST USED'];
    const nothing = 'No access tokens yet. Create one: tonerow tokens create NAME --scope …\n';
    await context.print(tokens, tokens.length === 0 ? nothing : table(head, rows));
  },
});
