import { type RawBuilder, sql } from 'kysely';
import type { LicensingDb } from '../tables.ts';
import type { MachineAnalytics, VersionReport } from './machines.schemas.ts';
import { ALL_PRODUCTS, AT_ONCE, effects, held, pending } from './sums.ts';

/** Whose seats, of which product (null: all), and since which day (UTC) they were seen. */
export interface Question {
  developerId: string;
  product: string | null;
  since: string;
}

/** Most common versions and systems that are listed each. */
const LISTED = 50;
/** Lines of a file. */
const LINES = 10_000;

/**
 * `found`: taken seats by product, version, system and day; `machine_days`: machines by the last day on which they were seen. From the
 * sums and what was not added to them yet (of more than can be read at once, a part); of an account that was not counted yet, from its seats.
 */
async function source(db: LicensingDb, { developerId, product, since }: Question): Promise<RawBuilder<unknown>> {
  const count = await db
    .selectFrom('seat_counts')
    .select('counted_at')
    .where('developer_id', '=', developerId)
    .executeTakeFirst();
  if (!count?.counted_at) {
    return sql`found as materialized (${held(developerId, product === null ? undefined : sql`b.product_id = ${product}`)}), machine_days as (
      select seen_on, count(*) as machines from (select max(seen_on) as seen_on from found group by machine) each group by 1)`;
  }
  const asked = product === null ? sql`` : sql`and product_id = ${product}`;
  const together = product === null ? ALL_PRODUCTS : sql`${product}::uuid`;
  return sql`pending as materialized (
      select ${pending} from seat_changes where developer_id = ${developerId} ${asked} limit ${sql.lit(AT_ONCE)}
    ), ${effects(developerId)}, found as (
      select version, os, seats, seen_on from seat_sums where developer_id = ${developerId} and seen_on >= ${since} ${asked}
      union all select version, os, seats, seen_on from cells
    ), machine_days as (
      select seen_on, machines from machine_sums where developer_id = ${developerId} and product_id = ${together}
      union all select seen_on, machines from days where product_id = ${together}
    )`;
}

const paired = ({ since }: Question) => sql`paired as materialized (
    select nullif(version, '') as version, nullif(os, '') as os, sum(seats)::int as count from found where seen_on >= ${since}
    group by 1, 2 having sum(seats) > 0
  )`;

const RANKED = sql`versions as (
    select version, sum(count)::int as count from paired group by 1 order by 2 desc, 1 limit ${sql.lit(LISTED)}
  ), systems as (
    select os, sum(count)::int as count from paired group by 1 order by 2 desc, 1 limit ${sql.lit(LISTED)}
  )`;

type MachineFigures = Omit<MachineAnalytics, 'time_zone'>;

/** Figures of machines in use. A machine counts once for all its plugins; versions and systems count activations. */
export async function machineFigures(db: LicensingDb, question: Question): Promise<MachineFigures> {
  const { since } = question;
  const { rows } = await sql<MachineFigures>`
    with ${await source(db, question)}, ${paired(question)}, ${RANKED}
    select (select coalesce(sum(machines), 0)::int from machine_days where seen_on >= ${since}) as active_machines,
      (select coalesce(sum(machines), 0)::int from machine_days) as machines,
      (select coalesce(json_agg(v order by v.count desc, v.version), '[]') from versions v) as versions,
      (select coalesce(json_agg(s order by s.count desc, s.os), '[]') from systems s) as systems`.execute(db);
  return rows[0] as MachineFigures;
}

export type VersionFigures = Pick<VersionReport, 'activations' | 'versions' | 'systems' | 'pairs'>;

/** Activations by version and system, the most common first. */
export async function versionFigures(db: LicensingDb, question: Question): Promise<VersionFigures> {
  const { rows } = await sql<VersionFigures>`
    with ${await source(db, question)}, ${paired(question)}, ${RANKED}, pairs as (
      select version, os, count from paired p
      where exists (select 1 from versions v where v.version is not distinct from p.version)
        and exists (select 1 from systems s where s.os is not distinct from p.os)
      order by count desc, version, os
    )
    select (select coalesce(sum(count), 0)::int from paired) as activations,
      (select coalesce(json_agg(v order by v.count desc, v.version), '[]') from versions v) as versions,
      (select coalesce(json_agg(s order by s.count desc, s.os), '[]') from systems s) as systems,
      (select coalesce(json_agg(p order by p.count desc, p.version, p.os), '[]') from pairs p) as pairs`.execute(db);
  return rows[0] as VersionFigures;
}

/** Every pair of version and system, for a file. */
export async function versionLines(db: LicensingDb, question: Question): Promise<VersionReport['pairs']> {
  const { rows } = await sql<VersionReport['pairs'][number]>`
    with ${await source(db, question)}, ${paired(question)}
    select version, os, count from paired order by count desc, version, os limit ${sql.lit(LINES)}`.execute(db);
  return rows;
}
