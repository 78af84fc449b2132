import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from './database.ts';

/** Wakes the workers at once, as the queue itself does; they would otherwise poll a few seconds later. */
export const WAKE = `select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), $1)`;

/** Runs the job of the daily emails, and waits until it is done. */
export async function runDigest(db: Pick<TestDatabase, 'query'>, times = 1): Promise<void> {
  await db.query(`insert into pgboss.job (name, data) select 'daily-digest', '{}' from generate_series(1, $1::int)`, [
    times,
  ]);
  await db.query(WAKE, ['daily-digest']);
  for (let tries = 0; tries < 300; tries += 1) {
    const left = await db.query(
      `select 1 from pgboss.job where name = 'daily-digest' and state in ('created', 'active')`,
    );
    if (left.length === 0) return;
    await pause(50);
  }
  throw new Error('the digest did not end');
}
