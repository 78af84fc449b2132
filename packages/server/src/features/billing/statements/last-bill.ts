import { sql } from 'kysely';
import { billOf, openMonthsOf, planAtStart, planMonths, planOf, usageMonth } from '#features/plans';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Cents } from '#platform/money.ts';
import { monthOf, nextMonth, shortMonth } from '#platform/time/months.ts';
import { customerRow } from '../cards/cards.queries.ts';
import { tables } from '../tables.ts';
import { isUnfinished } from './unfinished.ts';

/** The amounts that an account owes us if it is deleted now. */
export interface LastBill {
  /** Months that are not closed yet and cost something, the earliest first. The deletion closes and bills them. */
  months: { month: string; total_cents: Cents }[];
  /** Invoices that are still to be collected. */
  outstanding: { invoices: number; total_cents: Cents };
  /** Whether all this is charged to the card. */
  collected: boolean;
}

/** Computes the last bill, to show before the account is deleted. The close makes the same bill. */
export const lastBillOf =
  ({ clock, collects }: { clock: Clock; collects: boolean }) =>
  async (handle: Sql, developerId: string): Promise<LastBill> => {
    const db = tables.in(handle);
    const current = monthOf(clock.now());
    const changes = await planMonths(db, developerId);
    const open = await openMonthsOf(db, developerId, current);
    const months: LastBill['months'] = [];
    for (let month = open[0]; month !== undefined && month <= current; month = nextMonth(month)) {
      // a plan with a fee opens its months when they are closed
      if (!open.includes(month) && planOf(planAtStart(changes, month)).priceCents === 0) continue;
      const { total_cents } = billOf(await usageMonth(db, developerId, month), changes);
      if (total_cents > 0) months.push({ month: shortMonth(month), total_cents });
    }
    const outstanding = await db
      .selectFrom('billing_statements')
      .select((eb) => [
        eb.fn.countAll<number>().as('invoices'),
        sql<Cents>`coalesce(sum(total_cents), 0)::bigint`.as('total_cents'),
      ])
      .where('developer_id', '=', developerId)
      .where(inList('closed_at'))
      .where(isUnfinished('state'))
      .executeTakeFirstOrThrow();
    const card = collects ? (await customerRow(db, developerId))?.payment_method_id : null;
    return { months, outstanding, collected: Boolean(card) };
  };
