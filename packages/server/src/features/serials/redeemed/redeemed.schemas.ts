import { z } from 'zod';
import { RowStanding } from '#features/customers';
import { dataOf } from '#platform/access/withhold.ts';
import { choiceCounts } from '#platform/db/statements/choices.ts';
import { DateRange, Id, NUMBERED_PAGE, pageNumbers, Search, Time } from '#platform/http/schemas.ts';
import { changed_at, serial } from '../serials.schemas.ts';
import { redeemedChoices, redeemedColumns, redeemedSorts } from './redeemed-filter.ts';

export const RedeemedSerial = z
  .object({
    ...serial,
    redeemed_at: Time,
    customer: z.object({
      id: Id,
      first_name: dataOf('people', z.string().nullable()),
      last_name: dataOf('people', z.string().nullable()),
      email: dataOf('people', z.string().nullable()),
    }),
    first_name: dataOf('people', z.string().nullable()),
    last_name: dataOf('people', z.string().nullable()),
    email: dataOf('people', z.string().nullable()),
    total: z.number(),
    final_price: z.number(),
    sale_price: z.number().nullable(),
    price: z.number().nullable(),
    country: z.string().nullable(),
    standing: RowStanding.describe('Whether something keeps the customer from using it.'),
  })
  .meta({ id: 'RedeemedSerial' });
export type RedeemedSerial = z.output<typeof RedeemedSerial>;

export const RedeemedPage = z
  .object({ rows: z.array(RedeemedSerial), ...pageNumbers, next_cursor: z.string().nullable() })
  .meta({ id: 'RedeemedPage' });

const redeemedFilter = { search: Search, dateRange: DateRange, ...redeemedChoices };
export const RedeemedQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  ...NUMBERED_PAGE,
  ...redeemedFilter,
  sort: z.enum(redeemedSorts).default('-redeemed_at').describe('By what to sort, `-` for the largest or newest first.'),
  columns: z
    .enum(redeemedColumns)
    .default('list')
    .describe(
      'Of the CSV: those of the list, or those of an import, with downloads, state, reseller and country, so that the file can be imported without loss.',
    ),
});
export const RedeemedChoicesQuery = z.object(redeemedFilter);

export const RedeemedChoiceCounts = z
  .object({
    product: choiceCounts('Products'),
    reseller: choiceCounts('Resellers'),
    batch: choiceCounts('Batches'),
    country: choiceCounts('Countries'),
    status: choiceCounts('States'),
  })
  .meta({ id: 'RedeemedChoices' });

export const ChangeRedeemedBody = z
  .strictObject({
    action: z.enum(['revoke', 'reassign', 'reset_downloads']),
    filter: z
      .strictObject({ ...redeemedFilter, dateRange: DateRange.default('all') })
      .describe('As in listRedeemedSerials.'),
    dry_run: z.boolean().default(false),
  })
  .meta({
    id: 'ChangeRedeemedSerials',
    description:
      'All that fit the filter, at most 100,000. `reset_downloads` costs the plan’s price for each one that had downloads.',
  });
export const ChangedRedeemed = z
  .object({
    count: z.int().describe('The number of serials changed.'),
    skipped: z.int().describe('Serials that were in that state already.'),
    cost: z.number().describe('In dollars.'),
    dry_run: z.boolean(),
    changed_at,
  })
  .meta({ id: 'ChangedRedeemedSerials' });
