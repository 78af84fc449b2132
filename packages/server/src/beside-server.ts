import path from 'node:path';
import { embeddedUrl } from '#platform/db/embedded/embedded-postgres.ts';
import type { Connections } from '#platform/db/pools/pooler.ts';
import { readSchemaState, refuseForeignSchema } from '#platform/db/schema/schema-state.ts';
import { StartupError } from '#platform/errors.ts';
import { createLogger } from '#platform/log.ts';
import { inLane } from '#platform/work-context.ts';
import { migrationsFolder, type Overrides, type ReadyConfig } from './base.ts';
import { type Env, readConfig } from './config.ts';
import { connectionsFor } from './connections.ts';
import { createDeps, type Deps } from './deps.ts';
import { runtimeBeside } from './runtime.ts';

/**
 * Runs a command beside a running server, or without one, with the same settings, database and secrets. Commands
 * do what the server's jobs do, and may wait as long.
 * @throws {StartupError} where no server has run yet: this creates nothing.
 */
export async function besideServer<T>(
  work: (deps: Deps, config: ReadyConfig & Connections) => Promise<T>,
  { env, overrides = {} }: { env?: Env; overrides?: Overrides } = {},
): Promise<T> {
  const config = readConfig(env);
  const dataDir = path.resolve(config.dataDir);
  if (!config.databaseUrl && !(await embeddedUrl(dataDir)))
    throw new StartupError(`No server has run on ${dataDir} yet. Start it first: npm start`);
  const log = createLogger('error');
  const runtime = await runtimeBeside(config, log);
  try {
    const ready = { ...runtime.config, ...(await connectionsFor(runtime.config)) };
    const deps = await createDeps(ready, { log, ...overrides });
    try {
      refuseForeignSchema(await readSchemaState(deps.db, migrationsFolder));
      return await inLane('jobs', () => work(deps, ready));
    } finally {
      await deps.close();
    }
  } finally {
    await runtime.release();
  }
}
