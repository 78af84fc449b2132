import { z } from 'zod';
import { choiceCounts } from '#platform/db/statements/choices.ts';
import { COUNTED_PAGE, DateRange, Id, Search } from '#platform/http/schemas.ts';
import { SerialView } from '../serials.schemas.ts';
import { serialChoices } from './serial-filter.ts';

export const SerialPage = z
  .object({
    rows: z.array(SerialView),
    total: z.int(),
    total_exact: z
      .boolean()
      .describe('If false, `total` is a lower bound: 100,000 are counted, and 10,000 of what a search finds.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'SerialPage' });

const serialListStates = ['available', 'handed_out', 'redeemed', 'revoked'] as const;
export type SerialListState = (typeof serialListStates)[number];

/** The filters of the list. */
export const listed = {
  state: z
    .enum(serialListStates)
    .optional()
    .describe('`handed_out`: a reseller has given it to a customer, who has not redeemed it yet.'),
  product_id: Id.optional(),
  batch_id: Id.optional(),
  search: Search.describe('The code or its beginning; case, spaces and dashes do not matter.'),
  dateRange: DateRange.describe('The days in which they were made.'),
  ...serialChoices,
};
export const ListSerialsQuery = z.object({ ...listed, ...COUNTED_PAGE });
export const SerialChoicesQuery = z.object(listed);

export const SerialChoiceCounts = z
  .object({
    product: choiceCounts('Products'),
    reseller: choiceCounts('Resellers'),
    batch: choiceCounts('Batches'),
    status: choiceCounts('States'),
  })
  .meta({ id: 'SerialChoices' });
