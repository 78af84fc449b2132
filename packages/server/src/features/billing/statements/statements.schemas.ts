import { z } from 'zod';
import { Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';

/**
 * - `rated`: made, and to be collected; `settled`: there is nothing to pay; `local`: made without card payments, final
 * - `invoiced`, `open`: on its way, or to be tried again; `failed`: the retries are used up
 * - `paid`, `uncollectible`, `void`: over; what is uncollectible may still be paid
 */
export const billingStates = [
  'rated',
  'settled',
  'local',
  'invoiced',
  'open',
  'paid',
  'failed',
  'uncollectible',
  'void',
] as const;
export type BillingState = (typeof billingStates)[number];

/** What settled a statement that is paid. */
export const paidBys = ['card', 'balance', 'next_invoice', 'elsewhere'] as const;
export type PaidBy = (typeof paidBys)[number];

export const lineKinds = ['fee', 'overage', 'refresh'] as const;
export type LineKind = (typeof lineKinds)[number];

const Dollars = z.number().describe('In dollars.');

const State = z
  .enum(billingStates)
  .describe(
    '`rated`: made by the close, to be collected; `settled`: nothing to pay; `local`: made without card payments, never collected; `invoiced`, `open`: being collected, or tried again; `paid`; `failed`: the retries are used up; `uncollectible`: given up; `void`: canceled.',
  );

export const PaidWay = z
  .enum(paidBys)
  .nullable()
  .describe(
    'What settled it. `card`: the card was charged; `balance`: a credit on the balance covered it; `next_invoice`: too small to charge, so it was added to the balance, and the next invoice collects it; `elsewhere`: it was settled at Stripe without a card. Null: it is not paid, or was paid before this was kept.',
  );

const figures = {
  id: Id,
  number: z.string().describe('Without gaps per year, such as 2026-0007.'),
  month: z.string().describe('The UTC month, such as 2026-03.'),
  period_start: Time.describe('The first moment of the month (UTC).'),
  period_end: Time.describe('Exclusive.'),
  plan: z.string().describe('The plan when the month ended.'),
  plan_name: z.string().describe('Of the plan when the month ended.'),
  fee: Dollars.describe('The fee of the dearest plan held in the month.'),
  redemptions: z.int().describe('All redemptions of the month.'),
  overage_redemptions: z.int().describe('Redemptions above the quota.'),
  overage_cost: Dollars,
  refresh_count: z.int().describe('How often a download count was reset.'),
  refresh_cost: Dollars,
  total: Dollars.describe('Fee, overage and refreshes.'),
  state: State,
  closed_at: Time.describe('When the month was closed.'),
  paid_at: Time.nullable().describe('When it was paid.'),
  paid_by: PaidWay,
};

export const InvoiceSummary = z.object(figures).meta({ id: 'InvoiceSummary' });
export type InvoiceSummary = z.output<typeof InvoiceSummary>;

export const InvoicePage = z
  .object({
    rows: z.array(InvoiceSummary),
    total: z.int(),
    totals: z
      .object({
        total: Dollars.describe('Of every invoice that matches.'),
        paid: Dollars.describe('Of those that are paid.'),
        outstanding: Dollars.describe('Of those that are still to be collected.'),
      })
      .describe('Sums over all pages.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'InvoicePage' });

export const InvoiceLine = z
  .object({
    n: z.int().describe('Its number on the invoice, from 1.'),
    kind: z
      .enum(lineKinds)
      .describe('`fee`: of the plan; `overage`: above the quota; `refresh`: download counts reset.'),
    description: z.string().describe('What it is for.'),
    quantity: z.int(),
    unit_price: Dollars.nullable().describe('In dollars; null: of several prices.'),
    amount: Dollars,
  })
  .meta({ id: 'InvoiceLine' });
export type InvoiceLine = z.output<typeof InvoiceLine>;

export const Invoice = InvoiceSummary.extend({
  lines: z.array(InvoiceLine).describe('They add up to the total.'),
  party: z
    .object({
      name: z.string(),
      email: z.string(),
      company: z.string().nullable().describe('The company, as of the close.'),
      address: z.string().nullable().describe('The business address.'),
      tax_id: z.string().nullable(),
    })
    .describe('Who is billed, as of the close.'),
  payment: z
    .object({
      attempts: z.int().describe('How often the card was charged.'),
      next_attempt_at: Time.nullable().describe('When it is tried next; null: it is no longer tried.'),
      first_failed_at: Time.nullable().describe('When the first charge failed.'),
      last_error: z.string().nullable().describe('Why the last charge failed.'),
      charged: Dollars.nullable().describe(
        'What the card was charged, with what the balance added or took; null: as with `paid_by`.',
      ),
      balance_before: Dollars.nullable().describe(
        'What was on the balance before: above 0 was left from earlier months, below 0 was a credit; null: as with `paid_by`.',
      ),
      confirm: z.boolean().describe('Whether the cardholder’s bank wants the payment confirmed, in the dashboard.'),
    })
    .describe('The state of its collection.'),
}).meta({ id: 'Invoice' });
export type Invoice = z.output<typeof Invoice>;

export const InvoiceQuery = z.object({
  year: z.coerce.number().int().min(2000).max(9999).optional().describe('Only months of this year.'),
  state: State.optional(),
  limit: Limit,
  cursor: Cursor,
});
export type InvoiceQuery = z.output<typeof InvoiceQuery>;
