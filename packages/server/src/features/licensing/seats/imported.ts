import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { tables } from '../tables.ts';
import { noted } from './noted.ts';

/** Whether seat `a` is as an import has made it: its machine has not called since. */
export const asImported = sql<boolean>`(a.token_hash is null and a.leased_until is null and a.released_at is null
  and a.version is null and a.last_seen_at = a.created_at)`;

/**
 * Gives machines that came with their serials their seats, also beyond those of the product: they run already. Nobody is told, and they are
 * no new machines. Placeholders for machines without an id are left out.
 * @param machines of the session: `serial_id, id, machine_id`
 * @returns how many
 */
export async function seatImported(
  handle: Sql,
  developerId: string,
  { machines, now }: { machines: RawBuilder<unknown>; now: Date },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    /* with every machine: rows of an import come from a table of the session */
    with added as (
      insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
      select m.id, ${developerId}::uuid, m.serial_id, m.machine_id, ${now}::timestamptz, ${now}::timestamptz
      from (${machines}) m where regexp_replace(m.machine_id, '[-:.{}]', '', 'g') !~* ${PLACEHOLDER}
      on conflict do nothing returning serial_id, machine_id, version, os, last_seen_at, created_at
    ), ${noted(sql`${developerId}`, 'added', 'given')}, ${counted(developerId, 'added', sql`s.seats_used + r.n, activated_at = coalesce(s.activated_at, ${now}::timestamptz)`)}
    select count(*) as n from added`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

/**
 * Takes such seats back, as long as their machines have not called.
 * @param serials their ids
 */
export async function unseatImported(handle: Sql, developerId: string, serials: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (
      delete from activations a where a.developer_id = ${developerId} and a.serial_id = any(${serials}::uuid[]) and ${asImported}
      returning a.serial_id, a.machine_id, a.version, a.os, a.last_seen_at, a.created_at
    ), ${noted(sql`${developerId}`, 'gone', 'freed')}, ${counted(developerId, 'gone', sql`s.seats_used - r.n, activated_at = nullif(s.activated_at, r.first)`)}
    select count(*) as n from gone`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

/** As `isPlaceholder` knows them. */
const PLACEHOLDER = '^(0{8,}|f{8,}|03000200040005000006000700080009|020000000000)$';

/** A part of a WITH that counts the seats of serials anew, by earlier rows with `serial_id` and `created_at`. */
const counted = (developerId: string, rows: string, become: RawBuilder<unknown>) => sql`counted as (
  update serials s set seats_used = ${become}
  from (select serial_id, count(*)::int as n, min(created_at) as first from ${sql.table(rows)} group by 1) r
  where s.developer_id = ${developerId} and s.id = r.serial_id)`;
