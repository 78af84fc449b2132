import type { Clock } from './clock.ts';
import type { Workers } from './db/citus/workers.ts';
import type { Database, Sql } from './db/database.ts';
import type { Egress } from './egress/egress.ts';
import type { Mailer } from './email/mailer.ts';
import type { AnyEvents, EventSchema, Keep } from './events.ts';
import type { App } from './http/app-kit.ts';
import type { RateLimits } from './http/limits/rate-limits.ts';
import type { Housekeeping } from './jobs/housekeeping.ts';
import type { AnyWorker } from './jobs/job.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { PluginsFirst } from './limits/plugins-first.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Dns } from './network/dns.ts';
import type { CountryOf } from './network/geo.ts';
import type { Readiness } from './operations/readiness.ts';
import type { Warnings } from './operations/warnings.ts';
import type { Payments } from './payments/payments.ts';
import type { Random } from './random.ts';
import type { PasswordHash } from './secrets/password-hash.ts';
import type { SealedColumn } from './secrets/sealed-column.ts';
import type { Secrets } from './secrets/secrets.ts';
import type { Exports } from './spool/exports.ts';
import type { Spool } from './spool/spool.ts';
import type { Disk } from './storage/disk.ts';
import type { Storage } from './storage/storage.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { Credential } from './work-context.ts';

/** A person whose personal data is to be erased. */
export interface ErasedPerson {
  developerId: string;
  customerId: string;
  /** Every address that was this person's until now. */
  emails: readonly string[];
}

/** The services that the platform offers to every feature. */
export interface Base {
  clock: Clock;
  random: Random;
  log: Logger;
  secrets: Secrets;
  passwordHash: PasswordHash;
  db: Database;
  /** The machines of a distributed database. */
  workers: Workers;
  storage: Storage;
  disk: Disk;
  spool: Spool;
  exports: Exports;
  jobs: Jobs;
  /** Gives plugin calls to this process priority. */
  pluginsFirst: PluginsFirst;
  limits: RateLimits;
  /** Publishes live events: those that features declare. */
  events: AnyEvents;
  mailer: Mailer;
  /** Null: not configured, so no card is kept and nothing is collected. */
  payments: Payments | null;
  dns: Dns;
  /** Requests to addresses that accounts choose. */
  egress: Egress;
  metrics: Metrics;
  tracing: Tracing;
  readiness: Readiness;
  /** The warnings of `/readyz`. */
  warnings: Warnings;
  countryOf: CountryOf;
  publicUrl: string;
  /** The issuer, as printed on invoices: the name, then further lines. */
  invoiceFrom: readonly string[];
  /** The host that custom domains have to be an alias of. */
  domainTarget: string;
  /** The address of shops' APIs, if not at the shops, and the address of the day's rates. */
  shopSettings: { apiBase: string | undefined; ratesUrl: string | undefined };
  /** Every column with encrypted text, of every feature. */
  sealed: readonly SealedColumn[];
  /** Makes every feature erase a person, in the caller's transaction. */
  eraseEverywhere(sql: Sql, person: ErasedPerson): Promise<void>;
  /** Where the dashboard was built; without it only the API is served. */
  webFolder: string | undefined;
  /** The package of the terminal client, which may not be built. */
  clientFolder: string;
}

/** The response to a request that was made with an account's own credential, not in a session. */
export interface ApiResponse {
  method: string;
  /** As it is declared. */
  route: string;
  status: number;
  ms: number;
  ip: string;
  requestId: string;
  credential: Credential & { kind: 'access_token' | 'plugin_key' };
}

/** Work that a worker process does all the time, beside its jobs. */
export interface BackgroundWork {
  /** Begins, or goes on after a pause. */
  resume(): void;
  /** Takes on nothing more, and ends what is under way within seconds. */
  pause(): Promise<void>;
}

/** The parts of a feature. It has only the keys that it needs. */
export interface Feature<Api extends object = object> {
  /** The functions that other features and commands call. All features share one space of names. */
  api?: Api;
  routes?: readonly ((app: App) => Promise<void>)[];
  jobs?: readonly AnyWorker[];
  /** Runs in each of the worker processes. */
  background?: readonly BackgroundWork[];
  /** Every hour, in one of the worker processes. */
  housekeeping?: readonly Housekeeping[];
  /** Keeps of every live event what is worth it, in the transaction that publishes it. */
  keep?: Keep;
  /** Erases a person's data in this feature's own tables. */
  erase?(sql: Sql, person: ErasedPerson): Promise<void>;
  /** After a response to a script or a plugin. Nothing may wait for it. */
  onResponse?(response: ApiResponse): void;
  /** When the process stops: what is kept in memory is written. */
  close?(): Promise<unknown>;
}

/** The exports of a feature's `index.ts`. */
interface FeatureModule<Needs, Api extends object> {
  /** The tables that it owns. */
  entities?: readonly unknown[];
  /** Its columns that hold encrypted text: re-encrypted when the secret is rotated. */
  sealed?: readonly SealedColumn[];
  /** The live events that it publishes. No others can be. */
  events?: readonly EventSchema[];
  // a property, because parameters of methods are not compared strictly
  create: (base: Base, needs: Needs) => Feature<Api>;
}

/**
 * Features in the order of their dependencies: each is given what those before it offer, and the compiler checks it.
 */
export class Features<Apis extends object = object> {
  readonly #modules: readonly FeatureModule<never, object>[];

  constructor(modules: readonly FeatureModule<never, object>[] = []) {
    this.#modules = modules;
  }

  add<Api extends object = object>(module: FeatureModule<Apis, Api>): Features<Apis & Api> {
    return new Features<Apis & Api>([...this.#modules, module]);
  }

  /** Every table of every feature. */
  get entities(): unknown[] {
    return this.#modules.flatMap(({ entities = [] }) => entities);
  }

  /** Every sealed column of every feature. */
  get sealed(): SealedColumn[] {
    return this.#modules.flatMap(({ sealed = [] }) => sealed);
  }

  /** Every live event of every feature. */
  get events(): EventSchema[] {
    return this.#modules.flatMap(({ events = [] }) => events);
  }

  create(platform: Omit<Base, 'eraseEverywhere' | 'sealed'>): { api: Apis; all: readonly Feature[] } {
    const base: Base = {
      ...platform,
      sealed: this.sealed,
      async eraseEverywhere(sql, person) {
        for (const feature of all) await feature.erase?.(sql, person);
      },
    };
    const api: Record<string, unknown> = {};
    const all: readonly Feature[] = this.#modules.map((module) => {
      const feature = module.create(base, api as never);
      for (const [name, service] of Object.entries(feature.api ?? {})) {
        if (name in api) throw new Error(`two features offer ${name}`);
        api[name] = service;
      }
      return feature;
    });
    return { api: api as Apis, all };
  }
}
