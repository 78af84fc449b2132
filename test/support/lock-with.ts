import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { sqlOf } from '../../packages/server/src/platform/db/database.ts';
import { tenantTables } from './tables.ts';

/** Keeps a lock, so that calls meet in an order that the test chooses. */
export async function lockWith(database: { url: string }, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  const of = inject('machines').length > 1 ? await ofEachAccount(client, statement, values) : undefined;
  if (of) for (const one of of) await client.query(one, values);
  else await client.query(statement, values);
  return {
    /** Runs further statements in its transaction. */
    sql: sqlOf(client),
    /** If nobody waits, the test fails: its lock is gone then, or it would hold up the tests after it. */
    untilWaiting: (count: number) =>
      untilWaiting(client, count).catch(async (error) => {
        await client.query('rollback');
        throw error;
      }),
    /** Ends it by `end`. */
    async release(end: 'commit' | 'rollback' = 'rollback'): Promise<void> {
      await client.query(end);
      await client.end();
    },
  };
}

/** On a cluster rows are locked for one account at a time: the same lock for each whose rows it takes. */
async function ofEachAccount(
  client: pg.Client,
  statement: string,
  values: unknown[],
): Promise<readonly string[] | undefined> {
  const [, table = '', which, how] = /^select 1 from (\w+) where (.+) (for [a-z ]+)$/.exec(statement) ?? [];
  if (!tenantTables.has(table)) return undefined;
  const { rows } = await client.query<{ id: string }>(
    `select distinct developer_id as id from ${table} where ${which} order by 1`,
    values,
  );
  return rows.map(({ id }) => `select 1 from ${table} where ${which} and developer_id = '${id}' ${how}`);
}

/** Waits until so many others in the database wait for locks, on whichever machine. */
export async function untilWaiting(client: pg.Client, count: number): Promise<void> {
  const found = await client.query<{ view: string }>(
    "select coalesce(to_regclass('citus_stat_activity'), 'pg_stat_activity')::text as view",
  );
  for (let tries = 0; tries < 800; tries += 1) {
    const { rows } = await client.query(
      `select 1 from ${found.rows[0]?.view} where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length >= count) return;
    await pause(25);
    // or the view would keep returning its first snapshot
    await client.query('select pg_stat_clear_snapshot()');
  }
  throw new Error(`there are no ${count} who wait`);
}
