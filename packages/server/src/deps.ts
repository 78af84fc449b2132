import path from 'node:path';
import type { Config } from './config.ts';
import { entities } from './entities.ts';
import {
  AccountEmails,
  AccountSettings,
  Accounts,
  EmailVerifications,
  KnownPlaces,
  PasswordChanges,
  Registration,
  Sessions,
  TwoFactor,
} from './features/accounts/index.ts';
import { AnalyticsService } from './features/analytics/index.ts';
import { Branding, Domains, Notices } from './features/branding/index.ts';
import { Customers } from './features/customers/index.ts';
import { Files } from './features/files/index.ts';
import { Imports } from './features/imports/index.ts';
import {
  HiseLicensing,
  JuceUnlock,
  KeyFiles,
  LicenseFigures,
  Licensing,
  OfflineLicenses,
  ProductKeys,
  Refusals,
  Seats,
  ServerTime,
  SigningKeys,
} from './features/licensing/index.ts';
import { PublishedEvent } from './features/live/index.ts';
import { Media } from './features/media/index.ts';
import {
  AccountClosings,
  Announcements,
  Digests,
  Mails,
  Notifications,
  redeemUrlOn,
  Unsubscribing,
} from './features/notifications/index.ts';
import { Partnerships } from './features/partnerships/index.ts';
import { Plans } from './features/plans/index.ts';
import { PluginKeys } from './features/plugin-keys/index.ts';
import { Products } from './features/products/index.ts';
import { MyProducts, Redemptions, rebuildSums } from './features/redemption/index.ts';
import { Search } from './features/search/index.ts';
import { SerialLists, Serials } from './features/serials/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import { openDatabase } from './platform/db/open.ts';
import { poolFigures } from './platform/db/pool-figures.ts';
import type { Connections } from './platform/db/pooler.ts';
import { readSchemaState } from './platform/db/schema-state.ts';
import { type Dns, systemDns } from './platform/dns.ts';
import { Events } from './platform/events.ts';
import { countryOfRequest } from './platform/geo.ts';
import { RateLimits } from './platform/http/rate-limits.ts';
import { jobFigures } from './platform/jobs/job-figures.ts';
import { type JobHandlers, Jobs } from './platform/jobs/jobs.ts';
import { createLogger, type Logger } from './platform/log.ts';
import { type Mailer, outboxMailer, smtpMailer } from './platform/mail/mailer.ts';
import { Metrics, type MetricsMode } from './platform/metrics/metrics.ts';
import { systemRandom } from './platform/random.ts';
import { type Check, Readiness } from './platform/readiness.ts';
import { Secrets } from './platform/secrets.ts';
import { Exports } from './platform/spool/exports.ts';
import { Spool } from './platform/spool/spool.ts';
import { Disk, namingFullDisk } from './platform/storage/disk.ts';
import { folderStorage } from './platform/storage/folder.ts';
import { s3Storage } from './platform/storage/s3.ts';
import type { Storage } from './platform/storage/storage.ts';
import { startTracing } from './platform/tracing/tracing.ts';
import { checkSecrets } from './secrets-check.ts';

/** What may be replaced from outside, by tests above all. */
export interface Overrides {
  clock?: Clock;
  log?: Logger;
  mailer?: Mailer;
  storage?: Storage;
  /** Free bytes on the disk of a folder. */
  freeBytes?: (folder: string) => Promise<number>;
  dns?: Dns;
}

/** A config whose database and secrets are settled: the embedded ones have been started and made. */
export type ReadyConfig = Config & { databaseUrl: string; secrets: string[]; part?: Part } & Partial<Connections>;

/** A process alone, or what it is among several on this machine: the leader serves no API, its followers nothing else. */
export type Part = 'whole' | 'leader' | 'follower';

export type Deps = Awaited<ReturnType<typeof createDeps>>;

export const migrationsFolder = path.resolve(import.meta.dirname, '../../../migrations');

