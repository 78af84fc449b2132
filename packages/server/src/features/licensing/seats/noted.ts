import { type RawBuilder, sql } from 'kysely';
import { madeId } from '#platform/db/statements/ids-at.ts';
import { ownJoin } from '#platform/db/tenant.ts';

// Every statement that gives a seat, frees it, or changes what is counted of it adds to `seat_changes` the change of the sums: +1 as
// the seat is now, -1 as it was. It is a part of the same statement and not a trigger, which may write no other table where the tables
// are spread over many machines. What ends a seat in another way is found by `SeatCounter.check`.

type Part = RawBuilder<unknown>;

/** The counted facts of a seat, from columns of a row. */
const counted = (row: string, [version, os, seen]: readonly [string, string, string]) => {
  const of = (column: string) => sql.ref(`${row}.${column}`);
  return sql`coalesce(${of(version)}, ''), coalesce(${of(os)}, ''), (${of(seen)} at time zone 'UTC')::date`;
};
const now = (row: string) => counted(row, ['version', 'os', 'last_seen_at']);
const before = (row: string) => counted(row, ['version_before', 'os_before', 'seen_before']);

/** @param change in words that no other change of the machine has in its transaction */
const noting = (rows: string, change: Part, productId: Part, facts: Part, from: Part) => {
  const [machine, seen] = [sql.ref(`${rows}.machine_id`), sql.ref(`${rows}.last_seen_at`)];
  const key = sql`concat_ws(' ', s.id, ${change}, ${seen}, ${machine})`;
  return sql`noted as (
    insert into seat_changes (developer_id, id, product_id, machine, version, os, seen_on, seats)
    select s.developer_id, ${madeId(key)}, ${productId}, hashtextextended(${machine}, 0), ${facts}
    from ${from}
  )`;
};

// The rows are made of the serial's, which is where the account is on many machines.
const ofSerial = (developerId: Part, rows: string, serialId: Part) => sql`
  ${sql.table(rows)} join serials s on s.developer_id = ${developerId}::uuid and s.id = ${serialId}`;

/** Joins the batch of each row, which has its product. */
const withBatch = (developerId: Part, rows: string) => sql`
  ${ofSerial(developerId, rows, sql.ref(`${rows}.serial_id`))}
    ${ownJoin('batches as b', 'b.id', 's.batch_id')}`;

/**
 * A part of a WITH that notes seats of one product that were given to machines.
 * @param rows an earlier part with `machine_id`, `version`, `os` and `last_seen_at` of each
 * @param serial a part with one row: the `id` of their serial, and its `product_id`
 */
export const notedOf = (developerId: Part, rows: string, serial: string) =>
  noting(
    rows,
    sql`'given'`,
    sql.ref(`${serial}.product_id`),
    sql`${now(rows)}, 1`,
    sql`${sql.table(serial)} cross join ${ofSerial(developerId, rows, sql.ref(`${serial}.id`))}`,
  );

/** The same by `serial_id` of each: of one given to a machine, or freed. */
export const noted = (developerId: Part, rows: string, does: 'given' | 'freed') =>
  noting(
    rows,
    sql.lit(does),
    sql.ref('b.product_id'),
    sql`${now(rows)}, ${sql.lit(does === 'given' ? 1 : -1)}`,
    withBatch(developerId, rows),
  );

/** The same of those that are still taken, with `version_before`, `os_before` and `seen_before`: nothing if nothing changed that counts. */
export const notedSeen = (developerId: Part, rows: string) =>
  noting(
    rows,
    sql`fact.seats`,
    sql.ref('b.product_id'),
    sql`fact.version, fact.os, fact.seen_on, fact.seats`,
    sql`${withBatch(developerId, rows)}
      cross join lateral (values (${before(rows)}, -1), (${now(rows)}, 1)) fact (version, os, seen_on, seats)
    where (${before(rows)}) is distinct from (${now(rows)})`,
  );

/** The columns that {@link notedSeen} needs of seats `a`, in a statement that changes them and locked them as `k`. */
export const seenColumns = sql`a.serial_id, a.machine_id, a.version, a.os, a.last_seen_at, k.version as version_before, k.os as os_before,
  k.last_seen_at as seen_before`;
