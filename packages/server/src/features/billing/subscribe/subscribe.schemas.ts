import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';

export const PlanSwitchForm = z
  .strictObject({
    plan_id: z.string().max(50).describe('The plan’s stable name, such as `pro`.'),
    dry_run: z.boolean().default(false).describe('Only report what would happen.'),
  })
  .meta({ id: 'PlanChoice' });

export const PlanSwitch = z
  .object({
    plan: z.string().describe('The plan from now on.'),
    label: z.string().describe('Its name for people.'),
    previous_plan: z.string().describe('The plan until now.'),
    changed: z.boolean().describe('False: the account was on this plan already.'),
    dry_run: z.boolean().describe('True: nothing was changed.'),
    redemptions: z.int().describe('Redemptions of this month so far.'),
    redemption_quota: z.int().describe('Free redemptions per month from now on.'),
    overage_price: z
      .number()
      .nullable()
      .describe('The price of each redemption above the quota, in dollars; null: redemptions stop there.'),
    stops_now: z
      .boolean()
      .describe('Whether redemptions stop at once, because this month has used the quota of a plan that stops there.'),
    resumes_at: Time.nullable().describe('With `stops_now`: when redemptions work again; otherwise null.'),
    subscription_fee: z
      .number()
      .describe('The fee of this month, in dollars: that of the dearest plan held in it, also after a downgrade.'),
    next_subscription_fee: z.number().describe('The fee of the next month if the plan stays, in dollars.'),
  })
  .meta({ id: 'PlanSwitch', description: 'What a switch of the plan means.' });
export type PlanSwitch = z.output<typeof PlanSwitch>;
