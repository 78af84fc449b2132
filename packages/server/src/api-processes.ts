import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '#platform/errors.ts';
import type { Logger } from '#platform/log.ts';
import type { ReadyConfig } from './base.ts';

/** A process that ends within this time was not stopped by chance: the next one waits a moment. */
const SHORT_LIFE = 2000;

export interface ApiProcesses {
  /**
   * Resolves when the first one listens.
   * @throws {StartupError} when one ends before any could listen; its own output has the reason.
   */
  listening: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the API processes of this machine, which share one port, and replaces those that end. */
export function startApiProcesses(config: ReadyConfig, log: Logger): ApiProcesses {
  // they cannot request what this process found and created
  const env = {
    DATABASE_URL: config.databaseUrl,
    TONEROW_SECRET: config.secrets.join(','),
    TONEROW_DATA_DIR: config.dataDir,
  };
  let stopping = false;
  const start = () => {
    if (stopping) return;
    const worker = cluster.fork(env);
    let short = true;
    const settled = setTimeout(() => {
      short = false;
    }, SHORT_LIFE);
    worker.once('exit', (code, signal) => {
      clearTimeout(settled);
      if (stopping) return;
      log.warn({ worker: worker.process.pid, code, signal }, 'an API process ended and is replaced');
      pause(short ? SHORT_LIFE : 0).then(start);
    });
  };
  const listening = new Promise<void>((resolve, reject) => {
    cluster.once('listening', () => resolve());
    cluster.once('exit', (_worker, code) => {
      reject(new StartupError(`The API processes could not be started (exit code ${code}).`));
    });
  });
  for (let i = 0; i < config.workers; i += 1) start();
  return {
    listening,
    async stop() {
      stopping = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && end(worker)));
    },
  };
}

function end(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
