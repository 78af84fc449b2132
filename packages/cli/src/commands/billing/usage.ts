import type { BillingUsage } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { list, money } from '#output/table.ts';
import { exact } from './figures.ts';

export const billingUsage = defineCommand({
  path: 'billing usage',
  summary: 'Show this month’s usage and what it costs so far',
  operations: ['getBillingUsage'],
  examples: ['tonerow billing usage', 'tonerow billing usage --json'],
  async run({ context }) {
    const usage = await (await context.api()).getBillingUsage({}, context.call);
    await context.print(usage, pageOf(usage));
  },
});

function pageOf(usage: BillingUsage): string {
  return list([
    ['Month (UTC)', usage.month],
    ['Plan', usage.label],
    ['Redemptions', `${usage.used} of ${usage.free} free${usage.capped ? '; capped at limit' : ''}`],
    ['Overage', `${usage.overage_redemptions} redemptions, ${exact(usage.overage_cost)}`],
    ['Refreshes', `${usage.refresh_count}, ${exact(usage.refresh_cost)}`],
    ['Subscription fee', money(usage.subscription_fee)],
    ['Estimated total', exact(usage.estimated_total)],
    ['Closes', usage.closes_at],
  ]);
}
