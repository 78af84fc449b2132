import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from './database.ts';
import { queueJob } from './queue-job.ts';

/** Runs the job of the daily emails, and waits until it is done. */
export async function runDigest(db: Pick<TestDatabase, 'query'>, times = 1): Promise<void> {
  await queueJob(db, 'daily-digest', {}, { times });
  for (let tries = 0; tries < 300; tries += 1) {
    const left = await db.query(
      `select 1 from pgboss.job where name = 'daily-digest' and state in ('created', 'active')`,
    );
    if (left.length === 0) return;
    await pause(50);
  }
  throw new Error('the digest did not end');
}
