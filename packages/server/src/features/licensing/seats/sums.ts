import { type RawBuilder, sql } from 'kysely';
import { DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { dayOf } from '#platform/time/days.ts';
import { type LicensingDb, type LicensingHandle, tables } from '../tables.ts';

/** The id of all products together in `machine_sums`: a machine counts once. */
export const ALL_PRODUCTS = sql.lit('00000000-0000-0000-0000-000000000000');
/** Changes that one transaction counts, and that a reader adds. */
export const AT_ONCE = 20_000;
/** Seats that were not seen for so long share one day, so that the sums don't grow from year to year. */
const KEPT_DAYS = 400;
const LONG_AGO = sql.lit('0001-01-01');

/** The columns of `seat_changes`. */
export const pending = sql`machine, product_id, version, os, seen_on, seats`;

/**
 * The effects on the sums of changes that wait in `pending` (see {@link pending}): `cells` of `seat_sums`, `moved` of
 * `seat_machines`, `days` of `machine_sums`. A machine belongs to the last day on which any of its seats was seen.
 */
export const effects = (developerId: string) => sql`cells as (
    select seen_on, product_id, version, os, sum(seats)::int as seats from pending group by 1, 2, 3, 4 having sum(seats) <> 0
  ), moved as (
    select machine, product_id, seen_on, sum(seats)::int as seats from pending group by 1, 2, 3 having sum(seats) <> 0
  ), known as (
    select k.* from (select distinct machine from moved) m cross join lateral (
      select k.machine, k.product_id, k.seen_on, k.seats from seat_machines k
      where k.developer_id = ${developerId} and k.machine = m.machine offset 0) k
  ), settled as (
    select machine, product_id, seen_on, sum(seats)::int as seats
    from (select * from known union all select * from moved) e group by 1, 2, 3
  ), days as (
    select product_id, seen_on, sum(n)::int as machines from (
      select product_id, max(seen_on) as seen_on, -1 as n from known where seats > 0 group by machine, product_id
      union all select ${ALL_PRODUCTS}, max(seen_on), -1 from known where seats > 0 group by machine
      union all select product_id, max(seen_on), 1 from settled where seats > 0 group by machine, product_id
      union all select ${ALL_PRODUCTS}, max(seen_on), 1 from settled where seats > 0 group by machine
    ) each group by 1, 2 having sum(n) <> 0
  )`;

/** The seats that are taken, in the form of changes. @param also a further condition of batches `b` */
export const held = (developerId: string, also: RawBuilder<unknown> = sql`true`) => sql`
  select hashtextextended(a.machine_id, 0) as machine, b.product_id, coalesce(a.version, '') as version,
    coalesce(a.os, '') as os, (a.last_seen_at at time zone 'UTC')::date as seen_on, 1 as seats
  from activations a ${ownJoin('serials as s', 's.id', 'a.serial_id')}
    ${ownJoin('batches as b', 'b.id', 's.batch_id')}
  where a.developer_id = ${developerId} and ${inList('a.last_seen_at')} and a.released_at is null and ${also}`;

/**
 * Adds what has changed to an account's sums; the first time, counts all its seats. The account's row decides who does it.
 * @returns whether there is more. False also when another process is at it.
 */
export async function countSeats(tx: LicensingHandle, developerId: string, now: Date): Promise<boolean> {
  await sql`insert into seat_counts (developer_id) select id from users where id = ${developerId}
    on conflict do nothing`.execute(tx);
  const count = await tx
    .selectFrom('seat_counts')
    .select('counted_at')
    .where('developer_id', '=', developerId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!count) return false;
  if (count.counted_at === null) {
    await recountSeats(tx, developerId, now);
    return false;
  }
  const counted = await addChanges(tx, developerId);
  await trim(tx, developerId, now);
  return counted === AT_ONCE;
}

/** @returns how many. */
async function addChanges(tx: LicensingHandle, developerId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    /* with every machine: the sums can wait */
    with pending as (
      delete from seat_changes c where c.developer_id = ${developerId} and c.id in (
        select o.id from seat_changes o where o.developer_id = ${developerId} limit ${sql.lit(AT_ONCE)}) returning ${pending}
    ), ${effects(developerId)}, added_seats as (
      insert into seat_sums as s (developer_id, seen_on, product_id, version, os, seats)
      select ${developerId}::uuid, seen_on, product_id, version, os, seats from cells
      on conflict (developer_id, seen_on, product_id, version, os) do update set seats = s.seats + excluded.seats
    ), emptied as (
      delete from seat_machines k using moved m where k.developer_id = ${developerId}
        and (k.machine, k.product_id, k.seen_on) = (m.machine, m.product_id, m.seen_on) and k.seats + m.seats = 0
    ), added_machines as (
      insert into seat_machines as k (developer_id, machine, product_id, seen_on, seats)
      select ${developerId}::uuid, m.machine, m.product_id, m.seen_on, m.seats from moved m where not exists (
        select 1 from known o
        where (o.machine, o.product_id, o.seen_on) = (m.machine, m.product_id, m.seen_on) and o.seats + m.seats = 0)
      on conflict (developer_id, machine, product_id, seen_on) do update set seats = k.seats + excluded.seats
    ), added_days as (
      insert into machine_sums as d (developer_id, product_id, seen_on, machines)
      select ${developerId}::uuid, product_id, seen_on, machines from days
      on conflict (developer_id, product_id, seen_on) do update set machines = d.machines + excluded.machines
    )
    select count(*)::int as n from pending`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Counts an account's seats from nothing. One statement sees the seats and the changes that they already contain. */
export async function recountSeats(handle: Sql, developerId: string, now: Date): Promise<void> {
  const tx = tables.in(handle);
  await tx.deleteFrom('seat_sums').where('developer_id', '=', developerId).execute();
  await tx.deleteFrom('seat_machines').where('developer_id', '=', developerId).execute();
  await tx.deleteFrom('machine_sums').where('developer_id', '=', developerId).execute();
  await sql`
    /* with every machine: the sums can wait */
    with contained as (
      delete from seat_changes where developer_id = ${developerId}
    ), held as materialized (${held(developerId)}), added_seats as (
      insert into seat_sums (developer_id, seen_on, product_id, version, os, seats)
      select ${developerId}::uuid, seen_on, product_id, version, os, count(*) from held group by 2, 3, 4, 5
    ), machines as materialized (
      select machine, product_id, seen_on, count(*) as seats from held group by 1, 2, 3
    ), added_machines as (
      insert into seat_machines (developer_id, machine, product_id, seen_on, seats)
      select ${developerId}::uuid, machine, product_id, seen_on, seats from machines
    ), added_days as (
      insert into machine_sums (developer_id, product_id, seen_on, machines)
      select ${developerId}::uuid, product_id, seen_on, count(*) from (
        select product_id, max(seen_on) as seen_on from machines group by machine, product_id
        union all select ${ALL_PRODUCTS}, max(seen_on) from machines group by machine
      ) each group by 2, 3
    )
    update seat_counts set counted_at = ${now} where developer_id = ${developerId}`.execute(tx);
}

/** Whether an account's sums are not those of its seats: something changed a seat and noted nothing, such as a process of an old release. */
export async function hasDrifted(db: LicensingDb, developerId: string, now: Date): Promise<boolean> {
  const old = dayOf(new Date(now.getTime() - KEPT_DAYS * DAY), 'UTC');
  const { rows } = await sql<{ found: number }>`
    with held as (${held(developerId)}), all_of_it as (
      select product_id, version, os, seen_on, seats from held
      union all select product_id, version, os, seen_on, -seats from seat_sums where developer_id = ${developerId}
      union all select product_id, version, os, seen_on, -seats from seat_changes where developer_id = ${developerId}
    )
    select 1 as found from all_of_it
    group by product_id, version, os, case when seen_on < ${old} then ${LONG_AGO}::date else seen_on end
    having sum(seats) <> 0 limit 1`.execute(db);
  return rows.length > 0;
}

/** Sums of nothing are deleted, and those of long ago put together. */
async function trim(tx: LicensingHandle, developerId: string, now: Date): Promise<void> {
  const old = sql`developer_id = ${developerId} and seen_on < ${dayOf(new Date(now.getTime() - KEPT_DAYS * DAY), 'UTC')}
    and seen_on <> ${LONG_AGO}`;
  await sql`
    /* with every machine: the sums can wait */
    with old as (
      delete from seat_sums where ${old} returning product_id, version, os, seats
    )
    insert into seat_sums as s (developer_id, seen_on, product_id, version, os, seats)
    select ${developerId}::uuid, ${LONG_AGO}::date, product_id, version, os, sum(seats) from old group by 3, 4, 5
    on conflict (developer_id, seen_on, product_id, version, os) do update set seats = s.seats + excluded.seats`.execute(
    tx,
  );
  await sql`
    /* with every machine: the sums can wait */
    with old as (
      delete from machine_sums where ${old} returning product_id, machines
    )
    insert into machine_sums as d (developer_id, product_id, seen_on, machines)
    select ${developerId}::uuid, product_id, ${LONG_AGO}::date, sum(machines) from old group by 2
    on conflict (developer_id, product_id, seen_on) do update set machines = d.machines + excluded.machines`.execute(
    tx,
  );
  await tx.deleteFrom('seat_sums').where('developer_id', '=', developerId).where('seats', '=', 0).execute();
  await tx.deleteFrom('machine_sums').where('developer_id', '=', developerId).where('machines', '=', 0).execute();
}
