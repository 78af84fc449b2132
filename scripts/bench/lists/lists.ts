import path from 'node:path';
import type { Bench } from '../bench.ts';
import { seedLedger, seedOpen } from '../seeds/seed.ts';
import { analyze, seedTrade } from '../seeds/seed-resellers.ts';
import { round, signIn, signUp } from '../support.ts';
import { linesOf, compare as listed, numberIn, rowsOfCsv, rowsOfJson, run, type Side } from './list-runs.ts';

const ROWS = Number(process.env.BENCH_LISTS ?? process.env.BENCH_SERIALS ?? 1_000_000);
/** Rows of the other account, whose list shows whether the time grows with the rows alone. */
const FEWER = Math.floor(ROWS / 4);
const [OPEN, FEW_OPEN, LEDGER, FEW_LEDGER, TRADE, FEW_TRADE] = [41, 42, 43, 44, 45, 46];
const DEVELOPERS = 20;

/** Serials, customers and sales in the terminal client, listed and exported, at two sizes: time and memory, and lists against exports. */
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

  const compare = (
    sides: readonly [Side, Side],
    command: string[],
    counted: (file: string) => Promise<number>,
    share = 1,
  ) => listed(bench, sides, { command, counted, share });
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
  const all = await compare(stock, ['serials', 'list', '--all', '--json'], rowsOfJson);
  const codes = await compare(stock, ['serials', 'list', '--all', '--jq', '.[].code'], linesOf);
  const length = await compare(stock, ['serials', 'list', '--all', '--jq', 'length'], numberIn);
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
  await compare(stock, ['serials', 'group', 'Open', '--all', '--json'], rowsOfJson);
  await compare(sold, ['serials', 'redeemed', '--all', '--json'], rowsOfJson);
  await compare(sold, ['customers', 'list', '--all', '--json'], rowsOfJson, 4);
  await compare(resold, ['sales', 'transactions', '--all', '--json'], rowsOfJson);
  await compare(resold, ['sales', 'customers', '--all', '--json'], rowsOfJson, 4);
  const exports: [readonly [Side, Side], string, number][] = [
    [stock, 'serials list', 1],
    [stock, 'serials export available', 1],
    [stock, 'serials export Open', 1],
    [sold, 'serials export redeemed', 1],
    [sold, 'customers export', 4],
    [resold, 'sales transactions --csv', 1],
    [resold, 'sales customers --csv', 4],
  ];
  for (const [sides, line, share] of exports)
    await listed(bench, sides, { command: line.split(' '), counted: rowsOfCsv, share, toFile: true });
}
