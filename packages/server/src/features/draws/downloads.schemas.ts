import { z } from 'zod';
import { givenFilter } from '#features/deals';
import { Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';

export const Csv = z.string();

export const DownloadStockQuery = z.object({ product_id: Id.describe('The product’s id.'), ...givenFilter });
export type DownloadStockQuery = z.output<typeof DownloadStockQuery>;

export const StockDownload = z
  .object({
    id: Id,
    downloaded_at: Time.describe('When the file was taken.'),
    developer_id: Id.describe('The developer of the product.'),
    developer_name: z.string().describe('What the developer is called.'),
    reseller_id: Id.describe('The partnership of the reseller who took it.'),
    reseller_name: z.string().describe('What the developer calls the reseller.'),
    product_id: Id,
    product_name: z.string().nullable().describe('Null: the product was deleted.'),
    codes: z.int().describe('The number of codes in the file.'),
    batches: z
      .array(
        z.object({
          batch_id: Id,
          batch_tag: z.string().nullable(),
          codes: z.int().describe('The number of the batch’s codes in the file.'),
        }),
      )
      .describe('Which batches they are from; the first 100.'),
  })
  .meta({ id: 'StockDownload', description: 'Codes in a file that a reseller took: they count as in circulation.' });
export type StockDownload = z.output<typeof StockDownload>;

export const StockDownloadPage = z
  .object({ rows: z.array(StockDownload), next_cursor: z.string().nullable() })
  .meta({ id: 'StockDownloadPage' });

export const ListStockDownloadsQuery = z.object({
  product_id: Id.optional().describe('Only files of this product.'),
  limit: Limit,
  cursor: Cursor,
});
export const ListResellerDownloadsQuery = z.object({
  reseller_id: Id.optional().describe('Only files of this reseller, by the id of the partnership.'),
  product_id: Id.optional().describe('Only files of this product.'),
  batch_id: Id.optional().describe('Only files with codes of this batch, and only those codes.'),
  limit: Limit,
  cursor: Cursor,
});

const counts = {
  given: z.int().describe('Serials that the batch was created with.'),
  open: z.int().describe('Neither handed out, redeemed nor revoked.'),
  handed_out: z.int().describe('Handed out to customers, and neither redeemed nor revoked yet.'),
  redeemed: z.int().describe('Redeemed by customers.'),
  revoked: z.int().describe('Revoked, redeemed or not.'),
  refunds: z.int().describe('Redeemed serials whose money was given back, in whole or in part.'),
  refunded: z.number().describe('What was given back, in dollars.'),
  refund_rate: z.number().describe('`refunds` in percent of `redeemed`, with at most two decimals.'),
};
export const Circulation = z
  .object({
    totals: z.object(counts).describe('All batches of the reseller together.'),
    rows: z.array(
      z.object({
        batch_id: Id,
        product_id: Id,
        product_name: z.string(),
        batch_tag: z.string().nullable(),
        created_at: Time,
        ...counts,
        in_files: z.int().describe('The most codes of the batch that one downloaded file held; 0: none was taken.'),
        downloaded_at: Time.nullable().describe('When a file with codes of the batch was taken last; null: never.'),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'Circulation', description: 'The state of the serials that a reseller was given.' });
export type Circulation = z.output<typeof Circulation>;

export const CirculationQuery = z.object({ limit: Limit, cursor: Cursor });
