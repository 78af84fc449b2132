import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { NamedStatements } from '#platform/db/pools/pooler.ts';
import { trustBoth } from '#platform/http/connections/loopback.ts';
import { asciiUrl } from '#platform/network/ascii-url.ts';
import type { StripeConfig } from '#platform/payments/stripe.ts';
import type { TracingConfig } from '#platform/tracing/tracing.ts';
import { unknownSettings } from './unknown-settings.ts';

/** All external settings of the server, checked once at startup. Only this file reads the environment. */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  /** Undefined means the embedded PostgreSQL in the data folder. */
  databaseUrl: string | undefined;
  /** Past a pooler, for what needs a connection of its own. */
  directDatabaseUrl: string | undefined;
  /** The kind of database that holds the job queue, as pg-boss names it. */
  jobsBackend: 'postgres' | 'citus';
  preparedStatements: NamedStatements;
  publicUrl: string;
  /** The issuer, as printed on invoices: the name, then further lines. */
  invoiceFrom: string[];
  /** The host that developers' own domains have to be an alias of. */
  domainTarget: string;
  /** Undefined means: generated in the data folder. The first signs, all verify. */
  secrets: string[] | undefined;
  smtpUrl: string | undefined;
  emailFrom: string;
  s3: S3Config | undefined;
  /** Undefined: plans and usage work, cards do not. */
  stripe: StripeConfig | undefined;
  trustProxy: string[] | false;
  countryHeader: string | undefined;
  /** Requests to addresses that accounts choose. */
  egress: EgressConfig;
  rateLimits: boolean;
  roles: { api: boolean; worker: boolean };
  workers: number;
  metricsPort: number | undefined;
  /** How long a process that is told to stop reports that in `/readyz` before it stops taking calls. */
  drainSeconds: number;
  /** Undefined: no traces. */
  tracing: TracingConfig | undefined;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Database connections of this process, by what they are for. */
  pools: { api: number; licensing: number; bulk: number };
  /** Milliseconds after which a body that hardly moves is cut, in either direction. */
  stallLimit: number;
  sockets: { sockets: number; socketsPerAddress: number };
  /** Bytes that imports and exports may take on disk while they are on their way. */
  spoolSize: number;
  backups: BackupConfig;
  /** Where newer releases are announced, as JSON with a `version` or a `tag_name`. */
  releaseFeed: string | undefined;
  shops: ShopsConfig;
  /** Settings that are set and that nothing reads, in words. */
  complaints: string[];
}

export interface BackupConfig {
  /** Folders, and buckets as `s3://BUCKET/PREFIX`: where backups without a file's name go, and are looked for. */
  to: string[];
  /** How its buckets are reached: as that of the server's files, where nothing else is set. */
  s3: Omit<S3Config, 'bucket'> | undefined;
}

export interface EgressConfig {
  /** Private networks that may be reached all the same, as CIDR. */
  allow: string[];
  /** A proxy that filters addresses itself, and that everything goes through. */
  proxy: string | undefined;
}

export interface ShopsConfig {
  /** Instead of the shops' own APIs: stand-ins on this machine, each under its kind. */
  apiBase: string | undefined;
  /** The European Central Bank's file of rates; without it another currency counts at the list price. */
  ratesUrl: string | undefined;
}

export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const port = z.coerce.number().int().min(0).max(65_535);
const poolSize = z.coerce.number().int().min(2).max(200);
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const text = z
  .string()
  .trim()
  .transform((value) => (value === '' ? undefined : value))
  .optional();

