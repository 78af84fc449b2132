import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { StartupError } from '#platform/errors.ts';
import { inLane } from '#platform/work-context.ts';
import { sqlOf } from '../database.ts';
import { PARTITIONING_LOCK } from '../partitions/names.ts';
import { settlePartitions } from '../partitions/settle.ts';
import { readSchemaState, refuseNewerSchema } from './schema-state.ts';

/** Any number of processes may start at once; one migrates, the others wait for this lock. */
const LOCK = 7_203_945_811;

/**
 * Brings the database up to date. Resolves with the names of the migrations that ran.
 * @throws {StartupError} when the schema is newer than this build.
 */
export async function migrate(orm: MikroORM, options: { url: string; folder: string }): Promise<string[]> {
  // the lock is a transaction's, which ends with its connection however that ends, and which a pooler keeps in one piece
  const lock = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: 10_000 });
  const client = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: 10_000 });
  try {
    await lock.connect();
    await lock.query('begin');
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await lock.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.connect();
    const state = await readSchemaState(sqlOf(client), options.folder);
    refuseNewerSchema(state);
    if (state.pending.length > 0) await refuseWhilePartitioning(lock);
    // the migrator makes a database that it cannot find, and a pooler may have another name for this one
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    orm.config.set('dbName', rows[0]?.name);
    const done = await inLane('migration', () => orm.migrator.up());
    await settlePartitions(client);
    return done.map((migration) => migration.name);
  } finally {
    await Promise.all([lock.end(), client.end()]);
  }
}

/** @throws {StartupError} while tables get their partitions: they are copied as they are now. */
async function refuseWhilePartitioning(lock: pg.Client): Promise<void> {
  const { rows } = await lock.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
    PARTITIONING_LOCK,
  ]);
  if (rows[0]?.free) return;
  throw new StartupError(
    'tonerow-server partition is at work on this database, and this version has migrations. Start it when that has ended.',
  );
}
