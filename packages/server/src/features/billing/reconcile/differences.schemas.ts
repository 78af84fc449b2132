import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';

export const ListBillingDifferencesQuery = z.object({
  page: z.coerce.number().int().min(1).max(10_000).default(1).describe('From 1; 20 on each.'),
});
export type ListBillingDifferencesQuery = z.output<typeof ListBillingDifferencesQuery>;

const BillingDifference = z
  .object({
    user_id: Id.describe('The developer’s.'),
    email: z
      .string()
      .nullable()
      .describe('The developer’s address when the invoice was made; null: there is none here.'),
    statement_id: Id.describe('The invoice’s, as it is here or as Stripe’s invoice names it.'),
    number: z.string().nullable().describe('Of the invoice; null: there is none here.'),
    month: z.string().nullable().describe('`YYYY-MM` (UTC); null: there is no invoice here.'),
    stripe_invoice_id: z.string().nullable().describe('Stripe’s.'),
    words: z.string().describe('What differs, and what to do about it.'),
    found_at: Time.describe('When they were compared.'),
  })
  .meta({ id: 'BillingDifference' });
export type BillingDifference = z.output<typeof BillingDifference>;

export const BillingDifferencePage = z
  .object({
    differences: z.array(BillingDifference).describe('This page.'),
    total: z.int().describe('How many there are on all pages.'),
    last_run: z
      .object({
        ran_at: Time.describe('When it ended.'),
        compared: z.int().describe('How many invoices were compared; 0 when it failed.'),
        differences: z.int().describe('How many of them differed.'),
        error: z.string().nullable().describe('Why it could not be finished.'),
      })
      .meta({ id: 'BillingReconciliation' })
      .nullable()
      .describe('The last time that they were compared; null: never yet.'),
    last_finished_at: Time.nullable().describe('When the differences were found, or were none; null: never yet.'),
    hold: z
      .object({
        since: Time.describe('When the database was set back to a backup.'),
        backup_at: Time.describe('When that backup was made; what happened after it may be missing here.'),
        reconciled_at: Time.nullable().describe(
          'When invoices were last compared since then; null: not yet, so charging cannot be released.',
        ),
        due: z.int().describe('How many invoices wait.'),
        due_cents: z.int().describe('What they are over, in cents. What Stripe has a payment of is not charged again.'),
      })
      .meta({ id: 'BillingHold' })
      .nullable()
      .describe('Nothing is charged until `tonerow-server collection release`; null: invoices are charged when due.'),
  })
  .meta({ id: 'BillingDifferencePage' });
