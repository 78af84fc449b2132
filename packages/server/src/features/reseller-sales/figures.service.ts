import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { csvLine } from '#platform/csv/write.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { decodeCursor, isText, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { percentOf, toDollars } from '#platform/money.ts';
import { dayPeriod, daysBetween, endOfDay, isDay, plusDays, startOfDay } from '#platform/time/days.ts';
import { shortMonth } from '#platform/time/months.ts';
import { periodBefore } from '#platform/time/period-before.ts';
import * as q from './figures.queries.ts';
import { listMonths, type MonthRow } from './history.queries.ts';
import { sellerOf } from './partners.ts';
import type { HistoryRow, PeriodQuery, SalesDashboard, SalesSummary } from './sales.schemas.ts';
import type { SalesDb } from './tables.ts';

const LONGEST = { days: 366, message: 'Choose at most 366 days.' };
const GROUPS = 100;
/** More than any reseller has partners, so that the rows add up to the summary. */
const DEVELOPERS = 10_000;
/** The most rows of the commission history's CSV: a thousand products in eight years. */
const CSV_ROWS = 100_000;

interface Dependencies {
  db: SalesDb;
  clock: Clock;
}

/** A reseller's figures, from the sums of their partnerships. */
export class SalesFigures {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async dashboard(caller: Principal): Promise<SalesDashboard> {
    const { db, clock } = this.#deps;
    const seller = await sellerOf(db, caller.accountId);
    const [totals, products, groups] = await Promise.all([
      q.totalsOf(db, seller),
      q.countProducts(db, seller),
      db.work({ tx: true, settings: BY_INDEX }, (tx) => q.groupsOf(tx, seller, clock.now(), GROUPS)),
    ]);
    return {
      stats: {
        totalRedemptions: totals.redemptions,
        totalCommission: toDollars(totals.commission_cents),
        connectedProducts: products,
        availableSerials: groups[0]?.available_total ?? 0,
        notForSaleSerials: groups[0]?.not_for_sale_total ?? 0,
        handedOutSerials: groups[0]?.handed_out_total ?? 0,
        serialsInFiles: groups[0]?.in_files_total ?? 0,
      },
      serialGroups: groups.map(groupOf),
      groups_total: groups[0]?.groups_total ?? 0,
    };
  }

  async summary(caller: Principal, query: PeriodQuery): Promise<SalesSummary> {
    const days = await this.#days(caller, query);
    const { commission_cents, refunded_cents, redemptions, top_product_id, top_developer_id, ...tops } = await q.sumUp(
      this.#deps.db,
      days,
    );
    return {
      total_commission: toDollars(commission_cents),
      total_redemptions: redemptions,
      refunded_commission: toDollars(refunded_cents),
      ...tops,
      previous: await this.#before(days, { productId: top_product_id, developerId: top_developer_id }),
      startDate: days.from,
      endDate: days.to,
      time_zone: days.timeZone,
    };
  }

  /** Every day of the period. */
  async graph(caller: Principal, query: PeriodQuery) {
    const days = await this.#days(caller, query);
    const sums = new Map((await q.sumByDay(this.#deps.db, days)).map((sum) => [sum.day, sum]));
    return Array.from({ length: daysBetween(days.from, days.to) + 1 }, (_, n) => {
      const date = plusDays(days.from, n);
      const sum = sums.get(date);
      return {
        date,
        redemptions: sum?.redemptions ?? 0,
        commission_earned: toDollars(sum?.commission_cents ?? 0),
      };
    });
  }

  async byDeveloper(caller: Principal, query: PeriodQuery) {
    const sums = await q.sumByDeveloper(this.#deps.db, await this.#days(caller, query), DEVELOPERS);
    return sums.map(({ id, name, redemptions, commission_cents }) => ({
      developer: name,
      developer_id: id,
      redemptions,
      commission_earned: toDollars(commission_cents),
    }));
  }

  async history(caller: Principal, query: { limit: number; cursor?: string | undefined }) {
    const after = decodeCursor(query.cursor, [isDay, isText, isText, isId, isId]);
    const { rows, total } = await listMonths(
      this.#deps.db,
      await sellerOf(this.#deps.db, caller.accountId),
      after,
      query.limit + 1,
    );
    const page = pageOf(
      rows.map((row) => ({ ...row, id: row.product_id })),
      query.limit,
      (row) => [row.month, row.developer, row.product, row.developer_id, row.product_id],
    );
    return { rows: page.rows.map(historyRow), next_cursor: page.next_cursor, total };
  }

  async historyCsv(caller: Principal): Promise<string> {
    const { rows } = await listMonths(this.#deps.db, await sellerOf(this.#deps.db, caller.accountId), null, CSV_ROWS);
    const head = ['Month (UTC)', 'Developer', 'Product', 'Redemptions', 'Refunds', 'Commission %', 'Commission'];
    const lines = rows.map(historyRow).map((row) => [
      row.month,
      row.developer,
      row.product,
      row.redemptions,
      row.refunds,
      row.commission_percent,
      // a number, so that a negative one is not taken for a formula
      row.commission_total,
    ]);
    return [head, ...lines].map(csvLine).join('');
  }

  async #before(
    { resellerId, developers, timeZone, from, to }: q.Days,
    of: { productId: string | null; developerId: string | null },
  ): Promise<SalesSummary['previous']> {
    const before = periodBefore({ from, to }, timeZone, this.#deps.clock);
    if (!before) return null;
    const { part } = before;
    const whole = part ? plusDays(before.to, -1) : before.to;
    const days = { resellerId, developers, timeZone, from: before.from, to: whole };
    const found = await q.sumBefore(
      this.#deps.db,
      { ...days, begins: startOfDay(days.from, timeZone), ends: endOfDay(days.to, timeZone) },
      part,
      of,
    );
    if (!found.sold) return null;
    return {
      startDate: before.from,
      endDate: before.to,
      until: part?.ends ?? null,
      total_commission: toDollars(found.commission_cents),
      total_redemptions: found.redemptions,
      top_product_redemptions: found.product_redemptions,
      top_developer_redemptions: found.developer_redemptions,
    };
  }

  async #days(caller: Principal, query: PeriodQuery): Promise<q.Days> {
    const { timeZone } = caller;
    const { from, to } = dayPeriod(query, timeZone, this.#deps.clock, LONGEST);
    const seller = await sellerOf(this.#deps.db, caller.accountId);
    return { ...seller, from, to, timeZone, begins: startOfDay(from, timeZone), ends: endOfDay(to, timeZone) };
  }
}

const groupOf = ({ commission_bps, ...row }: q.GroupRow) => ({
  product_id: row.product_id,
  product_name: row.product_name,
  developer_id: row.developer_id,
  developer_name: row.developer_name,
  commission_rate: commission_bps / 100,
  total: row.redeemed + row.remaining + row.not_for_sale + row.handed_out,
  redeemed: row.redeemed,
  handed_out: row.handed_out,
  remaining: row.remaining,
  not_for_sale: row.not_for_sale,
  in_files: row.in_files,
});

function historyRow(row: MonthRow): HistoryRow {
  const { month, developer, developer_id, product, product_id, redemptions, refunds, revenue_cents, earned_cents } =
    row;
  return {
    month: shortMonth(month),
    developer,
    developer_id,
    product,
    product_id,
    redemptions,
    refunds,
    commission_percent: revenue_cents === 0 ? null : percentOf(earned_cents, revenue_cents),
    commission_total: toDollars(row.commission_cents),
  };
}
