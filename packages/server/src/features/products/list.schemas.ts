import { z } from 'zod';
import { choiceCounts } from '#platform/db/statements/choices.ts';
import { COUNTED_PAGE, Flag, Search } from '#platform/http/schemas.ts';
import { productChoices, productSorts } from './product-filter.ts';
import { ProductView } from './products.schemas.ts';

const ProductFigures = z
  .object({
    generated: z.int().describe('Serials that were ever made for it, or imported.'),
    redeemed: z.int().describe('Redemptions ever.'),
    revenue: z.number().describe('What they brought less refunds, in US dollars.'),
    days_left: z
      .int()
      .nullable()
      .describe(
        'Days until no serial is available, at the pace of the last 30 days; null: nothing was redeemed in them.',
      ),
    file_version: z.string().nullable().describe('The version whose files it has now; null: they belong to none.'),
  })
  .meta({ id: 'ProductFigures' });
export type ProductFigures = z.output<typeof ProductFigures>;

export const ListedProduct = ProductView.extend({
  figures: ProductFigures.optional().describe('Only with `figures=true`.'),
}).meta({ id: 'ListedProduct' });
export type ListedProduct = z.output<typeof ListedProduct>;

const filter = { search: Search, ...productChoices };
const sort = z
  .enum(productSorts)
  .default('-created_at')
  .describe('By what to sort, `-` for the largest or newest first.');
export const ProductChoicesQuery = z.object(filter);
export const ExportProductsQuery = z.object({ ...filter, sort });
export const ListProductsQuery = z.object({
  ...filter,
  sort,
  figures: Flag.describe('Add what each has sold, and how long its serials last.'),
  ...COUNTED_PAGE,
});
export const ProductChoiceCounts = z
  .object({
    status: choiceCounts('States'),
    stock: choiceCounts('Stocks'),
    files: choiceCounts('With and without files'),
    price: choiceCounts('Kinds of prices'),
  })
  .meta({ id: 'ProductChoices' });
