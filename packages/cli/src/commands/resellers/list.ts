import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';

export const resellersList = defineCommand({
  path: 'resellers list',
  summary: 'List the resellers you work with',
  operations: ['listResellers'],
  examples: ['tonerow resellers list'],
  async run({ context }) {
    const resellers = await (await context.api()).listResellers({}, context.call);
    const rows = resellers.map((each) => [each.id, each.company_name, `${each.commission_rate} %`, each.status]);
    await context.print(
      resellers,
      resellers.length === 0
        ? 'No reseller partners found yet.\n'
        : table(['ID', 'NAME', 'COMMISSION', 'STATUS'], rows),
    );
  },
});
