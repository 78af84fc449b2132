import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { csvLine } from '#platform/csv/write.ts';
import { plainDollars } from '#platform/money.ts';
import { type DayPeriod, dayPeriod } from '#platform/time/days.ts';
import { periodBefore } from '#platform/time/period-before.ts';
import { countriesOf, daysOf, type Scope, soldBy, sumsBefore } from './analytics.queries.ts';
import type { Analytics, AnalyticsQuery } from './analytics.schemas.ts';
import { earlierOf, summed } from './sums.ts';
import type { AnalyticsDb } from './tables.ts';

/** The ledger's figures for a period, read from its daily sums. */
export class AnalyticsService {
  readonly #db: AnalyticsDb;
  readonly #clock: Clock;

  constructor(deps: { db: AnalyticsDb; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  async overview(caller: Principal, query: AnalyticsQuery): Promise<Analytics> {
    const period = this.#period(caller, query);
    const scope = scopeOf(caller, query);
    const [rows, customerGeo, previous] = await Promise.all([
      daysOf(this.#db, scope, period),
      countriesOf(this.#db, scope, period),
      this.#before(scope, period),
    ]);
    return {
      ...summed(rows, period),
      customerGeo,
      previous,
      startDate: period.from,
      endDate: period.to,
      time_zone: caller.timeZone,
    };
  }

  /** One row per day, product and reseller. The header names the time zone of the days. */
  async csv(caller: Principal, query: AnalyticsQuery): Promise<string> {
    const rows = await daysOf(this.#db, scopeOf(caller, query), this.#period(caller, query));
    const head = csvLine([`Date (${caller.timeZone})`, 'Product', 'Reseller', 'Redemptions', 'Revenue', 'Refunded']);
    return (
      head +
      rows
        .map((row) =>
          csvLine([
            row.day,
            row.product,
            row.reseller,
            row.redemptions,
            plainDollars(row.revenue_cents),
            plainDollars(row.refunded_cents),
          ]),
        )
        .join('')
    );
  }

  async countries(caller: Principal, query: AnalyticsQuery) {
    const whole = !query.startDate && !query.endDate;
    return countriesOf(this.#db, scopeOf(caller, query), whole ? null : this.#period(caller, query));
  }

  async #before(scope: Scope, period: DayPeriod): Promise<Analytics['previous']> {
    const before = periodBefore(period, scope.timeZone, this.#clock);
    if (!before) return null;
    const [rows, sold] = await Promise.all([sumsBefore(this.#db, scope, before), soldBy(this.#db, scope, before.to)]);
    if (!sold) return null;
    return { startDate: before.from, endDate: before.to, until: before.part?.ends ?? null, ...earlierOf(rows) };
  }

  #period(caller: Principal, query: AnalyticsQuery) {
    return dayPeriod(query, caller.timeZone, this.#clock);
  }
}

const scopeOf = (caller: Principal, { product_id, reseller_id, country }: AnalyticsQuery): Scope => ({
  developerId: caller.accountId,
  timeZone: caller.timeZone,
  product: product_id,
  reseller: reseller_id,
  country,
});