/** Lines of text, with line breaks or `\n` between them, as an env file has them. */
const lines = z
  .string()
  .default('Tonerow')
  .transform((value) =>
    value
      .split(/\\n|\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

const environment = z.object({
  PORT: port.default(4000),
  TONEROW_HOST: z.string().default('127.0.0.1'),
  TONEROW_DATA_DIR: z.string().default('./.data'),
  DATABASE_URL: text,
  TONEROW_DIRECT_DATABASE_URL: text,
  TONEROW_JOBS_BACKEND: z.enum(['postgres', 'citus']).default('postgres'),
  TONEROW_PREPARED_STATEMENTS: z.enum(['auto', 'on', 'off']).default('auto'),
  TONEROW_PUBLIC_URL: text,
  TONEROW_DOMAIN_TARGET: text,
  TONEROW_SECRET: list.optional(),
  SMTP_URL: text,
  TONEROW_INVOICE_FROM: lines,
  TONEROW_EMAIL_FROM: text,
  S3_ENDPOINT: text,
  S3_BUCKET: text,
  S3_REGION: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  TONEROW_STRIPE_API_BASE: text,
  TONEROW_TRUST_PROXY: list.optional(),
  TONEROW_COUNTRY_HEADER: text,
  TONEROW_WEBHOOK_ALLOW: list.optional(),
  TONEROW_EGRESS_PROXY: text,
  TONEROW_RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  TONEROW_ROLE: list
    .pipe(z.array(z.enum(['api', 'worker'])).min(1, 'write api, worker, or api,worker.'))
    .default(['api', 'worker']),
  TONEROW_WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  TONEROW_METRICS_PORT: port.optional(),
  TONEROW_DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_PROTOCOL: text,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text,
  OTEL_TRACES_EXPORTER: text,
  OTEL_TRACES_SAMPLER: text,
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
  OTEL_SDK_DISABLED: text,
  TONEROW_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TONEROW_POOL_SIZE: poolSize.default(10),
  TONEROW_LICENSING_POOL_SIZE: poolSize.optional(),
  TONEROW_BULK_POOL_SIZE: z.coerce.number().int().min(1).max(50).default(3),
  TONEROW_STALL_SECONDS: z.coerce.number().min(1).max(3600).default(60),
  TONEROW_MAX_SOCKETS: z.coerce.number().int().min(10).max(1_000_000).default(10_000),
  TONEROW_MAX_SOCKETS_PER_ADDRESS: z.coerce.number().int().min(5).max(1_000_000).default(1000),
  TONEROW_SPOOL_GB: z.coerce.number().min(0.01).max(10_000).default(8),
  TONEROW_RELEASE_FEED: text,
  TONEROW_SHOP_API_BASE: text,
  TONEROW_RATES_URL: text,
  TONEROW_BACKUP_TO: list.optional(),
  TONEROW_BACKUP_S3_ENDPOINT: text,
  TONEROW_BACKUP_S3_REGION: text,
  TONEROW_BACKUP_S3_ACCESS_KEY_ID: text,
  TONEROW_BACKUP_S3_SECRET_ACCESS_KEY: text,
});

/** The name of every setting. */
export const settingNames: readonly string[] = Object.keys(environment.shape);

/** A setting that cannot be used. The message names it and explains what to set instead. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Describes what is wrong with a setting and what it takes, in our words. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    return `“${String(issue.input)}” is none of its values. Write ${values.slice(0, -1).join(', ')} or ${values.at(-1)}.`;
  }
  if (issue.code === 'invalid_type')
    return issue.expected === 'int' ? 'write a whole number.' : 'write a number in digits.';
  if (issue.code === 'too_small' && issue.origin !== 'array') return `write ${issue.minimum} or more.`;
  if (issue.code === 'too_big') return `write ${issue.maximum} or less.`;
  return issue.message;
}

/** Settings by their names. */
export type Env = Record<string, string | undefined>;

/**
 * Reads the settings.
 * @throws {ConfigError} naming each setting that does not fit.
 */
export function readConfig(env: Env = process.env): Config {
  const parsed = environment.safeParse(env, { reportInput: true });
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])}: ${wordsOf(issue)}`);
    throw new ConfigError(`These settings cannot be used:\n${lines.join('\n')}`);
  }
  const e = parsed.data;
  if (e.DATABASE_URL && !e.TONEROW_SECRET?.length) {
    throw new ConfigError(
      'DATABASE_URL is set, so TONEROW_SECRET must be set too (a long random text, for example from "openssl rand -base64 48"): every process on that database needs the same one.',
    );
  }
  if (e.TONEROW_DIRECT_DATABASE_URL && !e.DATABASE_URL) {
    throw new ConfigError('TONEROW_DIRECT_DATABASE_URL is set without DATABASE_URL: it is only the way past a pooler.');
  }
  for (const secret of e.TONEROW_SECRET ?? []) {
    if (secret.length < 32) throw new ConfigError('TONEROW_SECRET: each secret must have at least 32 characters.');
  }
  const givenUrl = e.TONEROW_PUBLIC_URL ?? `http://127.0.0.1:${e.PORT}`;
  if (!URL.canParse(givenUrl))
    throw new ConfigError('TONEROW_PUBLIC_URL: write an address such as https://example.com.');
  // it begins redirects and headers of emails
  const publicUrl = asciiUrl(givenUrl).replace(/\/+$/, '');
  return {
    host: e.TONEROW_HOST,
    port: e.PORT,
    dataDir: e.TONEROW_DATA_DIR,
    databaseUrl: readDatabase(e.DATABASE_URL, 'DATABASE_URL'),
    directDatabaseUrl: readDatabase(e.TONEROW_DIRECT_DATABASE_URL, 'TONEROW_DIRECT_DATABASE_URL'),
    jobsBackend: e.TONEROW_JOBS_BACKEND,
    preparedStatements: e.TONEROW_PREPARED_STATEMENTS,
    publicUrl,
    invoiceFrom: e.TONEROW_INVOICE_FROM,
    domainTarget: (e.TONEROW_DOMAIN_TARGET ?? new URL(publicUrl).hostname).toLowerCase().replace(/\.$/, ''),
    secrets: e.TONEROW_SECRET?.length ? e.TONEROW_SECRET : undefined,
    smtpUrl: readAddress(e.SMTP_URL, 'SMTP_URL', SMTP),
    emailFrom: e.TONEROW_EMAIL_FROM ?? 'Tonerow <no-reply@localhost>',
    s3: readS3(e),
    stripe: readStripe(e),
    trustProxy: readProxies(e.TONEROW_TRUST_PROXY ?? []),
    countryHeader: e.TONEROW_COUNTRY_HEADER?.toLowerCase(),
    egress: readEgress(e),
    rateLimits: e.TONEROW_RATE_LIMITS === 'on',
    roles: { api: e.TONEROW_ROLE.includes('api'), worker: e.TONEROW_ROLE.includes('worker') },
    workers: e.TONEROW_WORKERS,
    metricsPort: e.TONEROW_METRICS_PORT,
    drainSeconds: e.TONEROW_DRAIN_SECONDS,
    tracing: readTracing(e),
    logLevel: e.TONEROW_LOG_LEVEL,
    pools: {
      api: e.TONEROW_POOL_SIZE,
      licensing: e.TONEROW_LICENSING_POOL_SIZE ?? e.TONEROW_POOL_SIZE,
      bulk: e.TONEROW_BULK_POOL_SIZE,
    },
    stallLimit: e.TONEROW_STALL_SECONDS * 1000,
    sockets: { sockets: e.TONEROW_MAX_SOCKETS, socketsPerAddress: e.TONEROW_MAX_SOCKETS_PER_ADDRESS },
    spoolSize: Math.round(e.TONEROW_SPOOL_GB * 1024 ** 3),
    backups: readBackups(e),
    releaseFeed: readAddress(e.TONEROW_RELEASE_FEED, 'TONEROW_RELEASE_FEED', FEED),
    shops: readShops(e),
    complaints: unknownSettings(env, settingNames),
  };
}

