import { NO_PARTNERSHIP } from './ledger.entity.ts';

/** A statement that adds rows of the ledger to sums: `insert into … select …`, and what it does with a sum that exists. */
interface Sum {
  insert: string;
  add: string;
}

const whole = ({ insert, add }: Sum) => `${insert} ${add}`;

/** `on conflict …` that adds the new values to those that are there. */
const adding = (table: string, key: string, columns: string[]) =>
  `on conflict (${key}) do update set ${columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')}`;

const MONEY = ['redemptions', 'revenue_cents', 'commission_cents'];
const ADJUSTED = ['adjustments', 'adjustment_revenue_cents', 'adjustment_commission_cents'];
const SOLD = ['redemptions', 'imports', 'revenue_cents', 'commission_cents'];

const EARNING = "filter (where r.source <> 'import')";
const soldOf = `count(*) ${EARNING}, count(*) filter (where r.source = 'import'),
  coalesce(sum(r.final_price_cents) ${EARNING}, 0), coalesce(sum(r.commission_cents) ${EARNING}, 0)`;
const adjustedOf = 'count(*), sum(r.revenue_cents), sum(r.commission_cents)';

const DAYS_KEY = 'developer_id, day, product_id, partnership_id';
const COUNTRIES_KEY = 'developer_id, day, country';
const PLACES_KEY = 'developer_id, day, product_id, partnership_id, country';
const TOTALS_KEY = 'developer_id, partnership_id, product_id';
const MONTHS_KEY = 'developer_id, partnership_id, month, product_id';
const PARTNER_DAYS_KEY = 'developer_id, partnership_id, day, product_id';

const CALENDAR =
  'left join partner_calendars z on (z.developer_id, z.partnership_id) = (r.developer_id, r.partnership_id)';
const DAY = (at: string) => `(r.${at} at time zone coalesce(z.time_zone, 'UTC'))::date`;

/** How redemptions become the developer's sums: by the day they fall on in the account's time zone. */
export const developerSums = (rows: string): { days: Sum; countries: Sum; places: Sum } => ({
  days: {
    insert: `insert into ledger_days as d (${DAYS_KEY}, ${MONEY})
      select r.developer_id, (r.redeemed_at at time zone u.time_zone)::date, r.product_id,
        coalesce(r.partnership_id, '${NO_PARTNERSHIP}'), count(*), sum(r.final_price_cents), sum(r.commission_cents)
      from ${rows} r join users u on u.id = r.developer_id group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    add: adding('d', DAYS_KEY, MONEY),
  },
  countries: {
    insert: `insert into ledger_countries as c (${COUNTRIES_KEY}, redemptions)
      select r.developer_id, (r.redeemed_at at time zone u.time_zone)::date, coalesce(r.country, ''), count(*)
      from ${rows} r join users u on u.id = r.developer_id group by 1, 2, 3 order by 1, 2, 3`,
    add: adding('c', COUNTRIES_KEY, ['redemptions']),
  },
  places: {
    insert: `insert into ledger_places as lp (${PLACES_KEY}, redemptions, revenue_cents)
      select r.developer_id, (r.redeemed_at at time zone u.time_zone)::date, r.product_id,
        coalesce(r.partnership_id, '${NO_PARTNERSHIP}'), coalesce(r.country, ''), count(*), sum(r.final_price_cents)
      from ${rows} r join users u on u.id = r.developer_id group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    add: adding('lp', PLACES_KEY, ['redemptions', 'revenue_cents']),
  },
});

