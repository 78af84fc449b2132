import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Id, Time } from '#platform/http/schemas.ts';

/** The fields of a serial, wherever it is shown. */
export const serial = {
  id: Id,
  code: dataOf('codes', z.string()),
  serial: dataOf('codes', z.string().describe('Same as `code`.')),
  product: z.string(),
  product_id: Id,
  product_name: z.string(),
  reseller_id: Id.nullable(),
  image_url: z.string().nullable(),
  promo_price: z.number().nullable(),
  promo_start: Time.nullable(),
  promo_expires: Time.nullable(),
  expires_at: Time.nullable(),
  batch_id: Id,
  batch_tag: z.string().nullable(),
  notes: z.string().nullable(),
  revoked: z.boolean(),
  status: z.enum(['active', 'revoked']),
  redeemed_at: Time.nullable(),
  handed_out_at: Time.nullable().describe(
    'When a reseller drew the code for a customer; null when it is not handed out.',
  ),
  download_count: z.int(),
  created_at: Time,
};
export const SerialView = z.object(serial).meta({ id: 'Serial' });
export type SerialView = z.output<typeof SerialView>;

/** A field of answers to a change that can be taken back. */
export const changed_at = Time.optional().describe(
  'The moment of the change, with which undoSerialChange takes it back; absent where nothing was changed or it is final.',
);
