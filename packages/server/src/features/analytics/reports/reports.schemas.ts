import { z } from 'zod';
import { Cursor, Id, reportDays, Time } from '#platform/http/schemas.ts';

export const StockQuery = z.object({ product_id: Id.optional().describe('Only this product’s.') });

const StockOfProduct = z
  .object({
    product_id: Id,
    product: z.string(),
    available: z.int().describe('Serials that nobody has yet.'),
    redeemed: z.int().describe('In the last 30 days.'),
    per_day: z.number().describe('Redemptions per day of the last 30 days, two decimals.'),
    days_left: z
      .int()
      .nullable()
      .describe('How long the available serials last at this pace; null: nothing was redeemed in the last 30 days.'),
  })
  .meta({ id: 'StockOfProduct' });
export const Stock = z.array(StockOfProduct);
export type Stock = z.output<typeof Stock>;

export const FunnelQuery = z.object({
  product_id: Id.optional().describe('Only this product’s.'),
  reseller_id: z
    .union([z.literal('none'), Id])
    .optional()
    .describe('Only those of this reseller; `none`: your own.'),
  limit: z.coerce.number().int().min(1).max(50).default(20),
  cursor: Cursor,
});
export type FunnelQuery = z.output<typeof FunnelQuery>;

const BatchConversion = z
  .object({
    id: Id,
    batch_tag: z.string().nullable(),
    product_id: Id,
    product: z.string(),
    reseller: z.string().nullable().describe('Null: your own.'),
    created_at: Time.describe('When it was generated or imported.'),
    generated: z.int().describe('Serials that the batch was made with.'),
    handed_out: z
      .int()
      .nullable()
      .describe('By the reseller, ever; null: your own batches are not handed out one by one.'),
    redeemed: z.int(),
    activated: z.int().describe('A machine has or had a seat.'),
    handed_out_percent: z.number().nullable().describe('Of those generated, two decimals.'),
    redeemed_percent: z.number().describe('Of those generated, two decimals.'),
    activated_percent: z.number().describe('Of those generated, two decimals.'),
  })
  .meta({ id: 'BatchConversion' });
export type BatchConversion = z.output<typeof BatchConversion>;
export const BatchConversions = z
  .object({ rows: z.array(BatchConversion), next_cursor: z.string().nullable() })
  .meta({ id: 'BatchConversions' });

/** As many as a page of a list has. */
const MOST_PRODUCTS = 100;
export const SparklinesQuery = z.object({
  products: z
    .string()
    .max(37 * MOST_PRODUCTS)
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(Id).max(MOST_PRODUCTS))
    .optional()
    .describe(
      `Ids of products, at most ${MOST_PRODUCTS} with commas between them; without it, all that were redeemed.`,
    ),
});

export const Sparklines = z
  .object({
    products: z
      .array(z.object({ product_id: Id, redemptions: z.array(z.int()).describe('One for each day in order.') }))
      .describe('Those that were redeemed in these days.'),
    startDate: z.string(),
    endDate: z.string(),
    time_zone: z.string().describe('The time zone in which days begin and end.'),
  })
  .meta({ id: 'Sparklines' });
export type Sparklines = z.output<typeof Sparklines>;

export const ShopReportQuery = z.object(reportDays('the account’s time zone'));
export type ShopReportQuery = z.output<typeof ShopReportQuery>;
const ShopOfPeriod = z
  .object({
    shop_id: Id.describe('The shop.'),
    shop: z.string().describe('What you call it.'),
    kind: z.string().describe('Which kind of shop it is.'),
    orders: z.int().describe('Paid orders that came in the period. Tests count nowhere.'),
    paid: z.number().describe('What was paid for them without tax, in dollars, as far as that is known.'),
    unknown: z.int().describe('How many of them nobody knows the dollars of: their serials count at the list price.'),
    redemptions: z.int().describe('Serials of its orders that were redeemed in the period, whenever they were sold.'),
    revenue: z.number().describe('What the ledger has of its serials in the period, less refunds and disputes.'),
    refunded: z.number().describe('What was given back in the period, whenever it was sold.'),
    disputed: z.number().describe('What was taken back in the period because a payment was disputed.'),
  })
  .meta({ id: 'ShopOfPeriod' });
export const ShopReport = z
  .object({
    shops: z.array(ShopOfPeriod).describe('The most revenue first.'),
    startDate: z.string(),
    endDate: z.string(),
    time_zone: z.string().describe('The time zone in which days begin and end.'),
  })
  .meta({ id: 'ShopReport' });
export type ShopReport = z.output<typeof ShopReport>;
