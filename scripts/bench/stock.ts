import path from 'node:path';
import type pg from 'pg';
import type { Bench } from './bench.ts';
import { seedLedger, seedStock } from './seeds/seed.ts';
import { analyze, seedTrade } from './seeds/seed-resellers.ts';
import { databaseCpu, median, round, signIn, signUp } from './support.ts';

const STOCK = Number(process.env.BENCH_STOCK ?? 300_000);
const SOLD = Number(process.env.BENCH_LISTED ?? 1_000_000);
const LESS = 5;
const TURNS = 5;
/** Each account's own. */
const [SOLD_MARK, LESS_MARK, FEW_MARK, MANY_MARK, SHOP_MARK, LESS_SHOP_MARK] = [40, 41, 42, 43, 44, 45];
const TABLES = ['products', 'batches', 'serials', 'customers', 'redemptions', 'partnerships'];

const AVAILABLE = '/api/serials/available';
const LISTS = [
  '/api/serials',
  '/api/serials?state=available',
  '/api/serials/choices',
  '/api/serials/choices?status=available',
  '/api/batches',
  '/api/batches/choices',
  '/api/products/choices',
];
const SALES = [
  '/api/serials/redeemed/choices',
  '/api/serials/redeemed/choices?status=active',
  '/api/customers/choices',
];
const RESOLD = ['/api/reseller/transactions/choices', '/api/reseller/transactions/choices?kind=redemption'];

/** Measures the choices of a list and their counts at two sizes, also right after everything was imported. */
export async function stock(bench: Bench): Promise<void> {
  await stockOf(bench, 30, FEW_MARK);
  await stockOf(bench, 3000, MANY_MARK);
  await choices(bench);
  await resold(bench);
}

interface Cost {
  /** Milliseconds until the answer was there. */
  wall: number;
  /** Milliseconds of processor time of the database. */
  cpu: number;
}

/** The available serials of an account with so many products, before and after the statistics know of them. */
async function stockOf(bench: Bench, products: number, mark: number): Promise<void> {
  const { server, db, say, line } = bench;
  const { token, developerId } = await signIn(server.url, `stock-${products}`);
  await unanalyzed(db, true);
  say(`seeding ${STOCK} serials of ${products} products`);
  await seedStock(db, developerId, { products, serials: STOCK, mark });
  const paths = [AVAILABLE, ...LISTS];
  const before = await costs(bench, paths, token);
  await unanalyzed(db, false);
  for (const table of TABLES) await db.query(`vacuum analyze ${table}`);
  const after = await costs(bench, paths, token);
  for (const [index, target] of paths.entries()) {
    const [a, b] = [before[index] as Cost, after[index] as Cost];
    line({
      what: `${target}, ${STOCK} serials of ${products} products, right after they were made`,
      ours: costOf(a),
      baseline: `${costOf(b)} once the statistics know of them`,
      ratio: a.wall / b.wall,
      atMost: 2,
    });
  }
}

/** Choices of sold serials and their customers against those of an account with a fraction. */
async function choices(bench: Bench): Promise<void> {
  const { server, db, say, line } = bench;
  const little = Math.ceil(SOLD / LESS);
  const paths = [...LISTS, ...SALES];
  const run = async (name: string, quantity: number, mark: number, known: boolean) => {
    const { token, developerId } = await signIn(server.url, name);
    say(`seeding ${quantity} redeemed serials`);
    await unanalyzed(db, !known);
    await seedLedger(db, developerId, quantity, mark, 0, known);
    const found = await costs(bench, paths, token);
    await unanalyzed(db, false);
    return found;
  };
  const small = await run('sold-less', little, LESS_MARK, true);
  const large = await run('sold', SOLD, SOLD_MARK, false);
  for (const [index, target] of paths.entries()) {
    const [a, b] = [large[index] as Cost, small[index] as Cost];
    line({
      what: `${target}, ${SOLD} sold, right after they were imported`,
      ours: costOf(a),
      baseline: `${costOf(b)} with ${little}`,
      ratio: a.wall / b.wall,
      atMost: 2,
    });
  }
}

/** The same of a reseller's transactions. */
async function resold(bench: Bench): Promise<void> {
  const { server, db, say, line } = bench;
  const little = Math.ceil(SOLD / LESS);
  const trade = { developers: 100, partnerships: 1, open: 10 };
  const run = async (name: string, redemptions: number, mark: number) => {
    const shop = await signUp(server.url, 'reseller', name);
    say(`seeding ${redemptions} redemptions of a reseller`);
    const when = `now() - interval '365 days' * (1 - (i + 1)::float8 / ${redemptions})`;
    await seedTrade(db, { ...trade, resellerId: shop.id, redemptions, when, mark, unanalyzed: true });
    return costs(bench, RESOLD, shop.token);
  };
  const small = await run('resold-less', little, LESS_SHOP_MARK);
  const large = await run('resold', SOLD, SHOP_MARK);
  await analyze(db);
  for (const [index, target] of RESOLD.entries()) {
    const [a, b] = [large[index] as Cost, small[index] as Cost];
    line({
      what: `${target}, ${SOLD} redemptions, right after they were written`,
      ours: costOf(a),
      baseline: `${costOf(b)} with ${little}`,
      ratio: a.wall / b.wall,
      atMost: 2,
    });
  }
}

const costOf = ({ wall, cpu }: Cost) => `${round(wall, 1)} ms, ${round(cpu, 0)} ms of processor`;

/** Each path by itself. The first of the turns warms up. */
async function costs(bench: Bench, paths: readonly string[], token: string): Promise<Cost[]> {
  const found: Cost[] = [];
  for (const target of paths) {
    await ask(bench, target, token);
    const [walls, cpus]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const cpu = await databaseCpu(path.join(bench.folder, 'data'));
      walls.push(await ask(bench, target, token));
      cpus.push((await databaseCpu(path.join(bench.folder, 'data'))) - cpu);
    }
    found.push({ wall: median(walls), cpu: median(cpus) });
  }
  return found;
}

async function ask({ server }: Bench, target: string, token: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(server.url + target, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${target} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now() - begun;
}

async function unanalyzed(db: pg.Client, on: boolean): Promise<void> {
  for (const table of TABLES)
    await db.query(`alter table ${table} ${on ? 'set (autovacuum_enabled = off)' : 'reset (autovacuum_enabled)'}`);
}
