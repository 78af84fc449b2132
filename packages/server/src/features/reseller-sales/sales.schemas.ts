import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { choiceCounts, choiceParam } from '#platform/db/statements/choices.ts';
import {
  Cursor,
  DateRange,
  Id,
  Limit,
  NUMBERED_PAGE,
  pageNumbers,
  reportDays,
  Search,
  Time,
} from '#platform/http/schemas.ts';

export const PeriodQuery = z.object(reportDays('the reseller’s time zone'));
export type PeriodQuery = z.output<typeof PeriodQuery>;

export const SalesDashboard = z
  .object({
    stats: z.object({
      totalRedemptions: z.int().describe('Of all developers, also of those the reseller no longer works with.'),
      totalCommission: z.number().describe('In dollars, net of refunds.'),
      connectedProducts: z.int().describe('Submitted products of the developers that the reseller works with.'),
      availableSerials: z.int().describe('Serials that the reseller can sell now.'),
      notForSaleSerials: z
        .int()
        .describe('Unsold ones that can’t be sold now: their deal has not begun or is over, or it is a draft’s.'),
      handedOutSerials: z.int().describe('Drawn for customers, and not redeemed yet.'),
      serialsInFiles: z.int().describe('Those of the available ones that were in a CSV which the reseller downloaded.'),
    }),
    serialGroups: z
      .array(
        z.object({
          product_id: Id,
          product_name: z.string(),
          developer_id: Id,
          developer_name: z.string(),
          commission_rate: z.number().describe('In percent.'),
          total: z.int().describe('Redeemed, handed out, remaining ones, and those not for sale now.'),
          redeemed: z.int(),
          handed_out: z.int().describe('Drawn for a customer, and not redeemed yet.'),
          remaining: z.int().describe('Those that the reseller can sell now.'),
          not_for_sale: z.int().describe('Unsold ones that can’t be sold now.'),
          in_files: z.int().describe('Those of the remaining ones that were in a downloaded CSV.'),
        }),
      )
      .describe('Products that the reseller was given serials of, most redeemed first; at most 100.'),
    groups_total: z.int(),
  })
  .meta({ id: 'SalesDashboard' });
export type SalesDashboard = z.output<typeof SalesDashboard>;

export const SalesSummary = z
  .object({
    total_commission: z.number().describe('In dollars, net of refunds.'),
    total_redemptions: z.int(),
    refunded_commission: z.number().describe('Commission that refunds of this period took back, in dollars.'),
    top_product: z.string().nullable().describe('The product that was redeemed most; null without redemptions.'),
    top_product_redemptions: z.int(),
    top_developer: z.string().nullable(),
    top_developer_redemptions: z.int(),
    previous: z
      .object({
        startDate: z.string(),
        endDate: z.string(),
        until: Time.nullable().describe(
          'Of a running period, today is a part of a day: the last day is compared up to this moment. Null: to its end.',
        ),
        total_commission: z.number().describe('In dollars, net of refunds.'),
        total_redemptions: z.int().describe('How many serials were redeemed.'),
        top_product_redemptions: z.int().describe('Of the product that leads now.'),
        top_developer_redemptions: z.int().describe('Of the developer who leads now.'),
      })
      .meta({ id: 'PreviousSales' })
      .nullable()
      .describe(
        'As many days before; of a running period, only as much as has passed of it. Null: nothing was redeemed by then.',
      ),
    startDate: z.string(),
    endDate: z.string(),
    time_zone: z.string().describe('The time zone in which days begin and end.'),
  })
  .meta({ id: 'SalesSummary' });
export type SalesSummary = z.output<typeof SalesSummary>;

export const SalesDays = z.array(
  z
    .object({
      date: z.string(),
      redemptions: z.int(),
      commission_earned: z.number().describe('In dollars; refunds lower the day on which they are made.'),
    })
    .meta({ id: 'SalesDay' }),
);

export const SalesByDeveloper = z.array(
  z
    .object({
      developer: z.string(),
      developer_id: Id,
      redemptions: z.int(),
      commission_earned: z.number(),
    })
    .meta({ id: 'SalesOfDeveloper' }),
);

export const HistoryQuery = z.object({ limit: Limit, cursor: Cursor });

