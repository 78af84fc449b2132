import { money, table, toDollars } from '#output/table.ts';
import type { Context } from '#run/context.ts';

export async function printPlans(context: Context): Promise<void> {
  const plans = await (await context.client()).listPlans({}, context.call);
  const rows = plans.map((plan) => [
    plan.slug,
    plan.name,
    `$${toDollars(plan.price_cents)} a ${plan.interval}`,
    plan.redemption_quota,
    plan.overage_cents === null ? 'capped' : money(toDollars(plan.overage_cents)),
  ]);
  await context.print(plans, table(['PLAN', 'NAME', 'PRICE', 'FREE REDEMPTIONS', 'EACH ABOVE'], rows));
}
