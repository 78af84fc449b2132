import { z } from 'zod';
import { Id, reportDays, Time } from '#platform/http/schemas.ts';
import { billingStates, PaidWay } from '../statements/statements.schemas.ts';

export const UsagePeriod = z.object(reportDays('UTC'));
export type UsagePeriod = z.output<typeof UsagePeriod>;

const redemptions = z.int().describe('Redemptions and first activations; imports do not count.');
const refreshCount = z.int().describe('Download counts that were set back.');
const refreshCost = z.number().describe('What the refreshes cost, in dollars.');
const overageCost = z
  .number()
  .describe('What the redemptions above the quota cost, each by the plan of its moment, in dollars.');
const fee = z.number().describe('The fee of the dearest plan held in the month, in dollars.');
const month = z.string().describe('`YYYY-MM`, in UTC.');

export const BillingUsage = z
  .object({
    month,
    plan: z.string().describe('The plan’s stable name.'),
    label: z.string().describe('The plan’s name for people.'),
    free: z.int().describe('Free redemptions per month.'),
    used: z.int().describe('Redemptions of this month so far.'),
    unitPrice: z.number().describe('The price of each redemption above the quota and of each refresh, in dollars.'),
    blockAtCap: z.boolean().describe('Whether redemptions stop at the quota until the next month.'),
    capped: z.boolean().describe('Whether they have stopped.'),
    overage_redemptions: z.int().describe('Redemptions above the quota of their moment.'),
    overage_cost: overageCost,
    subscription_fee: fee,
    refresh_count: refreshCount,
    refresh_cost: refreshCost,
    estimated_total: z.number().describe('What the month costs so far, in dollars: fee, overage and refreshes.'),
    closes_at: Time.describe('When the month ends, and its invoice is made.'),
  })
  .meta({ id: 'BillingUsage', description: 'The running month.' });
export type BillingUsage = z.output<typeof BillingUsage>;

export const BillingSummary = z
  .object({
    startDate: z.string().describe('First day, in UTC.'),
    endDate: z.string().describe('Last day, inclusive.'),
    redemptions,
    redemption_cost: overageCost,
    refresh_count: refreshCount,
    refresh_cost: refreshCost,
    total: z.number().describe('Overage and refreshes, in dollars. Fees belong to months, not to days.'),
  })
  .meta({ id: 'BillingSummary', description: 'What a period used and cost: the sum of its days.' });
export type BillingSummary = z.output<typeof BillingSummary>;

const BillingDay = z
  .object({
    date: z.string().describe('`YYYY-MM-DD`, in UTC.'),
    redemptions,
    cost: overageCost,
    refresh_count: refreshCount,
    refresh_cost: refreshCost,
  })
  .meta({ id: 'BillingDay' });
export type BillingDay = z.output<typeof BillingDay>;
export const BillingGraph = z.array(BillingDay);

const BillingMonth = z
  .object({
    month,
    plan: z.string().describe('The plan at the month’s end, or now.'),
    label: z.string().describe('The plan’s name for people.'),
    redemptions,
    overage_redemptions: z.int().describe('Redemptions above the quota of their moment.'),
    redemption_cost: overageCost,
    avg_price_per_redemption: z.number().describe('The redemption cost divided by all redemptions, to three decimals.'),
    refresh_count: refreshCount,
    refresh_cost: refreshCost,
    subscription_fee: fee,
    total: z.number().describe('Fee, overage and refreshes, in dollars.'),
    closed: z.boolean().describe('Whether its invoice was made; the running month may still grow.'),
    invoice: z
      .object({
        id: Id,
        number: z.string().describe('Such as 2026-0007.'),
        state: z.enum(billingStates).describe('Where its collection is.'),
        paid_by: PaidWay,
      })
      .meta({ id: 'InvoiceOfMonth' })
      .nullable()
      .describe('The month’s invoice; null until its close.'),
  })
  .meta({ id: 'BillingMonth' });
export type BillingMonth = z.output<typeof BillingMonth>;
export const BillingHistory = z.array(BillingMonth);
