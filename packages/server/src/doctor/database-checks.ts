import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { connectionsOf } from '#platform/db/pools/pools.ts';
import { readSchemaState } from '#platform/db/schema/schema-state.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { migrationsFolder } from '../base.ts';
import type { Config } from '../config.ts';
import { checkSecrets } from '../secrets-check.ts';
import { type Found, failed, ok, warning } from './finding.ts';

const OLDEST = 15;
/** PostgreSQL keeps these for its owner. */
const RESERVED = 3;

interface Facts {
  version: number;
  words: string;
  encoding: string;
  connections: number;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
}

/** What the server relies on: its version, and settings that decide whether an answer that was given stays true. */
export async function databaseSettings(sql: Sql, config: Pick<Config, 'pools' | 'workers'>): Promise<Found[]> {
  const [facts] = await sql.query<Facts>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as words,
      current_setting('server_encoding') as encoding, current_setting('max_connections')::int as connections,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit`,
  );
  return judgeDatabase(facts as Facts, connectionsOf(config.pools) * (config.workers > 1 ? config.workers + 1 : 1));
}

export function judgeDatabase(facts: Facts, needed: number): Found[] {
  const found: Found[] = [];
  if (facts.version < OLDEST * 10_000)
    found.push(failed(`PostgreSQL is ${facts.words}.`, `Upgrade it to ${OLDEST} or newer.`));
  if (facts.encoding !== 'UTF8')
    found.push(
      failed(
        `The database is encoded in ${facts.encoding}.`,
        'Restore a backup into a database with the encoding UTF8.',
      ),
    );
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (facts[name] !== 'on')
      found.push(
        failed(`PostgreSQL has ${name} = ${facts[name]}: a crash can destroy the database.`, `Set ${name} = on.`),
      );
  }
  if (facts.synchronous_commit === 'off')
    found.push(
      warning(
        'PostgreSQL has synchronous_commit = off: a crash can forget redemptions that were confirmed.',
        'Set synchronous_commit = on.',
      ),
    );
  if (facts.connections < needed + RESERVED)
    found.push(
      warning(
        `PostgreSQL takes ${facts.connections} connections, and the processes of this machine can open ${needed}.`,
        `Set max_connections to ${needed + RESERVED} or more for each such machine, or make TONEROW_POOL_SIZE smaller.`,
      ),
    );
  if (found.length > 0) return found;
  return [
    ok(`PostgreSQL ${facts.words} takes ${facts.connections} connections, of which ${needed} can be needed here.`),
  ];
}

export async function schema(sql: Sql): Promise<Found> {
  const { pending, unknown } = await readSchemaState(sql, migrationsFolder);
  if (unknown.length > 0)
    return failed(
      `A newer version of the server has changed the database: ${unknown.join(', ')} ran there.`,
      'Replace this version by the newer one.',
    );
  if (pending.length > 0)
    return failed(
      `${pending.length} migrations have not run: ${pending.join(', ')}.`,
      'Make a backup, then start the server, or run: tonerow-server migrate',
    );
  return ok('The database has the schema of this version.');
}

export async function secretsOf(sql: Sql, secrets: Secrets): Promise<Found> {
  const fault = await checkSecrets(sql, secrets);
  if (!fault) return ok('The secrets that are set open all that the database keeps sealed.');
  return failed(fault.detail ?? fault.reason, 'Put the missing secret back. See: tonerow-server secrets list');
}

const FAR = 60_000;
const APART = 5000;

/** Two clocks that differ make dates, promos and second factors wrong. */
export async function clockOf(sql: Sql, clock: Clock): Promise<Found> {
  const before = clock.now().getTime();
  const [row] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
  const after = clock.now().getTime();
  return judgeClock((row as { now: Date }).now.getTime(), { before, after }, 'the database');
}

export function judgeClock(theirs: number, ours: { before: number; after: number }, who: string): Found {
  const apart = theirs < ours.before ? ours.before - theirs : theirs > ours.after ? theirs - ours.after : 0;
  const found = `The clocks of this machine and of ${who} are ${Math.round(apart / 1000)} seconds apart.`;
  const todo = 'Let both machines set their clocks by NTP.';
  if (apart > FAR) return failed(found, todo);
  return apart > APART ? warning(found, todo) : ok(found);
}
