import { z } from 'zod';
import { Id, Search, Time } from '#platform/http/schemas.ts';
import { billingStates, PaidWay } from '../statements/statements.schemas.ts';

const Action = z
  .enum(['charge', 'balance', 'retry', 'uncollectible', 'void'])
  .describe(
    '`charge`: of a card; `balance`: settled without a charge (`paid_by` of the invoice is how); else what was decided.',
  );

export const BillingLogRow = z
  .object({
    id: Id,
    user_id: Id.describe('The developer’s.'),
    email: z.string().describe('The developer’s address when the invoice was made.'),
    amount: z.number().describe('What the month cost, in dollars.'),
    amount_cents: z.int().describe('The same in cents.'),
    status: z.enum(['success', 'failed']).describe('Whether it went well.'),
    error_message: z.string().nullable().describe('Why it failed, in the words of the bank or of Stripe.'),
    action: Action,
    attempt: z.int().describe('The charge that it is about, from 1; 0 before the first.'),
    statement_id: Id.describe('The invoice’s.'),
    number: z.string().describe('Of the invoice.'),
    month: z.string().describe('`YYYY-MM` (UTC)'),
    actor_id: Id.nullable().describe('The admin who did it; null: the server itself.'),
    actor: z
      .object({
        name: z.string().describe('Of the admin.'),
        email: z.string().describe('Of the admin.'),
      })
      .nullable()
      .describe('Who that admin is; null: the server itself, or an account that was deleted since.'),
    created_at: Time,
  })
  .meta({ id: 'BillingLogRow' });

const StatementState = z.enum(billingStates);

export const ListBillingLogsQuery = z.object({
  page: z.coerce.number().int().min(1).max(10_000).default(1).describe('From 1; 20 on each.'),
  status: z.enum(['success', 'failed']).optional().describe('Only what went well, or what did not.'),
  action: Action.optional(),
  user_id: Id.optional().describe('Only of this developer.'),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Use a month such as 2026-03.')
    .optional()
    .describe('Only of invoices for this month (UTC).'),
  search: Search.describe('In the address, or the number of the invoice.'),
});
export type ListBillingLogsQuery = z.output<typeof ListBillingLogsQuery>;

export const BillingLogPage = z
  .object({
    logs: z.array(BillingLogRow).describe('This page, newest first.'),
    total: z.int().describe('How many there are on all pages.'),
  })
  .meta({ id: 'BillingLogPage' });

export const BillingStory = z
  .object({
    statement: z
      .object({
        id: Id,
        user_id: Id.describe('The developer’s.'),
        email: z.string().describe('The developer’s address when the invoice was made.'),
        number: z.string().describe('Of the invoice.'),
        month: z.string().describe('`YYYY-MM` (UTC)'),
        state: StatementState.describe('Where its collection is.'),
        total_cents: z.int().describe('What the month cost, in cents.'),
        attempts: z.int().describe('Charges so far.'),
        next_attempt_at: Time.nullable().describe('When it is tried again, or given up.'),
        first_failed_at: Time.nullable().describe(
          'When the first charge failed; of one that was given up and is charged again, the first since.',
        ),
        last_error: z.string().nullable().describe('Why the last try came to nothing.'),
        stripe_invoice_id: z.string().nullable().describe('Stripe’s.'),
        closed_at: Time.describe('When the month was closed.'),
        paid_at: Time.nullable().describe('When it was paid.'),
        paid_by: PaidWay,
        charged_cents: z
          .int()
          .nullable()
          .describe('What the card was charged, with what the balance added or took; null: as with `paid_by`.'),
        balance_cents: z
          .int()
          .nullable()
          .describe('What was on the balance before; below 0 was a credit; null: as with `paid_by`.'),
        difference: z.string().nullable().describe('What the last reconciliation found to differ.'),
      })
      .meta({ id: 'BillingStoryStatement' })
      .describe('The invoice itself.'),
    lines: z
      .array(
        z
          .object({
            n: z.int().describe('Its number on the invoice.'),
            description: z.string().describe('What it is for.'),
            quantity: z.int().describe('How many.'),
            unit_cents: z.int().nullable().describe('What each one costs, in cents; null: of several prices.'),
            amount_cents: z.int().describe('In cents.'),
          })
          .meta({ id: 'BillingStoryLine' }),
      )
      .describe('What the month cost, line by line.'),
    logs: z.array(BillingLogRow).describe('Attempts and decisions, oldest first.'),
  })
  .meta({ id: 'BillingStory' });
export type BillingStory = z.output<typeof BillingStory>;
