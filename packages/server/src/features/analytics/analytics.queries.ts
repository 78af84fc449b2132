import { NO_PARTNERSHIP } from '#features/redemption';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { DayPeriod } from '#platform/time/days.ts';
import type { PeriodBefore } from '#platform/time/period-before.ts';

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

/** The values of a statement, in their order. */
class Values {
  readonly all: unknown[] = [];

  /** The place of a value: `$1`. */
  at(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

const NAMES = `join products p on (p.developer_id, p.id) = (d.developer_id, d.product_id)
    left join partnerships t on (t.developer_id, t.id) = (d.developer_id, d.partnership_id)
    left join partnerships h on (h.developer_id, h.id) = (t.developer_id, t.merged_into)`;

const SUMMED = `p.id as product_id, p.name as product, coalesce(h.id, t.id) as reseller_id, coalesce(h.name, t.name) as reseller,
       sum(d.redemptions)::int as redemptions, sum(d.revenue_cents)::bigint as revenue_cents, sum(d.refunded_cents)::bigint as refunded_cents`;

/** Conditions on `d`, `t` and `h` of {@link NAMES}. A reseller includes those that have become part of it. */
function conditions({ product, reseller, country }: Scope, values: Values): string {
  return [
    ...(product ? [`d.product_id = ${values.at(product)}`] : []),
    ...(reseller ? [reseller === 'none' ? 't.id is null' : `coalesce(h.id, t.id) = ${values.at(reseller)}`] : []),
    ...(country ? [`d.country = ${values.at(country === 'none' ? '' : country)}`] : []),
  ]
    .map((condition) => ` and ${condition}`)
    .join('');
}

const LEDGER = `coalesce(r.partnership_id, '${NO_PARTNERSHIP}') as partnership_id, coalesce(r.country, '') as country`;

/** Redemptions and adjustments of a time, one by one, in the form of sums. */
function entries({ developerId, timeZone }: Scope, { begins, ends }: { begins: string; ends: string }, values: Values) {
  const [id, zone] = [values.at(developerId), values.at(timeZone)];
  return `select r.developer_id, (r.redeemed_at at time zone ${zone})::date as day, r.product_id, ${LEDGER}, 1 as redemptions,
      r.final_price_cents as revenue_cents, 0 as refunded_cents
    from redemptions r where r.developer_id = ${id} and ${listOf('r', 'redeemed_at')} and r.redeemed_at >= ${begins} and r.redeemed_at <= ${ends}
    union all
    select a.developer_id, (a.created_at at time zone ${zone})::date, a.product_id, coalesce(a.partnership_id, '${NO_PARTNERSHIP}'),
      coalesce(r.country, ''), 0, a.revenue_cents, -a.revenue_cents
    from ledger_adjustments a join redemptions r on (r.developer_id, r.id) = (a.developer_id, a.redemption_id)
    where a.developer_id = ${id} and ${listOf('a')} and a.created_at >= ${begins} and a.created_at <= ${ends}`;
}

/** The sums of days: by country only where that is asked for, because there are many more of those. */
async function sumsOf(sql: Sql, scope: Scope, days: DayPeriod | null, byCountry: boolean, values: Values) {
  const bounds = (alias: string) =>
    `${alias}.developer_id = ${values.at(scope.developerId)}${days ? ` and ${alias}.day >= ${values.at(days.from)} and ${alias}.day <= ${values.at(days.to)}` : ''}`;
  if (!byCountry) {
    return `select s.developer_id, s.day, s.product_id, s.partnership_id, s.redemptions, -s.adjustment_revenue_cents as refunded_cents,
      s.revenue_cents + s.adjustment_revenue_cents as revenue_cents from ledger_days s where ${bounds('s')}`;
  }
  const [counted] = await sql.query<{ ok: boolean }>(
    'select complete_from <= $2 as ok from ledger_place_counts where developer_id = $1',
    [scope.developerId, days?.from ?? '0001-01-01'],
  );
  if (counted?.ok) {
    return `select s.developer_id, s.day, s.product_id, s.partnership_id, s.country, s.redemptions, -s.adjustment_revenue_cents as refunded_cents,
      s.revenue_cents + s.adjustment_revenue_cents as revenue_cents from ledger_places s where ${bounds('s')}`;
  }
  const moment = (day: string | undefined, edge: string) =>
    day === undefined
      ? `'${edge}'::timestamptz`
      : `(${values.at(day)}::date::timestamp at time zone ${values.at(scope.timeZone)})`;
  const begins = moment(days?.from, '-infinity');
  const ends = days ? `${moment(days.to, 'infinity')} + interval '25 hours'` : moment(undefined, 'infinity');
  return `select * from (${entries(scope, { begins, ends }, values)}) s where ${bounds('s')}`;
}

/** By day, product and reseller. */
export async function daysOf(sql: Sql, scope: Scope, days: DayPeriod): Promise<DayRow[]> {
  const values = new Values();
  const sums = await sumsOf(sql, scope, days, scope.country !== undefined, values);
  return sql.query<DayRow>(
    `select d.day::date as day, ${SUMMED} from (${sums}) d ${NAMES} where true${conditions(scope, values)}
     group by d.day, p.id, p.name, coalesce(h.id, t.id), coalesce(h.name, t.name) order by d.day, p.name, coalesce(h.name, t.name) nulls first`,
    values.all,
  );
}

/** By product and reseller, of the period before: whole days, and the part of one. */
export async function sumsBefore(sql: Sql, scope: Scope, before: PeriodBefore): Promise<SumRow[]> {
  const values = new Values();
  const { part } = before;
  const byCountry = scope.country !== undefined;
  const sums = await sumsOf(sql, scope, before, byCountry, values);
  const columns = `developer_id, day, product_id, partnership_id, ${byCountry ? 'country, ' : ''}redemptions, revenue_cents, refunded_cents`;
  const from = part
    ? `select ${columns} from (${sums}) w where w.day < ${values.at(before.to)} union all
       select ${columns} from (${entries(scope, { begins: values.at(part.begins), ends: values.at(part.ends) }, values)}) e`
    : sums;
  return sql.query<SumRow>(
    `select ${SUMMED} from (${from}) d ${NAMES} where true${conditions(scope, values)} group by p.id, p.name, coalesce(h.id, t.id), coalesce(h.name, t.name)`,
    values.all,
  );
}

/** Whether anything was redeemed up to a day. */
export async function soldBy(sql: Sql, scope: Scope, day: string): Promise<boolean> {
  const values = new Values();
  const sums = await sumsOf(sql, scope, { from: '0001-01-01', to: day }, scope.country !== undefined, values);
  const [found] = await sql.query<{ sold: boolean }>(
    `select exists (select 1 from (${sums}) d ${NAMES} where d.redemptions > 0${conditions(scope, values)}) as sold`,
    values.all,
  );
  return found?.sold ?? false;
}

/** Redemptions by country, the most first; null is unknown. Without days: ever. */
export async function countriesOf(
  sql: Sql,
  scope: Scope,
  days: DayPeriod | null,
): Promise<{ country: string | null; count: number }[]> {
  const values = new Values();
  const places = scope.product || scope.reseller || scope.country;
  const source = places
    ? `from (${await sumsOf(sql, scope, days, true, values)}) d ${NAMES} where true${conditions(scope, values)}`
    : `from ledger_countries d where d.developer_id = ${values.at(scope.developerId)}${days ? ` and d.day >= ${values.at(days.from)} and d.day <= ${values.at(days.to)}` : ''}`;
  return sql.query(
    `select nullif(d.country, '') as country, sum(d.redemptions)::int as count ${source}
     group by 1 having sum(d.redemptions) > 0 order by 2 desc, 1 nulls last`,
    values.all,
  );
}
