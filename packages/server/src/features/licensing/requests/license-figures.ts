import { sql } from 'kysely';
import type { Counter } from 'prom-client';
import { MINUTE } from '#platform/clock.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { LicenseStatus } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';

/** Counts refusals to plugins. */
export class LicenseFigures {
  readonly #refusals: Counter<'operation' | 'status'>;

  constructor({ metrics, db }: { metrics: Metrics; db: LicensingDb }) {
    this.#refusals = metrics.counter({
      name: 'tonerow_license_refusals_total',
      help: 'Licensing calls that were refused, by operation and status',
      labelNames: ['operation', 'status'],
    });
    metrics.measured(
      { name: 'tonerow_seats_in_use', help: 'Machines that hold a seat, of all developers; above 100,000 an estimate' },
      async () => [[{}, await seatsInUse(db)]],
      MINUTE,
    );
  }

  refused(operation: string, status: LicenseStatus): void {
    this.#refusals.inc({ operation, status });
  }
}

const COUNTED = 100_000;

/** An exact count while that is cheap, otherwise the estimate of the planner's statistics, of each partition where there are any. */
async function seatsInUse(db: LicensingDb): Promise<number> {
  const statistics = await sql<{ machines: number | null; taken: number | null }>`
    select sum(c.reltuples) as machines,
      case when bool_and(c.reltuples <= 0 or s.null_frac is not null) then sum(c.reltuples * s.null_frac) end as taken
    from pg_class c left join pg_stats s on (s.schemaname, s.tablename) = (c.relnamespace::regnamespace::text, c.relname)
      and s.attname = 'released_at' and not s.inherited
    where c.relkind = 'r' and (c.oid = 'activations'::regclass
      or c.oid in (select inhrelid from pg_inherits where inhparent = 'activations'::regclass))`.execute(db);
  const [about] = statistics.rows;
  if (about?.machines && about.machines > COUNTED && about.taken !== null) return Math.round(about.taken);
  const seats = await db
    .selectFrom('activations')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('released_at', 'is', null)
    .modifyEnd(acrossTenants('a figure of the whole server'))
    .executeTakeFirst();
  return seats?.n ?? 0;
}
