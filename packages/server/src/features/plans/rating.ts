import { sql } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { utcDay } from '#platform/time/days.ts';
import { monthOf } from '#platform/time/months.ts';
import { planSql } from './plans.ts';
import { tables } from './tables.ts';
import { monthClosed } from './usage.ts';

/** A redemption that the month has counted. */
export interface TakenRedemption {
  /** Its place in the month: 51 is the 51st. */
  ordinal: number;
  /** The plan of its moment. */
  plan: string;
  /** Its overage price by that plan; 0 within the quota. */
  cost_cents: number;
}

/** The plan by which a month `u` counts that a statement inserts, or finds. */
const HELD = sql<string>`coalesce(u.plan, excluded.plan)`;
const OVER = sql<boolean>`u.redemptions >= ${planSql.quota(HELD)}`;
const CAP = planSql.cap(HELD);
const PLAN = sql.ref<string>('plan');

/** Reads the account separately: beside a table that every machine has, each would be asked for its rows. */
const account = (developerId: string) =>
  sql`account as materialized (select plan from users where id = ${developerId})`;

const TAKE = tables.named(
  'take',
  (_, developerId: string, productId: string, month: string, day: string) => sql<TakenRedemption>`
    with ${account(developerId)}, month as (
      insert into usage_months as u (developer_id, month, redemptions, plan)
      select own.developer_id, ${month}::date, 1, a.plan from products own cross join account a
      where own.developer_id = ${developerId} and own.id = ${productId}
      on conflict (developer_id, month) do update set redemptions = u.redemptions + 1, plan = ${HELD},
        overage_redemptions = u.overage_redemptions + case when ${OVER} then 1 else 0 end,
        overage_cents = u.overage_cents + case when ${OVER} then ${planSql.unitCents(HELD)} else 0 end
      where u.closed_at is null and (${CAP} is null or u.redemptions < ${CAP})
      returning redemptions as ordinal, plan,
        case when redemptions > ${planSql.quota(PLAN)} then ${planSql.unitCents(PLAN)} else 0 end as cost_cents
    ), day as (
      insert into usage_days as d (developer_id, day, redemptions, cost_cents)
      select own.developer_id, ${day}::date, 1, month.cost_cents from month cross join products own
      where own.developer_id = ${developerId} and own.id = ${productId}
      on conflict (developer_id, day) do update set redemptions = d.redemptions + 1, cost_cents = d.cost_cents + excluded.cost_cents
    )
    select ordinal, plan, cost_cents from month`,
);

/**
 * Takes one redemption from the developer's month, at the price of the plan at this moment, inside the redemption's own
 * transaction. One statement, so that any number of simultaneous redemptions cannot overshoot the cap, and each of them
 * is priced by its place. Its rows are made of that of the product, which is where the account is on many machines.
 * @param sold the product, which exists until the transaction ends.
 * @returns null when the plan's month is used up.
 * @throws {AppError} unavailable, so that the transaction is repeated.
 */
export async function takeRedemption(
  handle: Sql,
  sold: { developerId: string; productId: string },
  now: Date,
): Promise<TakenRedemption | null> {
  const { developerId, productId } = sold;
  const month = monthOf(now);
  const [taken] = await TAKE(handle, developerId, productId, month, utcDay(now));
  if (!taken) {
    await assertOpen(handle, developerId, month);
    return null;
  }
  if (taken.ordinal === 1) await assertPlan(handle, developerId, month, taken.plan);
  return taken;
}

interface Charged extends Columns<'refresh_charges', 'plan' | 'cost_cents'> {
  uses: number;
}

