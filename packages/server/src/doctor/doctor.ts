import { setTimeout as pause } from 'node:timers/promises';
import { billingHealth } from '#features/billing';
import { verifiedHosts } from '#features/branding';
import { statementDifferences } from '#features/payouts';
import { countOpen } from '#features/plans';
import { webhookHealth } from '#features/webhooks';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { openDatabase } from '#platform/db/open.ts';
import { readEmailWait, readSilence, readWaiting } from '#platform/jobs/job-figures.ts';
import { createLogger } from '#platform/log.ts';
import { type Dns, systemDns } from '#platform/network/dns.ts';
import { systemRandom } from '#platform/random.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import { monthOf } from '#platform/time/months.ts';
import { defaultStorage, migrationsFolder, type ReadyConfig } from '../base.ts';
import { entities } from '../entities.ts';
import { backups } from './backup-checks.ts';
import { clockBeside, clockOf, clocksBeside } from './clock-checks.ts';
import { databaseAdvice, databaseSettings, inSchema, schema, secretsOf } from './database-checks.ts';
import { type Examination, examine, type Finding, type Found, failed, skipped, wordsOf } from './finding.ts';
import * as outside from './outside-checks.ts';
import { judgeJobs, judgeMoney, judgeWebhooks } from './work-checks.ts';

const DATABASE_TODO = 'Check that PostgreSQL runs, and that DATABASE_URL leads to it.';
const EMBEDDED_TODO = 'Start the server: the database in its data folder runs with it.';
const CLOSING = 1000;

interface Options {
  config: ReadyConfig;
  /** Why there are no secrets, where there are none. */
  withoutSecrets?: string | undefined;
  /** The database is the one that runs with the server. */
  embedded?: boolean;
  clock?: Clock;
  dns?: Dns;
}

/** The needs of examinations of the database. */
type Needs = Required<Omit<Options, 'withoutSecrets' | 'embedded'>> & {
  todo: string;
  withoutSecrets: string | undefined;
};

/**
 * Examines an installation beside its server, or without one. Nothing is changed but an object in the storage, which is deleted
 * again. What needs the database is skipped while that cannot be reached.
 */
export async function diagnose(options: Options): Promise<Finding[]> {
  const { config, withoutSecrets, embedded = false, clock = systemClock, dns = systemDns() } = options;
  const log = createLogger('silent');
  const url = config.directDatabaseUrl ?? config.databaseUrl;
  const sizes = { api: 4, licensing: 1, bulk: 1 };
  const todo = embedded ? EMBEDDED_TODO : DATABASE_TODO;
  const { db } = openDatabase({ url, sizes, entities, log, migrationsFolder });
  try {
    let reached = false;
    const database = await examine({
      name: 'database',
      async run() {
        try {
          const found = await databaseSettings(db, config);
          reached = true;
          return found;
        } catch (error) {
          return failed(wordsOf(error), embedded ? todo : databaseAdvice(error, todo));
        }
      },
      todo,
    });
    const needing = inDatabase(db, { config, clock, dns, todo, withoutSecrets }).map((each) => ({
      ...each,
      run: () => inSchema(each.run),
    }));
    const [inside, beside] = await Promise.all([
      reached ? all(needing) : needing.map(({ name }) => ({ check: name, ...skipped(UNREACHED) })),
      all(outsideOf(config, clock)),
    ]);
    return [...database, ...inside, ...beside];
  } finally {
    // does not wait for a close that hangs
    await Promise.race([db.close().catch(() => undefined), pause(CLOSING, undefined, { ref: false })]);
  }
}

const UNREACHED = 'It needs the database, which cannot be used.';

const all = async (examinations: readonly Examination[]): Promise<Finding[]> =>
  (await Promise.all(examinations.map((each) => examine(each)))).flat();

function inDatabase(db: Database, { config, clock, dns, todo, withoutSecrets }: Needs): Examination[] {
  return [
    { name: 'schema', todo, run: () => schema(db) },
    {
      name: 'secrets',
      todo,
      async run(): Promise<Found> {
        if (withoutSecrets) return failed(withoutSecrets, 'Put the secret back. See “Secrets” in docs/operations.md.');
        return secretsOf(db, new Secrets(config.secrets, systemRandom(clock)));
      },
    },
    { name: 'clock', todo, run: () => clockOf(db, clock) },
    {
      name: 'jobs',
      todo,
      run: async () => judgeJobs(await readWaiting(db), await readEmailWait(db, ['mail']), await readSilence(db)),
    },
    { name: 'webhooks', todo, run: async () => judgeWebhooks(await webhookHealth(db, clock.now())) },
    { name: 'money', todo, run: async () => judgeMoney(await moneyHealth(db, clock.now()), clock.now()) },
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

async function moneyHealth(db: Database, now: Date) {
  const [unclosed, statements, billing] = await Promise.all([
    countOpen(db, monthOf(now)),
    statementDifferences(db),
    billingHealth(db),
  ]);
  const overdue = billing.oldestDue ? (now.getTime() - billing.oldestDue.getTime()) / 1000 : 0;
  return { unclosed, statementDifferences: statements, billingDifferences: billing.differences, overdue };
}

function outsideOf(config: ReadyConfig, clock: Clock): Examination[] {
  const { s3, dataDir, egress } = config;
  const { proxy } = egress;
  const storageTodo = s3 ? 'Check S3_ENDPOINT, S3_BUCKET and the keys.' : 'Check who may write to TONEROW_DATA_DIR.';
  const where = s3 ? `The bucket ${s3.bucket}` : `The folder ${dataDir}/files`;
  return [
    { name: 'settings', todo: 'See “Settings” in docs/operations.md.', run: async () => outside.settings(config) },
    { name: 'disk', todo: 'Check TONEROW_DATA_DIR.', run: () => outside.disk(dataDir) },
    {
      name: 'storage',
      todo: storageTodo,
      async run() {
        const random = systemRandom(clock);
        const storage = await defaultStorage(config, random);
        try {
          return await outside.storageWorks(storage, random, where);
        } catch (error) {
          return failed(`${where} cannot be used: ${wordsOf(error)}`, storageTodo);
        } finally {
          storage.close();
        }
      },
    },
    ...clocksBeside(config).map((each) => ({
      name: 'clock',
      todo: 'Set it by NTP.',
      run: () => clockBeside(each, clock),
    })),
    { name: 'email', todo: 'Check SMTP_URL.', run: () => outside.email(config) },
    { name: 'server', todo: 'See its log.', run: () => outside.server(config) },
    { name: 'address', todo: 'Check TONEROW_PUBLIC_URL.', run: () => outside.address(config, clock) },
    ...(proxy
      ? [{ name: 'webhooks', todo: 'Check TONEROW_EGRESS_PROXY.', run: () => outside.egressProxy(proxy) }]
      : []),
    { name: 'backups', todo: 'Check TONEROW_BACKUP_TO.', run: () => backups(config, clock) },
    { name: 'update', todo: 'Check TONEROW_RELEASE_FEED.', run: () => outside.update(config) },
  ];
}
