import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../packages/server/src/config.ts';
import { createDeps, type Deps } from '../../packages/server/src/deps.ts';
import type { Clock } from '../../packages/server/src/platform/clock.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';
import { type SharedServer, TEST_SECRET, UNPACED } from './server.ts';

interface At {
  server: Pick<SharedServer, 'db'>;
  clock: Clock;
  env?: Record<string, string>;
  /** Kinds of jobs that this process does itself. */
  deferred?: string[];
}

/** Another process of the server, on the same database, that does nothing by itself. */
export async function openBeside(at: At): Promise<{ deps: Deps; close(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-beside-'));
  const databaseUrl = at.server.db.url;
  const config = readConfig({
    TONEROW_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    TONEROW_SECRET: TEST_SECRET,
    ...at.env,
  });
  const deps = await createDeps(
    { ...config, databaseUrl, secrets: [TEST_SECRET] },
    { clock: at.clock, log: createLogger('silent'), stripeCallsPerSecond: UNPACED },
  );
  await deps.jobs.start({ work: false, deferred: at.deferred ?? [] });
  return {
    deps,
    async close() {
      await deps.jobs.stop();
      await deps.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Does something as another process of the server does. */
export async function beside<T>(at: At, work: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = await openBeside(at);
  try {
    return await work(deps);
  } finally {
    await close();
  }
}
