import path from 'node:path';
import { type Clock, systemClock } from '#platform/clock.ts';
import { Workers } from '#platform/db/citus/workers.ts';
import { embeddedUrl } from '#platform/db/embedded/embedded-postgres.ts';
import { openDatabase } from '#platform/db/open.ts';
import { poolFigures } from '#platform/db/pools/pool-figures.ts';
import type { Connections } from '#platform/db/pools/pooler.ts';
import { Egress, type Lookup } from '#platform/egress/egress.ts';
import { type Mailer, outboxMailer, smtpMailer } from '#platform/email/mailer.ts';
import { MailerWatch } from '#platform/email/mailer-watch.ts';
import { Events, eventOf } from '#platform/events.ts';
import type { Base } from '#platform/feature.ts';
import { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobFigures } from '#platform/jobs/job-figures.ts';
import { Jobs } from '#platform/jobs/jobs.ts';
import { PluginsFirst } from '#platform/limits/plugins-first.ts';
import { createLogger, type Logger } from '#platform/log.ts';
import { Metrics, type MetricsMode } from '#platform/metrics/metrics.ts';
import { type Dns, systemDns } from '#platform/network/dns.ts';
import { countryOfRequest } from '#platform/network/geo.ts';
import { Readiness } from '#platform/operations/readiness.ts';
import { Warnings } from '#platform/operations/warnings.ts';
import { stripePayments } from '#platform/payments/stripe.ts';
import { type Random, systemRandom } from '#platform/random.ts';
import { type PasswordCost, PasswordHash } from '#platform/secrets/password-hash.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import { Exports } from '#platform/spool/exports.ts';
import { Spool } from '#platform/spool/spool.ts';
import { Disk, namingFullDisk } from '#platform/storage/disk.ts';
import { folderStorage } from '#platform/storage/folder.ts';
import { s3Storage } from '#platform/storage/s3.ts';
import type { Storage } from '#platform/storage/storage.ts';
import { StorageWatch } from '#platform/storage/storage-watch.ts';
import { startTracing } from '#platform/tracing/start.ts';
import { backupFigures } from './backup/backup-age.ts';
import type { Config } from './config.ts';
import { entities } from './entities.ts';
import { features } from './features.ts';
import { readinessChecks } from './readiness-checks.ts';

/** Parts that may be replaced from outside, mostly by tests. */
export interface Overrides {
  clock?: Clock;
  log?: Logger;
  mailer?: Mailer;
  storage?: Storage;
  /** Free bytes on the disk of a folder. */
  freeBytes?: (folder: string) => Promise<number>;
  dns?: Dns;
  /** Resolves the hosts that accounts choose. */
  lookup?: Lookup;
  /** The cost of hashing a password. */
  passwordCost?: PasswordCost;
  /** The most requests to Stripe per second. */
  stripeCallsPerSecond?: number;
}

/** A config whose database and secrets are ready: embedded ones have been started and created. */
export type ReadyConfig = Config & {
  databaseUrl: string;
  secrets: string[];
  part?: Part;
  /** Where the dashboard was built; without it only the API is served. */
  webFolder?: string;
} & Partial<Connections>;

/**
 * A process alone, or what it is among several on this machine: the leader serves no API, its followers nothing else.
 */
export type Part = 'whole' | 'leader' | 'follower';

const clientFolder = path.resolve(import.meta.dirname, '../../cli');
export const migrationsFolder = path.resolve(import.meta.dirname, '../../../migrations');

