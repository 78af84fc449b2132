import { DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { dayOf } from '#platform/time/days.ts';

/** In `machine_sums`: of all products together, a machine counts once. */
export const ALL_PRODUCTS = '00000000-0000-0000-0000-000000000000';
/** Changes that one transaction counts, and that a reader adds. */
export const AT_ONCE = 20_000;
/** Seats that were not seen for so long share one day, so that the sums don't grow from year to year. */
const KEPT_DAYS = 400;
const LONG_AGO = '0001-01-01';

export const PENDING = 'machine, product_id, version, os, seen_on, seats';

/**
 * What changes that wait in `pending` (see {@link PENDING}) do to the sums: `cells` of `seat_sums`, `moved` of `seat_machines`, `days`
 * of `machine_sums`. A machine belongs to the last day on which any of its seats was seen. `$1` is the developer.
 */
export const EFFECTS = `cells as (
    select seen_on, product_id, version, os, sum(seats)::int as seats from pending group by 1, 2, 3, 4 having sum(seats) <> 0
  ), moved as (
    select machine, product_id, seen_on, sum(seats)::int as seats from pending group by 1, 2, 3 having sum(seats) <> 0
  ), known as (
    select k.* from (select distinct machine from moved) m cross join lateral (
      select k.machine, k.product_id, k.seen_on, k.seats from seat_machines k
      where k.developer_id = $1 and k.machine = m.machine offset 0) k
  ), settled as (
    select machine, product_id, seen_on, sum(seats)::int as seats
    from (select * from known union all select * from moved) e group by 1, 2, 3
  ), days as (
    select product_id, seen_on, sum(n)::int as machines from (
      select product_id, max(seen_on) as seen_on, -1 as n from known where seats > 0 group by machine, product_id
      union all select '${ALL_PRODUCTS}', max(seen_on), -1 from known where seats > 0 group by machine
      union all select product_id, max(seen_on), 1 from settled where seats > 0 group by machine, product_id
      union all select '${ALL_PRODUCTS}', max(seen_on), 1 from settled where seats > 0 group by machine
    ) each group by 1, 2 having sum(n) <> 0
  )`;

/** The seats that are taken, as changes would tell them. */
export const HELD = `select hashtextextended(a.machine_id, 0) as machine, b.product_id, coalesce(a.version, '') as version,
    coalesce(a.os, '') as os, (a.last_seen_at at time zone 'UTC')::date as seen_on, 1 as seats
  from activations a join serials s on (s.developer_id, s.id) = (a.developer_id, a.serial_id)
    join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
  where a.developer_id = $1 and ${listOf('a', 'last_seen_at')} and a.released_at is null`;

/**
 * Adds what has changed to an account's sums; the first time, counts all its seats. The account's row decides who does it.
 * @returns whether there is more. False also when another process is at it.
 */
export async function countSeats(sql: Sql, developerId: string, now: Date): Promise<boolean> {
  await sql.query('insert into seat_counts (developer_id) select id from users where id = $1 on conflict do nothing', [
    developerId,
  ]);
  const [count] = await sql.query<{ counted_at: Date | null }>(
    'select counted_at from seat_counts where developer_id = $1 for update skip locked',
    [developerId],
  );
  if (!count) return false;
  if (count.counted_at === null) {
    await recountSeats(sql, developerId, now);
    return false;
  }
  const [counted] = await sql.query<{ n: number }>(ADD_CHANGES, [developerId]);
  await trim(sql, developerId, now);
  return counted?.n === AT_ONCE;
}

const ADD_CHANGES = `with pending as (
    delete from seat_changes c where c.developer_id = $1
      and c.id in (select o.id from seat_changes o where o.developer_id = $1 limit ${AT_ONCE}) returning ${PENDING}
  ), ${EFFECTS}, added_seats as (
    insert into seat_sums as s (developer_id, seen_on, product_id, version, os, seats)
    select $1, seen_on, product_id, version, os, seats from cells
    on conflict (developer_id, seen_on, product_id, version, os) do update set seats = s.seats + excluded.seats
  ), emptied as (
    delete from seat_machines k using moved m
    where k.developer_id = $1 and (k.machine, k.product_id, k.seen_on) = (m.machine, m.product_id, m.seen_on) and k.seats + m.seats = 0
  ), added_machines as (
    insert into seat_machines as k (developer_id, machine, product_id, seen_on, seats)
    select $1, m.machine, m.product_id, m.seen_on, m.seats from moved m where not exists (select 1 from known o
      where (o.machine, o.product_id, o.seen_on) = (m.machine, m.product_id, m.seen_on) and o.seats + m.seats = 0)
    on conflict (developer_id, machine, product_id, seen_on) do update set seats = k.seats + excluded.seats
  ), added_days as (
    insert into machine_sums as d (developer_id, product_id, seen_on, machines)
    select $1, product_id, seen_on, machines from days
    on conflict (developer_id, product_id, seen_on) do update set machines = d.machines + excluded.machines
  )
  select count(*)::int as n from pending`;

/** Counts an account's seats from nothing. One statement sees the seats and the changes that they already contain. */
export async function recountSeats(sql: Sql, developerId: string, now: Date): Promise<void> {
  for (const table of ['seat_sums', 'seat_machines', 'machine_sums']) {
    await sql.query(`delete from ${table} where developer_id = $1`, [developerId]);
  }
  await sql.query(
    `with contained as (
       delete from seat_changes where developer_id = $1
     ), held as materialized (${HELD}), added_seats as (
       insert into seat_sums (developer_id, seen_on, product_id, version, os, seats)
       select $1, seen_on, product_id, version, os, count(*) from held group by 2, 3, 4, 5
     ), machines as materialized (
       select machine, product_id, seen_on, count(*) as seats from held group by 1, 2, 3
     ), added_machines as (
       insert into seat_machines (developer_id, machine, product_id, seen_on, seats)
       select $1, machine, product_id, seen_on, seats from machines
     ), added_days as (
       insert into machine_sums (developer_id, product_id, seen_on, machines)
       select $1, product_id, seen_on, count(*) from (
         select product_id, max(seen_on) as seen_on from machines group by machine, product_id
         union all select '${ALL_PRODUCTS}', max(seen_on) from machines group by machine
       ) each group by 2, 3
     )
     update seat_counts set counted_at = $2 where developer_id = $1`,
    [developerId, now],
  );
}

/** Sums of nothing are deleted, and those of long ago put together. */
async function trim(sql: Sql, developerId: string, now: Date): Promise<void> {
  const old = [developerId, dayOf(new Date(now.getTime() - KEPT_DAYS * DAY), 'UTC')];
  await sql.query(
    `with old as (
       delete from seat_sums where developer_id = $1 and seen_on < $2 and seen_on <> '${LONG_AGO}' returning product_id, version, os, seats
     )
     insert into seat_sums as s (developer_id, seen_on, product_id, version, os, seats)
     select $1, '${LONG_AGO}', product_id, version, os, sum(seats) from old group by 3, 4, 5
     on conflict (developer_id, seen_on, product_id, version, os) do update set seats = s.seats + excluded.seats`,
    old,
  );
  await sql.query(
    `with old as (
       delete from machine_sums where developer_id = $1 and seen_on < $2 and seen_on <> '${LONG_AGO}' returning product_id, machines
     )
     insert into machine_sums as d (developer_id, product_id, seen_on, machines)
     select $1, product_id, '${LONG_AGO}', sum(machines) from old group by 2
     on conflict (developer_id, product_id, seen_on) do update set machines = d.machines + excluded.machines`,
    old,
  );
  await sql.query('delete from seat_sums where developer_id = $1 and seats = 0', [developerId]);
  await sql.query('delete from machine_sums where developer_id = $1 and machines = 0', [developerId]);
}
