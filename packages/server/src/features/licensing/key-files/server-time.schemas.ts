import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';
import { ProductId } from '../rules/license-fields.ts';

export const LicenseTimeQuery = z.object({ product_id: ProductId.optional().describe('Set it to get `hise`.') });
export const LicenseTime = z
  .object({
    ok: z.literal(true),
    time: Time,
    unix: z.int().describe('Seconds since 1970.'),
    iso: z.string().describe('The same second, in the format `hise` signs.'),
    hise: z
      .string()
      .optional()
      .describe('The time signed with the product’s RSA key, for HISE’s Unlocker.checkExpirationData.'),
  })
  .meta({ id: 'LicenseTime' });
