import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

interface Holder {
  pid: number;
  /** When the process started, according to its system, so that a reused pid is not mistaken for it. */
  started: string | null;
  address: string;
}

export interface DataDirLock {
  release(): Promise<void>;
}

/** Another server works on the data folder. */
export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
  readonly code = 'DATA_DIR_IN_USE';
}

/**
 * Makes this process the only server on a data folder. The lock of a process that died is taken over.
 * @throws {DataDirInUseError} naming the process and its address.
 */
export async function acquireDataDirLock(dataDir: string, about: { address: string }): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, 'server.lock');
  const own = JSON.stringify({ pid: process.pid, started: await startOf(process.pid), address: about.address });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (await create(file, own)) return { release: () => releaseLock(file, own) };
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    const holder = parse(text);
    if (holder && (await isAlive(holder))) {
      throw new DataDirInUseError(
        `Tonerow is already running on this data folder (${dataDir}): process ${holder.pid}, ${holder.address}.\n  Stop it first, or give this one a folder of its own with TONEROW_DATA_DIR.`,
      );
    }
    await removeStale(file, text);
  }
  throw new DataDirInUseError(`The lock ${file} keeps changing hands. Try again.`);
}

async function create(file: string, text: string): Promise<boolean> {
  // a lock must never be seen half written, so it is written to a temporary file and linked into place
  const draft = `${file}.${process.pid}.new`;
  const handle = await open(draft, 'w', 0o644).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EROFS') throw error;
    throw new Error(
      `Tonerow cannot write to its data folder (${path.dirname(file)}). Make it yours, or name another with TONEROW_DATA_DIR.`,
      { cause: error },
    );
  });
  await handle.writeFile(text);
  await handle.close();
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Two may find the same stale lock: what was moved away is looked at again, and put back when it was a new one. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${process.pid}.stale`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== stale) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function releaseLock(file: string, own: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) === own) await rm(file, { force: true });
}

function parse(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) ? holder : null;
  } catch {
    return null;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  if (!processExists(holder.pid)) return false;
  const started = await startOf(holder.pid);
  return started === null || holder.started === null || started === holder.started;
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // a zombie, as in a container whose init process does not reap children, keeps its pid
  return fieldOf(pid, STATE) !== 'Z';
}

// places in /proc/PID/stat after the name, which may hold anything
const STATE = 0;
const START_TIME = 19;

function fieldOf(pid: number, field: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field] ?? null;
  } catch {
    return null;
  }
}

/** Null where the system does not provide it. */
async function startOf(pid: number): Promise<string | null> {
  const started = fieldOf(pid, START_TIME);
  if (started !== null || process.platform === 'win32') return started;
  const result = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  return result?.stdout.trim() || null;
}
