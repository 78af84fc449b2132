import type { Server } from 'node:http';
import { buildApp } from './app.ts';
import { createDeps, migrationsFolder, type Overrides, type ReadyConfig } from './deps.ts';
import { migrate } from './platform/db/migrate.ts';
import { readSchemaState, refuseNewerSchema } from './platform/db/schema-state.ts';
import { proveSecrets } from './secrets-check.ts';

const DRAIN_TIMEOUT = 25_000;

export interface Running {
  url: string;
  port: number;
  /** Ready turns 503, running requests finish, jobs go back, connections close. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  webFolder?: string;
  overrides?: Overrides;
  strictStatuses?: boolean;
  migrate?: boolean;
}

/** One process of the server on a database that is there: migrate, work on jobs, answer requests. */
export async function serve(config: ReadyConfig, options: ServeOptions = {}): Promise<Running> {
  const deps = await createDeps(config, options.overrides);
  let metrics: Server | undefined;
  try {
    if (options.migrate === false) refuseNewerSchema(await readSchemaState(deps.db, migrationsFolder));
    else {
      const ran = await migrate(deps.orm, { url: config.databaseUrl, folder: migrationsFolder });
      if (ran.length > 0) deps.log.info({ migrations: ran }, 'the database was brought up to date');
    }
    await proveSecrets(deps);
    await deps.jobs.start(config.roles.worker ? deps.handlers : undefined);
    deps.readiness.watch((mayWork) => (mayWork ? deps.jobs.resume() : deps.jobs.pause()));
    if (config.roles.api) await deps.events.start();
    const app = await buildApp(deps, options);
    if (config.roles.api) await app.listen({ host: config.host, port: config.port });
    if (config.metricsPort !== undefined) metrics = await deps.metrics.listen(config.host, config.metricsPort);
    const address = app.server.address();
    const port = address && typeof address === 'object' ? address.port : config.port;
    return {
      url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
      port,
      async stop() {
        deps.readiness.drain();
        // a connection whose request has just finished would be kept alive, and keep us
        const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
        await within(DRAIN_TIMEOUT, app.close());
        clearInterval(sweep);
        metrics?.close();
        await deps.jobs.stop();
        await deps.close();
      },
    };
  } catch (error) {
    await deps.close().catch(() => undefined);
    throw error;
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
