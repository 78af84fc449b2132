import { list, money, toDollars } from '#output/table.ts';
import type { Context } from '#run/context.ts';

export async function printPlan(context: Context): Promise<void> {
  const api = await context.api();
  const [plan, usage] = await Promise.all([api.getMyPlan({}, context.call), api.getMyUsage({}, context.call)]);
  await context.print(
    { plan, usage },
    list([
      ['Plan', plan.name],
      ['Redemptions', `${usage.redemptions} of ${plan.redemption_quota} free in ${usage.month}`],
      ['Above that', plan.overage_cents === null ? 'they stop' : `${money(toDollars(plan.overage_cents))} each`],
    ]),
  );
}
