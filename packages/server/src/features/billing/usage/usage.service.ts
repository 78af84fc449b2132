import {
  billOf,
  capOf,
  isBilled,
  type MonthBill,
  planMonths,
  planOf,
  type UsedDay,
  unitCentsOf,
  usageDays,
  usageMonth,
  usageMonths,
} from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { toDollars } from '#platform/money.ts';
import { dayPeriod, daysBetween, plusDays } from '#platform/time/days.ts';
import { monthOf, nextMonth, shortMonth } from '#platform/time/months.ts';
import { invoicesByMonth } from '../statements/statements.queries.ts';
import type { BillingDb } from '../tables.ts';
import type { BillingMonth, BillingSummary, BillingUsage, UsagePeriod } from './usage.schemas.ts';

const NOTHING = { redemptions: 0, cost_cents: 0, refresh_count: 0, refresh_cents: 0 };

/** The billing screen's figures, from sums of months and days: never from the ledger, however large it is. */
export class UsageFigures {
  readonly #db: BillingDb;
  readonly #clock: Clock;

  constructor(deps: { db: BillingDb; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  /** The running month so far. */
  async current({ accountId }: Principal): Promise<BillingUsage> {
    const month = monthOf(this.#clock.now());
    const [usage, changes] = await Promise.all([
      usageMonth(this.#db, accountId, month),
      planMonths(this.#db, accountId),
    ]);
    const bill = billOf(usage, changes);
    const plan = planOf(bill.plan);
    const cap = capOf(plan);
    return {
      month: shortMonth(month),
      plan: plan.slug,
      label: plan.name,
      free: plan.redemptionQuota,
      used: bill.redemptions,
      unitPrice: toDollars(unitCentsOf(plan)),
      blockAtCap: cap !== null,
      capped: cap !== null && bill.redemptions >= cap,
      overage_redemptions: bill.overage_redemptions,
      overage_cost: toDollars(bill.overage_cents),
      subscription_fee: toDollars(bill.fee_cents),
      refresh_count: bill.refresh_count,
      refresh_cost: toDollars(bill.refresh_cents),
      estimated_total: toDollars(bill.total_cents),
      closes_at: new Date(`${nextMonth(month)}T00:00:00Z`),
    };
  }

  /** Every month in which there was something to bill, the newest first. */
  async history({ accountId }: Principal): Promise<BillingMonth[]> {
    const [months, changes, invoices] = await Promise.all([
      usageMonths(this.#db, accountId),
      planMonths(this.#db, accountId),
      invoicesByMonth(this.#db, accountId),
    ]);
    const bills = months.map((usage) => billOf(usage, changes)).filter(isBilled);
    return bills.map((bill) => ({ ...monthView(bill), invoice: invoices.get(bill.month) ?? null }));
  }

  async summary({ accountId }: Principal, query: UsagePeriod): Promise<BillingSummary> {
    const period = dayPeriod(query, 'UTC', this.#clock);
    const sum = { ...NOTHING };
    for (const day of await usageDays(this.#db, accountId, period)) {
      sum.redemptions += day.redemptions;
      sum.cost_cents += day.cost_cents;
      sum.refresh_count += day.refresh_count;
      sum.refresh_cents += day.refresh_cents;
    }
    return {
      startDate: period.from,
      endDate: period.to,
      redemptions: sum.redemptions,
      redemption_cost: toDollars(sum.cost_cents),
      refresh_count: sum.refresh_count,
      refresh_cost: toDollars(sum.refresh_cents),
      total: toDollars(sum.cost_cents + sum.refresh_cents),
    };
  }

  /** Every day of the period, also those on which nothing happened. */
  async graph({ accountId }: Principal, query: UsagePeriod): Promise<UsedDay[]> {
    const period = dayPeriod(query, 'UTC', this.#clock);
    const found = new Map((await usageDays(this.#db, accountId, period)).map((row) => [row.day, row]));
    const count = daysBetween(period.from, period.to) + 1;
    return Array.from({ length: count }, (_, n) => {
      const day = plusDays(period.from, n);
      return found.get(day) ?? { day, ...NOTHING };
    });
  }
}

function monthView(bill: MonthBill): Omit<BillingMonth, 'invoice'> {
  return {
    month: shortMonth(bill.month),
    plan: bill.plan,
    label: planOf(bill.plan).name,
    redemptions: bill.redemptions,
    overage_redemptions: bill.overage_redemptions,
    redemption_cost: toDollars(bill.overage_cents),
    avg_price_per_redemption: averageOf(bill),
    refresh_count: bill.refresh_count,
    refresh_cost: toDollars(bill.refresh_cents),
    subscription_fee: toDollars(bill.fee_cents),
    total: toDollars(bill.total_cents),
    closed: bill.closed_at !== null,
  };
}

/** The average price of a redemption in dollars, to the tenth of a cent. */
function averageOf({ overage_cents, redemptions }: MonthBill): number {
  return redemptions === 0 ? 0 : Math.round((overage_cents * 10) / redemptions) / 1000;
}
