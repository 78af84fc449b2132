import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#platform/log.ts';
import { type Account, newClusterFolder, ownedFolder, postgresHome, serviceAccount } from './postgres-home.ts';
import { foreignData, type Notes, readNotes, writeNotes } from './postgres-notes.ts';
import { findPostmaster, freePort, launch, type Postmaster, stopPostmaster, waitForExit } from './postmaster.ts';

export interface EmbeddedPostgres {
  url: string;
  /** True when a server was already running on this folder, as after our process was killed. */
  attached: boolean;
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** More `-c name=value` for the server. */
  settings?: Record<string, string>;
}

const USER = 'tonerow';
const LONGEST_REST = 30_000;

const DEFAULTS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

/**
 * Starts the PostgreSQL that comes with the packages, on loopback, with a generated password, in the data folder; or
 * attaches to the one that already runs there. It has a process group of its own, so that Ctrl-C reaches us first.
 * A database that is there is never replaced by an empty one.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = path.resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const { home, cluster, account, notes } = await settle(dataDir);
  const urlOf = (port: number) => addressOf({ ...notes, port });

  const running = await findPostmaster(cluster, urlOf);
  const start = (port: number, fixed: boolean) =>
    launch({
      home,
      cluster,
      port,
      fixed,
      account,
      settings: { ...DEFAULTS, ...options.settings },
      logFile: path.join(dataDir, 'postgres.log'),
      urlOf,
    });
  const postmaster = running ? { ...running, exit: waitForExit(running.pid) } : await start(notes.port, false);
  const { pid, port } = postmaster;
  await writeNotes(dataDir, { ...notes, port });
  log.info(
    { postgres: pid, port },
    running ? 'attached to the embedded PostgreSQL that was running' : 'PostgreSQL is running',
  );
  return { url: urlOf(port), attached: running !== null, stop: supervise(postmaster, () => start(port, true), log) };
}

/**
 * The URL of a running server's embedded database, for commands run alongside it; null when there has never been one.
 */
export async function embeddedUrl(dataDir: string): Promise<string | null> {
  const notes = await readNotes(path.resolve(dataDir));
  return notes && addressOf(notes);
}

/** Keeps the server running until it is stopped: one that dies of itself (out of memory, a kill) is started again. */
function supervise(first: Postmaster, start: () => Promise<Postmaster>, log: Options['log']): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  let current = first;
  const watching = (async () => {
    let rest = 500;
    for (;;) {
      const how = await Promise.race([current.exit, stopped]);
      if (how === null || signal.aborted) return;
      log.warn({ how }, 'the embedded PostgreSQL ended by itself and is started again');
      while (!signal.aborted) {
        try {
          current = await start();
          rest = 500;
          break;
        } catch (error) {
          log.warn({ err: error }, 'the embedded PostgreSQL cannot be started again yet');
          await pause(rest, undefined, { signal, ref: false }).catch(() => undefined);
          rest = Math.min(rest * 2, LONGEST_REST);
        }
      }
    }
  })();
  return async () => {
    stopping.abort();
    // a startup in progress would otherwise outlive us
    await watching;
    await stopPostmaster(current.pid);
  };
}

/** Finds the database of a data folder, or makes it. */
async function settle(dataDir: string) {
  const ownFolder = path.join(dataDir, 'postgres');
  const known = await readNotes(dataDir);
  const place = known?.cluster ?? ownFolder;
  const there = await isCluster(place);
  if (there && !known)
    throw new Error(
      `There is a database in ${place}, but its password is not: ${dataDir}/postgres.json is missing. Restore it from a backup, or move the database away to start with an empty one.`,
    );
  if (!there && known?.initialised)
    throw new Error(
      `The database that was in ${place} is gone. Restore it from a backup, or delete ${dataDir}/postgres.json to start with an empty one.`,
    );
  const account = await serviceAccount(there ? place : dataDir);
  const home = await postgresHome(dataDir, account);
  if (there && known) return { home, account, cluster: place, notes: { ...known, initialised: true } };
  const port = known?.port ?? (await freePort());
  const password = known?.password ?? randomBytes(24).toString('base64url');
  const cluster = known?.cluster ?? (await newClusterFolder(dataDir, account, password));
  // a cluster next to its notes moves with them
  const notes: Notes = { port, password, ...(cluster === ownFolder ? {} : { cluster }) };
  // written first: a crash in between must not leave a cluster with an unknown password
  await writeNotes(dataDir, notes);
  await initialise(home, cluster, notes.password, account);
  return { home, account, cluster, notes: { ...notes, initialised: true } };
}

async function initialise(home: string, cluster: string, password: string, account: Account | null): Promise<void> {
  // created in a temporary folder and moved into place when complete, so that an interrupted start leaves no partial
  // cluster
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await ownedFolder(draft, account);
  const passwordFile = `${draft}.pw`;
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  if (account) await chown(passwordFile, account.uid, account.gid);
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = ['-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await run(path.join(home, 'bin', 'initdb'), ['-D', draft, ...locale, ...access, '--no-instructions'], account);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(draft, cluster).catch((cause) => {
    throw new Error(`${cluster} is in the way of the database: it is not empty, and no database. Move it away.`, {
      cause,
    });
  });
}

async function run(command: string, parameters: string[], account: Account | null): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'], ...(account ?? {}) });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(command)} failed:\n${output}`)),
    );
  });
}

function addressOf(notes: Notes): string {
  return `postgres://${USER}:${notes.password}@127.0.0.1:${notes.port}/postgres`;
}

async function isCluster(folder: string): Promise<boolean> {
  try {
    return (await stat(path.join(folder, 'global/pg_control'))).isFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw foreignData(path.dirname(folder), error);
    return false;
  }
}
