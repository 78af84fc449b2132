import { spawn } from 'node:child_process';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { processExists } from './data-dir-lock.ts';
import type { Account } from './postgres-home.ts';

/** A running PostgreSQL server. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Settles when the process has ended, with how. */
  exit: Promise<string>;
}

interface Launch {
  home: string;
  cluster: string;
  port: number;
  /** No other port will do: the address was given out. */
  fixed: boolean;
  account: Account | null;
  settings: Record<string, string>;
  logFile: string;
  urlOf(port: number): string;
}

const START_TIMEOUT = 60_000;
const LOCK_TIMEOUT = 10_000;
const LOG_LIMIT = 4_000_000;
// above every system's highest
const NO_PID = 999_999_999;

/** Starts the server and waits until it lets us in, however long it has to recover. */
export async function launch(options: Launch): Promise<Postmaster> {
  const lockDeadline = Date.now() + LOCK_TIMEOUT;
  let port = options.fixed || (await isFree(options.port)) ? options.port : await freePort();
  for (;;) {
    const { postmaster, failed, log } = await attempt(options, port);
    if (postmaster) return postmaster;
    const portTaken = /could not create any TCP\/IP sockets/.test(log);
    if (portTaken && !options.fixed) port = await freePort();
    // the one before us may still be on its way out
    const locked = /lock file .* already exists|pre-existing shared memory/.test(log);
    if (!(portTaken || locked) || Date.now() > lockDeadline) throw startError(failed, log);
    await pause(250);
  }
}

async function attempt(options: Launch, port: number) {
  const flags = Object.entries({ ...options.settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const before = await stat(options.logFile).catch(() => null);
  const from = before && before.size < LOG_LIMIT ? before.size : 0;
  const output = await open(options.logFile, from > 0 ? 'a' : 'w', 0o600);
  const child = spawn(path.join(options.home, 'bin', 'postgres'), ['-D', options.cluster, ...flags], {
    // a process group of its own, so that the terminal's Ctrl-C does not reach it before us
    detached: true,
    cwd: options.cluster,
    stdio: ['ignore', output.fd, output.fd],
    ...(options.account ?? {}),
  });
  let failed: string | undefined;
  const exit = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  exit.then((how) => {
    failed = how;
  });
  await output.close();
  let deadline = Date.now() + START_TIMEOUT;
  while (failed === undefined && Date.now() < deadline) {
    const state = await probe(options.urlOf(port));
    if (state === 'ready' && child.pid !== undefined) {
      child.unref();
      return { postmaster: { pid: child.pid, port, exit }, failed: '', log: '' };
    }
    // replaying its log after a crash: to kill it now would only make it begin again
    if (state === 'starting') deadline = Date.now() + START_TIMEOUT;
    await pause(40);
  }
  if (failed === undefined && child.pid !== undefined) await stopPostmaster(child.pid);
  const log = await readFile(options.logFile).catch(() => Buffer.alloc(0));
  return { postmaster: null, failed: failed ?? 'no answer in time', log: log.subarray(from).toString().trim() };
}

function startError(failed: string, log: string): Error {
  return new Error(`The embedded PostgreSQL did not start (${failed}).\n${log.split('\n').slice(-12).join('\n')}`);
}

/** The server that runs on the cluster already, when it is one and answers. */
export async function findPostmaster(
  cluster: string,
  urlOf: (port: number) => string,
): Promise<Omit<Postmaster, 'exit'> | null> {
  const file = path.join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !processExists(pid)) return null;
  if (!(await worksIn(pid, cluster))) {
    // Another process got the pid of a killed server, and PostgreSQL would refuse to start. The rest of the file stays:
    // PostgreSQL uses it to detect whether sessions of the dead server are still running.
    await writeFile(file, text.replace(/^\d+/, String(NO_PID)));
    return null;
  }
  const deadline = Date.now() + LOCK_TIMEOUT;
  while (processExists(pid) && Date.now() < deadline) {
    if ((await probe(urlOf(port))) === 'ready') return { pid, port };
    await pause(200);
  }
  return null;
}

/** A server never leaves its cluster's folder. True when the system does not provide it. */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  const [at, home] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => null), stat(cluster)]);
  return at === null || (at.dev === home.dev && at.ino === home.ino);
}

/** Waits for the end of a server that is not our child, whose exit is not reported to us. */
export async function waitForExit(pid: number): Promise<string> {
  while (processExists(pid)) await pause(500, undefined, { ref: false });
  return 'it is no longer there';
}

export async function stopPostmaster(pid: number): Promise<void> {
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

async function probe(url: string): Promise<'ready' | 'starting' | 'silent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return 'ready';
  } catch (error) {
    return (error as { code?: string }).code === '57P03' ? 'starting' : 'silent';
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function freePort(): Promise<number> {
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
