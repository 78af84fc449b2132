import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';

/** Any number of processes may start at once; one migrates, the others wait for this lock. */
const LOCK = 7_203_945_811;

/** Brings the database up to date. Answers the names of the migrations that ran. */
export async function migrate(orm: MikroORM, url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const done = await orm.migrator.up();
    return done.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** Names of the migrations the database still lacks. */
export async function pendingMigrations(orm: MikroORM): Promise<string[]> {
  return (await orm.migrator.getPending()).map((migration) => migration.name);
}
