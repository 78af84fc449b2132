import { z } from 'zod';
import { Id } from '#platform/http/schemas.ts';
import { shortMonth } from '#platform/time/months.ts';
import { CONFIRM, NO_CARD } from './attention.ts';

/** Something came of an invoice. */
export const BillingEvent = z.object({
  type: z.literal('billing'),
  data: z.object({
    what: z
      .enum(['paid', 'failed', 'confirm_payment', 'card_needed', 'uncollectible', 'void'])
      .describe(
        'The invoice was paid; its charge failed, because the bank wants it confirmed or because there is no card; it was given up; or it was canceled, and nothing is owed.',
      ),
    id: Id.describe('The invoice’s.'),
    number: z.string().describe('Of the invoice.'),
    month: z.string().describe('`YYYY-MM` (UTC)'),
    amount_cents: z.int().describe('What the month cost, in cents.'),
  }),
});
export type BillingEvent = z.output<typeof BillingEvent>;

interface Stated {
  id: string;
  number: string;
  month: string;
  total_cents: number;
}

export function billingEvent(
  { id, number, month, total_cents }: Stated,
  what: BillingEvent['data']['what'],
): BillingEvent {
  return { type: 'billing', data: { what, id, number, month: shortMonth(month), amount_cents: total_cents } };
}

/** How an event reports a failed charge. */
export function failureOf(reason: string | null): BillingEvent['data']['what'] {
  if (reason === NO_CARD) return 'card_needed';
  return reason === CONFIRM ? 'confirm_payment' : 'failed';
}
