import { stockPace } from '#features/products';
import { type FunnelRow, funnelsOf } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { csvLine } from '#platform/csv/write.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { percentOf, plainDollars, toCents, toDollars } from '#platform/money.ts';
import { dayPeriod, daysBetween, endOfDay, isoIn, startOfDay } from '#platform/time/days.ts';
import type { AnalyticsDb } from '../tables.ts';
import { redemptionsByDay, stockOf } from './reports.queries.ts';
import type {
  BatchConversion,
  FunnelQuery,
  ShopReport,
  ShopReportQuery,
  Sparklines,
  Stock,
} from './reports.schemas.ts';
import { shopSums } from './shops.queries.ts';

/** Products of one answer; those with the least time left come first. */
const PRODUCTS = 1000;
/** Batches of one CSV. */
const BATCHES = 200;

/** Stock left, progress of batches, and small charts: figures that have no period to choose. */
export class Reports {
  readonly #db: AnalyticsDb;
  readonly #clock: Clock;

  constructor(deps: { db: AnalyticsDb; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  async stock(caller: Principal, product: string | undefined): Promise<Stock> {
    const of = { days: this.#thirtyDays(caller), now: this.#clock.now(), product, limit: PRODUCTS };
    const rows = await this.#db.work({ tx: true, settings: BY_INDEX }, (sql) => stockOf(sql, caller.accountId, of));
    return rows.map((row) => ({ ...row, ...stockPace(row.available, row.redeemed) }));
  }

  async stockCsv(caller: Principal, product: string | undefined): Promise<string> {
    const rows = await this.stock(caller, product);
    const head = ['Product', 'Available', 'Redeemed in 30 days', 'Per day', 'Days left'];
    return [head, ...rows.map((row) => [row.product, row.available, row.redeemed, row.per_day, row.days_left])]
      .map(csvLine)
      .join('');
  }

  async batches(caller: Principal, { limit, cursor, product_id, reseller_id }: FunnelQuery) {
    const after = decodeIdCursor(cursor);
    const of = { developerId: caller.accountId, product: product_id, reseller: reseller_id, after, limit: limit + 1 };
    const rows = await this.#db.work({ tx: true, settings: BY_INDEX }, (sql) => funnelsOf(sql, of));
    return pageOf(rows.map(conversionOf), limit);
  }

  async batchesCsv(caller: Principal, { product_id, reseller_id }: FunnelQuery): Promise<string> {
    const of = {
      developerId: caller.accountId,
      product: product_id,
      reseller: reseller_id,
      after: null,
      limit: BATCHES,
    };
    const rows = await this.#db.work({ tx: true, settings: BY_INDEX }, (sql) => funnelsOf(sql, of));
    const made = `Created (${caller.timeZone})`;
    const head = ['Batch', made, 'Product', 'Reseller', 'Generated', 'Handed out', 'Redeemed', 'Activated'];
    const percents = ['Handed out %', 'Redeemed %', 'Activated %'];
    const lines = rows
      .map(conversionOf)
      .map((row) => [
        row.batch_tag,
        isoIn(row.created_at, caller.timeZone),
        row.product,
        row.reseller,
        row.generated,
        row.handed_out,
        row.redeemed,
        row.activated,
        row.handed_out_percent,
        row.redeemed_percent,
        row.activated_percent,
      ]);
    return [[...head, ...percents], ...lines].map(csvLine).join('');
  }

  /** Several products at once, so that a screen of cards asks once. */
  async sparklines(caller: Principal, ids?: string[]): Promise<Sparklines> {
    const days = this.#thirtyDays(caller);
    const rows = await redemptionsByDay(this.#db, caller.accountId, days, ids);
    const products = [...Map.groupBy(rows, (row) => row.product_id)].map(([product_id, own]) => {
      const redemptions = Array.from({ length: daysBetween(days.from, days.to) + 1 }, () => 0);
      for (const { day, n } of own) redemptions[daysBetween(days.from, day)] = n;
      return { product_id, redemptions };
    });
    return { products, startDate: days.from, endDate: days.to, time_zone: caller.timeZone };
  }

  /** The result of each shop: its orders, and what the ledger has of their serials. */
  async shops(caller: Principal, query: ShopReportQuery): Promise<ShopReport> {
    const { from, to } = dayPeriod(query, caller.timeZone, this.#clock);
    const moments = { from: startOfDay(from, caller.timeZone), to: endOfDay(to, caller.timeZone) };
    const rows = await shopSums(this.#db, caller.accountId, moments);
    return {
      shops: rows.map(({ paid_cents, revenue_cents, refunded_cents, disputed_cents, ...row }) => ({
        ...row,
        paid: toDollars(paid_cents),
        revenue: toDollars(revenue_cents),
        refunded: toDollars(refunded_cents),
        disputed: toDollars(disputed_cents),
      })),
      startDate: from,
      endDate: to,
      time_zone: caller.timeZone,
    };
  }

  async shopsCsv(caller: Principal, query: ShopReportQuery): Promise<string> {
    const { shops } = await this.shops(caller, query);
    const head = ['Shop', 'Kind', 'Orders', 'Paid', 'Redemptions', 'Revenue', 'Refunded', 'Disputed'];
    const money = (dollars: number) => plainDollars(toCents(dollars));
    const lines = shops.map(({ shop, kind, orders, paid, redemptions, revenue, refunded, disputed }) => {
      return [shop, kind, orders, money(paid), redemptions, money(revenue), money(refunded), money(disputed)];
    });
    return [head, ...lines].map(csvLine).join('');
  }

  #thirtyDays(caller: Principal) {
    return dayPeriod({}, caller.timeZone, this.#clock);
  }
}

function conversionOf({ handed_out, ...row }: FunnelRow): BatchConversion {
  // the developer's own are given away without being handed out one by one
  const handed = row.reseller === null && handed_out === 0 ? null : handed_out;
  return {
    ...row,
    handed_out: handed,
    handed_out_percent: handed === null ? null : percentOf(handed, row.generated),
    redeemed_percent: percentOf(row.redeemed, row.generated),
    activated_percent: percentOf(row.activated, row.generated),
  };
}
