import { z } from 'zod';

/** The plan was switched, a share of its quota was reached, or its cap refused a customer. For the developer. */
export const UsageEvent = z.object({
  type: z.literal('usage'),
  data: z.object({
    kind: z
      .enum(['plan_switched', 'quota_reached', 'redemption_refused'])
      .describe('What happened; a refusal is told at most once a day.'),
    plan: z.string().describe('The plan’s stable name.'),
    redemptions: z.int().describe('Redemptions of this month so far.'),
    redemption_quota: z.int().describe('Free redemptions per month.'),
  }),
});
export type UsageEvent = z.output<typeof UsageEvent>;
