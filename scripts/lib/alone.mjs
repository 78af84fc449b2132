// Node built-ins only, on Node 20 and newer: it runs before anything is installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { link, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK = 200;
/**
 * Looking at a dead process's lock and removing it takes milliseconds. A process that began longer ago died in between.
 */
const REMOVAL = 5000;

/**
 * Does something while no other process does it in the same folder. A second process waits. The lock of a process that
 * was killed is taken over.
 * @param folder where the lock is kept.
 * @param waiting is called once with the process that is waited for.
 */
export async function alone(folder, work, waiting) {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'setup.lock');
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid), command: commandOf() });
  for (let announced = false; !(await take(file, mine)); ) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    const holder = parse(text);
    if (!holder || !isAlive(holder)) {
      await removeStale(file, text);
      continue;
    }
    if (!announced) waiting(holder);
    announced = true;
    await pause(LOOK);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** Written elsewhere and linked into place, so that nobody reads half of it. */
async function take(file, text) {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** One at a time, or the second of two that found the same lock would remove the one that the first has taken meanwhile. */
async function removeStale(file, stale) {
  const guard = `${file}.removal`;
  const handle = await open(guard, 'wx').catch(() => null);
  if (!handle) {
    const since = await stat(guard).catch(() => null);
    if (since && Date.now() - since.mtimeMs > REMOVAL) await rm(guard, { force: true });
    await pause(LOOK / 10);
    return;
  }
  try {
    await handle.close();
    if ((await readFile(file, 'utf8').catch(() => null)) === stale) await rm(file, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

function parse(text) {
  try {
    const holder = JSON.parse(text);
    return Number.isInteger(holder?.pid) ? holder : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, started }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  // another process may have its number by now
  const now = startOf(pid);
  return now === null || started === null || now === started;
}

/** When a process started, according to its system; null where that can't be known. */
function startOf(pid) {
  try {
    if (process.platform === 'win32') return null;
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name before it may hold anything
    const [state, ...rest] = fields.slice(fields.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? 'ended' : rest[18];
  } catch {
    return null;
  }
}

function commandOf() {
  const name = process.env.npm_lifecycle_event;
  return name
    ? `npm ${name === 'start' || name === 'test' ? name : `run ${name}`}`
    : process.argv.slice(1, 3).join(' ');
}
