import pg from 'pg';
import { hasCitus } from '#platform/db/citus/spread.ts';
import { refuseWorker } from '#platform/db/coordinator.ts';
import { type Sql, sqlOf } from '#platform/db/database.ts';
import { openDatabase } from '#platform/db/open.ts';
import { migrate } from '#platform/db/schema/migrate.ts';
import { readSchemaState, refuseForeignSchema } from '#platform/db/schema/schema-state.ts';
import { StartupError } from '#platform/errors.ts';
import { createLogger } from '#platform/log.ts';
import { migrationsFolder } from '../base.ts';
import { type Env, readConfig } from '../config.ts';
import { connectionsFor } from '../connections.ts';
import { entities } from '../entities.ts';
import { spread } from '../spread.ts';
import { clusterLacks, type Lack, readNodes } from './cluster-checks.ts';
import { distribute, isFinished, NO_COORDINATOR, PLACES, tablesToSpread } from './distribute.ts';

interface Request {
  coordinator: string | undefined;
  shards: string | undefined;
  dryRun: boolean;
  env: Env;
  report: (line: string) => void;
}

/** `tonerow-server distribute`: while no server runs on the database. Resolves with the exit code. */
export async function runDistribute({ coordinator, shards, dryRun, env, report }: Request): Promise<number> {
  const address = coordinator === undefined ? undefined : readAddress(coordinator);
  const count = shards === undefined ? undefined : readCount(shards);
  const config = readConfig(env);
  if (config.databaseUrl === undefined) {
    throw new StartupError(
      'The embedded database is one PostgreSQL on this machine. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  const { directUrl } = await connectionsFor({ ...config, databaseUrl: config.databaseUrl, secrets: [] });
  const client = new pg.Client({ connectionString: directUrl, application_name: 'tonerow-distribute' });
  await client.connect();
  try {
    const sql = sqlOf(client);
    await refusePlain(sql);
    await refuseWorker(sql);
    const lacks = await clusterLacks(sql, address);
    const registered = (await readNodes(sql)).some((node) => node.coordinator);
    if (!address && !registered) lacks.push({ what: 'The coordinator is not registered.', mend: NO_COORDINATOR });
    if (lacks.length > 0) {
      for (const line of wordsOf(lacks)) report(line);
      return 1;
    }
    await refuseRunningServer(sql);
    await refusePartitioned(sql);
    const { pending } = await schemaOf(sql);
    if (dryRun && pending.length > 0) {
      report('The tables are not made, or not current: that would be done first.');
      return 0;
    }
    if (pending.length > 0) await migrateFirst(directUrl);
    if (await isFinished(sql, spread)) {
      report('This database is distributed already: every table is what it should be.');
      return 0;
    }
    if (dryRun) {
      for (const { name, should } of await tablesToSpread(sql, spread)) report(`${name}: would be ${PLACES[should]}`);
      return 0;
    }
    const done = await distribute(sql, { spread, coordinator: address, shards: count, report });
    report(`${done} tables. Start the server now, with TONEROW_JOBS_BACKEND=citus.`);
    return 0;
  } finally {
    await client.end();
  }
}

async function refusePlain(sql: Sql): Promise<void> {
  if (await hasCitus(sql)) return;
  const available = await sql.query("select 1 from pg_available_extensions where name = 'citus'");
  throw new StartupError(
    available.length === 0
      ? 'This is a PostgreSQL without Citus, which one machine is enough for. Nothing was changed. See "Many machines" in docs/scaling.md.'
      : 'Citus is installed here, but not in this database. As a superuser, in this database on every machine: create extension citus;',
  );
}

/** Rows that a server writes meanwhile would wait for hours, or be left behind. */
async function refuseRunningServer(sql: Sql): Promise<void> {
  const others = await sql.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'tonerow-%' and pid <> pg_backend_pid()`,
  );
  if (others.length > 0)
    throw new StartupError('A server, or a command of it, is at work on this database. Stop it first.');
}

/** Citus divides tables itself, and its parts are as many and as small as one likes. */
async function refusePartitioned(sql: Sql): Promise<void> {
  const partitioned = await sql.query(
    "select 1 from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace limit 1",
  );
  if (partitioned.length > 0)
    throw new StartupError(
      'The tables of this database have partitions. Distribute an empty database instead, and restore a backup of this one into it.',
    );
}

async function schemaOf(sql: Sql) {
  const state = await readSchemaState(sql, migrationsFolder);
  refuseForeignSchema(state);
  return state;
}

/** An empty database gets its tables here, so that no server has to be started on it before. */
async function migrateFirst(url: string): Promise<void> {
  const log = createLogger('error');
  const { orm, db } = openDatabase({ url, sizes: { api: 2, licensing: 1, bulk: 1 }, entities, log, migrationsFolder });
  try {
    await migrate(orm, { url, folder: migrationsFolder, spread, unfinished: true });
  } finally {
    await db.close();
  }
}

function readAddress(text: string): { host: string; port: number } {
  const [, host, port = '5432'] = /^([^:\s]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === undefined) throw new StartupError('--coordinator: write HOST or HOST:PORT.');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1024)
    throw new StartupError('--shards: write a number from 1 to 1024.');
  return count;
}

function wordsOf(lacks: Lack[]): string[] {
  return [
    'The cluster is not ready:',
    '',
    ...lacks.flatMap(({ what, mend }) => [`  ${what}`, ...mend.split('\n').map((line) => `    ${line}`), '']),
  ];
}
