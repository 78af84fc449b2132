import { type RawBuilder, sql } from 'kysely';
import { NO_PARTNERSHIP } from '#features/redemption';
import { inList } from '#platform/db/statements/list-index.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { DayPeriod } from '#platform/time/days.ts';
import type { PeriodBefore } from '#platform/time/period-before.ts';
import type { AnalyticsDb } from './tables.ts';

/** Whose figures, and of what. */
export interface Scope {
  developerId: string;
  timeZone: string;
  product: string | undefined;
  /** `none`: own sales. */
  reseller: string | undefined;
  /** `none`: unknown. */
  country: string | undefined;
}

export interface SumRow {
  product_id: string;
  product: string;
  reseller_id: string | null;
  reseller: string | null;
  redemptions: number;
  /** Less what was refunded in these days, whenever it was sold. */
  revenue_cents: number;
  /** Not negative, unless more was reinstated than refunded. */
  refunded_cents: number;
}

export interface DayRow extends SumRow {
  day: string;
}

type Part = RawBuilder<unknown>;

/** Sums `d` of a developer with their product `p`, their partnership `t` and the one that this has become part of, `h`. */
const named = (sums: Part, { developerId }: Scope) => sql`from (${sums}) d
  join products p on p.developer_id = ${developerId} and p.id = d.product_id
  left join partnerships t on t.developer_id = ${developerId} and t.id = d.partnership_id
  left join partnerships h on h.developer_id = ${developerId} and h.id = t.merged_into`;

const RESELLER_ID = sql`coalesce(h.id, t.id)`;
const RESELLER = sql`coalesce(h.name, t.name)`;

const SUMMED = sql`p.id as product_id, p.name as product, ${RESELLER_ID} as reseller_id, ${RESELLER} as reseller,
  sum(d.redemptions)::int as redemptions, sum(d.revenue_cents)::bigint as revenue_cents,
  sum(d.refunded_cents)::bigint as refunded_cents`;
const BY_NAME = sql`p.id, p.name, ${RESELLER_ID}, ${RESELLER}`;