/** How adjustments become the developer's sums: on the day they are made, not on that of the redemption. */
export const developerAdjustments = (rows: string): Sum => ({
  insert: `insert into ledger_days as d (${DAYS_KEY}, ${ADJUSTED})
    select r.developer_id, (r.created_at at time zone u.time_zone)::date, r.product_id,
      coalesce(r.partnership_id, '${NO_PARTNERSHIP}'), ${adjustedOf}
    from ${rows} r join users u on u.id = r.developer_id group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('d', DAYS_KEY, ADJUSTED),
});

/** How adjustments become the sums by country: that of the redemption, on the day they are made. */
export const placeAdjustments = (rows: string): Sum => ({
  insert: `insert into ledger_places as lp (${PLACES_KEY}, adjustment_revenue_cents)
    select r.developer_id, (r.created_at at time zone u.time_zone)::date, r.product_id,
      coalesce(r.partnership_id, '${NO_PARTNERSHIP}'), coalesce(o.country, ''), sum(r.revenue_cents)
    from ${rows} r join users u on u.id = r.developer_id
      join redemptions o on (o.developer_id, o.id) = (r.developer_id, r.redemption_id)
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  add: adding('lp', PLACES_KEY, ['adjustment_revenue_cents']),
});

/** How redemptions become a partnership's days, in the time zone of its calendar. */
export const partnerDays = (rows: string): Sum => ({
  insert: `insert into partner_days as pd (${PARTNER_DAYS_KEY}, ${SOLD})
    select r.developer_id, r.partnership_id, ${DAY('redeemed_at')}, r.product_id, ${soldOf}
    from ${rows} r ${CALENDAR} where r.partnership_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pd', PARTNER_DAYS_KEY, SOLD),
});

/** How adjustments become a partnership's days. */
export const partnerDayAdjustments = (rows: string): Sum => ({
  insert: `insert into partner_days as pd (${PARTNER_DAYS_KEY}, ${ADJUSTED})
    select r.developer_id, r.partnership_id, ${DAY('created_at')}, r.product_id, ${adjustedOf}
    from ${rows} r ${CALENDAR} where r.partnership_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pd', PARTNER_DAYS_KEY, ADJUSTED),
});

const partnerTotals = (rows: string): Sum => ({
  insert: `insert into partner_totals as pt (${TOTALS_KEY}, ${SOLD})
    select r.developer_id, r.partnership_id, r.product_id, ${soldOf}
    from ${rows} r where r.partnership_id is not null group by 1, 2, 3 order by 1, 2, 3`,
  add: adding('pt', TOTALS_KEY, SOLD),
});

const partnerMonths = (rows: string): Sum => ({
  insert: `insert into partner_months as pm (${MONTHS_KEY}, ${SOLD})
    select r.developer_id, r.partnership_id, date_trunc('month', r.redeemed_at at time zone 'UTC')::date, r.product_id, ${soldOf}
    from ${rows} r where r.partnership_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pm', MONTHS_KEY, SOLD),
});

const partnerTotalAdjustments = (rows: string): Sum => ({
  insert: `insert into partner_totals as pt (${TOTALS_KEY}, ${ADJUSTED})
    select r.developer_id, r.partnership_id, r.product_id, ${adjustedOf}
    from ${rows} r where r.partnership_id is not null group by 1, 2, 3 order by 1, 2, 3`,
  add: adding('pt', TOTALS_KEY, ADJUSTED),
});

const partnerMonthAdjustments = (rows: string): Sum => ({
  insert: `insert into partner_months as pm (${MONTHS_KEY}, ${ADJUSTED})
    select r.developer_id, r.partnership_id, r.month, r.product_id, ${adjustedOf}
    from ${rows} r where r.partnership_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pm', MONTHS_KEY, ADJUSTED),
});

/** WITH entries that add redemptions to every sum. */
export function addRedemptions(rows: string): string {
  const { days, countries, places } = developerSums(rows);
  return `by_day as (${whole(days)}), by_country as (${whole(countries)}), by_place as (${whole(places)}), by_partner as (${whole(partnerTotals(rows))}),
    by_partner_month as (${whole(partnerMonths(rows))}), by_partner_day as (${whole(partnerDays(rows))})`;
}

/** WITH entries that add adjustments to every sum. */
export function addAdjustments(rows: string): string {
  return `by_day as (${whole(developerAdjustments(rows))}), by_place as (${whole(placeAdjustments(rows))}), by_partner as (${whole(partnerTotalAdjustments(rows))}),
    by_partner_month as (${whole(partnerMonthAdjustments(rows))}), by_partner_day as (${whole(partnerDayAdjustments(rows))})`;
}