const HistoryRow = z
  .object({
    month: z.string().describe('The calendar month (UTC), `YYYY-MM`.'),
    developer: z.string(),
    developer_id: Id,
    product: z.string(),
    product_id: Id,
    redemptions: z.int(),
    refunds: z.int().describe('Refunds and other adjustments made in this month.'),
    commission_percent: z
      .number()
      .nullable()
      .describe('The effective rate of the month’s redemptions, two decimals; null when nothing was earned.'),
    commission_total: z.number().describe('In dollars, net of the refunds made in this month.'),
  })
  .meta({ id: 'CommissionMonth' });
export const SalesHistory = z.array(HistoryRow);
export type HistoryRow = z.output<typeof HistoryRow>;

const filter = {
  search: Search.describe('A code or its beginning, a customer’s name or email address, a product or a developer.'),
  dateRange: DateRange,
};
const pages = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  ...NUMBERED_PAGE,
};
export const CustomersQuery = z.object({ ...pages, ...filter });

export const transactionKinds = ['redemption', 'refund', 'chargeback', 'reinstatement', 'correction'] as const;
/** Filters of transactions that combine: each of them must fit. */
export const transactionChoices = {
  product: choiceParam('Ids of products'),
  developer: choiceParam('Ids of developers'),
  kind: choiceParam(`Kinds of entry: ${transactionKinds.map((kind) => `\`${kind}\``).join(', ')}`),
};
const transactionFilter = { ...filter, ...transactionChoices };
export const TransactionsQuery = z.object({ ...pages, ...transactionFilter });
export const TransactionFilterQuery = z.object(transactionFilter);
export const TransactionChoiceCounts = z
  .object({
    product: choiceCounts('Products'),
    developer: choiceCounts('Developers'),
    kind: choiceCounts('Kinds of entry'),
  })
  .meta({ id: 'TransactionChoices' });

export const Transaction = z
  .object({
    id: Id,
    kind: z.enum(transactionKinds),
    at: Time.describe('When it was redeemed, or when the refund was made.'),
    redeemed_at: Time,
    first_name: dataOf('people', z.string().nullable()),
    last_name: dataOf('people', z.string().nullable()),
    email: dataOf('people', z.string().nullable().describe('Null: the customer’s data was erased.')),
    code: dataOf('codes', z.string()),
    product_id: Id,
    product_name: z.string(),
    developer_id: Id,
    developer_name: z.string(),
    final_price: z.number().describe('In dollars; negative for a refund.'),
    promo_price: z.number().nullable(),
    sale_price: z.number().nullable(),
    price: z.number().nullable(),
    commission_rate: z.number().describe('In percent, as it was at the redemption.'),
    commission_earned: z.number().describe('In dollars; negative for a refund.'),
    imported: z.boolean().describe('Redeemed elsewhere and imported: earns nothing here.'),
    reason: z.string().nullable().describe('Of a refund.'),
    refers_to: Id.nullable().describe('The redemption that a refund belongs to.'),
    refunded: z.number().describe('Dollars given back of this redemption by now; 0 for refunds themselves.'),
  })
  .meta({ id: 'Transaction' });
export type Transaction = z.output<typeof Transaction>;

const counted = { ...pageNumbers, next_cursor: z.string().nullable() };
export const TransactionPage = z.object({ rows: z.array(Transaction), ...counted }).meta({ id: 'TransactionPage' });

export const ResellerCustomer = z
  .object({
    id: Id,
    first_name: dataOf('people', z.string().nullable()),
    last_name: dataOf('people', z.string().nullable()),
    email: dataOf('people', z.string().nullable().describe('Null: the customer’s data was erased.')),
    developer_id: Id,
    developer_name: z.string(),
    product_name: z.string().describe('What they redeemed last.'),
    redemptions: z.int().describe('Serials of the reseller that they redeemed.'),
    last_redeemed_at: Time,
  })
  .meta({ id: 'ResellerCustomer' });
export type ResellerCustomer = z.output<typeof ResellerCustomer>;
export const ResellerCustomerPage = z
  .object({ rows: z.array(ResellerCustomer), ...counted })
  .meta({ id: 'ResellerCustomerPage' });
