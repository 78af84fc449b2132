import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isCutShort } from '#platform/db/away.ts';
import type { Sql } from '#platform/db/database.ts';
import { listed, quoted } from '#platform/db/statements/identifiers.ts';
import { setLocal } from '#platform/db/statements/set-local.ts';

/** The moment of a backup: one for all tables, or one for each machine's part. */
export type Moment = 'one' | 'each_machine';

/** Attempts to lock the tables. */
const TRIES = 20;
/** How long writers may have to wait behind each attempt: less than what PostgreSQL takes for a deadlock. */
const PATIENCE = '500ms';
const PAUSE = 500;
/** Every machine has a part of it, and it is small. */
const EVERYWHERE = 'products';

/** Whether accounts are spread over several machines, which have no moment in common. */
export async function isOnManyMachines(sql: Sql): Promise<boolean> {
  const [found] = await sql.query<{ citus: boolean }>(
    "select exists (select 1 from pg_extension where extname = 'citus') as citus",
  );
  return found?.citus === true;
}

interface Reading {
  /** The connection that reads the backup. */
  client: pg.Client;
  url: string;
  tables: string[];
}

/**
 * Begins the transaction that reads all tables. A database on one machine, partitioned or not, has them as they were at one moment.
 * Each of several machines begins to read when it is first asked: so all of them are asked while nobody writes, which takes as long as a few
 * statements. Where somebody writes for longer than is waited, the parts differ by moments, which is reported.
 */
export async function beginAtOneMoment(reading: Reading, many: boolean, tries = TRIES): Promise<Moment> {
  if (!many) {
    await begin(reading.client);
    // before the moment that is backed up: a table that another one replaces after it (decision 0108) would be empty
    if (reading.tables.length > 0)
      await reading.client.query(`lock table ${listed(reading.tables)} in access share mode`);
    return 'one';
  }
  const writers = new pg.Client({ connectionString: reading.url, application_name: 'tonerow-backup' });
  await writers.connect();
  try {
    for (let left = tries; left > 0; left -= 1) {
      if (await holdsWriters(writers, reading.tables)) {
        await beginEverywhere(reading);
        await writers.query('commit');
        return 'one';
      }
      if (left > 1) await sleep(PAUSE);
    }
    await beginEverywhere(reading);
    return 'each_machine';
  } finally {
    await writers.end();
  }
}

const begin = (client: pg.Client) => client.query('begin isolation level repeatable read read only');

/** Every earlier writer has committed on all machines by then: writers keep their locks until they have. */
async function holdsWriters(writers: pg.Client, tables: string[]): Promise<boolean> {
  await writers.query('begin');
  await setLocal((text) => writers.query(text), { lock_timeout: PATIENCE });
  try {
    await writers.query(`lock table ${listed(tables)} in share mode`);
    return true;
  } catch (error) {
    await writers.query('rollback');
    if (isCutShort(error)) return false;
    throw error;
  }
}

async function beginEverywhere({ client }: Reading): Promise<void> {
  await begin(client);
  // one connection to each machine, which has one moment
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
  await client.query(`/* across tenants: each machine begins to read */ select count(*) from ${quoted(EVERYWHERE)}`);
}