const REFRESH = tables.named(
  'refresh',
  (
    _,
    developerId: string,
    month: string,
    day: string,
    now: Date,
    n: number,
    first: string,
    ids: readonly string[],
    serialIds: readonly string[],
  ) => sql<Charged>`
    with ${account(developerId)}, month as (
      insert into usage_months as u (developer_id, month, redemptions, plan, refresh_count, refresh_cents)
      select own.developer_id, ${month}::date, 0, a.plan, ${n}::int, ${n}::int * ${planSql.unitCents(sql.ref('a.plan'))}
      from serials own cross join account a where own.developer_id = ${developerId} and own.id = ${first}
      on conflict (developer_id, month) do update set plan = ${HELD},
        refresh_count = u.refresh_count + excluded.refresh_count,
        refresh_cents = u.refresh_cents + excluded.refresh_count * ${planSql.unitCents(HELD)}
      where u.closed_at is null
      returning redemptions + refresh_count as uses, plan, ${planSql.unitCents(PLAN)} as cost_cents
    ), day as (
      insert into usage_days as d (developer_id, day, refresh_count, refresh_cents)
      select own.developer_id, ${day}::date, ${n}::int, ${n}::int * month.cost_cents from month cross join serials own
      where own.developer_id = ${developerId} and own.id = ${first}
      on conflict (developer_id, day) do update set refresh_count = d.refresh_count + excluded.refresh_count,
        refresh_cents = d.refresh_cents + excluded.refresh_cents
    ), charge as (
      insert into refresh_charges (id, developer_id, serial_id, refreshed_at, plan, cost_cents)
      select c.id, own.developer_id, own.id, ${now}::timestamptz, month.plan, month.cost_cents
      from month cross join unnest(${ids}::uuid[], ${serialIds}::uuid[]) as c (id, serial_id)
        join serials own on own.developer_id = ${developerId} and own.id = c.serial_id
    )
    select uses, plan, cost_cents from month`,
);

/**
 * Charges for a download count that was set back, in the transaction that sets it back: the plan's overage price, nothing
 * on a plan without overage.
 * @returns the cost in cents.
 * @throws {AppError} unavailable, so that the transaction is repeated.
 */
export async function chargeRefresh(
  handle: Sql,
  clock: Clock,
  { id, developerId, serialId }: { id: string; developerId: string; serialId: string },
): Promise<number> {
  return chargeRefreshes(handle, clock, { developerId, charges: [{ id, serialId }] });
}

/** The same for several that were set back together. @returns what they cost together, in cents. */
export async function chargeRefreshes(
  handle: Sql,
  clock: Clock,
  { developerId, charges }: { developerId: string; charges: { id: string; serialId: string }[] },
): Promise<number> {
  const [first] = charges;
  if (!first) return 0;
  const now = clock.now();
  const month = monthOf(now);
  const [charged] = await REFRESH(
    handle,
    developerId,
    month,
    utcDay(now),
    now,
    charges.length,
    first.serialId,
    charges.map(({ id }) => id),
    charges.map(({ serialId }) => serialId),
  );
  if (!charged) throw monthClosed(month);
  if (charged.uses === charges.length) await assertPlan(handle, developerId, month, charged.plan);
  return charged.cost_cents * charges.length;
}

/**
 * The first to count in a month has put the plan there from a snapshot, and a switch that was on its way could not see
 * the row to correct it. So the first one waits for that switch, and is repeated when there was one. Once a month.
 */
async function assertPlan(handle: Sql, developerId: string, month: string, plan: string): Promise<void> {
  // joined with the month, where a switch changes the account too: alone, the row would be locked on every machine
  const { rows } = await sql<Columns<'users', 'plan'>>`select u.plan from users u
    left join usage_months m on m.developer_id = ${developerId} and m.month = ${month}
    where u.id = ${developerId} for share of u`.execute(tables.in(handle));
  if (rows[0]?.plan === plan) return;
  throw Object.assign(new Error('the plan was just switched'), { code: '40001' });
}

async function assertOpen(handle: Sql, developerId: string, month: string): Promise<void> {
  const row = await tables
    .in(handle)
    .selectFrom('usage_months')
    .select('closed_at')
    .where('developer_id', '=', developerId)
    .where('month', '=', month)
    .executeTakeFirst();
  if (row?.closed_at) throw monthClosed(month);
}
