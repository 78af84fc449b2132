import { z } from 'zod';
import { byName } from '../../platform/by-name.ts';

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Use YYYY-MM-DD.')
  .optional();

export const AnalyticsQuery = z.object({
  startDate: day.describe('First day, in the account’s time zone.'),
  endDate: day.describe('Last day, inclusive. Without both: the last 30 days to the end of today.'),
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
    startDate: z.string(),
    endDate: z.string(),
    time_zone: z.string().describe('The time zone in which days begin and end.'),
  })
  .meta({ id: 'Analytics' });
export type Analytics = z.output<typeof Analytics>;
