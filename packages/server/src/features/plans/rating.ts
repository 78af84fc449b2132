import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { planSql } from './plans.ts';
import { monthClosed, monthOf } from './usage.ts';

/** A redemption that the month has counted. */
export interface TakenRedemption {
  /** Its place in the month: 51 is the 51st. */
  ordinal: number;
  /** The plan of its moment. */
  plan: string;
  /** Its overage price by that plan; 0 within the quota. */
  cost_cents: number;
}

const OVER = `u.redemptions >= ${planSql.quota('coalesce(u.plan, excluded.plan)')}`;
const CAP = planSql.cap('coalesce(u.plan, excluded.plan)');

const TAKE = `
  with month as (
    insert into usage_months as u (developer_id, month, redemptions, plan)
    select a.id, $2::date, 1, a.plan from users a where a.id = $1
    on conflict (developer_id, month) do update set redemptions = u.redemptions + 1, plan = coalesce(u.plan, excluded.plan),
      overage_redemptions = u.overage_redemptions + case when ${OVER} then 1 else 0 end,
      overage_cents = u.overage_cents + case when ${OVER} then ${planSql.unitCents('coalesce(u.plan, excluded.plan)')} else 0 end
    where u.closed_at is null and (${CAP} is null or u.redemptions < ${CAP})
    returning developer_id, redemptions as ordinal, plan,
      case when redemptions > ${planSql.quota('plan')} then ${planSql.unitCents('plan')} else 0 end as cost_cents
  ), day as (
    insert into usage_days as d (developer_id, day, redemptions, cost_cents)
    select developer_id, $3::date, 1, cost_cents from month
    on conflict (developer_id, day) do update set redemptions = d.redemptions + 1, cost_cents = d.cost_cents + excluded.cost_cents
  )
  select ordinal, plan, cost_cents from month`;

/**
 * Takes one redemption from the developer's month, at the price of the plan at this moment, inside the redemption's own
 * transaction. One statement, so that any number of simultaneous redemptions cannot overshoot the cap, and each of them
 * is priced by its place.
 * @returns null when the plan's month is used up.
 * @throws {AppError} unavailable, so that the transaction is repeated.
 */
export async function takeRedemption(sql: Sql, developerId: string, now: Date): Promise<TakenRedemption | null> {
  const month = monthOf(now);
  const [taken] = await sql.query<TakenRedemption>(TAKE, [developerId, month, dayOf(now)]);
  if (!taken) {
    await assertOpen(sql, developerId, month);
    return null;
  }
  if (taken.ordinal === 1) await assertPlan(sql, developerId, taken.plan);
  return taken;
}

const REFRESH = `
  with month as (
    insert into usage_months as u (developer_id, month, redemptions, plan, refresh_count, refresh_cents)
    select a.id, $2::date, 0, a.plan, cardinality($4::uuid[]), cardinality($4::uuid[]) * ${planSql.unitCents('a.plan')}
    from users a where a.id = $1
    on conflict (developer_id, month) do update set plan = coalesce(u.plan, excluded.plan),
      refresh_count = u.refresh_count + excluded.refresh_count,
      refresh_cents = u.refresh_cents + excluded.refresh_count * ${planSql.unitCents('coalesce(u.plan, excluded.plan)')}
    where u.closed_at is null
    returning developer_id, redemptions + refresh_count as uses, plan, ${planSql.unitCents('plan')} as cost_cents
  ), day as (
    insert into usage_days as d (developer_id, day, refresh_count, refresh_cents)
    select developer_id, $3::date, cardinality($4::uuid[]), cardinality($4::uuid[]) * cost_cents from month
    on conflict (developer_id, day) do update set refresh_count = d.refresh_count + excluded.refresh_count,
      refresh_cents = d.refresh_cents + excluded.refresh_cents
  ), charge as (
    insert into refresh_charges (id, developer_id, serial_id, refreshed_at, plan, cost_cents)
    select c.id, developer_id, c.serial_id, $6, plan, cost_cents from month, unnest($4::uuid[], $5::uuid[]) as c (id, serial_id)
  )
  select uses, plan, cost_cents from month`;

/**
 * Charges for a download count that was set back, in the transaction that sets it back: the plan's overage price, nothing
 * on a plan without overage.
 * @returns the cost in cents.
 * @throws {AppError} unavailable, so that the transaction is repeated.
 */
export async function chargeRefresh(
  sql: Sql,
  clock: Clock,
  { id, developerId, serialId }: { id: string; developerId: string; serialId: string },
): Promise<number> {
  return chargeRefreshes(sql, clock, { developerId, charges: [{ id, serialId }] });
}

/** The same for several that were set back together. @returns what they cost together, in cents. */
export async function chargeRefreshes(
  sql: Sql,
  clock: Clock,
  { developerId, charges }: { developerId: string; charges: { id: string; serialId: string }[] },
): Promise<number> {
  const now = clock.now();
  const month = monthOf(now);
  const [charged] = await sql.query<{ uses: number; plan: string; cost_cents: number }>(REFRESH, [
    developerId,
    month,
    dayOf(now),
    charges.map(({ id }) => id),
    charges.map(({ serialId }) => serialId),
    now,
  ]);
  if (!charged) throw monthClosed(month);
  if (charged.uses === charges.length) await assertPlan(sql, developerId, charged.plan);
  return charged.cost_cents * charges.length;
}

const dayOf = (now: Date) => now.toISOString().slice(0, 10);

/**
 * The first to count in a month has put the plan there from a snapshot, and a switch that was on its way could not see
 * the row to correct it. So the first one waits for that switch, and is repeated when there was one. Once a month.
 */
async function assertPlan(sql: Sql, developerId: string, plan: string): Promise<void> {
  const [account] = await sql.query<{ plan: string }>('select plan from users where id = $1 for share', [developerId]);
  if (account?.plan === plan) return;
  throw Object.assign(new Error('the plan was just switched'), { code: '40001' });
}

async function assertOpen(sql: Sql, developerId: string, month: string): Promise<void> {
  const [row] = await sql.query<{ closed: boolean }>(
    'select closed_at is not null as closed from usage_months where developer_id = $1 and month = $2',
    [developerId, month],
  );
  if (row?.closed) throw monthClosed(month);
}
