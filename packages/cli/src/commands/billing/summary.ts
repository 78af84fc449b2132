import { defineCommand } from '#define/define-command.ts';
import { periodOf } from '#input/period.ts';
import { list } from '#output/table.ts';
import { exact, PERIOD } from './figures.ts';

export const billingSummary = defineCommand({
  path: 'billing summary',
  summary: 'Show what a period used and cost',
  operations: ['getBillingSummary'],
  options: PERIOD,
  examples: ['tonerow billing summary', 'tonerow billing summary --from 2026-10-01 --to 2026-10-31 --json'],
  async run({ context, options }) {
    const query = periodOf(options);
    const sum = await (await context.api()).getBillingSummary({ query }, context.call);
    await context.print(
      sum,
      list([
        ['Period (UTC)', `${sum.startDate} to ${sum.endDate}`],
        ['Redemptions', `${sum.redemptions}, overage ${exact(sum.redemption_cost)}`],
        ['Refreshes', `${sum.refresh_count}, ${exact(sum.refresh_cost)}`],
        ['Total without fees', exact(sum.total)],
      ]),
    );
  },
});