function readProxies(trusted: string[]): string[] | false {
  try {
    return trusted.length > 0 && trustBoth(trusted);
  } catch {
    throw new ConfigError(`TONEROW_TRUST_PROXY: ${trusted.join(',')} has something that is no address or network.`);
  }
}

function readEgress(e: z.infer<typeof environment>): EgressConfig {
  const { TONEROW_WEBHOOK_ALLOW: allow = [], TONEROW_EGRESS_PROXY: proxy } = e;
  for (const network of allow) {
    if (!ipaddr.isValidCIDR(network))
      throw new ConfigError(`TONEROW_WEBHOOK_ALLOW: ${network} is not a network such as 10.1.0.0/16.`);
  }
  if (proxy !== undefined && !(URL.canParse(proxy) && new URL(proxy).protocol === 'http:'))
    throw new ConfigError('TONEROW_EGRESS_PROXY: write an address such as http://127.0.0.1:4750.');
  return { allow, proxy };
}

function readS3(e: z.infer<typeof environment>): S3Config | undefined {
  const values = {
    S3_ENDPOINT: e.S3_ENDPOINT,
    S3_BUCKET: e.S3_BUCKET,
    S3_ACCESS_KEY_ID: e.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: e.S3_SECRET_ACCESS_KEY,
  };
  const missing = Object.entries(values).filter(([, value]) => value === undefined);
  if (missing.length === Object.keys(values).length) return undefined;
  if (missing.length > 0) {
    throw new ConfigError(`Object storage is half configured: ${missing.map(([name]) => name).join(', ')} missing.`);
  }
  return {
    endpoint: readAddress(e.S3_ENDPOINT, 'S3_ENDPOINT', S3) as string,
    bucket: e.S3_BUCKET as string,
    region: e.S3_REGION ?? 'auto',
    accessKeyId: e.S3_ACCESS_KEY_ID as string,
    secretAccessKey: e.S3_SECRET_ACCESS_KEY as string,
  };
}

