import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { hasTwoDecimals } from '#platform/money.ts';

const Reason = z
  .string('Enter a reason.')
  .trim()
  .min(1, 'Enter a reason.')
  .max(500, 'Use at most 500 characters.')
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.')
  .describe('Shown to the reseller too.');

export const RefundBody = z
  .strictObject({
    amount: z
      .number()
      .positive('Enter more than 0.')
      .max(1_000_000)
      .refine(hasTwoDecimals, 'Use at most two decimals.')
      .optional()
      .describe('In dollars. Default: all that has not been refunded yet.'),
    reason: Reason,
    kind: z
      .enum(['refund', 'chargeback'])
      .default('refund')
      .describe('`chargeback`: the card’s bank took the money back.'),
    revoke: z.boolean().default(false).describe('Revoke the serial in the same transaction.'),
  })
  .meta({ id: 'RefundSerial' });

export const ReinstateBody = z
  .strictObject({
    reason: Reason,
    reassign: z.boolean().default(false).describe('Undo the serial’s revocation in the same transaction.'),
  })
  .meta({ id: 'ReinstateSerial' });

const kind = z.enum(['refund', 'chargeback', 'reinstatement']);

export const Adjustment = z
  .object({
    id: Id,
    serial_id: Id,
    kind,
    amount: z.number().describe('In dollars, negative for a refund.'),
    commission: z.number().describe('What it changes in the reseller’s commission, in dollars.'),
    reason: z.string(),
    month: z.string().describe('The calendar month (UTC) whose statement it belongs to, `YYYY-MM`.'),
    created_at: Time,
    refunded: z.number().describe('Dollars given back of the redemption’s price by now, in all.'),
    refundable: z.number().describe('Dollars that can still be given back.'),
  })
  .meta({ id: 'LedgerAdjustment' });
export type Adjustment = z.output<typeof Adjustment>;

/** A redemption was refunded, or a refund was taken back. */
export const RefundEvent = z.object({
  type: z.literal('refund'),
  data: z.object({
    serial_id: Id,
    serial: dataOf('codes', z.string()),
    product_id: Id,
    product_name: z.string(),
    kind,
    amount: z.number().describe('In dollars, negative for a refund.'),
    reason: z.string(),
    created_at: Time,
  }),
});
export type RefundEvent = z.output<typeof RefundEvent>;
