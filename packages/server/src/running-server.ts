import path from 'node:path';
import { embeddedUrl } from '#platform/db/embedded/embedded-postgres.ts';
import type { Connections } from '#platform/db/pools/pooler.ts';
import { readSchemaState, refuseForeignSchema } from '#platform/db/schema/schema-state.ts';
import { createLogger } from '#platform/log.ts';
import { inLane } from '#platform/work-context.ts';
import { migrationsFolder, type Overrides, type ReadyConfig } from './base.ts';
import { type Env, readConfig } from './config.ts';
import { connectionsFor } from './connections.ts';
import { createDeps, type Deps } from './deps.ts';
import { secretsIn } from './secrets-file.ts';

/**
 * For commands run alongside a server: the same settings, the same database, the same secrets. What they do is what the
 * server's jobs do, and may wait as long.
 */
export async function withRunningServer<T>(
  work: (deps: Deps, config: ReadyConfig & Connections) => Promise<T>,
  { env, overrides = {} }: { env?: Env; overrides?: Overrides } = {},
): Promise<T> {
  const config = readConfig(env);
  const dataDir = path.resolve(config.dataDir);
  const databaseUrl = config.databaseUrl ?? (await embeddedUrl(dataDir));
  if (!databaseUrl) throw new Error(`No server has run on ${dataDir} yet. Start it first: npm start`);
  const secrets = config.secrets ?? (await secretsIn(dataDir));
  const settled: ReadyConfig = { ...config, dataDir, databaseUrl, secrets };
  const ready = { ...settled, ...(await connectionsFor(settled)) };
  const deps = await createDeps(ready, { log: createLogger('error'), ...overrides });
  try {
    refuseForeignSchema(await readSchemaState(deps.db, migrationsFolder));
    return await inLane('jobs', () => work(deps, ready));
  } finally {
    await deps.close();
  }
}
