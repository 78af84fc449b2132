import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';
import { ImportView } from '../imports.schemas.ts';

const Money = z.number().nullable();

/** One page that compares an import with the file that it came from. */
export const ImportProof = z
  .object({
    import: ImportView,
    at: Time.describe('When it was compared.'),
    whole: z.boolean().describe('Whether all is here that was neither refused nor known before, to the cent.'),
    summary: z.string().describe('The comparison in one sentence.'),
    time_zone: z.string(),
    file: z.object({
      lines: z.int(),
      amount: Money.describe('What its prices add up to, in dollars; null: this kind has no sales.'),
      unpriced: z.int().describe('Lines without a price: what the product cost was taken.'),
    }),
    imported: z.object({ added: z.int(), known: z.int(), rejected: z.int(), amount: Money }),
    here: z.object({
      count: z.int(),
      amount: Money,
      open: z.int().describe('Serials that nobody has redeemed.'),
      redeemed: z.int(),
      revoked: z.int(),
    }),
    months: z
      .array(
        z.object({
          month: z.string().describe('Such as `2026-01`, on the account’s clock.'),
          file_count: z.int(),
          file_amount: z.number(),
          count: z.int(),
          amount: z.number(),
        }),
      )
      .describe('Sales by month: as the file has them, and as they are here now.'),
    reasons: z.array(z.object({ reason: z.string(), count: z.int() })).describe('Why lines were refused.'),
  })
  .meta({ id: 'ImportProof' });
export type ImportProof = z.output<typeof ImportProof>;
