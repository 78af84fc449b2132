import { listDeveloperPayoutsStatus } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, number } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { statementsOf } from './find.ts';

export const payoutsList = defineCommand({
  path: 'payouts list',
  summary: 'List payout statements, the newest month first',
  operations: ['listPayouts', 'listDeveloperPayouts', 'getMe'],
  options: {
    status: choice('<status>', 'only statements with this status', {
      values: listDeveloperPayoutsStatus,
    }),
    year: number('<year>', 'only statements of months of this year'),
    ...PAGE,
  },
  examples: ['tonerow payouts list', 'tonerow payouts list --status pending --json'],
  async run({ context, options }) {
    const { status, year } = options;
    const rows = await statementsOf(context, await context.api(), { status, year });
    await printRows(context, rows, options, {
      head: ['NUMBER', 'MONTH', 'DEVELOPER', 'RESELLER', 'REDEMPTIONS', 'EARNED', 'DUE', 'OUTSTANDING', 'STATUS', 'ID'],
      cells: (row) => [
        row.number,
        row.month,
        row.developer_name,
        row.reseller_name,
        row.total_redemptions,
        money(row.reseller_earned),
        money(row.due),
        money(row.outstanding),
        row.status,
        row.id,
      ],
      none: 'No payout records found.\n',
    });
  },
});
