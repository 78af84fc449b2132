import { z } from 'zod';
import { Id } from '#platform/http/schemas.ts';

/** A serial that a reseller was given has been redeemed, or the sale was changed by a refund. For the reseller. */
export const SaleEvent = z.object({
  type: z.literal('sale'),
  data: z.object({
    kind: z
      .enum(['redemption', 'refund', 'chargeback', 'reinstatement', 'correction'])
      .describe('What happened, as in the list of transactions.'),
    developer_id: Id.describe('The developer of the product.'),
    product_id: Id,
    product_name: z.string(),
    commission_earned: z.number().describe('In dollars; negative when a refund took commission back.'),
  }),
});
export type SaleEvent = z.output<typeof SaleEvent>;
