import type { TestDatabase } from './database.ts';

/** Queues a job, some times, and wakes the workers at once, as the server does; they would otherwise look seconds later. */
export async function queueJob(
  db: Pick<TestDatabase, 'query'>,
  name: string,
  data: object = {},
  { times = 1 }: { times?: number } = {},
): Promise<void> {
  await db.query('insert into pgboss.job (name, data) select $1, $2 from generate_series(1, $3::int)', [
    name,
    JSON.stringify(data),
    times,
  ]);
  await wakeWorkers(db, name);
}

/** Lets the workers of a queue look for its jobs now. */
export async function wakeWorkers(db: Pick<TestDatabase, 'query'>, name: string): Promise<void> {
  await db.query(`select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), $1)`, [name]);
}
