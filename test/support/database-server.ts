import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../packages/server/src/config.ts';
import { createDeps } from '../../packages/server/src/deps.ts';
import { entities } from '../../packages/server/src/entities.ts';
import { partition } from '../../packages/server/src/partition/index.ts';
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts';
import { createOrm } from '../../packages/server/src/platform/db/orm.ts';
import { migrate } from '../../packages/server/src/platform/db/schema/migrate.ts';
import { spread } from '../../packages/server/src/spread.ts';
import { clusterNodes, makeCluster, makeTemplate } from './citus.ts';

const log = pino({ level: 'silent' });

/**
 * One PostgreSQL for all tests (embedded, the one DATABASE_URL names, or the Citus cluster of TONEROW_CITUS) and one migrated template
 * to clone.
 */
export async function startDatabaseServer(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-test-'));
  const cluster = process.env.TONEROW_CITUS;
  const given = cluster ?? process.env.DATABASE_URL;
  const embedded = given
    ? null
    : await startEmbeddedPostgres({
        dataDir: folder,
        log,
        settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
      });
  const server = given ?? (embedded as { url: string }).url;
  const template = `tonerow_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const machines = cluster ? await clusterNodes(cluster) : [server];
  if (cluster) await makeCluster(machines, template);
  else await admin.query(`create database ${template}`);
  const url = withDatabase(server, template);
  const orm = createOrm({ url, entities, log, migrationsFolder: path.resolve('migrations') });
  await migrate(orm, { url, folder: path.resolve('migrations'), spread });
  await orm.close(true);
  await makeQueues(url, folder);
  // the same tests on tables with partitions: npm test -- --partitions http
  const by = cluster ? 0 : Number(process.env.TONEROW_TEST_PARTITIONS ?? 0);
  const whole = by > 0 ? `${template}_whole` : template;
  if (by > 0) {
    await admin.query(`create database ${whole} template ${template}`);
    await partition({ url, by, report: () => undefined, agreed: () => true });
  }
  if (cluster) await makeTemplate(machines, template);
  project.provide('databaseServer', server);
  project.provide('template', template);
  project.provide('wholeTemplate', whole);
  project.provide('machines', machines);
  return async () => {
    for (const machine of machines) await dropDatabases(machine, template);
    await admin.end();
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function dropDatabases(machine: string, template: string): Promise<void> {
  const admin = new pg.Client({ connectionString: machine });
  await admin.connect();
  const left = await admin.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    `${template}%`,
  ]);
  for (const { datname } of left.rows) await admin.query(`drop database if exists ${datname} with (force)`);
  await admin.end();
}

/** The queues of every feature's jobs, so that no test's server has to make them. */
async function makeQueues(databaseUrl: string, dataDir: string): Promise<void> {
  const config = readConfig({ TONEROW_DATA_DIR: dataDir, TONEROW_ROLE: 'api' });
  const deps = await createDeps({ ...config, databaseUrl, secrets: ['x'.repeat(32)] }, { log });
  await deps.jobs.start({ work: false });
  await deps.jobs.stop(100);
  await deps.close();
}

export function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}
