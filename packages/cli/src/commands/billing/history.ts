import { csvTo, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { money, table } from '#output/table.ts';
import { exact } from './figures.ts';

export const billingHistory = defineCommand({
  path: 'billing history',
  summary: 'Show what each month used and cost, the newest first',
  operations: ['getBillingHistory'],
  options: {
    ...csvTo('CSV with one line per month'),
  },
  examples: ['tonerow billing history', 'tonerow billing history --csv --out history.csv'],
  async run({ context, options }) {
    const api = await context.api();
    if (wantsCsv(options)) {
      const response = await api.stream.getBillingHistory({}, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out, 'public'), 'Receiving');
    }
    const months = await api.getBillingHistory({}, context.call);
    const rows = months.map((month) => [
      month.month,
      month.label,
      month.redemptions,
      exact(month.redemption_cost),
      exact(month.avg_price_per_redemption),
      month.refresh_count,
      exact(month.refresh_cost),
      money(month.subscription_fee),
      exact(month.total),
      month.closed ? '' : 'running',
    ]);
    const head = [
      'MONTH',
      'PLAN',
      'REDEMPTIONS',
      'OVERAGE',
      'AVERAGE',
      'REFRESHES',
      'REFRESH COST',
      'FEE',
      'TOTAL',
      '',
    ];
    await context.print(months, rows.length > 0 ? table(head, rows) : 'No billing history available.\n');
  },
});
