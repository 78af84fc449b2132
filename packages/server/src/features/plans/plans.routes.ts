import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, privateAnswers } from '#platform/http/schemas.ts';
import type { Plans } from './plans.service.ts';

const PlanView = z
  .object({
    id: z.string(),
    slug: z.string(),
    key: z.string().describe('Same as `slug`.'),
    name: z.string(),
    price_cents: z.int(),
    interval: z.literal('month'),
    redemption_quota: z.int().describe('Free redemptions per calendar month (UTC).'),
    overage_cents: z
      .int()
      .nullable()
      .describe('The price of each redemption above the quota, in cents; null: redemptions stop at the quota.'),
  })
  .meta({ id: 'Plan' });

const Usage = z
  .object({
    redemptions: z.int().describe('Of this calendar month (UTC) so far.'),
    month: z.string().describe('`YYYY-MM`'),
  })
  .meta({ id: 'Usage' });

export function planRoutes(plans: Plans) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/plans',
      {
        config: { access: { as: 'public' } },
        schema: {
          operationId: 'listPlans',
          tags: ['plans'],
          summary: 'The plans and their prices',
          response: answers({ 200: z.array(PlanView) }),
        },
      },
      async () => plans.list(),
    );

    app.get(
      '/api/me/plan',
      {
        config: { access: { as: 'user', scope: 'account:read' } },
        schema: {
          operationId: 'getMyPlan',
          tags: ['plans'],
          summary: 'The account’s plan',
          response: privateAnswers({ 200: PlanView }),
        },
      },
      async (request) => plans.of(callerOf(request).accountId),
    );

    app.get(
      '/api/me/usage',
      {
        config: { access: { as: 'user', scope: 'account:read' } },
        schema: {
          operationId: 'getMyUsage',
          tags: ['plans'],
          summary: 'Redemptions of this month',
          response: privateAnswers({ 200: Usage }),
        },
      },
      async (request) => plans.usage(callerOf(request).accountId),
    );
  };
}
