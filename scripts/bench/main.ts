/**
 * Measures what has to be fast, each against a baseline of the same run, because machines differ and ratios do not.
 * `npm run bench`, or `npm run bench -- ledger import` for some of it. BENCH_SERIALS, BENCH_LEDGER, BENCH_OTHERS,
 * BENCH_RESOLD, BENCH_STOCK, BENCH_LISTED, BENCH_LISTS, BENCH_USED, BENCH_CLOSED,
 * BENCH_COLLECTED, BENCH_EVENTS, BENCH_ORDERS, BENCH_KINDS, BENCH_GROWN_ORDERS and BENCH_SECONDS make it smaller. `partitions` runs only when it is named: it takes a quarter of an
 * hour with BENCH_SERIALS=3000000.
 */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { ApiHost } from '@tonerow/test-support/shops/api-host.ts';
import pg from 'pg';
import { embeddedUrl } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts';
import { type Bench, judged, type Line } from './bench.ts';
import { exporting } from './bulk/exports.ts';
import { importing } from './bulk/files.ts';
import { generation } from './bulk/generation.ts';
import { movingIn } from './bulk/moving-in.ts';
import { ledger } from './ledger.ts';
import { licensing } from './licensing.ts';
import { lifeline } from './lifeline.ts';
import { grownLists } from './lists/grown-lists.ts';
import { lists } from './lists/lists.ts';
import { billing } from './money/billing.ts';
import { payoutClose } from './money/payout-close.ts';
import { newcomer } from './newcomer.ts';
import { orders } from './orders.ts';
import { partitions } from './partitions/partitions.ts';
import { resellers } from './resellers.ts';
import { seats } from './seats.ts';
import { shops } from './shops.ts';
import { startUp } from './start-up.ts';
import { stock } from './stock.ts';
import { post, root, signIn, startServer } from './support.ts';
import { webhooks } from './webhooks.ts';

const QUANTITY = Number(process.env.BENCH_SERIALS ?? 1_000_000);
const chosen = process.argv.slice(2);
const wants = (name: string) => chosen.length === 0 || chosen.includes(name);
const lines: Line[] = [];
const say = (text: string) => process.stderr.write(`  ${text} …\n`);

const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-bench-'));
// as root the database runs as another user, who has to get through
await chmod(folder, 0o755);
say('starting a server of its own');
// the receivers of webhooks are on this machine
const shopApis = await new ApiHost().start();
const server = await startServer(path.join(folder, 'data'), { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8', ...shopApis.env });
const databaseUrl = (await embeddedUrl(path.join(folder, 'data'))) as string;
const db = new pg.Client({ connectionString: databaseUrl });
await db.connect();
try {
  const { token, developerId } = await signIn(server.url);
  const bench: Bench = {
    server,
    databaseUrl,
    db,
    token,
    developerId,
    folder,
    quantity: QUANTITY,
    say,
    line: (measured) => lines.push(judged(measured)),
  };
  const product = await post(server.url, '/api/products', { name: 'Bench', price: 10 }, token);
  // first, while the database is empty
  if (wants('ledger')) await ledger(bench);
  if (wants('generate')) await generation(bench, product.id);
  if (wants('licensing')) await licensing(bench);
  if (wants('seats')) await seats(bench);
  if (wants('import')) await importing(bench);
  if (wants('import')) await movingIn(bench);
  if (wants('export')) await exporting(bench);
  if (wants('newcomer')) await newcomer(bench);
  if (wants('stock')) await stock(bench);
  if (wants('resellers')) await resellers(bench);
  if (wants('close')) await payoutClose(bench);
  if (wants('billing')) await billing(bench);
  if (wants('webhooks')) await webhooks(bench);
  if (wants('shops')) await shops(bench, shopApis);
  if (wants('orders')) await orders(bench);
  if (wants('lifeline')) await lifeline(bench);
  if (wants('lists')) await lists(bench);
  if (wants('grown')) await grownLists(bench);
  if (wants('start')) startUp(bench);
  if (chosen.includes('partitions')) await partitions(bench);
} finally {
  // also what was measured before something failed
  await report();
  await db.end();
  await server.stop();
  shopApis.stop();
  await rm(folder, { recursive: true, force: true });
}

async function report(): Promise<void> {
  const machine = { node: process.version, cpus: cpus().length };
  const measured = { at: new Date().toISOString(), ...machine, serials: QUANTITY, lines };
  await mkdir(path.join(root, '.cache'), { recursive: true });
  await writeFile(path.join(root, '.cache/bench.json'), `${JSON.stringify(measured, null, 2)}\n`);
  const head = ['', 'ours', 'baseline', 'ratio', 'goal', ''];
  const rows = lines.map(({ what, ours, baseline, ratio, goal, met }) => [
    what,
    ours,
    baseline,
    String(ratio),
    goal,
    met ? 'met' : 'MISSED',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
  for (const row of [head, ...rows])
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);
}
