import { open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import type { Bench } from './bench.ts';
import { seedLedger, seedOpen } from './seed.ts';
import { analyze, seedTrade } from './seed-resellers.ts';
import { root, round, signIn, signUp } from './support.ts';

const ROWS = Number(process.env.BENCH_LISTS ?? 1_000_000);
/** Of the other account, whose list shows whether the time grows with the rows alone. */
const FEWER = Math.floor(ROWS / 4);
const [OPEN, FEW_OPEN, LEDGER, FEW_LEDGER, TRADE, FEW_TRADE] = [41, 42, 43, 44, 45, 46];
const DEVELOPERS = 20;
/** The terminal client itself takes some 80 MB. */
const MOST_MEMORY = 260;

interface Side {
  token: string;
  rows: number;
}

interface Measured {
  seconds: number;
  /** The most resident memory, in MB. */
  memory: number;
}

/** The lists of the terminal client, read to their ends, at two sizes: time and memory, and for serials against their export. */
export async function lists(bench: Bench): Promise<void> {
  const { server, db, say } = bench;
  const account = async (name: string, rows: number, seed: (id: string) => Promise<void>): Promise<Side> => {
    const { token, developerId } = await signIn(server.url, name);
    await seed(developerId);
    return { token, rows };
  };
  const shop = async (name: string, rows: number, mark: number): Promise<Side> => {
    const { token, id } = await signUp(server.url, 'reseller', name);
    const when = `now() - interval '365 days' * (1 - (i + 1)::float8 / ${rows})`;
    await seedTrade(db, {
      developers: DEVELOPERS,
      partnerships: 1,
      open: 1,
      resellerId: id,
      redemptions: rows,
      when,
      mark,
    });
    return { token, rows };
  };
  say(`seeding ${ROWS} and ${FEWER} rows of each list`);
  const stock = [
    await account('listed', ROWS, (id) => seedOpen(db, id, ROWS, OPEN)),
    await account('listed-less', FEWER, (id) => seedOpen(db, id, FEWER, FEW_OPEN)),
  ] as const;
  const sold = [
    await account('sold', ROWS, (id) => seedLedger(db, id, ROWS, LEDGER)),
    await account('sold-less', FEWER, (id) => seedLedger(db, id, FEWER, FEW_LEDGER)),
  ] as const;
  const resold = [await shop('resold', ROWS, TRADE), await shop('resold-less', FEWER, FEW_TRADE)] as const;
  await db.query('vacuum analyze serials');
  await analyze(db);

  const exported = path.join(bench.folder, 'listed.ndjson');
  const toFile = ['serials', 'list', '--format', 'ndjson', '--out', exported, '--force'];
  say(`exporting ${ROWS} serials`);
  const copied = await run(bench, stock[0], toFile);
  bench.line({
    what: `serials list --format ndjson --out FILE, ${ROWS} rows`,
    ours: `${round(copied.seconds, 1)} s`,
    baseline: '60,000 rows/s',
    ratio: copied.seconds / (ROWS / 60_000),
    atMost: 1,
  });
  const all = await compare(bench, stock, ['serials', 'list', '--all', '--json'], rowsOfJson);
  const codes = await compare(bench, stock, ['serials', 'list', '--all', '--jq', '.[].code'], linesOf);
  const length = await compare(bench, stock, ['serials', 'list', '--all', '--jq', 'length'], numberIn);
  for (const [what, { seconds }] of [
    ['--json', all],
    ["--jq '.[].code'", codes],
    ['--jq length', length],
  ] as const)
    bench.line({
      what: `serials list --all ${what}, ${ROWS} rows, against their export`,
      ours: `${round(seconds, 1)} s`,
      baseline: `${round(copied.seconds, 1)} s`,
      ratio: seconds / copied.seconds,
      atMost: 3,
    });
  await compare(bench, stock, ['serials', 'group', 'Open', '--all', '--json'], rowsOfJson);
  await compare(bench, sold, ['serials', 'redeemed', '--all', '--json'], rowsOfJson);
  await compare(bench, sold, ['customers', 'list', '--all', '--json'], rowsOfJson, 4);
  await compare(bench, resold, ['sales', 'transactions', '--all', '--json'], rowsOfJson);
  await compare(bench, resold, ['sales', 'customers', '--all', '--json'], rowsOfJson, 4);
}

/** One list at both sizes. @param share of the rows that the list has, such as customers with four serials each */
async function compare(
  bench: Bench,
  [more, fewer]: readonly [Side, Side],
  command: string[],
  counted: (file: string) => Promise<number>,
  share = 1,
): Promise<Measured> {
  const what = `tonerow ${command.join(' ')}`;
  const [rows, few] = [Math.ceil(more.rows / share), Math.ceil(fewer.rows / share)];
  bench.say(`${what}, ${few} and ${rows} rows`);
  const file = path.join(bench.folder, 'listed.json');
  const measure = async (side: Side, wanted: number) => {
    const measured = await run(bench, side, command, file);
    const found = await counted(file);
    // customers are spread over developers, a few more or less
    if (Math.abs(found - wanted) > (share > 1 ? wanted / 100 : 0))
      throw new Error(`${what} printed ${found} rows instead of ${wanted}`);
    return measured;
  };
  const small = await measure(fewer, few);
  const large = await measure(more, rows);
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
  return large;
}

async function run({ server, folder }: Bench, side: Side, args: string[], out?: string): Promise<Measured> {
  const begun = performance.now();
  const child = execa(process.execPath, [path.join(root, 'packages/cli/bin/tonerow.cjs'), ...args], {
    stdin: 'ignore',
    stdout: out ? { file: out } : 'ignore',
    buffer: false,
    stderr: 'inherit',
    env: { TONEROW_URL: server.url, TONEROW_TOKEN: side.token, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
  });
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
async function rowsOfJson(file: string): Promise<number> {
  return countOf(file, '\n  {\n');
}

async function linesOf(file: string): Promise<number> {
  return countOf(file, '\n');
}

async function numberIn(file: string): Promise<number> {
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
