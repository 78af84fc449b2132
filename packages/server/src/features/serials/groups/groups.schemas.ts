import { z } from 'zod';
import { COUNTED_PAGE, DateRange, DryRun, Id, Search } from '#platform/http/schemas.ts';
import { byName } from '#platform/keyed-by-name.ts';
import { SerialView } from '../serials.schemas.ts';

export const AvailableSerials = z
  .object({
    regular: byName(z.array(SerialView), 'Product name → the newest 100.'),
    promos: byName(
      z.object({ serials: z.array(SerialView) }),
      '"{product} · {batch_tag}" or "{product} · Promo" → the newest 100 serials of each product with that name.',
    ),
    counts: z
      .object({ regular: byName(z.int()), promos: byName(z.int()) })
      .describe('The total number of serials in each group, by name.'),
    groups: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum(['regular', 'promo']),
          product_id: Id,
          product_name: z.string(),
          count: z.int(),
        }),
      )
      .describe('The groups. Promos of two products can share a name; `product_id` distinguishes them.'),
    total: z.int().describe('All available serials, also of groups beyond the first 100.'),
  })
  .meta({ id: 'AvailableSerials' });
export type AvailableSerials = z.output<typeof AvailableSerials>;

export const AvailableQuery = z.object({ search: Search, dateRange: DateRange });
export const GroupParams = z.object({ groupName: z.string().min(1).max(400) });
const which = {
  kind: z.enum(['regular', 'promo']).optional().describe('Needed when a product and a promo share the name.'),
  product_id: Id.optional().describe('Needed when promos of two products share the name.'),
};
export const DeleteGroupQuery = z.object({ ...which, dry_run: DryRun });
export const ListGroupQuery = z.object({ ...which, ...COUNTED_PAGE });
export const DeletedGroup = z
  .object({ message: z.string(), count: z.int(), dry_run: z.boolean() })
  .meta({ id: 'DeletedGroup' });
