import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { COUNTED_PAGE, Id, MOMENT, Moment, Search, Time } from '#platform/http/schemas.ts';

const item = {
  product_id: Id,
  name: z.string().describe('The product’s name.'),
  product_name: z.string().describe('Same as `name`.'),
  developer_id: Id.describe('The developer’s id.'),
  developer_name: z.string().describe('What the developer is called.'),
  developer_time_zone: z.string().describe('The zone of the days in which deals begin and end.'),
  image_url: z.string().nullable(),
  price: z.number().nullable(),
  sale_price: z.number().nullable(),
  commission_rate: z.number(),
  total_redemptions: z.int().describe('Serials of the reseller that customers have redeemed.'),
  available_serials: z
    .int()
    .describe('Serials that the reseller can sell now: nobody has redeemed, revoked or handed them out.'),
  not_for_sale_serials: z
    .int()
    .describe('The others that nobody has: their deal has not begun or is over, so they are in no list and no file.'),
  created_at: Time,
};

export const ResellerProduct = z
  .object({
    ...item,
    batch_tag: z.null().describe('Always null: only deals have a tag.'),
    promo_price: z.null().describe('Always null: only deals have one.'),
    promo_expires: z.null().describe('Always null: only deals have one.'),
    is_expired: z.literal(false).describe('Always false: only deals expire.'),
  })
  .meta({ id: 'ResellerProduct' });
export type ResellerProduct = z.output<typeof ResellerProduct>;

export const ResellerDeal = z
  .object({
    id: Id.describe('The deal’s id, for `deal` of the product’s own operations.'),
    ...item,
    batch_tag: z.string().nullable(),
    promo_price: z.number(),
    promo_start: Time.nullable().describe(
      'First moment of the sale; serials cannot be redeemed before it; null: at once.',
    ),
    promo_expires: Time.nullable().describe('Until when the deal may be sold; null: no end.'),
    expires_at: Time.nullable().describe('Until when its serials have to be redeemed; null: no end.'),
    is_expired: z.boolean().describe('Whether it may no longer be sold.'),
  })
  .meta({ id: 'ResellerDeal' });
export type ResellerDeal = z.output<typeof ResellerDeal>;

const page = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), total: z.int(), next_cursor: z.string().nullable() });
export const ResellerProductPage = page(ResellerProduct).meta({ id: 'ResellerProductPage' });
export const ResellerDealPage = page(ResellerDeal).meta({ id: 'ResellerDealPage' });

const Sort = z.enum(['recent', 'alphabetical', 'popular']).default('recent');
export type Sort = z.output<typeof Sort>;

const listing = {
  developer_id: Id.optional().describe('Only this developer’s.'),
  sort: Sort.describe('Newest first, by name, or most redemptions first.'),
  ...COUNTED_PAGE,
};
export const ListProductsQuery = z.object({
  search: Search.describe('Product, developer or batch tag.'),
  ...listing,
});
export const ListDealsQuery = z.object({
  ...ListProductsQuery.shape,
  state: z.enum(['current', 'expired']).optional().describe('Only deals that may still be sold, or only the others.'),
});

/** Filters a product’s serials. Without it, all serials that were given to the reseller are listed. */
export const givenFilter = {
  deal: Id.optional().describe('Only serials of this deal, by its id.'),
  promo: z.stringbool().optional().meta({ type: 'boolean' }).describe('Only serials of deals, or only the others.'),
  promo_price: z.coerce.number().min(0).max(1_000_000).optional().describe('Only deals at this price, in US dollars.'),
  promo_expires: Moment.optional().describe(`Only deals that may be sold until then: ${MOMENT}.`),
  batch_tag: oneLine().max(100).optional().describe('Only batches with this tag.'),
};
export const ResellerProductQuery = z.object({
  ...givenFilter,
  search: Search.describe('The beginning of a code, or a customer’s name or email address.'),
});
export const ResellerSerialsQuery = z.object({ ...ResellerProductQuery.shape, ...COUNTED_PAGE });
export type Which = Omit<z.output<typeof ResellerProductQuery>, 'search'>;

export const ResellerSerial = z
  .object({
    id: Id,
    code: dataOf('codes', z.string()),
    batch_tag: z.string().nullable(),
    promo_price: z.number().nullable(),
    promo_start: Time.nullable(),
    promo_expires: Time.nullable(),
    expires_at: Time.nullable().describe('Until when it has to be redeemed; null: no end.'),
  })
  .meta({ id: 'ResellerSerial' });
export type ResellerSerial = z.output<typeof ResellerSerial>;

export const ResellerRedeemedSerial = z
  .object({
    id: Id.describe('The redemption’s id.'),
    code: dataOf('codes', z.string()),
    first_name: dataOf('people', z.string().nullable()),
    last_name: dataOf('people', z.string().nullable()),
    email: dataOf('people', z.string().nullable()),
    redeemed_at: Time,
    batch_tag: z.string().nullable(),
    revoked: z.boolean(),
  })
  .meta({ id: 'ResellerRedeemedSerial' });
export type ResellerRedeemedSerial = z.output<typeof ResellerRedeemedSerial>;

const capped = {
  total: z.int(),
  total_exact: z.boolean().describe('If false, `total` is a lower bound: the exact number was not counted.'),
};
export const ResellerSerialPage = z
  .object({ rows: z.array(ResellerSerial), next_cursor: z.string().nullable(), ...capped })
  .meta({ id: 'ResellerSerialPage' });
export const ResellerRedeemedPage = z
  .object({ rows: z.array(ResellerRedeemedSerial), next_cursor: z.string().nullable(), ...capped })
  .meta({ id: 'ResellerRedeemedPage' });

export const ResellerProductDetail = z
  .object({
    product: z.object({
      ...ResellerProduct.shape,
      short_desc: z.string(),
      long_desc: z.string(),
      feature_list: z.array(z.string()),
      file_size_gb: z.number().nullable().describe('All its downloads in gigabytes; null: not known.'),
      is_draft: z.literal(false).describe('Always false: drafts are not shown to resellers.'),
    }),
    deal: ResellerDeal.nullable().describe('The deal that was asked for; null: none was.'),
    serials: z.object({
      available: z.array(ResellerSerial).describe('The newest 100.'),
      redeemed: z.array(ResellerRedeemedSerial).describe('The newest 100.'),
      counts: z
        .object({
          available: z.int().describe('Those that the reseller can sell now.'),
          redeemed: z.int(),
        })
        .describe('How many there are in all; of a search at most 10,000.'),
    }),
  })
  .meta({ id: 'ResellerProductDetail' });
export type ResellerProductDetail = z.output<typeof ResellerProductDetail>;
