import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { stopwatch } from '#platform/clock.ts';
import { refuseWorker } from '#platform/db/coordinator.ts';
import type { Connections } from '#platform/db/pools/pooler.ts';
import { migrate } from '#platform/db/schema/migrate.ts';
import { readSchemaState, refuseForeignSchema } from '#platform/db/schema/schema-state.ts';
import type { App } from '#platform/http/app-kit.ts';
import { listenInternally } from '#platform/http/connections/internal-server.ts';
import { alsoOnIpv6, listeningHost } from '#platform/http/connections/loopback.ts';
import { silentSockets } from '#platform/http/connections/silent-sockets.ts';
import { reportFigures } from '#platform/metrics/cluster.ts';
import { buildApp } from './app.ts';
import { migrationsFolder, type Overrides, type ReadyConfig } from './base.ts';
import { connectionsFor } from './connections.ts';
import { createDeps, type Deps } from './deps.ts';
import { internalPages } from './internal-pages.ts';
import { proveSecrets } from './secrets/secrets-check.ts';
import { spread } from './spread.ts';

const DRAIN_TIMEOUT = 25_000;
/** How long the first request of a connection may still be on its way. */
const SILENCE = 1000;

export interface Running {
  url: string;
  port: number;
  /** Ready turns 503, running requests finish, jobs go back, connections close. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  overrides?: Overrides;
  strict?: boolean;
}

/** One process of the server on a database that is there: migrate, work on jobs, answer requests. */
export async function serve(settings: ReadyConfig, options: ServeOptions = {}): Promise<Running> {
  const config = { ...settings, ...(await connectionsFor(settings)) };
  const deps = await createDeps(config, options.overrides);
  const servers: Server[] = [];
  try {
    // a supervisor that sees nothing answer while a large table is migrated would stop this process, again and again
    deps.readiness.start();
    servers.push(...(await watchable(deps, config)));
    await refuseWorker(deps.db);
    await settleSchema(deps, config);
    await proveSecrets(deps);
    await deps.events.start();
    await deps.jobs.start({ work: config.roles.worker });
    const background = config.roles.worker ? deps.features.flatMap((feature) => feature.background ?? []) : [];
    for (const each of background) each.resume();
    deps.readiness.watch(async (mayWork) => {
      if (mayWork) for (const each of background) each.resume();
      else await Promise.all(background.map((each) => each.pause()));
      await (mayWork ? deps.jobs.resume() : deps.jobs.pause());
    });
    const entrance = config.roles.api && config.part !== 'leader' ? await listen(deps, config, options) : null;
    deps.readiness.started();
    const address = (entrance?.app.server ?? servers[0])?.address();
    const port = address && typeof address === 'object' ? address.port : config.port;
    return {
      url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
      port,
      async stop() {
        deps.readiness.drain();
        if (entrance) await drain(entrance, config.drainSeconds);
        for (const server of servers) server.close();
        await Promise.all(background.map((each) => each.pause()));
        await deps.jobs.stop();
        await deps.close();
      },
    };
  } catch (error) {
    for (const server of servers) server.close();
    await deps.close().catch(() => undefined);
    throw error;
  }
}

async function settleSchema(deps: Deps, config: ReadyConfig & Connections): Promise<void> {
  // followers start after their leader has migrated
  if (config.part === 'follower') return refuseForeignSchema(await readSchemaState(deps.db, migrationsFolder));
  const ran = await migrate(deps.orm, { url: config.directUrl, folder: migrationsFolder, spread });
  if (ran.length > 0) deps.log.info({ migrations: ran }, 'the database was brought up to date');
}

interface Entrance {
  app: App;
  /** The same on the other loopback address. */
  twin: NetServer | null;
  closeSilent(): void;
}

async function listen(deps: Deps, config: ReadyConfig, options: ServeOptions): Promise<Entrance> {
  const app = await buildApp(deps, options);
  const closeSilent = silentSockets(app.server);
  await app.listen({ host: listeningHost(config.host), port: config.port });
  const twin = await alsoOnIpv6(app.server, config.host, (error) =>
    deps.log.warn({ err: error }, 'not listening on ::1'),
  );
  return { app, twin, closeSilent };
}

/** Health of a process without the API on its port, and everything internal on the port for figures. */
async function watchable(deps: Deps, config: ReadyConfig): Promise<Server[]> {
  const { host, port, metricsPort, part } = config;
  const { health, all } = internalPages(deps);
  if (part === 'follower') {
    if (deps.metrics.mode === 'report') reportFigures(deps.metrics.registry);
    return [];
  }
  const servers: Server[] = [];
  if (!config.roles.api) servers.push(await listenInternally(health, { host, port }));
  if (metricsPort !== undefined) servers.push(await listenInternally(all, { host, port: metricsPort }));
  return servers;
}

async function drain({ app, twin, closeSilent }: Entrance, seconds: number): Promise<void> {
  // the load balancer looks at /readyz now and then, and sends calls until it has seen it
  await pause(seconds * 1000);
  // a connection whose request has just finished would be kept alive, and delay the shutdown
  const begun = stopwatch();
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    if (stopwatch() - begun > SILENCE) closeSilent();
  }, 50);
  const others = new Promise<void>((resolve) => (twin ? twin.close(() => resolve()) : resolve()));
  await within(DRAIN_TIMEOUT, Promise.all([app.close(), others]));
  clearInterval(sweep);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
