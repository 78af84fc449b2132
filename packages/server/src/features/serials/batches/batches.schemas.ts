import { z } from 'zod';
import { choiceCounts } from '#platform/db/statements/choices.ts';
import { COUNTED_PAGE, DateRange, DryRun, Id, Search, Time } from '#platform/http/schemas.ts';
import { batchChoices } from '../list/serial-filter.ts';
import { changed_at } from '../serials.schemas.ts';

export const batchStates = ['open', 'handed_out', 'redeemed', 'revoked'] as const;
export type BatchState = (typeof batchStates)[number];

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
    handed_out: z.int().describe('Handed out to customers by the reseller, and neither redeemed nor revoked yet.'),
    redeemed: z.int(),
    revoked: z.int().describe('Redeemed or not.'),
    at_least: z
      .array(z.enum(batchStates))
      .describe('Which of these four are larger than said: in a list, large batches are not counted whole.'),
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

const Stage = z
  .object({
    stage: z
      .enum(['generated', 'handed_out', 'redeemed', 'activated'])
      .describe(
        '`handed_out`: by a reseller, ever; batches without a reseller lack it. `activated`: a machine has or had a seat.',
      ),
    count: z.int().describe('Serials that came at least this far.'),
    share: z.number().describe('Percent of those the batch was made with.'),
    of_previous: z.number().nullable().describe('Percent of previous stage; null: there is none, or it is empty.'),
  })
  .meta({ id: 'BatchStage' });

export const BatchFunnel = z
  .object({ batch_id: Id, stages: z.array(Stage).describe('From the first to the last.') })
  .meta({ id: 'BatchFunnel' });
export type BatchFunnel = z.output<typeof BatchFunnel>;

export const BatchPage = z
  .object({ rows: z.array(BatchView), total: z.int(), next_cursor: z.string().nullable() })
  .meta({ id: 'BatchPage' });

const Day = z.string().trim().max(40).nullable();
export const ChangeBatchBody = z
  .strictObject({
    expires_at: Day.describe('Until when its serials can be redeemed; null: for good.'),
    promo_start: Day.describe('From when on its serials can be redeemed, and its promo runs; null: at once.'),
    promo_expires: Day.describe('Until when its promo lasts; null: for good.'),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'Enter what to change.')
  .meta({
    id: 'ChangeBatch',
    description:
      'What is absent stays. A day (`2026-12-31`, its end in the account’s time zone, and for `promo_start` its beginning) or an ISO 8601 timestamp; one without an offset is on the account’s clock. What ends has to end in the future.',
  });
export type ChangeBatchBody = z.output<typeof ChangeBatchBody>;

export const batchSorts = [
  '-created_at',
  'created_at',
  'product',
  '-product',
  'tag',
  '-tag',
  'reseller',
  '-reseller',
  'quantity',
  '-quantity',
] as const;
export type BatchSort = (typeof batchSorts)[number];

const filter = {
  product_id: Id.optional(),
  search: Search.describe('Product, tag, notes or reseller.'),
  dateRange: DateRange.describe('The days in which they were made.'),
  ...batchChoices,
};
export const BatchChoicesQuery = z.object(filter);
export const BatchChoiceCounts = z
  .object({ product: choiceCounts('Products'), reseller: choiceCounts('Resellers'), status: choiceCounts('States') })
  .meta({ id: 'BatchChoices' });
export const ListBatchesQuery = z.object({
  ...filter,
  sort: z.enum(batchSorts).default('-created_at').describe('By what to sort, `-` for the largest or newest first.'),
  ...COUNTED_PAGE,
});

export const RevokeBatchQuery = z.object({ dry_run: DryRun });
export const RevokedBatch = z.object({ count: z.int(), dry_run: z.boolean(), changed_at }).meta({ id: 'RevokedBatch' });
