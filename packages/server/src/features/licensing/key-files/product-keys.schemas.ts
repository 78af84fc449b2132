import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';
import { keyForms } from './product-key-format.ts';

export const RsaQuery = z.object({ format: z.enum(keyForms).default('json') });

export const ImportRsaBody = z
  .strictObject({
    private_key_pem: z.string().trim().min(1, 'Send the private key in PEM.').max(8192, 'This is not an RSA key.'),
    replace: z
      .boolean()
      .default(false)
      .describe('Replaces the existing pair. Plugins already shipped carry the old public key.'),
  })
  .meta({ id: 'ImportProductRsa' });

export const ProductRsa = z
  .object({
    e: z.string().describe('The public exponent, hexadecimal.'),
    n: z.string().describe('The modulus, hexadecimal.'),
    bits: z.int(),
    created_at: Time,
  })
  .meta({ id: 'ProductRsa' });
export const RsaText = z.string();
