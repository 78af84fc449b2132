import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { systemClock } from '#platform/clock.ts';
import { migrationsIn } from '#platform/db/schema/schema-state.ts';
import { StartupError } from '#platform/errors.ts';
import { createLogger, type Logger } from '#platform/log.ts';
import { systemRandom } from '#platform/random.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import type { Cron } from '#platform/time/cron.ts';
import { migrationsFolder } from '../base.ts';
import { type Config, type Env, readConfig, readPlaces } from '../config.ts';
import { connectionsFor } from '../connections.ts';
import { prepareRuntime, type Runtime, runtimeBeside } from '../runtime.ts';
import { type BackupReport, backup } from './backup.ts';
import { Backups, type BackupsMade } from './backups.ts';
import type { Moment } from './moment.ts';
import { bucketPlace, type Draft, fileDraft, isBucket, openPlace, type Place } from './places.ts';
import { megabytes, Progress } from './progress.ts';
import { checkWhole, laterThan, openBackup, type Restored, restore, restoreSecret } from './restore.ts';
import { BackupSchedule } from './schedule.ts';

const quiet = () => createLogger('error');

/** `tonerow-server backup FILE`: alongside a running server, or without one. */
export async function runBackup(target: string, env: Env): Promise<BackupReport> {
  const config = readConfig(env);
  return isBucket(target) ? refuseBucket(target) : makeBackup(config, await fileDraft(target));
}

function refuseBucket(target: string): never {
  throw new StartupError(`${target} is a bucket. Backups go there by: tonerow-server backup --to ${target}`);
}

/** `tonerow-server backup --to PLACE`: now, or by a schedule, with a copy at each place, of which the newest are kept. */
export async function runBackups(
  { to, keep, schedule }: { to: readonly string[]; keep: number | undefined; schedule: Cron | undefined },
  env: Env,
): Promise<BackupsMade | null> {
  const config = readConfig(env);
  const chosen = to.length > 0 ? readPlaces(to, '--to') : config.backups.to;
  if (chosen.length === 0)
    throw new StartupError('Name a file, or a place by --to: a folder, or a bucket such as s3://backups/tonerow.');
  const places: Place[] = [];
  try {
    for (const where of chosen) places.push(await openPlace(where, config.backups.s3));
    const make = (draft: Draft, signal?: AbortSignal) => makeBackup(config, draft, signal);
    const backups = new Backups({ places, keep, make, clock: systemClock });
    if (!schedule) return await backups.make();
    const log = createLogger(config.logLevel);
    const ended = stopped(log);
    await new BackupSchedule({ backups, cron: schedule, clock: systemClock, log }).run(ended);
    return null;
  } finally {
    for (const place of places) place.close();
  }
}

/** Set when somebody stops this process. */
function stopped(log: Logger): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      ended.abort(new Error('The backup was stopped.'));
    });
  return ended.signal;
}

async function makeBackup(config: Config, draft: Draft, signal?: AbortSignal): Promise<BackupReport> {
  let runtime: Runtime | undefined;
  try {
    runtime = await runtimeBeside(config, quiet());
    const connections = await connectionsFor(runtime.config);
    const ownSecret = config.secrets === undefined;
    const ready = { ...runtime.config, ...connections };
    return await backup({ config: ready, ownSecret, draft, now: systemClock.now(), signal });
  } catch (error) {
    // for a backup that was not begun; otherwise the draft is gone already
    await draft.abort(error as Error).catch(() => undefined);
    throw error;
  } finally {
    await runtime?.release();
  }
}

/**
 * `tonerow-server restore FILE`: into an empty database and an empty data folder, while no server runs there.
 * @param report is called every ten seconds with how far it is.
 */
export async function runRestore(
  file: string,
  env: Env,
  { report, partitions }: { report: (line: string) => void; partitions: number | undefined },
): Promise<Restored & { collects: boolean; moment: Moment }> {
  const config = readConfig(env);
  const progress = new Progress(report);
  try {
    // before anything is written
    const bytes = await checkBackup(file, config, progress);
    return await restoreFrom(file, { config, bytes, progress, partitions });
  } finally {
    progress.end();
  }
}

/** Reads all of it once, so that one that is cut off leaves no database and no secret. @returns the bytes of its content. */
async function checkBackup(file: string, config: Config, progress: Progress): Promise<number> {
  const { source, close } = await sourceOf(file, config);
  try {
    const opened = await openBackup(file, source);
    laterThan(opened.header, await migrationsIn(migrationsFolder));
    if (config.secrets === undefined && opened.header.secret === null)
      throw new StartupError('This backup came without its secret. Set TONEROW_SECRET.');
    return await checkWhole(file, opened, (read) => progress.now(() => `Reading the backup: ${megabytes(read)}.`));
  } finally {
    source.destroy();
    close();
  }
}

interface Restoring {
  config: Config;
  bytes: number;
  progress: Progress;
  partitions: number | undefined;
}

async function restoreFrom(file: string, { config, bytes, progress, partitions }: Restoring) {
  const { source, close } = await sourceOf(file, config);
  try {
    const opened = await openBackup(file, source);
    if (config.secrets === undefined) await restoreSecret(opened, path.resolve(config.dataDir));
    const log = quiet();
    progress.now(() => 'Starting the database.');
    const runtime = await prepareRuntime(config, log);
    progress.now(() => 'Making the tables.');
    try {
      const ready = { ...runtime.config, ...(await connectionsFor(runtime.config)) };
      const random = systemRandom(systemClock);
      const secrets = new Secrets(ready.secrets, random);
      const noted = { now: systemClock.now(), id: random.id() };
      const doing = (what: string, done: number) =>
        progress.now(() => `Restoring: ${Math.min(100, Math.floor((100 * done) / Math.max(1, bytes)))} %, ${what}.`);
      const counts = await restore(opened, { config: ready, secrets, log, partitions, doing, ...noted });
      return { ...counts, collects: config.stripe !== undefined, moment: opened.header.moment ?? ('one' as const) };
    } finally {
      await runtime.release();
    }
  } finally {
    source.destroy();
    close();
  }
}

/** A file, or an object as `s3://BUCKET/PREFIX/NAME`. */
async function sourceOf(file: string, config: Config): Promise<{ source: Readable; close(): void }> {
  if (!isBucket(file)) return { source: createReadStream(file), close: () => undefined };
  const cut = file.lastIndexOf('/');
  const place = await bucketPlace(file.slice(0, cut), config.backups.s3);
  return { source: await place.read(file.slice(cut + 1)), close: () => place.close() };
}
