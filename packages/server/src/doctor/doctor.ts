import { setTimeout as pause } from 'node:timers/promises';
import { verifiedHosts } from '#features/branding';
import { webhookHealth } from '#features/webhooks';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { openDatabase } from '#platform/db/open.ts';
import { readEmailWait, readWaiting } from '#platform/jobs/job-figures.ts';
import { createLogger } from '#platform/log.ts';
import { type Dns, systemDns } from '#platform/network/dns.ts';
import { systemRandom } from '#platform/random.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import { defaultStorage, migrationsFolder, type ReadyConfig } from '../base.ts';
import { entities } from '../entities.ts';
import { clockOf, databaseSettings, schema, secretsOf } from './database-checks.ts';
import { type Examination, examine, type Finding, skipped } from './finding.ts';
import * as outside from './outside-checks.ts';
import { judgeJobs, judgeWebhooks } from './work-checks.ts';

const DATABASE_TODO = 'Check that PostgreSQL runs, and that DATABASE_URL leads to it.';
const CLOSING = 1000;

interface Options {
  config: ReadyConfig;
  clock?: Clock;
  dns?: Dns;
}

/**
 * Examines an installation beside its server, or without one. Nothing is changed but an object in the storage, which is deleted
 * again. What needs the database is skipped while that cannot be reached.
 */
export async function diagnose({ config, clock = systemClock, dns = systemDns() }: Options): Promise<Finding[]> {
  const log = createLogger('silent');
  const url = config.directDatabaseUrl ?? config.databaseUrl;
  const sizes = { api: 4, licensing: 1, bulk: 1 };
  const { db } = openDatabase({ url, sizes, entities, log, migrationsFolder });
  try {
    let reached = false;
    const database = await examine({
      name: 'database',
      async run() {
        const found = await databaseSettings(db, config);
        reached = true;
        return found;
      },
      todo: DATABASE_TODO,
    });
    const needing = inDatabase(db, { config, clock, dns });
    const [inside, beside] = await Promise.all([
      reached ? all(needing) : needing.map(({ name }) => ({ check: name, ...skipped(UNREACHED) })),
      all(outsideOf(config, clock)),
    ]);
    return [...database, ...inside, ...beside];
  } finally {
    // what hangs is not waited for
    await Promise.race([db.close().catch(() => undefined), pause(CLOSING, undefined, { ref: false })]);
  }
}

const UNREACHED = 'It needs the database, which cannot be used.';

const all = async (examinations: readonly Examination[]): Promise<Finding[]> =>
  (await Promise.all(examinations.map((each) => examine(each)))).flat();

function inDatabase(db: Database, { config, clock, dns }: Required<Options>): Examination[] {
  const secrets = new Secrets(config.secrets, systemRandom(clock));
  const todo = DATABASE_TODO;
  return [
    { name: 'schema', todo, run: () => schema(db) },
    { name: 'secrets', todo, run: () => secretsOf(db, secrets) },
    { name: 'clock', todo, run: () => clockOf(db, clock) },
    { name: 'jobs', todo, run: async () => judgeJobs(await readWaiting(db), await readEmailWait(db, ['mail'])) },
    { name: 'webhooks', todo, run: async () => judgeWebhooks(await webhookHealth(db, clock.now())) },
    {
      name: 'domains',
      todo: 'Check the DNS servers of this machine.',
      async run() {
        const { hosts, total } = await verifiedHosts(db, outside.mostDomains);
        const secure = config.publicUrl.startsWith('https:');
        return outside.domains({ hosts, total, target: config.domainTarget, dns, clock, secure });
      },
    },
  ];
}

function outsideOf(config: ReadyConfig, clock: Clock): Examination[] {
  const { s3, dataDir } = config;
  const where = s3 ? `The bucket ${s3.bucket}` : `The folder ${dataDir}/files`;
  return [
    { name: 'settings', todo: 'See README.md.', run: async () => outside.settings(config) },
    { name: 'disk', todo: 'Check TONEROW_DATA_DIR.', run: () => outside.disk(dataDir) },
    {
      name: 'storage',
      todo: s3 ? 'Check S3_ENDPOINT, S3_BUCKET and the keys.' : 'Check who may write to TONEROW_DATA_DIR.',
      async run() {
        const random = systemRandom(clock);
        const storage = await defaultStorage(config, random);
        try {
          return await outside.storageWorks(storage, random, where);
        } finally {
          storage.close();
        }
      },
    },
    ...(s3 ? [{ name: 'clock', todo: 'Check S3_ENDPOINT.', run: () => outside.storageClock(s3.endpoint, clock) }] : []),
    { name: 'email', todo: 'Check SMTP_URL.', run: () => outside.email(config) },
    { name: 'server', todo: 'See its log.', run: () => outside.server(config) },
    { name: 'address', todo: 'Check TONEROW_PUBLIC_URL.', run: () => outside.address(config, clock) },
    { name: 'backups', todo: 'Check TONEROW_BACKUP_TO.', run: () => outside.backups(config, clock) },
    { name: 'update', todo: 'Check TONEROW_RELEASE_FEED.', run: () => outside.update(config) },
  ];
}
