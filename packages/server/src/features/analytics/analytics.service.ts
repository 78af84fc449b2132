import type { Principal } from '../../platform/access/access.ts';
import { keyedByName } from '../../platform/by-name.ts';
import type { Clock } from '../../platform/clock.ts';
import { csvLine } from '../../platform/csv/write.ts';
import { dayPeriod, daysBetween, plusDays } from '../../platform/days.ts';
import type { Database } from '../../platform/db/database.ts';
import { plainDollars, toDollars } from '../../platform/money.ts';
import { countriesOf, type DayRow, daysOf } from './analytics.queries.ts';
import type { Analytics, AnalyticsQuery } from './analytics.schemas.ts';

/** The ledger's figures for a period, read from its daily sums. */
export class AnalyticsService {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(deps: { db: Database; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  async overview(caller: Principal, query: AnalyticsQuery): Promise<Analytics> {
    const period = this.#period(caller, query);
    const [rows, customerGeo] = await Promise.all([
      daysOf(this.#db, { developerId: caller.userId, ...period }),
      countriesOf(this.#db, caller.userId, period),
    ]);
    return {
      ...summed(rows, period),
      customerGeo,
      startDate: period.from,
      endDate: period.to,
      time_zone: caller.timeZone,
    };
  }

  /** One row per day, product and reseller. The header names the time zone of the days. */
  async csv(caller: Principal, query: AnalyticsQuery): Promise<string> {
    const rows = await daysOf(this.#db, { developerId: caller.userId, ...this.#period(caller, query) });
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
    return countriesOf(this.#db, caller.userId, whole ? null : this.#period(caller, query));
  }

  #period(caller: Principal, query: AnalyticsQuery) {
    return dayPeriod(query, caller.timeZone, this.#clock);
  }
}

type Sums = Pick<
  Analytics,
  'dailyRevenue' | 'dailyRedemptions' | 'productStats' | 'productRevenue' | 'resellerStats' | 'totals'
>;

/** Sums in cents, so that a thousand halves make no other total than one; dollars at the end. */
function summed(rows: DayRow[], period: { from: string; to: string }): Sums {
  const days = new Map<string, Sum>();
  // counted, because after the last day of the year 9999 comes one whose text sorts before it
  const last = daysBetween(period.from, period.to);
  for (let n = 0; n <= last; n += 1) days.set(plusDays(period.from, n), nothing());
  const [products, resellers] = [new Map<string, Sum>(), new Map<string, Sum>()];
  const total = nothing();
  for (const row of rows) {
    for (const sum of [
      total,
      of(days, row.day),
      of(products, row.product),
      row.reseller && of(resellers, row.reseller),
    ]) {
      if (!sum) continue;
      sum.redemptions += row.redemptions;
      sum.cents += row.revenue_cents;
      sum.refunded += row.refunded_cents;
    }
  }
  const ranked = [...products].sort(([, a], [, b]) => b.redemptions - a.redemptions);
  const sellers = [...resellers].sort(([, a], [, b]) => b.redemptions - a.redemptions);
  const pick = <T>(entries: Iterable<[string, Sum]>, value: (sum: Sum) => T) =>
    keyedByName([...entries].map(([key, sum]) => [key, value(sum)] as const));
  return {
    dailyRevenue: pick(days, (sum) => toDollars(sum.cents)),
    dailyRedemptions: pick(days, (sum) => sum.redemptions),
    productStats: pick(ranked, (sum) => sum.redemptions),
    productRevenue: pick(ranked, (sum) => toDollars(sum.cents)),
    resellerStats: pick(sellers, (sum) => ({
      redemptions: sum.redemptions,
      revenue: toDollars(sum.cents),
      refunded: toDollars(sum.refunded),
    })),
    totals: {
      redemptions: total.redemptions,
      revenue: toDollars(total.cents),
      refunded: toDollars(total.refunded),
    },
  };
}

interface Sum {
  redemptions: number;
  cents: number;
  refunded: number;
}

const nothing = (): Sum => ({ redemptions: 0, cents: 0, refunded: 0 });

function of(sums: Map<string, Sum>, key: string): Sum {
  let sum = sums.get(key);
  if (!sum) {
    sum = nothing();
    sums.set(key, sum);
  }
  return sum;
}
