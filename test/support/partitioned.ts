import pg from 'pg';
import { inject } from 'vitest';
import { partition } from '../../packages/server/src/partition/index.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** How many partitions the tables of {@link createPartitionedDatabase} have. */
export const PARTITIONS = 3;
const LOCK = 5_130_227;

/** An empty database whose tables of accounts have partitions, cloned from one that the first who asks makes for all workers. */
export async function createPartitionedDatabase(): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const from = `${inject('template')}_parts`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock($1)', [LOCK]);
    const { rows } = await admin.query('select 1 from pg_database where datname = $1', [from]);
    if (rows.length === 0) await make(admin, from);
  } finally {
    await admin.end();
  }
  return createTestDatabase({ from });
}

async function make(admin: pg.Client, name: string): Promise<void> {
  const draft = await createTestDatabase({ whole: true });
  await partition({ url: draft.url, by: PARTITIONS, report: () => undefined, agreed: () => true });
  // its name comes last: it is whole, or it is not there
  await admin.query(`create database ${name} template ${new URL(draft.url).pathname.slice(1)} strategy file_copy`);
  await draft.drop();
}
