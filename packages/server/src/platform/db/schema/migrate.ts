import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { StartupError } from '#platform/errors.ts';
import { inLane } from '#platform/work-context.ts';
import { spreadingNewTables } from '../citus/new-tables.ts';
import { isDistributed, misplacedTables, type SpreadOf } from '../citus/spread.ts';
import { type Sql, sqlOf } from '../database.ts';
import { PARTITIONING_LOCK } from '../partitions/names.ts';
import { settlePartitions } from '../partitions/settle.ts';
import { refuseUnfit } from './engine.ts';
import { readSchemaState, refuseForeignSchema } from './schema-state.ts';

/** Any number of processes may start at once; one migrates, the others wait for this lock. */
const LOCK = 7_203_945_811;

interface Options {
  url: string;
  folder: string;
  /** How the tables are spread, if the database is. */
  spread: SpreadOf;
  /** The database is being distributed: tables that are still to be done refuse nothing. */
  unfinished?: boolean;
  /** Only these, and no others. */
  only?: readonly string[];
}

/**
 * Brings the database up to date. On a distributed one, new tables are distributed with it. Resolves with the names of the
 * migrations that ran.
 * @throws {StartupError} when it is no PostgreSQL that the server runs on, the schema is of another version, or a table of a distributed database is not what it should be.
 */
export async function migrate(orm: MikroORM, options: Options): Promise<string[]> {
  const { url, folder, spread, unfinished = false, only } = options;
  // the lock is a transaction's, which ends with its connection however that ends, and which a pooler keeps in one piece
  const lock = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await lock.connect();
    await refuseUnfit(lock);
    await lock.query('begin');
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await lock.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.connect();
    const state = await readSchemaState(sqlOf(client), folder);
    refuseForeignSchema(state);
    if (state.pending.length > 0) await refuseWhilePartitioning(lock);
    // the migrator makes a database that it cannot find, and a pooler may have another name for this one
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    orm.config.set('dbName', rows[0]?.name);
    const distributed = await isDistributed(sqlOf(client));
    const run = () => inLane('migration', () => orm.migrator.up(only && { migrations: [...only] }));
    const done = await (distributed ? spreadingNewTables(spread, run) : run());
    if (!distributed) await settlePartitions(client, spread);
    else if (!unfinished) await refuseMisplaced(sqlOf(client), spread);
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

/** A tenant's table on the coordinator alone would fill it, and joins with the others would fail. */
async function refuseMisplaced(sql: Sql, spread: SpreadOf): Promise<void> {
  const wrong = await misplacedTables(sql, spread);
  if (wrong.length === 0) return;
  const list = wrong.map(({ name, should, is }) => `${name} (${is}, and should be ${should})`);
  throw new StartupError(
    `This database is distributed with Citus, but not all of its tables are what they should be: ${list.join(', ')}. Stop the server and run: tonerow-server distribute`,
  );
}
