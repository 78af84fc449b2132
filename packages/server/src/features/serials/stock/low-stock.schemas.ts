import { z } from 'zod';
import { Id } from '#platform/http/schemas.ts';

/** A product has fewer serials left than the account's threshold. */
export const LowSerialsEvent = z.object({
  type: z.literal('low_serials'),
  data: z.object({ product_id: Id, product_name: z.string(), serials_available: z.int(), threshold: z.int() }),
});
export type LowSerialsEvent = z.output<typeof LowSerialsEvent>;
