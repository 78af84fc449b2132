import cluster from 'node:cluster';
import path from 'node:path';
import { StartupError } from '#platform/errors.ts';
import { createLogger, type Logger } from '#platform/log.ts';
import { watchReleases } from '#platform/operations/new-releases.ts';
import { type ApiProcesses, startApiProcesses } from './api-processes.ts';
import type { ReadyConfig } from './base.ts';
import { USAGE_ERROR } from './commands/surroundings.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { prepareRuntime } from './runtime.ts';
import { type Running, serve } from './serve.ts';

const webFolder = path.resolve(import.meta.dirname, '../../web/dist');

async function main(): Promise<void> {
  // "tonerow-server start" passes that word
  const words = process.argv.slice(2).filter((word) => word !== 'start');
  if (words.length > 0) {
    const meant = `tonerow-server ${words.join(' ')}`;
    process.stderr.write(`This starts the server and takes no words. What you want may be: ${meant}\n`);
    process.exit(USAGE_ERROR);
  }
  const config = readConfig();
  const log = createLogger(config.logLevel);
  // the first of several processes has them
  if (!cluster.isWorker) for (const complaint of config.complaints) log.warn(complaint);
  if (cluster.isWorker) await follow(config, log);
  else await lead(config, log);
}

/** The first process: holds the data folder and the database, and serves unless others do it for it. */
async function lead(config: Config, log: Logger): Promise<void> {
  const runtime = await prepareRuntime(config, log);
  let running: Running | undefined;
  let processes: ApiProcesses | undefined;
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await processes?.stop();
    await running?.stop();
    await runtime.release();
    process.exitCode = 0;
    // pools and timers are closed; whatever still holds the process is not ours to wait for
    setTimeout(() => process.exit(0), 500).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      });
    });
  }
  try {
    const several = config.roles.api && config.workers > 1;
    running = await serve({ ...runtime.config, webFolder, part: several ? 'leader' : 'whole' });
    if (several && !stopping) processes = startApiProcesses(runtime.config, log);
    await processes?.listening;
    if (!stopping) greet(config, several ? config.publicUrl : running.url);
    if (!stopping && config.releaseFeed) watchReleases(config.releaseFeed, log);
  } catch (error) {
    if (stopping) return;
    if (error instanceof StartupError) log.fatal({ reason: error.message }, 'refusing to start');
    await processes?.stop();
    await running?.stop();
    await runtime.release();
    throw error;
  }
}

/** One of several API processes on this machine: answers requests only. */
async function follow(config: Config, log: Logger): Promise<void> {
  const ready: ReadyConfig = {
    ...config,
    dataDir: path.resolve(config.dataDir),
    databaseUrl: config.databaseUrl ?? '',
    secrets: config.secrets ?? [],
    roles: { api: true, worker: false },
    part: 'follower',
    webFolder,
  };
  const running = await serve(ready);
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => {
    running
      .stop()
      .then(() => process.exit(0))
      .catch((error) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      });
  });
}

function greet(config: Config, url: string): void {
  const api = [
    `  Tonerow is running on ${url}`,
    '',
    `  Dashboard     ${url}/register      make an account, then a product`,
    `  Redemption    ${url}/redeem?dev=…   the link of each developer is under Branding`,
    '  Terminal      npx tonerow login     then: npx tonerow serials generate --help',
    '  Demo data     npm run demo          in another terminal',
  ];
  const worker = [
    '  Tonerow is working on background jobs. It answers no API calls.',
    '',
    `  Health        ${url}/readyz`,
  ];
  const lines = [
    '',
    ...(config.roles.api ? api : worker),
    '',
    `  Data lives in ${path.resolve(config.dataDir)}. Ctrl-C stops everything.`,
    '',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

main().catch((error: unknown) => {
  const friendly =
    error instanceof ConfigError ||
    error instanceof StartupError ||
    (error as { code?: string }).code === 'DATA_DIR_IN_USE';
  const inUse = (error as { code?: string }).code === 'EADDRINUSE';
  const message = error instanceof Error ? error.message : String(error);
  if (inUse)
    process.stderr.write(
      `\n  ${message}\n  Something else listens there. Choose another port: PORT=4001 npm start\n\n`,
    );
  else
    process.stderr.write(`\n  ${friendly ? message : error instanceof Error ? (error.stack ?? message) : message}\n\n`);
  process.exit(1);
});
