import { vi } from 'vitest';

interface Queryable {
  query(text: string, values?: unknown[]): Promise<object[]>;
}

const WORKING = `
  select 1 from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and query ~* $1`;

/** Waits until a statement that fits is running in a database. */
export async function untilWorking(database: Queryable, pattern: string): Promise<void> {
  await vi.waitUntil(async () => (await database.query(WORKING, [pattern])).length > 0, {
    timeout: 40_000,
    interval: 5,
  });
}
