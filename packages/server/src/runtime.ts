import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { acquireDataDirLock } from '#platform/db/embedded/data-dir-lock.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts';
import { connectionsOf } from '#platform/db/pools/pools.ts';
import type { Logger } from '#platform/log.ts';
import type { ReadyConfig } from './base.ts';
import type { Config } from './config.ts';
import { secretsIn } from './secrets/secrets-file.ts';

export interface Runtime {
  config: ReadyConfig;
  release(): Promise<void>;
}

const makeSecret = () => randomBytes(48).toString('base64url');

/**
 * Prepares what has to be there before anything else: the data folder's lock, the database and the secrets. If
 * DATABASE_URL is set, the database is managed externally; otherwise it starts and stops with the server.
 */
export async function prepareRuntime(config: Config, log: Logger): Promise<Runtime> {
  const dataDir = path.resolve(config.dataDir);
  if (config.databaseUrl) {
    const secrets = config.secrets ?? [];
    return { config: { ...config, dataDir, databaseUrl: config.databaseUrl, secrets }, release: async () => undefined };
  }
  const lock = await acquireDataDirLock(dataDir, { address: config.publicUrl });
  try {
    // a database that is there was sealed with a secret: a new one would only hide that it is missing
    const fresh = (await embeddedUrl(dataDir)) === null;
    const secrets = config.secrets ?? (await secretsIn(dataDir, fresh ? makeSecret : undefined));
    // this process, its workers, and commands beside them
    const connections = connectionsOf(config.pools) * (config.workers + 2);
    const settings = { max_connections: String(Math.max(200, connections)) };
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings });
    return {
      config: { ...config, dataDir, databaseUrl: postgres.url, secrets },
      release: async () => {
        await postgres.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A command's runtime: the embedded database of the server that runs now, or the same database without a server. */
export async function runtimeBeside(config: Config, log: Logger): Promise<Runtime> {
  return (await runtimeOfServer(config)) ?? (await prepareRuntime(config, log));
}

async function runtimeOfServer(config: Config): Promise<Runtime | null> {
  const dataDir = path.resolve(config.dataDir);
  const databaseUrl = config.databaseUrl ? null : await embeddedUrl(dataDir);
  if (!databaseUrl) return null;
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
  const secrets = config.secrets ?? (await secretsIn(dataDir));
  return { config: { ...config, dataDir, databaseUrl, secrets }, release: async () => undefined };
}
