import { dearestPlan, type MonthBill, type PlanMonth } from '#features/plans';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Cents } from '#platform/money.ts';
import { monthName } from '#platform/paper/words.ts';
import { boundsOf } from '#platform/time/months.ts';
import type { BillingHandle } from '../tables.ts';
import type { LineKind } from './statements.schemas.ts';

export interface BillLine {
  kind: LineKind;
  description: string;
  quantity: number;
  /** Null: of several prices. */
  unit_cents: Cents | null;
  amount_cents: Cents;
}

/** How many were charged at one price. */
interface Priced {
  n: number;
  unit_cents: Cents;
}

/** A developer's month. */
interface Within {
  developerId: string;
  from: Date;
  to: Date;
}

const overagePrices = (handle: BillingHandle, { developerId, from, to }: Within): Promise<Priced[]> =>
  handle
    .selectFrom('redemptions')
    .select((eb) => ['usage_cents as unit_cents', eb.fn.countAll<number>().as('n')])
    .where('developer_id', '=', developerId)
    .where(inList('redeemed_at'))
    .where('redeemed_at', '>=', from)
    .where('redeemed_at', '<', to)
    .where('usage_cents', '>', 0)
    .groupBy('usage_cents')
    .orderBy('usage_cents', 'desc')
    .execute();

const refreshPrices = (handle: BillingHandle, { developerId, from, to }: Within): Promise<Priced[]> =>
  handle
    .selectFrom('refresh_charges')
    .select((eb) => ['cost_cents as unit_cents', eb.fn.countAll<number>().as('n')])
    .where('developer_id', '=', developerId)
    .where('refreshed_at', '>=', from)
    .where('refreshed_at', '<', to)
    .where('cost_cents', '>', 0)
    .groupBy('cost_cents')
    .orderBy('cost_cents', 'desc')
    .execute();

/**
 * The parts of a month's bill. Its figures are the month's counters, which the screen shows; its lines are these
 * counters by price.
 */
export async function billLines(
  handle: BillingHandle,
  developerId: string,
  bill: MonthBill,
  changes: readonly PlanMonth[],
): Promise<BillLine[]> {
  const { month, fee_cents } = bill;
  const when = `${monthName(month)} (UTC)`;
  const [from, to] = boundsOf(month).map((moment) => new Date(moment)) as [Date, Date];
  const lines: BillLine[] = [];
  if (fee_cents > 0) {
    const description = `Plan ${dearestPlan(changes, month).name}, ${when}`;
    lines.push({ kind: 'fee', description, quantity: 1, unit_cents: fee_cents, amount_cents: fee_cents });
  }
  // the price was one all month unless the plan has changed within it
  const onePlan = !changes.some((change) => change.month === month);
  const sums = [
    ['overage', `Redemptions above the quota, ${when}`, bill.overage_redemptions, bill.overage_cents, overagePrices],
    ['refresh', `Refreshed download counts, ${when}`, bill.refresh_count, bill.refresh_cents, refreshPrices],
  ] as const;
  for (const [kind, description, n, cents, prices] of sums) {
    if (cents === 0) continue;
    const single = onePlan && cents % n === 0 ? [{ n, unit_cents: cents / n }] : null;
    const priced = single ?? (await prices(handle, { developerId, from, to }));
    lines.push(...linesOf(kind, description, priced, { n, cents }));
  }
  return lines;
}

/** A line for each price; one for all of them when the rows do not add up to what the month has counted. */
function linesOf(
  kind: LineKind,
  description: string,
  priced: readonly Priced[],
  counted: { n: number; cents: Cents },
): BillLine[] {
  const sum = priced.reduce((cents, { n, unit_cents }) => cents + n * unit_cents, 0);
  if (sum !== counted.cents)
    return [{ kind, description, quantity: counted.n, unit_cents: null, amount_cents: counted.cents }];
  return priced.map(({ n, unit_cents }) => ({
    kind,
    description,
    quantity: n,
    unit_cents,
    amount_cents: n * unit_cents,
  }));
}