/** The platform by the settings of this process: what every feature is given, and what has to be closed at the end. */
export async function createBase(config: ReadyConfig, overrides: Overrides) {
  const clock = overrides.clock ?? systemClock;
  const random = systemRandom(clock);
  const log = overrides.log ?? createLogger(config.logLevel);
  const secrets = new Secrets(config.secrets, random);
  const tracing = await startTracing(config.tracing, log);
  const directUrl = config.directUrl ?? config.databaseUrl;
  const { orm, db, lanes } = openDatabase({
    url: config.databaseUrl,
    directUrl,
    pooled: config.pooled ?? false,
    embedded: config.databaseUrl === (await embeddedUrl(config.dataDir)),
    cluster: config.jobsBackend === 'citus',
    sizes: config.pools,
    entities,
    log,
    tracing,
    migrationsFolder,
  });
  const metrics = new Metrics(metricsMode(config));
  const jobs = new Jobs({
    url: directUrl,
    backend: config.jobsBackend,
    worker: config.roles.worker,
    log,
    metrics,
    tracing,
  });
  const mailerWatch = new MailerWatch({ mailer: overrides.mailer ?? defaultMailer(config), log, metrics });
  const disk = new Disk({
    folder: config.dataDir,
    clock,
    log,
    ...(overrides.freeBytes ? { free: overrides.freeBytes } : {}),
  });
  const warnings = new Warnings();
  warnings.add(() => disk.warnings());
  const workers = new Workers({ db, url: directUrl, log });
  warnings.add(() => workers.warnings());
  workers.figures(metrics);
  const files = new StorageWatch({
    storage: overrides.storage ?? (await defaultStorage(config, random)),
    clock,
    log,
    metrics,
  });
  warnings.add(() => files.warnings());
  warnings.add(() => mailerWatch.warnings());
  const storage = namingFullDisk(files.storage, disk);
  metrics.measured(
    { name: 'tonerow_disk_free_bytes', help: 'Free space on the disk of the data folder of this process' },
    async () => (Number.isFinite(await disk.free()) ? [[{}, await disk.free()]] : []),
  );
  const spool = await Spool.open({ folder: path.join(config.dataDir, 'spool'), limit: config.spoolSize, random });
  const events = new Events({ url: directUrl, log, schema: eventOf(features.events) });
  const readiness = new Readiness(readinessChecks({ ...config, migrationsFolder, db, secrets }), log);
  jobFigures(metrics, db, jobs);
  poolFigures(metrics, lanes);
  backupFigures(metrics, { backups: config.backups, clock, log });
  metrics.gauge(
    { name: 'tonerow_ready', help: 'Whether the process may take traffic: 1 or 0' },
    () => [[{}, readiness.last.ready ? 1 : 0]],
    'min',
  );
  const egress = new Egress({ ...config.egress, ...(overrides.lookup ? { lookup: overrides.lookup } : {}) });
  const base: Omit<Base, 'eraseEverywhere' | 'sealed'> = {
    clock,
    random,
    log,
    secrets,
    passwordHash: new PasswordHash(overrides.passwordCost),
    db,
    workers,
    storage,
    disk,
    spool,
    exports: new Exports({ db, spool }),
    jobs,
    pluginsFirst: new PluginsFirst(),
    limits: new RateLimits({ enabled: config.rateLimits, db }),
    events,
    mailer: mailerWatch.mailer,
    payments: config.stripe ? await stripePayments(config.stripe, overrides.stripeCallsPerSecond) : null,
    dns: overrides.dns ?? systemDns(),
    egress,
    metrics,
    tracing,
    readiness,
    warnings,
    countryOf: countryOfRequest(config.countryHeader, config.trustProxy),
    publicUrl: config.publicUrl,
    invoiceFrom: config.invoiceFrom,
    domainTarget: config.domainTarget,
    shopSettings: config.shops,
    webFolder: config.webFolder,
    clientFolder,
  };
  return {
    base,
    orm,
    async close() {
      await events.stop();
      mailerWatch.mailer.close();
      egress.close();
      storage.close();
      await db.close();
      await tracing.stop();
    },
  };
}

function metricsMode(config: ReadyConfig): MetricsMode {
  if (config.metricsPort === undefined) return 'off';
  return config.part === 'follower' ? 'report' : 'serve';
}

function defaultMailer(config: ReadyConfig): Mailer {
  return config.smtpUrl
    ? smtpMailer(config.smtpUrl, config.emailFrom)
    : outboxMailer(path.join(config.dataDir, 'outbox'), config.emailFrom);
}

export function defaultStorage(config: ReadyConfig, random: Random): Promise<Storage> | Storage {
  return config.s3 ? s3Storage(config.s3) : folderStorage(path.join(config.dataDir, 'files'), random);
}
