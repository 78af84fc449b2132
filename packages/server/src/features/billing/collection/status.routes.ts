import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Id, privateAnswers, Time } from '#platform/http/schemas.ts';
import { attentions } from './attention.ts';
import type { BillingStatus } from './status.service.ts';

const SubscriptionStatus = z
  .object({
    status: z
      .enum(['paid', 'open', 'failed', 'uncollectible', 'none'])
      .describe(
        '`open`: a charge failed and is tried again; `failed`: it is tried again only with another card; `uncollectible`: given up; `none`: nothing was charged yet.',
      ),
    amount_due: z.int().describe('What is unpaid, in cents.'),
    invoice_id: Id.nullable().describe('The newest invoice that is unpaid.'),
    error: z.string().nullable().describe('Why the last charge failed.'),
    attention: z
      .enum(attentions)
      .nullable()
      .describe(
        'What to do something about: `charge_failed`; `confirm_payment`: the cardholder’s bank wants the payment confirmed, in the dashboard; `uncollectible`; `card_needed`; `card_expiring`: within a month.',
      ),
    last_billed_at: Time.nullable().describe('When the last invoice was paid.'),
    last_amount_cents: z.int().nullable().describe('What it was over, in cents.'),
    next_billed_at: Time.describe('When the running month is over (UTC).'),
    next_amount_cents: z.int().describe('What it costs so far, in cents.'),
  })
  .meta({ id: 'SubscriptionStatus' });

export function statusRoutes(status: BillingStatus) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/billing/subscription-status',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'account:read' } },
        schema: {
          operationId: 'getSubscriptionStatus',
          tags: ['billing'],
          summary: 'Whether the account is paid up, and what is billed next',
          response: privateAnswers({ 200: SubscriptionStatus }),
        },
      },
      async (request) => status.of(callerOf(request).accountId),
    );
  };
}
