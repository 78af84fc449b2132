import { open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import type { Bench } from '../bench.ts';
import { root, round, watchMemory } from '../support.ts';

/** The terminal client itself takes some 80 MB. */
const MOST_MEMORY = 260;
/** A few pages of a list, or a few pieces of an export. */
const MOST_GROWTH = 120;

/** An account whose lists have so many rows. */
export interface Side {
  token: string;
  rows: number;
  /** Words of commands that are others in each account, such as an id. */
  named?: Readonly<Record<string, string>>;
}

export interface Measured {
  seconds: number;
  /** The most resident memory, in MB. */
  memory: number;
}

/** A list that is measured at two sizes. */
export interface Listed {
  command: string[];
  /** Rows in what it prints or writes. */
  counted(file: string): Promise<number>;
  /** The part of the rows that the list has, such as customers with four serials each. Default 1. */
  share?: number;
  /** It writes a file by --out, instead of standard output. */
  toFile?: boolean;
}

/** One list at both sizes: whether time and memory grow as they may. */
export async function compare(
  bench: Bench,
  [more, fewer]: readonly [Side, Side],
  { command, counted, share = 1, toFile = false }: Listed,
): Promise<Measured> {
  const what = `tonerow ${command.join(' ')}`;
  const [rows, few] = [Math.ceil(more.rows / share), Math.ceil(fewer.rows / share)];
  bench.say(`${what}, ${few} and ${rows} rows`);
  const file = path.join(bench.folder, 'listed.json');
  const measure = async (side: Side, wanted: number) => {
    const measured = await (toFile
      ? run(bench, side, [...command, '--out', file, '--force'])
      : run(bench, side, command, file));
    const found = await counted(file);
    await rm(file, { force: true });
    // customers are spread over developers, a few more or less
    if (Math.abs(found - wanted) > (share === 1 ? 1 : wanted / 100 + 20))
      bench.line({
        what: `${what}: its rows`,
        ours: String(found),
        baseline: String(wanted),
        ratio: Math.max(found, wanted) / Math.max(1, Math.min(found, wanted)),
        below: 1,
      });
    return measured;
  };
  const small = await measure(fewer, few);
  const server = await watchMemory(bench.server);
  const large = await measure(more, rows);
  const growth = server.stop();
  bench.line({
    what: `${what}, ${rows} rows`,
    ours: `${round(large.seconds, 1)} s`,
    baseline: `${round((small.seconds * rows) / few, 1)} s as fast as ${few}`,
    ratio: large.seconds / ((small.seconds * rows) / few),
    atMost: 1.3,
  });
  bench.line({
    what: '  memory of the terminal client',
    ours: `${round(large.memory, 0)} MB`,
    baseline: `${round(small.memory, 0)} MB with ${few}`,
    ratio: large.memory,
    below: MOST_MEMORY,
    unit: ' MB',
  });
  bench.line({
    what: '  memory growth of the server',
    ours: `${round(growth, 0)} MB`,
    ratio: growth,
    below: MOST_GROWTH,
    unit: ' MB',
  });
  return large;
}

export async function run({ server, folder }: Bench, side: Side, args: string[], out?: string): Promise<Measured> {
  const begun = performance.now();
  const child = execa(
    process.execPath,
    [path.join(root, 'packages/cli/bin/tonerow.cjs'), ...args.map((word) => side.named?.[word] ?? word)],
    {
      stdin: 'ignore',
      stdout: out ? { file: out } : 'ignore',
      buffer: false,
      stderr: 'inherit',
      env: { TONEROW_URL: server.url, TONEROW_TOKEN: side.token, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
    },
  );
  let memory = 0;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 200);
  try {
    await child;
    return { seconds: (performance.now() - begun) / 1000, memory };
  } finally {
    clearInterval(timer);
  }
}

/** How many objects of a list the file has, by the lines that begin them. */
export async function rowsOfJson(file: string): Promise<number> {
  return countOf(file, '\n  {\n');
}

export async function linesOf(file: string): Promise<number> {
  return countOf(file, '\n');
}

/** Those of a CSV, without its head. */
export async function rowsOfCsv(file: string): Promise<number> {
  return (await linesOf(file)) - 1;
}

export async function numberIn(file: string): Promise<number> {
  return Number(await readFile(file, 'utf8'));
}

const PIECE = 16 * 1024 * 1024;

async function countOf(file: string, text: string): Promise<number> {
  const wanted = Buffer.from(text);
  const { size } = await stat(file);
  const handle = await open(file);
  try {
    let found = 0;
    let held = Buffer.alloc(0);
    for (let at = 0; at < size; at += PIECE) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
      const piece = Buffer.concat([held, buffer.subarray(0, bytesRead)]);
      for (let hit = piece.indexOf(wanted); hit >= 0; hit = piece.indexOf(wanted, hit + 1)) found += 1;
      held = piece.subarray(Math.max(0, piece.length - (wanted.length - 1)));
    }
    return found;
  } finally {
    await handle.close();
  }
}
