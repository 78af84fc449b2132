import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Io } from '#io.ts';
import { isRunning } from '#run/is-running.ts';

/** The folder for state between runs that the client could lose without harm. */
export function stateDir(env: Io['env']): string {
  const base = env.XDG_STATE_HOME || path.join(env.HOME || os.homedir(), '.local', 'state');
  return path.join(base, 'tonerow');
}

/** Not with `recursive`: below a folder like /proc, where nothing can be made, Node would try for ever. */
async function makeFolder(folder: string): Promise<void> {
  try {
    return await makeOne(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
  }
  await makeOne(folder);
}

async function makeOne(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    // the thing in the way may not be a folder, or the folder is on a read-only disk
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  });
}

let drafts = 0;

/** Writes a file that only its owner can read, and that is never half written. */
export async function writePrivately(file: string, text: string): Promise<void> {
  await makeFolder(path.dirname(file));
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
  await makeFolder(path.dirname(file));
  for (let tries = 1; !(await acquire(lock)); tries += 1) {
    // such work takes milliseconds: who holds it for longer is on another machine that is gone
    if (tries === TRIES) await Promise.all([lock, `${lock}.gone`].map((left) => rm(left, { force: true })));
    else if (!(await isAbandoned(lock)) || !(await takeAway(lock))) await pause(EVERY);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Removes a lock that a dead process left. Of several who found it, a late one must not remove the lock of the first. */
async function takeAway(lock: string): Promise<boolean> {
  const mine = `${lock}.gone`;
  if (!(await acquire(mine))) return false;
  try {
    const abandoned = await isAbandoned(lock);
    if (abandoned) await rm(lock, { force: true });
    return abandoned;
  } finally {
    await rm(mine, { force: true });
  }
}

async function acquire(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a process that was killed left the lock. */
async function isAbandoned(lock: string): Promise<boolean> {
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  return pid > 0 && !isRunning(pid);
}
