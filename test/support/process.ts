import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa, type ResultPromise } from 'execa';
import { answering } from './command.ts';

export interface ServerProcess {
  url: string;
  dataDir: string;
  child: Pick<ResultPromise, 'pid' | 'kill'>;
  isRunning(): boolean;
  output(): string;
  /** Waits for the end; answers the exit code. */
  ended(): Promise<number | null>;
}

interface Options {
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
  /** A folder with the server of another release. */
  release?: string;
  /** Do not wait until it is ready. */
  nowait?: boolean;
}

/** The built server as its users run it: a process of its own. */
export async function spawnServer(options: Options = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'tonerow-process-')));
  const port = options.port ?? (await freePort());
  const { DATABASE_URL: _, ...env } = process.env;
  const child = execa(process.execPath, [path.resolve(options.release ?? '.', 'packages/server/dist/main.js')], {
    ...answering,
    stdin: 'ignore',
    buffer: false,
    // it may drain for as long as it likes
    forceKillAfterDelay: false,
    extendEnv: false,
    env: {
      ...env,
      // a process only loads what another one has compiled
      NODE_COMPILE_CACHE: path.resolve('.cache/compile'),
      PORT: String(port),
      TONEROW_DATA_DIR: dataDir,
      TONEROW_RATE_LIMITS: 'off',
      ...options.env,
    },
  });
  let output = '';
  child.all.on('data', (text) => {
    output += text;
  });
  const isRunning = () => child.nodeChildProcess.exitCode === null && child.nodeChildProcess.signalCode === null;
  const end = child.then(({ exitCode }) => exitCode ?? null);
  const server = { url: `http://127.0.0.1:${port}`, dataDir, child, isRunning, output: () => output, ended: () => end };
  if (!options.nowait) await untilReady(server);
  return server;
}

export async function untilReady(server: { url: string; output?(): string; isRunning?(): boolean }): Promise<void> {
  for (let tries = 0; tries < 1800; tries += 1) {
    const answer = await fetch(`${server.url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    if (server.isRunning?.() === false) break;
    await pause(50);
  }
  throw new Error(`the server did not become ready\n${server.output?.() ?? ''}`);
}

/**
 * A free port that nobody gets by asking the system for any: those begin at 32,768, and another worker could be given
 * this one before its server listens.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(15_000, 32_000);
  const server = createServer();
  const isTaken = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(true) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => resolve(false));
  });
  if (isTaken) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}
