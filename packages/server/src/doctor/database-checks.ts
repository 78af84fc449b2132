import type { Sql } from '#platform/db/database.ts';
import { partitionCount } from '#platform/db/partitions/mark.ts';
import { stoppedRun } from '#platform/db/partitions/unfinished.ts';
import { connectionsOf } from '#platform/db/pools/pools.ts';
import { OLDEST_POSTGRES } from '#platform/db/schema/engine.ts';
import { refusalOf } from '#platform/db/schema/origin.ts';
import { readMigrations, readSchemaState } from '#platform/db/schema/schema-state.ts';
import { sqlState } from '#platform/errors.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { plainPlural } from '#platform/text/plural.ts';
import { migrationsFolder } from '../base.ts';
import type { Config } from '../config.ts';
import { checkSecrets } from '../secrets/secrets-check.ts';
import { type Found, failed, ok, skipped, warning } from './finding.ts';

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

/** Checks what the server relies on: the version, and settings that decide whether a given answer stays true. */
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
  if (facts.version < OLDEST_POSTGRES * 10_000)
    found.push(failed(`PostgreSQL is ${facts.words}.`, `Upgrade it to ${OLDEST_POSTGRES} or newer.`));
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

/** What to do when it cannot be used, by PostgreSQL's code or the network's. */
const ADVICE: Record<string, string> = {
  '28P01': 'Check the user and the password in DATABASE_URL.',
  '28000': 'Check the user in DATABASE_URL, and that pg_hba.conf lets this machine in.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '53300': 'Raise max_connections of PostgreSQL, or stop what holds its connections.',
  '57P03': 'Wait until PostgreSQL has started.',
  ENOTFOUND: 'Check the host in DATABASE_URL.',
};

export function databaseAdvice(error: unknown, otherwise: string): string {
  for (let e = error; e !== null && typeof e === 'object'; e = (e as { cause?: unknown }).cause) {
    const advice = ADVICE[String((e as { code?: unknown }).code)];
    if (advice) return advice;
  }
  return otherwise;
}

/** A table, a column or a schema that is not there yet. */
const UNMADE = new Set(['42P01', '42703', '3F000']);

/** Skips checks that need what an older schema does not have; that it is older is a finding of its own. */
export async function inSchema(run: () => Promise<Found[] | Found>): Promise<Found[] | Found> {
  try {
    return await run();
  } catch (error) {
    if (UNMADE.has(sqlState(error) ?? '')) return skipped('It needs the schema of this version.');
    throw error;
  }
}

const NAMED = 3;
const named = (names: readonly string[]) =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more` : names.join(', ');

export async function schema(sql: Sql): Promise<Found> {
  const ran = await readMigrations(sql);
  if (ran.length === 0) return failed('The database is empty.', 'Start the server, which makes its tables.');
  const { pending, unknown, origin } = await readSchemaState(sql, migrationsFolder);
  if (unknown.length > 0) {
    const [found = '', todo = ''] = refusalOf(origin, { unknown, pending }).split(/(?<=\.) (?=Start )/);
    return failed(found, todo);
  }
  if (pending.length > 0)
    return failed(
      `${plainPlural(pending.length, 'migration')} ${pending.length === 1 ? 'has' : 'have'} not run: ${named(pending)}.`,
      'Make a backup, then start the server, or run: tonerow-server migrate',
    );
  const stopped = await stoppedRun(sql);
  if (stopped > 0)
    return warning(
      `Some tables of accounts have ${stopped} partitions and others none: a run was stopped.`,
      `Go on with: tonerow-server partition --by ${stopped}`,
    );
  const partitions = await partitionCount(sql);
  return ok(`The database has the schema of this version${partitions > 0 ? `, with ${partitions} partitions` : ''}.`);
}

export async function secretsOf(sql: Sql, secrets: Secrets): Promise<Found> {
  const fault = await checkSecrets(sql, secrets);
  if (!fault) return ok('The secrets that are set open all that the database keeps sealed.');
  return failed(fault.detail ?? fault.reason, 'Put the missing secret back. See: tonerow-server secrets list');
}