/** The only place where things are put together. */
export async function createDeps(config: ReadyConfig, overrides: Overrides = {}) {
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
  const mailer = overrides.mailer ?? defaultMailer(config);
  const disk = new Disk({
    folder: config.dataDir,
    clock,
    log,
    ...(overrides.freeBytes ? { free: overrides.freeBytes } : {}),
  });
  const storage = namingFullDisk(
    overrides.storage ??
      (config.s3 ? await s3Storage(config.s3) : folderStorage(path.join(config.dataDir, 'files'), random)),
    disk,
  );
  const limits = new RateLimits({ enabled: config.rateLimits, db });
  const spool = await Spool.open({ folder: path.join(config.dataDir, 'spool'), limit: config.spoolSize, random });
  const countryOf = countryOfRequest(config.countryHeader, config.trustProxy);
  const events = new Events({ url: directUrl, log, schema: PublishedEvent });
  const base = {
    config,
    clock,
    random,
    log,
    secrets,
    db,
    spool,
    exports: new Exports({ db, spool }),
    jobs,
    limits,
    metrics,
    tracing,
    countryOf,
    events,
    publicUrl: config.publicUrl,
  };

  const mails = new Mails({ ...base, mailer });
  const unsubscribing = new Unsubscribing(base);
  const letters = { ...base, mails, unsubscribing };
  const redeemUrl = redeemUrlOn(config.publicUrl);
  const notifications = new Notifications({ ...letters, redeemUrl });
  const announcements = new Announcements(letters);
  const accountClosings = new AccountClosings({ ...letters, redeemUrl });
  const digests = new Digests(letters);
  const media = new Media({ storage, random });
  const files = new Files({
    ...base,
    storage,
    isOpen: (developerId, serialId) => redemptions.downloads.isOpen(developerId, serialId),
  });
  const sessions = new Sessions(base);
  const twoFactor = new TwoFactor(base);
  const knownPlaces = new KnownPlaces(base);
  const accountEmails = new AccountEmails(base);
  const registration = new Registration({ ...base, accountEmails });
  const emailVerifications = new EmailVerifications({ ...base, accountEmails });
  const pluginKeys = new PluginKeys(base);
  const passwords = new PasswordChanges({
    ...base,
    sessions,
    accountEmails,
    knownPlaces,
    onTakeover: (sql, userId) => pluginKeys.endReveals(sql, userId),
  });
  const accounts = new Accounts({
    ...base,
    sessions,
    twoFactor,
    knownPlaces,
    onDelete: (sql, userId) => accountClosings.begin(sql, userId),
  });
  const accountSettings = new AccountSettings({ ...base, onTimeZone: rebuildSums });
  const domains = new Domains({ ...base, dns: overrides.dns ?? systemDns(), domainTarget: config.domainTarget });
  const branding = new Branding({ ...base, domains });
  const notices = new Notices({ db, branding, domains, redeemUrl });
  const partnerships = new Partnerships(base);
  const serials = new Serials({ ...base, partnerships });
  const serialLists = new SerialLists(base);
  const plans = new Plans(base);
  const productKeys = new ProductKeys(base);
  const products = new Products({ ...base, productSerials: serials, ownFiles: files, shippedPlugins: productKeys });
  const customers = new Customers({
    ...base,
    forgetAddress: (sql, developerId, address) => mails.forget(sql, developerId, address),
  });
  const redemptions = new Redemptions({ ...base, fileLinks: files, customers, letters: notifications });
  const myProducts = new MyProducts({
    ...base,
    redemptions,
    letters: notifications,
    developerOf: domains.developerOf,
  });
  const imports = new Imports({ ...base, storage, partnerships });
  const analytics = new AnalyticsService(base);
  const search = new Search(base);
  const refusals = new Refusals(base);
  const licenseFigures = new LicenseFigures(base);
  const licensing = new Licensing({ ...base, redemptions, pluginKeys, refusals });
  const keyFiles = new KeyFiles({ ...base, licensing, pluginKeys, productKeys });
  const serverTime = new ServerTime({ ...base, licensing, keyFiles, productKeys });
  const juceUnlock = new JuceUnlock({ ...base, keyFiles, productKeys, refusals });
  const hise = new HiseLicensing({ ...base, licensing, customers, keyFiles, productKeys });
  const offline = new OfflineLicenses({ ...base, keyFiles, productKeys, keys: new SigningKeys(base) });
  const seats = new Seats(base);

  const readiness = new Readiness(readinessChecks(config, db, secrets), log);
  jobFigures(metrics, db);
  poolFigures(metrics, lanes);
  metrics.gauge(
    { name: 'tonerow_ready', help: 'Whether the process may take traffic: 1 or 0' },
    () => [[{}, readiness.last.ready ? 1 : 0]],
    'min',
  );

  const handlers: JobHandlers = {
    mail: (mail, id) => mails.deliver(mail, id),
    'account-email': (request) => accountEmails.send(request),
    'my-products': (wish) => myProducts.sendLink(wish),
    'account-closed': (closing) => accountClosings.run(closing),
    'daily-digest': () => digests.run(),
    'check-domains': () => domains.checkAll(),
    'expire-records': async () => {
      const now = clock.now();
      await imports.expire();
      await files.expireUploads();
      await mails.expire();
      await offline.freeEnded();
      await refusals.expire();
      await knownPlaces.expire(db);
      await db.query('delete from idempotency_records where expires_at <= $1', [now]);
      await db.query('/* across tenants: housekeeping */ delete from redeem_tickets where expires_at <= $1', [now]);
      await db.query('delete from sessions where expires_at <= $1', [now]);
      await db.query('delete from password_resets where expires_at <= $1', [now]);
      await db.query('delete from email_verifications where expires_at <= $1', [now]);
      await db.query('delete from rate_limits where expire <= $1', [now.getTime()]);
    },
  };

  return {
    ...base,
    orm,
    lanes,
    media,
    files,
    sessions,
    registration,
    passwords,
    emailVerifications,
    accounts,
    twoFactor,
    accountSettings,
    domains,
    branding,
    notices,
    partnerships,
    products,
    serials,
    serialLists,
    imports,
    analytics,
    search,
    plans,
    customers,
    redemptions,
    myProducts,
    mails,
    notifications,
    announcements,
    unsubscribing,
    pluginKeys,
    licensing,
    productKeys,
    keyFiles,
    serverTime,
    juceUnlock,
    hise,
    offline,
    refusals,
    licenseFigures,
    seats,
    handlers,
    readiness,
    disk,
    async close() {
      await Promise.all([licensing.close(), refusals.close(), pluginKeys.close()]);
      await events.stop();
      mailer.close();
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

/** What has to hold before this process may take traffic, in the order in which it is looked at. */
function readinessChecks(config: ReadyConfig, db: Database, secrets: Secrets): Check[] {
  return [
    {
      name: 'schema',
      stopsWork: true,
      async run() {
        const { pending, unknown } = await readSchemaState(db, migrationsFolder);
        if (unknown.length > 0) {
          return {
            reason: 'a newer version of the server has changed the database',
            detail: `This version does not have ${unknown.join(', ')}. Replace it by the newer one.`,
          };
        }
        return pending.length > 0 ? { reason: 'the schema is not current' } : null;
      },
    },
    {
      name: 'pooler',
      async run() {
        // told that statements may be named, it believes so
        if (config.preparedStatements === 'on' || !(await db.surprisedByPooler())) return null;
        return {
          reason: 'a connection pooler is in front of the database',
          detail: 'DATABASE_URL did not lead to one when this process started. Start it again.',
        };
      },
    },
    { name: 'secrets', stopsWork: true, run: () => checkSecrets(db, secrets) },
  ];
}

function defaultMailer(config: ReadyConfig): Mailer {
  return config.smtpUrl
    ? smtpMailer(config.smtpUrl, config.mailFrom)
    : outboxMailer(path.join(config.dataDir, 'outbox'), config.mailFrom);
}
