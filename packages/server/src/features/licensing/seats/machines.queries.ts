import type { Sql } from '#platform/db/database.ts';
import type { MachineAnalytics, VersionReport } from './machines.schemas.ts';
import { ALL_PRODUCTS, AT_ONCE, EFFECTS, HELD, PENDING } from './sums.ts';

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
async function source(sql: Sql, { developerId }: Question): Promise<string> {
  const [count] = await sql.query<{ counted: boolean }>(
    'select counted_at is not null as counted from seat_counts where developer_id = $1',
    [developerId],
  );
  if (!count?.counted) {
    return `found as materialized (${HELD} and ($2::uuid is null or b.product_id = $2)), machine_days as (
      select seen_on, count(*) as machines from (select max(seen_on) as seen_on from found group by machine) each group by 1)`;
  }
  return `pending as materialized (
      select ${PENDING} from seat_changes where developer_id = $1 and ($2::uuid is null or product_id = $2) limit ${AT_ONCE}
    ), ${EFFECTS}, found as (
      select version, os, seats, seen_on from seat_sums where developer_id = $1 and seen_on >= $3 and ($2::uuid is null or product_id = $2)
      union all select version, os, seats, seen_on from cells
    ), machine_days as (
      select seen_on, machines from machine_sums where developer_id = $1 and product_id = coalesce($2, '${ALL_PRODUCTS}')
      union all select seen_on, machines from days where product_id = coalesce($2, '${ALL_PRODUCTS}')
    )`;
}

const PAIRED = `paired as materialized (
    select nullif(version, '') as version, nullif(os, '') as os, sum(seats)::int as count from found where seen_on >= $3
    group by 1, 2 having sum(seats) > 0
  )`;

const RANKED = `versions as (
    select version, sum(count)::int as count from paired group by 1 order by 2 desc, 1 limit ${LISTED}
  ), systems as (
    select os, sum(count)::int as count from paired group by 1 order by 2 desc, 1 limit ${LISTED}
  )`;

/** What runs out there. A machine counts once, however many plugins it has; versions and systems count its activations. */
export async function machineFigures(sql: Sql, question: Question): Promise<Omit<MachineAnalytics, 'time_zone'>> {
  const [row] = await sql.query<Omit<MachineAnalytics, 'time_zone'>>(
    `with ${await source(sql, question)}, ${PAIRED}, ${RANKED}
     select (select coalesce(sum(machines), 0)::int from machine_days where seen_on >= $3) as active_machines,
       (select coalesce(sum(machines), 0)::int from machine_days) as machines,
       (select coalesce(json_agg(v order by v.count desc, v.version), '[]') from versions v) as versions,
       (select coalesce(json_agg(s order by s.count desc, s.os), '[]') from systems s) as systems`,
    valuesOf(question),
  );
  return row as Omit<MachineAnalytics, 'time_zone'>;
}

export type VersionFigures = Pick<VersionReport, 'activations' | 'versions' | 'systems' | 'pairs'>;

/** Activations by version and system, the most common first. */
export async function versionFigures(sql: Sql, question: Question): Promise<VersionFigures> {
  const [row] = await sql.query<VersionFigures>(
    `with ${await source(sql, question)}, ${PAIRED}, ${RANKED}, pairs as (
       select version, os, count from paired p
       where exists (select 1 from versions v where v.version is not distinct from p.version)
         and exists (select 1 from systems s where s.os is not distinct from p.os)
       order by count desc, version, os
     )
     select (select coalesce(sum(count), 0)::int from paired) as activations,
       (select coalesce(json_agg(v order by v.count desc, v.version), '[]') from versions v) as versions,
       (select coalesce(json_agg(s order by s.count desc, s.os), '[]') from systems s) as systems,
       (select coalesce(json_agg(p order by p.count desc, p.version, p.os), '[]') from pairs p) as pairs`,
    valuesOf(question),
  );
  return row as VersionFigures;
}

/** Every pair of version and system, for a file. */
export async function versionLines(sql: Sql, question: Question): Promise<VersionReport['pairs']> {
  return sql.query(
    `with ${await source(sql, question)}, ${PAIRED} select version, os, count from paired order by count desc, version, os limit ${LINES}`,
    valuesOf(question),
  );
}

const valuesOf = ({ developerId, product, since }: Question) => [developerId, product, since];
