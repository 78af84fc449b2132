import { z } from 'zod';
import { Price } from '#features/products';
import { dataOf } from '#platform/access/withhold.ts';
import { optionalLine, optionalText } from '#platform/http/input/optional-text.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { TEST_PREFIX } from './codes.ts';

export const MAX_QUANTITY = 1_000_000;
export const MAX_JSON_QUANTITY = 10_000;

const day = optionalText(40);

export const GenerateBody = z
  .strictObject({
    product_id: Id,
    quantity: z
      .int('Enter a whole number.')
      .min(1, 'Generate at least 1.')
      .max(MAX_QUANTITY, 'Generate at most 1,000,000 at once.')
      .default(10),
    prefix: z
      .string()
      .toUpperCase()
      .nullish()
      .transform((value) => value || null)
      .refine(
        (value) => value === null || /^[A-Z0-9]{4}$/.test(value),
        'Prefix must be exactly 4 alphanumeric characters (A–Z, 0–9).',
      )
      .refine((value) => value !== TEST_PREFIX, 'TEST is kept for test serials. Choose another prefix.'),
    promo_price: Price.default(null),
    promo_start: day,
    promo_expires: day,
    expires_at: day,
    batch_tag: optionalLine(100),
    notes: optionalText(2000),
    reseller_id: Id.nullish().or(z.literal('').transform(() => null)),
    new_reseller_name: optionalLine(200),
    deal_request_id: Id.nullish().describe(
      'The reseller’s request that this batch accepts. Product and reseller must be those of the request; the other terms may differ.',
    ),
    dry_run: z.boolean().default(false).describe('Only check the request: answers 200 with JSON and no serials.'),
  })
  .meta({
    id: 'GenerateSerials',
    description:
      'Dates are days (`2026-12-31`, in the account’s time zone; promo_start means the start of the day, the others its end) or ISO 8601 timestamps; one without an offset is on the account’s clock.',
  });
/** The order for a batch. */
export type BatchForm = Omit<z.output<typeof GenerateBody>, 'dry_run'>;

export const GeneratedSerial = z
  .object({
    id: Id,
    code: dataOf('codes', z.string()),
    product_id: Id,
    reseller_id: Id.nullable(),
    expires_at: Time.nullable(),
    promo_price: z.number().nullable(),
    promo_start: Time.nullable(),
    promo_expires: Time.nullable(),
    batch_tag: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: 'GeneratedSerial' });

export const Generated = z
  .object({
    batch_id: Id.nullable().describe('Null after a dry run.'),
    count: z.int(),
    serials: z.array(GeneratedSerial),
    dry_run: z.boolean(),
  })
  .meta({ id: 'GeneratedSerials' });
