import { sql } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { tables } from '../tables.ts';
import type { Jobs } from './jobs.ts';

export interface Waiting {
  queue: string;
  jobs: number;
  age: number;
}

/** How much work waits, and for how long: what an alert looks at. */
export function jobFigures(metrics: Metrics, handle: Sql, jobs: Jobs): void {
  // both figures of one scrape come from one query
  let reading: Promise<Waiting[]> | undefined;
  const waiting = () => {
    reading ??= readWaiting(handle).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  metrics.measured(
    {
      name: 'tonerow_jobs_waiting',
      help: 'Jobs that could be worked on now and are not yet',
      labelNames: ['queue'],
    },
    async () => (await waiting()).map(({ queue, jobs }) => [{ queue }, jobs]),
  );
  metrics.measured(
    {
      name: 'tonerow_jobs_oldest_waiting_seconds',
      help: 'For how long the oldest of these jobs has been waiting',
      labelNames: ['queue'],
    },
    async () => (await waiting()).map(({ queue, age }) => [{ queue }, age]),
  );
  metrics.measured(
    {
      name: 'tonerow_worker_silent_seconds',
      help: 'For how long no worker has looked for jobs that are due by the clock',
    },
    async () => [[{}, await readSilence(handle)]],
  );
  metrics.measured(
    {
      name: 'tonerow_email_oldest_unsent_seconds',
      help: 'Age of the oldest email that is not delivered, including those that are tried again',
    },
    async () => [[{}, (await readEmailWait(handle, jobs.emailQueues)).age]],
  );
}

/** Seconds since a worker last looked which jobs are due by the clock, which each does twice a minute; infinite when none ever has. */
export async function readSilence(handle: Sql): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - max(cron_on))::float8 as seconds from pgboss.version`.execute(tables.in(handle));
  return Math.max(0, rows[0]?.seconds ?? Number.POSITIVE_INFINITY);
}

export interface EmailWait {
  age: number;
}

/** How long the oldest email waits. */
export async function readEmailWait(handle: Sql, queues: readonly string[]): Promise<EmailWait> {
  const { rows } = await sql<EmailWait>`
    select coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as age
    from pgboss.job where name = any(${queues}::text[]) and state <= 'active'`.execute(tables.in(handle));
  return rows[0] ?? { age: 0 };
}

/** Queues without work are in it, with 0, so that an alert sees them. */
export async function readWaiting(handle: Sql): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select q.name as queue, count(j.id) as jobs,
      coalesce(extract(epoch from now() - min(j.start_after)), 0)::float8 as age
    from pgboss.queue q
    left join pgboss.job j on j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
    where q.name not like '\\_\\_pgboss%' group by q.name`.execute(tables.in(handle));
  return rows;
}
