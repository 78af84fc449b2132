import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Io } from '#io.ts';
import { isRunning } from '#run/is-running.ts';

/** Where the client keeps state between runs that it could lose without harm. */
export function stateDir(env: Io['env']): string {
  const base = env.XDG_STATE_HOME || path.join(env.HOME || os.homedir(), '.local', 'state');
  return path.join(base, 'tonerow');
}

let drafts = 0;

/** Writes a file that only its owner can read, and that is never half written. */
export async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  drafts += 1;
  const draft = `${file}.${process.pid}.${drafts}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

const [TRIES, EVERY] = [250, 20];

/** Runs what reads a file and writes it again as the only one of all processes: two terminals would lose what the other one has written. */
export async function alone<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  for (let tries = 1; !(await took(lock)); tries += 1) {
    // such work takes milliseconds: who holds it for longer is on another machine that is gone
    if (tries === TRIES || (await isLeft(lock))) await rm(lock, { force: true });
    else await pause(EVERY);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function took(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** By a process that was killed. */
async function isLeft(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  return pid > 0 && !isRunning(pid);
}
