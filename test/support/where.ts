import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of the wall clock and of processors. */
export interface Spent {
  wall: number;
  processor: number;
}

/** The time that one test file spent. */
export interface FileSpent {
  import: Spent;
  server: Spent;
  browser: Spent;
  tests: Spent;
}

/** The clock's ticks in a second, the same on every Linux that Node runs on. */
const TICKS = 100;

/** Processor seconds of this process and of all that it started, also of what has ended. */
export function processorSeconds(): number {
  const { user: account, system } = process.cpuUsage();
  return (account + system) / 1_000_000 + childrenSeconds(process.pid);
}

function childrenSeconds(pid: number): number {
  try {
    let seconds = 0;
    const stat = statOf(pid);
    // children that ended and were waited for
    seconds += (Number(stat[13]) + Number(stat[14])) / TICKS;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
      for (const child of children) {
        const own = statOf(Number(child));
        seconds += (Number(own[11]) + Number(own[12])) / TICKS + childrenSeconds(Number(child));
      }
    }
    return seconds;
  } catch {
    // another system, or a process that has just ended
    return 0;
  }
}

/** The fields of a process after its name, which may hold anything. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

// the real one, also while a test holds the clock
const stopwatch = performance.now.bind(performance);
const now = (): Spent => ({ wall: stopwatch() / 1000, processor: processorSeconds() });
const since = (then: Spent): Spent => {
  const { wall, processor } = now();
  return { wall: wall - then.wall, processor: processor - then.processor };
};

const none = (): Spent => ({ wall: 0, processor: 0 });
const isOn = process.env.TONEROW_WHERE === '1';
let started = none();
let imported = none();
let parts = { server: none(), browser: none() };

/** Notes what the work takes as part of the file that runs now. */
export async function spentOn<T>(part: 'server' | 'browser', work: () => Promise<T>): Promise<T> {
  if (!isOn) return work();
  const then = now();
  try {
    return await work();
  } finally {
    const { wall, processor } = since(then);
    parts[part] = { wall: parts[part].wall + wall, processor: parts[part].processor + processor };
  }
}

/** A file begins: from here to `fileImported` it is imported, from there to `fileSpent` its tests run. */
export function fileStarts(): void {
  if (!isOn) return;
  started = now();
  parts = { server: none(), browser: none() };
}

export function fileImported(): void {
  if (isOn) imported = now();
}

/** Undefined where nobody asked. */
export function fileSpent(): FileSpent | undefined {
  if (!isOn) return undefined;
  const tests = since(imported);
  for (const part of Object.values(parts)) {
    tests.wall -= part.wall;
    tests.processor -= part.processor;
  }
  const importing = { wall: imported.wall - started.wall, processor: imported.processor - started.processor };
  return { import: importing, ...parts, tests };
}
