import { z } from 'zod';
import { Cursor, Id, Limit, Search, Time } from '../../platform/http/schemas.ts';

export const BatchView = z
  .object({
    id: Id,
    product_id: Id,
    product_name: z.string(),
    image_url: z.string().nullable(),
    reseller_id: Id.nullable(),
    reseller_name: z.string().nullable(),
    origin: z.enum(['generate', 'import']),
    quantity: z.int().describe('The number of serials the batch was created with.'),
    open: z.int().describe('Neither handed out, redeemed nor revoked.'),
    handed_out: z.int().describe('Handed out to buyers by the reseller, and neither redeemed nor revoked yet.'),
    redeemed: z.int(),
    revoked: z.int().describe('Redeemed or not.'),
    prefix: z.string().nullable(),
    promo_price: z.number().nullable(),
    promo_start: Time.nullable(),
    promo_expires: Time.nullable(),
    expires_at: Time.nullable(),
    batch_tag: z.string().nullable(),
    notes: z.string().nullable(),
    created_at: Time,
  })
  .meta({ id: 'Batch' });
export type BatchView = z.output<typeof BatchView>;

export const BatchPage = z
  .object({ rows: z.array(BatchView), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: 'BatchPage' });

export const ListBatchesQuery = z.object({
  product_id: Id.optional(),
  search: Search.describe('Product, tag, notes or reseller.'),
  limit: Limit,
  cursor: Cursor,
});