/** The sums of {@link named} that are asked for. A reseller includes those that have become part of it. */
function asked({ product, reseller, country }: Scope): Part {
  const conditions = [
    sql`true`,
    ...(product ? [sql`d.product_id = ${product}`] : []),
    ...(reseller ? [reseller === 'none' ? sql`t.id is null` : sql`${RESELLER_ID} = ${reseller}`] : []),
    ...(country ? [sql`d.country = ${country === 'none' ? '' : country}`] : []),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

const noPartnership = sql.lit(NO_PARTNERSHIP);

/** Redemptions and adjustments of a time, one by one, in the form of sums. */
const entries = ({ developerId, timeZone }: Scope, { begins, ends }: { begins: Part; ends: Part }) => sql`
  select r.developer_id, (r.redeemed_at at time zone ${timeZone})::date as day, r.product_id,
    coalesce(r.partnership_id, ${noPartnership}) as partnership_id, coalesce(r.country, '') as country, 1 as redemptions,
    r.final_price_cents as revenue_cents, 0 as refunded_cents
  from redemptions r
  where r.developer_id = ${developerId} and ${inList('r.redeemed_at')} and r.redeemed_at >= ${begins} and r.redeemed_at <= ${ends}
  union all
  select a.developer_id, (a.created_at at time zone ${timeZone})::date, a.product_id,
    coalesce(a.partnership_id, ${noPartnership}), coalesce(r.country, ''), 0, a.revenue_cents, -a.revenue_cents
  from ledger_adjustments a ${ownJoin('redemptions as r', 'r.id', 'a.redemption_id')}
  where a.developer_id = ${developerId} and ${inList('a.created_at')} and a.created_at >= ${begins} and a.created_at <= ${ends}`;

const SUMS = sql`s.redemptions, -s.adjustment_revenue_cents as refunded_cents,
  s.revenue_cents + s.adjustment_revenue_cents as revenue_cents`;

/** The sums of days: by country only where that is asked for, because there are many more of those. */
async function sumsOf(db: AnalyticsDb, scope: Scope, days: DayPeriod | null, byCountry: boolean): Promise<Part> {
  const { developerId, timeZone } = scope;
  const within = days ? sql` and s.day >= ${days.from} and s.day <= ${days.to}` : sql``;
  const bounds = sql`s.developer_id = ${developerId}${within}`;
  const columns = sql`s.developer_id, s.day, s.product_id, s.partnership_id`;
  if (!byCountry) return sql`select ${columns}, ${SUMS} from ledger_days s where ${bounds}`;
  const counted = await db
    .selectFrom('ledger_place_counts')
    .select(sql<boolean>`complete_from <= ${days?.from ?? '0001-01-01'}`.as('ok'))
    .where('developer_id', '=', developerId)
    .executeTakeFirst();
  if (counted?.ok) return sql`select ${columns}, s.country, ${SUMS} from ledger_places s where ${bounds}`;
  const dawn = (day: string) => sql`(${day}::date::timestamp at time zone ${timeZone})`;
  const begins = days ? dawn(days.from) : sql`'-infinity'::timestamptz`;
  const ends = days ? sql`${dawn(days.to)} + interval '25 hours'` : sql`'infinity'::timestamptz`;
  return sql`select * from (${entries(scope, { begins, ends })}) s where ${bounds}`;
}

const byCountryOf = ({ country }: Scope) => country !== undefined;

/** Sums by day, product and reseller. */
export async function daysOf(db: AnalyticsDb, scope: Scope, days: DayPeriod): Promise<DayRow[]> {
  const sums = await sumsOf(db, scope, days, byCountryOf(scope));
  const { rows } = await sql<DayRow>`
    select d.day::date as day, ${SUMMED} ${named(sums, scope)} where ${asked(scope)}
    group by d.day, ${BY_NAME} order by d.day, p.name, ${RESELLER} nulls first`.execute(db);
  return rows;
}

/** Sums of the period before, by product and reseller: whole days, and the part of one. */
export async function sumsBefore(db: AnalyticsDb, scope: Scope, before: PeriodBefore): Promise<SumRow[]> {
  const { part } = before;
  const byCountry = byCountryOf(scope);
  const sums = await sumsOf(db, scope, before, byCountry);
  const country = byCountry ? sql`country, ` : sql``;
  const columns = sql`developer_id, day, product_id, partnership_id, ${country}redemptions, revenue_cents, refunded_cents`;
  const all = part
    ? sql`select ${columns} from (${sums}) w where w.day < ${before.to} union all
        select ${columns} from (${entries(scope, { begins: sql`${part.begins}`, ends: sql`${part.ends}` })}) e`
    : sums;
  const { rows } = await sql<SumRow>`
    select ${SUMMED} ${named(all, scope)} where ${asked(scope)} group by ${BY_NAME}`.execute(db);
  return rows;
}

/** Whether anything was redeemed up to a day. */
export async function soldBy(db: AnalyticsDb, scope: Scope, day: string): Promise<boolean> {
  const sums = await sumsOf(db, scope, { from: '0001-01-01', to: day }, byCountryOf(scope));
  const { rows } = await sql<{ sold: boolean }>`
    select exists (select 1 ${named(sums, scope)} where d.redemptions > 0 and ${asked(scope)}) as sold`.execute(db);
  return rows[0]?.sold ?? false;
}

/** Redemptions by country, the most first; null is unknown. Without days: ever. */
export async function countriesOf(
  db: AnalyticsDb,
  scope: Scope,
  days: DayPeriod | null,
): Promise<{ country: string | null; count: number }[]> {
  const { developerId } = scope;
  const within = days ? sql` and d.day >= ${days.from} and d.day <= ${days.to}` : sql``;
  const source =
    scope.product || scope.reseller || scope.country
      ? sql`${named(await sumsOf(db, scope, days, true), scope)} where ${asked(scope)}`
      : sql`from ledger_countries d where d.developer_id = ${developerId}${within}`;
  const { rows } = await sql<{ country: string | null; count: number }>`
    select nullif(d.country, '') as country, sum(d.redemptions)::int as count ${source}
    group by 1 having sum(d.redemptions) > 0 order by 2 desc, 1 nulls last`.execute(db);
  return rows;
}
