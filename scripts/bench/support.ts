import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa, execaNode, type ResultPromise } from 'execa';

export const root = path.resolve(import.meta.dirname, '../..');

export interface Started {
  url: string;
  child: ResultPromise;
  stop(): Promise<void>;
}

/**
 * The built server as in production, including logs, on its own data folder.
 * @param preload a module that is loaded before it.
 */
export async function startServer(
  dataDir: string,
  settings: Record<string, string> = {},
  preload?: string,
): Promise<Started> {
  const port = await freePort();
  const program = path.join(root, 'packages/server/dist/main.js');
  const child = execa(process.execPath, [...(preload ? ['--import', path.join(root, preload)] : []), program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    reject: false,
    forceKillAfterDelay: false,
    env: { PORT: String(port), TONEROW_DATA_DIR: dataDir, TONEROW_RATE_LIMITS: 'off', ...settings },
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) return { url, child, stop: () => end(child) };
    await pause(100);
  }
  throw new Error('the server did not start');
}

export const startBare = (databaseUrl: string): Promise<Started> => startRoutes('bare', databaseUrl);

/** @param secret of the reports that it verifies */
export const startBareHooks = (databaseUrl: string, secret: string): Promise<Started> =>
  startRoutes('bare-hooks', databaseUrl, secret);

async function startRoutes(name: string, databaseUrl: string, ...rest: string[]): Promise<Started> {
  const port = await freePort();
  const options = { ipc: true, reject: false, stdio: 'inherit' } as const;
  const child = execaNode(
    path.join(root, `scripts/bench/processes/${name}.ts`),
    [databaseUrl, String(port), ...rest],
    options,
  );
  await child.getOneMessage();
  return { url: `http://127.0.0.1:${port}`, child, stop: () => end(child) };
}

async function end(child: ResultPromise): Promise<void> {
  child.kill('SIGTERM');
  await child;
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Resident memory of a process in MB; 0 where the system does not report it. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Milliseconds of processor time that the database of a data folder has used; 0 where the system does not report it. */
export async function databaseCpu(dataDir: string): Promise<number> {
  const pidFile = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  const parent = pidFile.split('\n')[0];
  let ticks = 0;
  for (const pid of await readdir('/proc').catch(() => [])) {
    // reads the fields behind the name, which may have spaces: state, parent, … user and system time
    const stat = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ').at(-1)?.split(' ') ?? [];
    if (stat[1] === parent) ticks += Number(stat[11]) + Number(stat[12]);
  }
  return ticks * 10;
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Watches how far the server's memory grows above what it is now. */
export async function watchMemory({ child }: Started): Promise<{ stop(): number }> {
  const pid = child.pid as number;
  const before = await memoryOf(pid);
  let most = 0;
  const timer = setInterval(async () => {
    most = Math.max(most, (await memoryOf(pid)) - before);
  }, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** A new developer and their token. */
export async function signIn(url: string, name = 'bench'): Promise<{ token: string; developerId: string }> {
  const { token, id } = await signUp(url, 'developer', name);
  return { token, developerId: id };
}

export async function signUp(url: string, role: 'developer' | 'reseller', account: string) {
  const name = { first_name: 'B', last_name: 'Ench', company_name: 'Bench' };
  const form = { email: `${account}@example.com`, password: 'a bench of long words', ...name };
  await post(url, role === 'developer' ? '/api/auth/register' : '/api/reseller/register', form);
  const { token, user } = await post(url, '/api/auth/login', { email: form.email, password: form.password });
  return { token: token as string, id: user.id as string };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
export async function post(url: string, target: string, body: object, token?: string): Promise<any> {
  const response = await fetch(url + target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${target} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
