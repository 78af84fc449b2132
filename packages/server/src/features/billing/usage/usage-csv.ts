import type { UsedDay } from '#features/plans';
import { csvLine } from '#platform/csv/write.ts';
import { plainDollars, toCents } from '#platform/money.ts';
import type { BillingMonth } from './usage.schemas.ts';

/** The graph's days. The header names the zone of the days and the currency. */
export function daysCsv(days: readonly UsedDay[]): string {
  const head = ['Date (UTC)', 'Redemptions', 'Cost (USD)', 'Refresh Count', 'Refresh Cost (USD)'];
  const lines = days.map((day) =>
    csvLine([
      day.day,
      day.redemptions,
      plainDollars(day.cost_cents),
      day.refresh_count,
      plainDollars(day.refresh_cents),
    ]),
  );
  return csvLine(head) + lines.join('');
}

const MONTH_COLUMNS = [
  'Month (UTC)',
  'Plan',
  'Redemptions',
  'Overage Redemptions',
  'Redemption Cost (USD)',
  'Average Price per Redemption (USD)',
  'Refresh Count',
  'Refresh Cost (USD)',
  'Subscription Fee (USD)',
  'Total (USD)',
  'Closed',
];

/** The history's months. */
export function monthsCsv(months: readonly BillingMonth[]): string {
  const plain = (dollars: number) => plainDollars(toCents(dollars));
  const lines = months.map((month) =>
    csvLine([
      month.month,
      month.label,
      month.redemptions,
      month.overage_redemptions,
      plain(month.redemption_cost),
      month.avg_price_per_redemption.toFixed(3),
      month.refresh_count,
      plain(month.refresh_cost),
      plain(month.subscription_fee),
      plain(month.total),
      month.closed ? 'yes' : 'no',
    ]),
  );
  return csvLine(MONTH_COLUMNS) + lines.join('');
}
