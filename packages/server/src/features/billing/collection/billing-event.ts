import { z } from 'zod';

/** Something came of an invoice. */
export const BillingEvent = z.object({
  type: z.literal('billing'),
  data: z.object({
    what: z
      .enum(['paid', 'failed', 'uncollectible'])
      .describe('The invoice was paid, its charge failed, or it was given up.'),
    number: z.string().describe('Of the invoice.'),
    month: z.string().describe('`YYYY-MM` (UTC)'),
    amount_cents: z.int().describe('What the month cost, in cents.'),
  }),
});
export type BillingEvent = z.output<typeof BillingEvent>;

export function billingEvent(
  { number, month, total_cents }: { number: string; month: string; total_cents: number },
  what: BillingEvent['data']['what'],
): BillingEvent {
  return { type: 'billing', data: { what, number, month: month.slice(0, 7), amount_cents: total_cents } };
}
