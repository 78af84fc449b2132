import { defineCommand } from '../define-command.ts';
import { money, table, toDollars } from '../output/table.ts';

export const plansCommand = defineCommand({
  path: 'plans',
  summary: 'List plans and prices',
  operations: ['listPlans'],
  examples: ['tonerow plans'],
  async run({ context }) {
    const plans = await (await context.client()).listPlans({}, context.call);
    const rows = plans.map((plan) => [
      plan.name,
      `$${toDollars(plan.price_cents)} a ${plan.interval}`,
      plan.redemption_quota,
      plan.overage_cents === null ? 'capped' : money(toDollars(plan.overage_cents)),
    ]);
    await context.print(plans, table(['PLAN', 'PRICE', 'FREE REDEMPTIONS', 'EACH ABOVE'], rows));
  },
});
