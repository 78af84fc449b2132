import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServerProcess {
  url: string;
  dataDir: string;
  child: ChildProcess;
  output(): string;
  /** Waits for the end; answers the exit code. */
  ended(): Promise<number | null>;
}

interface Options {
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
  /** Do not wait until it is ready. */
  nowait?: boolean;
}

/** The built server as its users run it: a process of its own. */
export async function spawnServer(options: Options = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'tonerow-process-')));
  const port = options.port ?? (await freePort());
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [path.resolve('packages/server/dist/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PORT: String(port), TONEROW_DATA_DIR: dataDir, TONEROW_RATE_LIMITS: 'off', ...options.env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      output += text;
    });
  }
  const end = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
  });
  const server = { url: `http://127.0.0.1:${port}`, dataDir, child, output: () => output, ended: () => end };
  if (!options.nowait) await untilReady(server);
  return server;
}

export async function untilReady(server: { url: string; output?(): string; child?: ChildProcess }): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${server.url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    if (server.child?.exitCode !== null && server.child?.exitCode !== undefined) break;
    await pause(50);
  }
  throw new Error(`the server did not become ready\n${server.output?.() ?? ''}`);
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