/** A PostgreSQL address with a host or, for a socket, without one. */
const DATABASE = /^postgres(?:ql)?:\/\/[^/]*\/[^/?]/;

function readDatabase(given: string | undefined, name: string): string | undefined {
  if (given !== undefined && !DATABASE.test(given))
    throw new ConfigError(`${name}: write an address such as postgres://tonerow:password@db.example.com:5432/tonerow.`);
  return given;
}

interface AddressForm {
  protocols: RegExp;
  example: string;
}

const SMTP: AddressForm = { protocols: /^smtps?:$/, example: 'smtp://user:password@mail.example.com:587' };
const S3: AddressForm = { protocols: /^https?:$/, example: 'https://s3.example.com' };
const RATES: AddressForm = {
  protocols: /^https?:$/,
  example: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml',
};
const FEED: AddressForm = { protocols: /^https?:$/, example: 'https://registry.example.com/tonerow/latest' };

function readAddress(given: string | undefined, name: string, { protocols, example }: AddressForm): string | undefined {
  if (given !== undefined && !(URL.canParse(given) && protocols.test(new URL(given).protocol)))
    throw new ConfigError(`${name}: write an address such as ${example}.`);
  return given;
}

/** A folder, or a bucket with what the names of its objects begin with. */
const PLACE = /^(?:s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w.\-/]*)?|(?![a-z0-9+]+:\/\/).+)$/;

/** @throws {ConfigError} for what is neither a folder nor a bucket. */
export function readPlaces(places: readonly string[], from: string): string[] {
  for (const place of places) {
    if (!PLACE.test(place))
      throw new ConfigError(`${from}: ${place} is neither a folder nor a bucket such as s3://backups/tonerow.`);
  }
  return [...places];
}

