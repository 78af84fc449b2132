import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { processExists } from './data-dir-lock.ts';
import { type Account, clusterFolder, ownedFolder, postgresHome, serviceAccount } from './postgres-home.ts';

export interface EmbeddedPostgres {
  url: string;
  /** True when a server was already running on this folder, as after a kill -9 of ours. */
  attached: boolean;
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** More `-c name=value` for the server. */
  settings?: Record<string, string>;
}

interface Known {
  port: number;
  password: string;
}

const START_TIMEOUT = 60_000;
const LOCK_TIMEOUT = 10_000;
const USER = 'tonerow';

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
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = path.resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const account = await serviceAccount();
  // the folder itself is ours to let the database's account through; what is secret in it has modes of its own
  if (account) await chmod(dataDir, 0o755);
  const home = await postgresHome(account);
  const cluster = await clusterFolder(dataDir, account);
  const notes = path.join(dataDir, 'postgres.json');
  let known = await readKnown(notes);
  if (!known || !(await isCluster(cluster))) {
    known = { port: await freePort(), password: randomBytes(24).toString('base64url') };
    await initialise(home, cluster, known.password, account);
    await writeKnown(notes, known);
  }

  const running = await runningServer(cluster, known);
  if (running) {
    log.info({ pid: running.pid, port: running.port }, 'attached to the embedded PostgreSQL that was running');
    return {
      url: urlOf({ ...known, port: running.port }),
      attached: true,
      stop: () => stopServer(running.pid),
    };
  }
  if (!(await isFree(known.port))) known = { ...known, port: await freePort() };
  await writeKnown(notes, known);
  const settled = known;
  const start = () =>
    launch(home, cluster, settled, account, options.settings ?? {}, path.join(dataDir, 'postgres.log'));
  return { url: urlOf(known), attached: false, stop: await supervised(start, log) };
}

/** Keeps the server running until it is stopped: one that dies of itself (out of memory, a kill) is started again. */
async function supervised(start: () => Promise<ChildProcess>, log: Options['log']): Promise<() => Promise<void>> {
  let stopping = false;
  let child = await start();
  log.info({ pid: child.pid }, 'the embedded PostgreSQL is running');
  const watch = () => {
    child.once('exit', async (code, signal) => {
      if (stopping) return;
      log.warn({ code, signal }, 'the embedded PostgreSQL ended by itself and is started again');
      try {
        child = await start();
        watch();
      } catch (error) {
        log.warn({ err: error }, 'the embedded PostgreSQL cannot be started again');
      }
    });
  };
  watch();
  return async () => {
    stopping = true;
    await stopServer(child.pid as number);
  };
}

/** The address of the embedded database of a running server, for commands beside it; null when none ever ran there. */
export async function embeddedUrl(dataDir: string): Promise<string | null> {
  const known = await readKnown(path.join(path.resolve(dataDir), 'postgres.json'));
  return known && urlOf(known);
}

async function launch(
  home: string,
  cluster: string,
  known: Known,
  account: Account | null,
  settings: Record<string, string>,
  logFile: string,
): Promise<ChildProcess> {
  const given = { ...DEFAULTS, port: String(known.port), ...settings };
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const deadline = Date.now() + START_TIMEOUT;
  const lockDeadline = Date.now() + LOCK_TIMEOUT;
  for (;;) {
    const output = await open(logFile, 'w', 0o600);
    const child = spawn(path.join(home, 'bin', 'postgres'), ['-D', cluster, ...flags], {
      detached: true,
      cwd: cluster,
      stdio: ['ignore', output.fd, output.fd],
      ...(account ?? {}),
    });
    let failed: string | undefined;
    child.once('error', (error) => {
      failed = error.message;
    });
    child.once('exit', (code) => {
      failed ??= `exit code ${code}`;
    });
    await output.close();
    while (failed === undefined && Date.now() < deadline) {
      if (await answers(urlOf(known))) {
        child.unref();
        return child;
      }
      await pause(40);
    }
    const said = (await readFile(logFile, 'utf8').catch(() => '')).trim();
    // the one before us may still be on its way out
    if (/lock file .* already exists|pre-existing shared memory/.test(said) && Date.now() < lockDeadline) {
      await pause(250);
      continue;
    }
    child.kill('SIGKILL');
    throw new Error(
      `The embedded PostgreSQL did not start (${failed ?? 'no answer in time'}).\n${said.split('\n').slice(-12).join('\n')}`,
    );
  }
}

async function initialise(home: string, cluster: string, password: string, account: Account | null): Promise<void> {
  // what an interrupted first start left behind is no cluster and holds nothing
  await rm(cluster, { recursive: true, force: true });
  await ownedFolder(cluster, account);
  const passwordFile = path.join(path.dirname(cluster), `.${path.basename(cluster)}.${process.pid}.pw`);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) await chown(passwordFile, account.uid, account.gid);
  try {
    await run(
      path.join(home, 'bin', 'initdb'),
      [
        '-D',
        cluster,
        '-U',
        USER,
        '-E',
        'UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '-A',
        'scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--no-instructions',
      ],
      account,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function run(command: string, parameters: string[], account: Account | null): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, parameters, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(account ?? {}),
    });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    child.stderr.on('data', (text) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(command)} failed:\n${said}`)),
    );
  });
}

/** The server that runs on the cluster, when it is alive, ours and answers. */
async function runningServer(cluster: string, known: Known): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || !processExists(pid)) return null;
  const deadline = Date.now() + LOCK_TIMEOUT;
  while (processExists(pid) && Date.now() < deadline) {
    if (await answers(urlOf({ ...known, port }))) return { pid, port };
    await pause(200);
  }
  return null;
}

async function stopServer(pid: number): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: sessions end, everything is written, the process leaves
  kill(pid, 'SIGINT');
  for (let waited = 0; processExists(pid); waited += 25) {
    if (waited === 30_000) kill(pid, 'SIGQUIT');
    if (waited > 40_000) return;
    await pause(25);
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf(known: Known): string {
  return `postgres://${USER}:${known.password}@127.0.0.1:${known.port}/postgres`;
}

async function readKnown(file: string): Promise<Known | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Known);
}

async function writeKnown(file: string, known: Known): Promise<void> {
  await writeFile(file, JSON.stringify(known), { mode: 0o600 });
}

async function isCluster(folder: string): Promise<boolean> {
  // written last by initdb's own bootstrap, and always there in a running cluster
  return (
    (await stat(path.join(folder, 'PG_VERSION')).catch(() => null)) !== null &&
    (await stat(path.join(folder, 'global/pg_control')).catch(() => null)) !== null
  );
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
