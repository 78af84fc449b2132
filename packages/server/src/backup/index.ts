import path from 'node:path';
import pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import { embeddedUrl } from '#platform/db/embedded/embedded-postgres.ts';
import { StartupError } from '#platform/errors.ts';
import { createLogger } from '#platform/log.ts';
import { systemRandom } from '#platform/random.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import { type Config, readConfig } from '../config.ts';
import { connectionsFor } from '../connections.ts';
import { prepareRuntime, type Runtime } from '../runtime.ts';
import { secretsIn } from '../secrets-file.ts';
import { type BackupReport, backup } from './backup.ts';
import type { Moment } from './moment.ts';
import { openBackup, restore, restoreSecret } from './restore.ts';

const quiet = () => createLogger('error');

/** `tonerow-server backup FILE`: alongside a running server, or without one. */
export async function runBackup(target: string): Promise<BackupReport> {
  const config = readConfig();
  const runtime = (await besideServer(config)) ?? (await prepareRuntime(config, quiet()));
  try {
    const connections = await connectionsFor(runtime.config);
    return await backup({
      config: { ...runtime.config, ...connections },
      ownSecret: config.secrets === undefined,
      target,
      now: systemClock.now(),
    });
  } finally {
    await runtime.release();
  }
}

/** `tonerow-server restore FILE`: into an empty database and an empty data folder, while no server runs there. */
export async function runRestore(file: string): Promise<{
  tables: number;
  files: number;
  collects: boolean;
  moment: Moment;
}> {
  const config = readConfig();
  const opened = await openBackup(file);
  if (config.secrets === undefined) {
    if (opened.header.secret === null)
      throw new StartupError('This backup came without its secret. Set TONEROW_SECRET.');
    await restoreSecret(opened, path.resolve(config.dataDir));
  }
  const log = quiet();
  const runtime = await prepareRuntime(config, log);
  try {
    const ready = { ...runtime.config, ...(await connectionsFor(runtime.config)) };
    const random = systemRandom(systemClock);
    const secrets = new Secrets(ready.secrets, random);
    const noted = { now: systemClock.now(), id: random.id() };
    const counts = await restore(opened, { config: ready, secrets, log, ...noted });
    return { ...counts, collects: config.stripe !== undefined, moment: opened.header.moment ?? 'one' };
  } finally {
    await runtime.release();
  }
}

/** The embedded database of a server that runs now; null when none does. */
export async function besideServer(config: Config): Promise<Runtime | null> {
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
