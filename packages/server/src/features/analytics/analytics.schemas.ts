import { z } from 'zod';
import { Id, reportDays, Time } from '#platform/http/schemas.ts';
import { byName } from '#platform/keyed-by-name.ts';

export const AnalyticsQuery = z.object({
  ...reportDays('the account’s time zone'),
  product_id: Id.optional().describe('Only this product’s.'),
  reseller_id: z
    .union([z.literal('none'), Id])
    .optional()
    .describe('Only what this reseller sold; `none`: your own sales.'),
  country: z
    .string()
    .regex(/^([A-Z]{2}|none)$/, 'Use a code such as DE, or none.')
    .optional()
    .describe('Only what was redeemed in this country, ISO 3166-1 alpha-2; `none`: unknown.'),
});
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

const Country = z
  .object({ country: z.string().nullable().describe('ISO 3166-1 alpha-2; null: unknown.'), count: z.int() })
  .meta({ id: 'CountryCount' });
export const Countries = z.array(Country);

const Sums = z.object({
  redemptions: z.int(),
  revenue: z.number().describe('Less refunds.'),
  refunded: z.number().describe('What was given back in the period, whenever it was sold.'),
});

const ProductSeries = z
  .object({
    product_id: Id.nullable().describe('Null: all other products together.'),
    product: z.string().nullable(),
    revenue: z.array(z.number()).describe('Dollars, one for each day of the period in order.'),
    redemptions: z.array(z.int()),
  })
  .meta({ id: 'ProductSeries' });

const PreviousPeriod = z
  .object({
    startDate: z.string(),
    endDate: z.string(),
    until: Time.nullable().describe(
      'Of a running period, today is a part of a day: the last day is compared up to this moment. Null: to its end.',
    ),
    totals: Sums,
    productStats: byName(z.int(), 'Product → number of redemptions, highest first.'),
    resellerStats: byName(Sums),
  })
  .meta({ id: 'PreviousPeriod' });

export const Analytics = z
  .object({
    dailyRevenue: z
      .record(z.string(), z.number())
      .describe('Day → dollars; every day of the period. Refunds lower the day on which they are made.'),
    dailyRedemptions: z.record(z.string(), z.int()),
    productStats: byName(z.int(), 'Product → number of redemptions, highest first.'),
    productRevenue: byName(z.number()),
    resellerStats: byName(Sums),
    customerGeo: Countries,
    totals: Sums,
    byProduct: z
      .array(ProductSeries)
      .describe('The six products with the most revenue, the most first, and all others together as the last one.'),
    previous: PreviousPeriod.nullable().describe(
      'The days before: of a calendar month the month before, otherwise as many days. Of a period that is still running, only as much as has passed of it. Null: nothing was sold by then.',
    ),
    startDate: z.string(),
    endDate: z.string(),
    time_zone: z.string().describe('The time zone in which days begin and end.'),
  })
  .meta({ id: 'Analytics' });
export type Analytics = z.output<typeof Analytics>;
