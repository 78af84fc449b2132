import { type RawBuilder, sql } from 'kysely';
import { ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { NO_PARTNERSHIP } from './ledger.entity.ts';

/** Rows of the ledger, which are all of one developer. */
export interface LedgerRows {
  developerId: string;
  /** A relation with the columns of the ledger. */
  rows: RawBuilder<unknown>;
  /** One with the developer’s `id` and `time_zone`: their account, if nothing else. */
  account?: RawBuilder<unknown>;
}

/** A statement that adds rows of the ledger to sums: `insert into … select …`, and what it does with a sum that exists. */
interface Sum {
  insert: RawBuilder<unknown>;
  add: RawBuilder<unknown>;
}

/** The whole statement. */
export const whole = ({ insert, add }: Sum) => sql`${insert} ${add}`;

/** `on conflict …` that adds the new values to those that are there. */
const adding = (alias: string, key: RawBuilder<unknown>, columns: readonly string[]) => {
  const sums = columns.map(
    (column) => sql`${sql.ref(column)} = ${sql.ref(`${alias}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  );
  return sql`on conflict (${key}) do update set ${sql.join(sums)}`;
};

/** Columns with commas between them. */
export const listed = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

const MONEY = ['redemptions', 'revenue_cents', 'commission_cents'];
const ADJUSTED = ['adjustments', 'adjustment_revenue_cents', 'adjustment_commission_cents'];
const SOLD = ['redemptions', 'imports', 'revenue_cents', 'commission_cents'];
const PLACED = ['redemptions', 'revenue_cents'];

const EARNING = sql`filter (where r.source <> 'import')`;
/** The sums of redemptions `r` for a reseller. */
const soldOf = sql`count(*) ${EARNING}, count(*) filter (where r.source = 'import'),
  coalesce(sum(r.final_price_cents) ${EARNING}, 0), coalesce(sum(r.commission_cents) ${EARNING}, 0)`;
/** The sums of adjustments `r`. */
const adjustedOf = sql`count(*), sum(r.revenue_cents), sum(r.commission_cents)`;

const DAYS_KEY = sql`developer_id, day, product_id, partnership_id`;
const COUNTRIES_KEY = sql`developer_id, day, country`;
const PLACES_KEY = sql`developer_id, day, product_id, partnership_id, country`;
const TOTALS_KEY = sql`developer_id, partnership_id, product_id`;
const MONTHS_KEY = sql`developer_id, partnership_id, month, product_id`;
const PARTNER_DAYS_KEY = sql`developer_id, partnership_id, day, product_id`;

/** The reseller of row `r`. */
const SELLER = sql`coalesce(r.partnership_id, ${sql.lit(NO_PARTNERSHIP)})`;
/** The day of row `r` in the time zone of its developer `u`. */
const dayOf = (at: 'redeemed_at' | 'created_at') => sql`(${sql.ref(`r.${at}`)} at time zone u.time_zone)::date`;
/** The day of row `r` in the time zone of its partnership’s calendar `z`. */
const partnerDayOf = (at: 'redeemed_at' | 'created_at') =>
  sql`(${sql.ref(`r.${at}`)} at time zone coalesce(z.time_zone, 'UTC'))::date`;

/** Rows `r` of one developer `u`. */
const ofDeveloper = ({ rows, account = sql`users` }: LedgerRows) =>
  sql`from ${rows} r join ${account} u on u.id = r.developer_id`;
/** Rows `r` that a reseller sold. */
const ofPartners = ({ rows }: LedgerRows) => sql`from ${rows} r where r.partnership_id is not null`;
/** The same, with the calendars `z` of the resellers. */
const byCalendar = ({ rows, developerId }: LedgerRows) => sql`
  from ${rows} r ${ownLeftJoin('partner_calendars as z', 'z.partnership_id', 'r.partnership_id')} and z.developer_id = ${developerId}
  where r.partnership_id is not null`;

/** How redemptions become the developer's sums: by the day they fall on in the account's time zone. */
export const developerSums = (sold: LedgerRows): { days: Sum; countries: Sum; places: Sum } => ({
  days: {
    insert: sql`insert into ledger_days as d (${DAYS_KEY}, ${listed(MONEY)})
      select r.developer_id, ${dayOf('redeemed_at')}, r.product_id, ${SELLER}, count(*), sum(r.final_price_cents), sum(r.commission_cents)
      ${ofDeveloper(sold)} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    add: adding('d', DAYS_KEY, MONEY),
  },
  countries: {
    insert: sql`insert into ledger_countries as c (${COUNTRIES_KEY}, redemptions)
      select r.developer_id, ${dayOf('redeemed_at')}, coalesce(r.country, ''), count(*)
      ${ofDeveloper(sold)} group by 1, 2, 3 order by 1, 2, 3`,
    add: adding('c', COUNTRIES_KEY, ['redemptions']),
  },
  places: {
    insert: sql`insert into ledger_places as lp (${PLACES_KEY}, ${listed(PLACED)})
      select r.developer_id, ${dayOf('redeemed_at')}, r.product_id, ${SELLER}, coalesce(r.country, ''), count(*), sum(r.final_price_cents)
      ${ofDeveloper(sold)} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    add: adding('lp', PLACES_KEY, PLACED),
  },
});

/** How adjustments become the developer's sums: on the day they are made, not on that of the redemption. */
export const developerAdjustments = (made: LedgerRows): Sum => ({
  insert: sql`insert into ledger_days as d (${DAYS_KEY}, ${listed(ADJUSTED)})
    select r.developer_id, ${dayOf('created_at')}, r.product_id, ${SELLER}, ${adjustedOf}
    ${ofDeveloper(made)} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('d', DAYS_KEY, ADJUSTED),
});

/** How adjustments become the sums by country: that of the redemption, on the day they are made. */
export const placeAdjustments = (made: LedgerRows): Sum => ({
  insert: sql`insert into ledger_places as lp (${PLACES_KEY}, adjustment_revenue_cents)
    select r.developer_id, ${dayOf('created_at')}, r.product_id, ${SELLER}, coalesce(o.country, ''), sum(r.revenue_cents)
    ${ofDeveloper(made)}
      ${ownJoin('redemptions as o', 'o.id', 'r.redemption_id')} and o.developer_id = ${made.developerId}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  add: adding('lp', PLACES_KEY, ['adjustment_revenue_cents']),
});

/** How redemptions become a partnership's days, in the time zone of its calendar. */
export const partnerDays = (sold: LedgerRows): Sum => ({
  insert: sql`insert into partner_days as pd (${PARTNER_DAYS_KEY}, ${listed(SOLD)})
    select r.developer_id, r.partnership_id, ${partnerDayOf('redeemed_at')}, r.product_id, ${soldOf}
    ${byCalendar(sold)} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pd', PARTNER_DAYS_KEY, SOLD),
});

/** How adjustments become a partnership's days. */
export const partnerDayAdjustments = (made: LedgerRows): Sum => ({
  insert: sql`insert into partner_days as pd (${PARTNER_DAYS_KEY}, ${listed(ADJUSTED)})
    select r.developer_id, r.partnership_id, ${partnerDayOf('created_at')}, r.product_id, ${adjustedOf}
    ${byCalendar(made)} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pd', PARTNER_DAYS_KEY, ADJUSTED),
});

const partnerTotals = (sold: LedgerRows): Sum => ({
  insert: sql`insert into partner_totals as pt (${TOTALS_KEY}, ${listed(SOLD)})
    select r.developer_id, r.partnership_id, r.product_id, ${soldOf}
    ${ofPartners(sold)} group by 1, 2, 3 order by 1, 2, 3`,
  add: adding('pt', TOTALS_KEY, SOLD),
});

const partnerMonths = (sold: LedgerRows): Sum => ({
  insert: sql`insert into partner_months as pm (${MONTHS_KEY}, ${listed(SOLD)})
    select r.developer_id, r.partnership_id, date_trunc('month', r.redeemed_at at time zone 'UTC')::date, r.product_id, ${soldOf}
    ${ofPartners(sold)} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pm', MONTHS_KEY, SOLD),
});

const partnerTotalAdjustments = (made: LedgerRows): Sum => ({
  insert: sql`insert into partner_totals as pt (${TOTALS_KEY}, ${listed(ADJUSTED)})
    select r.developer_id, r.partnership_id, r.product_id, ${adjustedOf}
    ${ofPartners(made)} group by 1, 2, 3 order by 1, 2, 3`,
  add: adding('pt', TOTALS_KEY, ADJUSTED),
});

const partnerMonthAdjustments = (made: LedgerRows): Sum => ({
  insert: sql`insert into partner_months as pm (${MONTHS_KEY}, ${listed(ADJUSTED)})
    select r.developer_id, r.partnership_id, r.month, r.product_id, ${adjustedOf}
    ${ofPartners(made)} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  add: adding('pm', MONTHS_KEY, ADJUSTED),
});

/** Parts of a WITH that add redemptions to every sum. @param byResellers false: none of them was sold by a reseller */
export function addRedemptions(sold: LedgerRows, byResellers = true): RawBuilder<unknown> {
  const { days, countries, places } = developerSums(sold);
  const own = sql`by_day as (${whole(days)}), by_country as (${whole(countries)}), by_place as (${whole(places)})`;
  if (!byResellers) return own;
  return sql`${own}, by_partner as (${whole(partnerTotals(sold))}), by_partner_month as (${whole(partnerMonths(sold))}),
    by_partner_day as (${whole(partnerDays(sold))})`;
}

/** Parts of a WITH that add adjustments to every sum. @param byResellers see {@link addRedemptions} */
export function addAdjustments(made: LedgerRows, byResellers: boolean): RawBuilder<unknown> {
  const own = sql`by_day as (${whole(developerAdjustments(made))}), by_place as (${whole(placeAdjustments(made))})`;
  if (!byResellers) return own;
  return sql`${own}, by_partner as (${whole(partnerTotalAdjustments(made))}),
    by_partner_month as (${whole(partnerMonthAdjustments(made))}), by_partner_day as (${whole(partnerDayAdjustments(made))})`;
}

/** A partnership's sums over all time and by month, to be counted anew. */
export const partnerSums = (sold: LedgerRows, made: LedgerRows) => [
  partnerTotals(sold),
  partnerMonths(sold),
  partnerTotalAdjustments(made),
  partnerMonthAdjustments(made),
];
