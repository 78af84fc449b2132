import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { COUNTED_PAGE, Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';
import { hasTwoDecimals } from '#platform/money.ts';

export const payoutStates = ['pending', 'confirmed', 'disputed', 'paid', 'settled'] as const;
export type PayoutState = (typeof payoutStates)[number];
export const payoutMessageKinds = ['confirm', 'dispute', 'answer'] as const;
export type PayoutMessageKind = (typeof payoutMessageKinds)[number];

const Dollars = z.number().describe('In dollars.');

const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-03.')
  .describe('A UTC month such as 2026-03.');

const State = z
  .enum(payoutStates)
  .describe(
    '`paid` is complete. `pending`: not confirmed by the reseller yet; `confirmed`: by the reseller, or by 14 days of silence; `disputed`: the reseller disagrees; `settled`: nothing to pay, the developer owes, and the next statement brings it forward.',
  );

const figures = {
  id: Id,
  number: z.string().describe('Without gaps per developer and year, such as 2026-0007.'),
  month: Month,
  period_start: Time.describe('The first moment of the month (UTC).'),
  period_end: Time.describe('Exclusive.'),
  developer_id: Id.describe('The developer.'),
  developer_name: z.string().describe('As of the close.'),
  reseller_id: Id.describe('The id of the partnership.'),
  reseller_name: z.string(),
  total_redemptions: z.int().describe('Sales of the month.'),
  avg_price: Dollars,
  total_revenue: Dollars,
  commission_rate: z
    .number()
    .describe('In percent: the month’s one rate, or what was earned of the revenue when it changed within the month.'),
  reseller_earned: Dollars.describe('The reseller’s commission.'),
  developer_owed: Dollars.describe('Revenue less commission.'),
  adjustments: z.int().describe('Refunds and other adjustments in it.'),
  adjustment_revenue: Dollars.describe('Signed.'),
  adjustment_commission: Dollars.describe('Signed.'),
  brought_forward: Dollars.describe(
    'Zero, or negative: what earlier statements were overpaid by, or owed the reseller.',
  ),
  due: Dollars.describe('What the reseller has to pay: owed, adjusted, with what is brought forward.'),
  paid: Dollars,
  carried: Dollars.describe('What a later statement has brought forward from this one.'),
  outstanding: Dollars.describe('Due, less paid, plus carried.'),
  status: State,
  label: z.enum(['Complete', 'Pending']),
  closed_at: Time.describe('When the month was closed.'),
  confirmed_at: Time.nullable().describe('When the reseller confirmed it, or 14 days had passed.'),
  disputed_at: Time.nullable().describe('Since when it is disputed.'),
  paid_at: Time.nullable().describe('When nothing was outstanding any more.'),
  digest: z
    .string()
    .nullable()
    .describe(
      'SHA-256 over figures, rows and the previous statement’s digest, hexadecimal. Null in lists for some moments after the close.',
    ),
  previous_digest: z
    .string()
    .nullable()
    .describe(
      'The digest of the partnership’s statement before; null for the first one, and as long as there is no digest.',
    ),
  difference: z
    .string()
    .nullable()
    .describe('What the nightly audit counted differently from the ledger; null when nothing.'),
};

export const PayoutSummary = z.object(figures).meta({ id: 'PayoutSummary' });
export type PayoutSummary = z.output<typeof PayoutSummary>;

export const PayoutPage = z
  .object({ rows: z.array(PayoutSummary), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: 'PayoutPage' });

export const PayoutTransaction = z
  .object({
    id: Id,
    kind: z.enum(['sale', 'refund', 'chargeback', 'reinstatement', 'correction']),
    redeemed_at: Time.describe('Of an adjustment: when it was made.'),
    first_name: dataOf('people', z.string().nullable().describe('`Erased` for a customer whose data was erased.')),
    last_name: dataOf('people', z.string().nullable()),
    email: dataOf('people', z.string().nullable()),
    code: z.string().describe('The end of the serial’s code.'),
    batch_tag: z.string().nullable(),
    product_name: z.string().describe('As it was called at the close.'),
    price: Dollars.describe('The same as final_price.'),
    final_price: Dollars.describe('Fixed at the redemption; negative for a refund.'),
    promo_price: Dollars.nullable().describe('The batch’s promo price.'),
    commission_rate: z.number().describe('In percent, fixed at the redemption.'),
    commission_earned: Dollars,
    refunded: Dollars.describe('What has been refunded of a sale by now, in this month or later.'),
    reason: z.string().nullable().describe('Of an adjustment.'),
    refers_to: z
      .object({ id: Id, redeemed_at: Time, statement: z.string().nullable().describe('Its number.') })
      .nullable()
      .describe('The sale that an adjustment changes.'),
  })
  .meta({ id: 'PayoutTransaction' });
export type PayoutTransaction = z.output<typeof PayoutTransaction>;

export const PayoutPayment = z
  .object({
    n: z.int().describe('Its number on the statement, from 1.'),
    amount: Dollars.describe('Negative for a counter-entry.'),
    paid_on: z.iso.date().describe('The day on which it was paid.'),
    method: z.string().nullable().describe('Such as a bank transfer.'),
    reference: z.string().nullable().describe('By which both find the payment.'),
    reverses: z.int().nullable().describe('The payment that a counter-entry takes back.'),
    reason: z.string().nullable(),
    recorded_at: Time.describe('When the developer recorded it.'),
  })
  .meta({ id: 'PayoutPayment' });
export type PayoutPaymentView = z.output<typeof PayoutPayment>;

export const PayoutMessage = z
  .object({
    kind: z.enum(payoutMessageKinds),
    by: z.enum(['developer', 'reseller', 'silence']).describe('Who; `silence`: 14 days passed.'),
    text: z.string().nullable().describe('The reason or the answer.'),
    created_at: Time,
  })
  .meta({ id: 'PayoutMessage' });
export type PayoutMessageView = z.output<typeof PayoutMessage>;

const Party = z.object({
  name: z.string(),
  email: z.string(),
  address: z.string().nullable().describe('The business address.'),
  tax_id: z.string().nullable(),
});

export const PayoutDetail = PayoutSummary.extend({
  digest: z.string().describe('SHA-256 over figures, rows and the previous statement’s digest, hexadecimal.'),
  rates: z
    .array(z.object({ commission_rate: z.number(), redemptions: z.int(), revenue: Dollars, commission: Dollars }))
    .describe('The rates of the month, each with its sums.'),
  parties: z
    .object({ developer: Party.describe('Who is owed.'), reseller: Party.describe('Who owes.') })
    .describe('As of the close.'),
  payments: z.array(PayoutPayment).describe('At most the newest 200.'),
  messages: z.array(PayoutMessage).describe('At most the newest 200.'),
  transactions: z.array(PayoutTransaction).describe('Sales and adjustments, the earliest first; the first 100.'),
  next_cursor: z.string().nullable().describe('Where the next transactions begin: `?cursor=`.'),
}).meta({ id: 'PayoutDetail' });
export type PayoutDetail = z.output<typeof PayoutDetail>;

export const ArchiveQuery = z.object({
  year: z.coerce.number().int().min(2000).max(9999).describe('Of the months that the statements are about.'),
  reseller_id: Id.optional().describe('The id of a partnership: only its statements.'),
});

export const DetailQuery = z.object({ limit: Limit, cursor: Cursor });

const filters = {
  status: State.optional(),
  year: z.coerce.number().int().min(2000).max(9999).optional().describe('Only statements of months of this year.'),
  number: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Only the statement with this number, such as `2026-0007`; of a reseller, those of several developers.'),
  ...COUNTED_PAGE,
};
export const ResellerPayoutQuery = z.object({
  developer_id: Id.optional().describe('Only statements of this developer.'),
  ...filters,
});
export const DeveloperPayoutQuery = z.object({
  reseller_id: Id.optional().describe('The id of a partnership: only its statements.'),
  ...filters,
});
export type PayoutQuery = z.output<typeof ResellerPayoutQuery> & z.output<typeof DeveloperPayoutQuery>;

const Text = z.string().trim().min(1, 'Required.').max(2000);
const Line = z.string().trim().max(200);

export const MarkPaidBody = z
  .strictObject({
    amount: z
      .number()
      .min(0.01)
      .max(100_000_000)
      .refine(hasTwoDecimals, 'Enter an amount with at most two decimals.')
      .optional()
      .describe(
        'In dollars. Without it, the rest is paid. What is paid beyond the rest is brought forward by the next statement.',
      ),
    paid_on: z.iso.date().optional().describe('Default: today, in the account’s time zone.'),
    method: Line.optional().describe('Such as a bank transfer.'),
    reference: Line.optional().describe('By which both find the payment.'),
  })
  .default({});
export const ReverseBody = z.strictObject({ reason: Text });
export const DisputeBody = z.strictObject({ reason: Text });
export const AnswerBody = z.strictObject({ text: Text.describe('The answer, which the reseller reads.') });
export const PaymentParams = z.object({
  id: Id,
  n: z.coerce.number().int().min(1).max(1000).describe('The payment’s number on the statement.'),
});

/** More than others: it is read as a whole, with sums above it. */
export const BalancesQuery = z.object({ limit: z.coerce.number().int().min(1).max(500).default(500), cursor: Cursor });
export const Balances = z
  .object({
    rows: z
      .array(
        z.object({
          reseller_id: Id.describe('The id of the partnership.'),
          reseller_name: z.string(),
          status: z.string().describe('Of the partnership.'),
          outstanding: Dollars.describe('What the reseller owes on closed statements.'),
          credit: Dollars.describe('What the next statement brings forward to the reseller’s favor.'),
          since: Time.nullable().describe('When the oldest unpaid statement was closed.'),
          oldest_id: Id.nullable().describe('The oldest unpaid statement.'),
          oldest_number: z.string().nullable().describe('The number of the oldest unpaid statement.'),
          unpaid: z.int().describe('Unpaid statements.'),
          disputed: z.int().describe('Disputed statements.'),
          open_redemptions: z.int().describe('Of the months that are not closed yet.'),
          open_owed: Dollars.describe(
            'Revenue less commission of the months that are not closed yet, refunds included.',
          ),
          revenue: Dollars.describe('Over all time.'),
          refunded: Dollars.describe('Over all time.'),
          refund_rate: z.number().describe('Refunded revenue, in percent of revenue.'),
          effective_rate: z.number().describe('Commission, in percent of revenue.'),
        }),
      )
      .describe('Who owes most first.'),
    next_cursor: z.string().nullable(),
    total: z.int().describe('Resellers.'),
    total_outstanding: Dollars,
    total_unpaid: z.int().describe('Unpaid statements of all resellers.'),
  })
  .meta({ id: 'Balances' });
export type Balances = z.output<typeof Balances>;

export const WhatIfQuery = z.object({
  months: z.coerce
    .number()
    .int()
    .min(1)
    .max(24)
    .default(3)
    .describe('Calendar months (UTC) before the current one, which counts as far as it is.'),
  commission_rate: z.coerce
    .number()
    .min(0)
    .max(100)
    .multipleOf(0.01)
    .optional()
    .describe('In percent. Default: the rate of each sale.'),
  promo_price: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .multipleOf(0.01)
    .optional()
    .describe('In dollars. Default: the price of each sale.'),
  product_id: Id.optional().describe('Only sales of this product.'),
});
export type WhatIfQuery = z.output<typeof WhatIfQuery>;

const Outcome = z.object({ revenue: Dollars, commission: Dollars, owed: Dollars.describe('Revenue less commission.') });
export const WhatIf = z
  .object({
    from: Time.describe('The beginning of the period.'),
    to: Time.describe('The end of the period.'),
    redemptions: z.int(),
    actual: Outcome.describe('As it was, before refunds.'),
    what_if: Outcome.describe('The same sales at the other terms.'),
    difference: Dollars.describe('Of what the developer would have been owed.'),
    break_even_redemptions: z
      .int()
      .nullable()
      .describe('How many redemptions at the other terms would have brought the same; null when none would.'),
  })
  .meta({ id: 'WhatIf' });
export type WhatIf = z.output<typeof WhatIf>;

/** The other side confirmed, disputed, answered or settled a statement, or it waits for this one. */
export const PayoutEvent = z.object({
  type: z.literal('payout'),
  data: z.object({
    payout_id: Id.describe('The statement.'),
    number: z.string().describe('The statement’s number, such as `2026-0007`.'),
    month: z.string().describe('Its month (UTC), such as `2026-03`.'),
    title: z.string().describe('What happened, such as `Plugs confirmed statement 2026-0007`.'),
  }),
});
export type PayoutEvent = z.output<typeof PayoutEvent>;