function readBackups(e: z.infer<typeof environment>): BackupConfig {
  const { TONEROW_BACKUP_S3_ACCESS_KEY_ID: id, TONEROW_BACKUP_S3_SECRET_ACCESS_KEY: secret } = e;
  if ((id === undefined) !== (secret === undefined))
    throw new ConfigError(
      'TONEROW_BACKUP_S3_ACCESS_KEY_ID and TONEROW_BACKUP_S3_SECRET_ACCESS_KEY belong together: set both, or none.',
    );
  const endpoint = readAddress(e.TONEROW_BACKUP_S3_ENDPOINT, 'TONEROW_BACKUP_S3_ENDPOINT', S3) ?? e.S3_ENDPOINT;
  const accessKeyId = id ?? e.S3_ACCESS_KEY_ID;
  const secretAccessKey = secret ?? e.S3_SECRET_ACCESS_KEY;
  const to = readPlaces(e.TONEROW_BACKUP_TO ?? [], 'TONEROW_BACKUP_TO');
  const s3 =
    endpoint && accessKeyId && secretAccessKey
      ? { endpoint, accessKeyId, secretAccessKey, region: e.TONEROW_BACKUP_S3_REGION ?? e.S3_REGION ?? 'auto' }
      : undefined;
  return { to, s3 };
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

function readStripe(e: z.infer<typeof environment>): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = e;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, TONEROW_STRIPE_API_BASE: apiBase } = e;
  if (!secretKey) {
    const alone = Object.entries({
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      TONEROW_STRIPE_API_BASE: apiBase,
    }).filter(([, value]) => value !== undefined);
    if (alone.length === 0) return undefined;
    throw new ConfigError(`${alone.map(([name]) => name).join(', ')} set without STRIPE_SECRET_KEY.`);
  }
  const mode = /^(?:sk|rk)_(test|live)_/.exec(secretKey)?.[1];
  if (!mode) throw new ConfigError('STRIPE_SECRET_KEY: a secret key begins with sk_test_ or sk_live_.');
  if (!publishableKey?.startsWith(`pk_${mode}_`)) {
    throw new ConfigError(
      `STRIPE_PUBLISHABLE_KEY: set the key of the same account and mode; it begins with pk_${mode}_.`,
    );
  }
  if (webhookSecret !== undefined && !webhookSecret.startsWith('whsec_')) {
    throw new ConfigError('STRIPE_WEBHOOK_SECRET: the signing secret of a webhook begins with whsec_.');
  }
  if (apiBase !== undefined) {
    const base = URL.canParse(apiBase) ? new URL(apiBase) : undefined;
    const bare = base?.pathname === '/' && base.search === '' && base.username === '';
    if (!base || !/^https?:$/.test(base.protocol) || !bare || !LOOPBACK.has(base.hostname))
      throw new ConfigError(
        'TONEROW_STRIPE_API_BASE: only an address of this machine, such as http://127.0.0.1:12111.',
      );
    if (mode !== 'test') throw new ConfigError('TONEROW_STRIPE_API_BASE: only with a key that begins with sk_test_.');
  }
  return { secretKey, publishableKey, webhookSecret, apiBase };
}

function readShops(e: z.infer<typeof environment>): ShopsConfig {
  const { TONEROW_SHOP_API_BASE: apiBase } = e;
  const base = apiBase !== undefined && URL.canParse(apiBase) ? new URL(apiBase) : undefined;
  if (apiBase !== undefined && !(base?.protocol === 'http:' && LOOPBACK.has(base.hostname)))
    throw new ConfigError('TONEROW_SHOP_API_BASE: only an address of this machine, such as http://127.0.0.1:12112.');
  return {
    apiBase: apiBase?.replace(/\/+$/, ''),
    ratesUrl: readAddress(e.TONEROW_RATES_URL, 'TONEROW_RATES_URL', RATES),
  };
}

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

/** The endpoint itself, headers and timeouts are read by OpenTelemetry's own exporter. */
function readTracing(e: z.infer<typeof environment>): TracingConfig | undefined {
  const endpoint = e.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? e.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || e.OTEL_SDK_DISABLED === 'true' || e.OTEL_TRACES_EXPORTER === 'none') return undefined;
  if (!URL.canParse(endpoint)) {
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT: write an address such as http://collector:4318.');
  }
  const protocol = e.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? e.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
    throw new ConfigError(`OTEL_EXPORTER_OTLP_PROTOCOL: ${protocol} is not supported; use http/protobuf or http/json.`);
  }
  const chosen = e.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on';
  const sampler = SAMPLERS.find((name) => name === chosen.replace(/^parentbased_/, ''));
  if (!sampler) {
    const known = SAMPLERS.flatMap((name) => [name, `parentbased_${name}`]).join(', ');
    throw new ConfigError(`OTEL_TRACES_SAMPLER: ${chosen} is not supported; use one of ${known}.`);
  }
  const parentBased = chosen.startsWith('parentbased_');
  return { protocol, sampler, parentBased, ratio: e.OTEL_TRACES_SAMPLER_ARG ?? 1 };
}
