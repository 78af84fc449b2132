import pg from 'pg';
import type { Bench } from './bench.ts';
import { shoot } from './load.ts';
import { analyze, developerOf, productOf, seedTrade, TABLES, type Trade } from './seeds/seed-resellers.ts';
import { median, round, signUp } from './support.ts';

const RESOLD = Number(process.env.BENCH_RESOLD ?? 2_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const DEVELOPERS = 300;
const LITTLE = Math.ceil(RESOLD / 100);
const [BIG, SMALL, SHOP, BARE, NEW] = [20, 21, 22, 23, 24];
const TURNS = 9;
/** Shops that draw at the same time. */
const SHOPS = 8;
const STOCK = 200_000;

const PAGES = {
  dashboard: ['/api/reseller/dashboard'],
  'analytics of 30 days': ['/api/reseller/summary', '/api/reseller/graph', '/api/reseller/graph-by-developer'],
  'first page of transactions': ['/api/reseller/transactions'],
};
const LISTS = [
  '/api/reseller/customers',
  '/api/reseller/developers',
  '/api/reseller/transactions?search=sold-0',
  '/api/reseller/transactions?search=nobody',
  '/api/reseller/customers?search=fan77',
];

const YEAR = (redemptions: number) => `now() - interval '365 days' * (1 - (i + 1)::float8 / ${redemptions})`;

/** Measures what resellers look at, draw from and are billed by. */
export async function resellers(bench: Bench): Promise<void> {
  await screens(bench);
  await rightAfterAWrite(bench);
  await draws(bench);
}

/** Pages of a reseller with many redemptions against those of one with a hundredth, both at as many developers. */
async function screens({ server, db, say, line }: Bench): Promise<void> {
  const shared = { developers: DEVELOPERS, partnerships: 1, open: 20 };
  const big = await signUp(server.url, 'reseller', 'big-shop');
  const small = await signUp(server.url, 'reseller', 'small-shop');
  say(`seeding ${RESOLD} and ${LITTLE} redemptions of two resellers at ${DEVELOPERS} developers each`);
  await seedTrade(db, { ...shared, resellerId: big.id, redemptions: RESOLD, when: YEAR(RESOLD), mark: BIG });
  await seedTrade(db, { ...shared, resellerId: small.id, redemptions: LITTLE, when: YEAR(LITTLE), mark: SMALL });
  for (const [what, paths] of Object.entries(PAGES)) {
    const time = (token: string) => timeOf(server.url, paths, token);
    await time(big.token);
    await time(small.token);
    const runs: [number, number][] = [];
    for (let turn = 0; turn < TURNS; turn += 1) runs.push([await time(big.token), await time(small.token)]);
    const [a, b] = [median(runs.map(([ours]) => ours)), median(runs.map(([, little]) => little))];
    line({
      what: `reseller’s ${what}, ${RESOLD} redemptions`,
      ours: `${round(a, 1)} ms`,
      baseline: `${round(b, 1)} ms with ${LITTLE}`,
      ratio: a / b,
      atMost: 1.5,
    });
  }
}

/** Everything that a reseller looks at, for one who is new here and has just brought many redemptions along. */
async function rightAfterAWrite({ server, db, say, line }: Bench): Promise<void> {
  const shop = await signUp(server.url, 'reseller', 'new-shop');
  const few = Math.ceil(RESOLD / 10);
  say(`seeding ${few} redemptions of a new reseller, of which the statistics do not know`);
  for (const table of TABLES) await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const trade = { developers: DEVELOPERS, partnerships: 1, open: 20, redemptions: few, when: YEAR(few), mark: NEW };
  await seedTrade(db, { ...trade, resellerId: shop.id, unanalyzed: true });
  const paths = [...Object.values(PAGES), ...LISTS].flat();
  const middle = async () => {
    const runs: number[] = [];
    for (let turn = 0; turn <= TURNS; turn += 1) runs.push(await timeOf(server.url, paths, shop.token));
    return median(runs.slice(1));
  };
  const before = await middle();
  for (const table of TABLES) await db.query(`alter table ${table} reset (autovacuum_enabled)`);
  await analyze(db);
  const after = await middle();
  line({
    what: `reseller’s screens and searches right after ${few} redemptions were written`,
    ours: `${round(before, 1)} ms`,
    baseline: `${round(after, 1)} ms once the statistics know of them`,
    ratio: before / after,
    atMost: 2,
  });
}

async function timeOf(url: string, paths: readonly string[], token: string): Promise<number> {
  const begun = performance.now();
  for (const target of paths) await read(url + target, token);
  return performance.now() - begun;
}

async function read(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** Draws over HTTP against the statement that takes a row from a queue, as many at once, from as large a stock. */
async function draws({ server, db, databaseUrl, say, line }: Bench): Promise<void> {
  const shop = await signUp(server.url, 'reseller', 'drawing-shop');
  const other = await signUp(server.url, 'reseller', 'bare-shop');
  const stock = { developers: 1, partnerships: 1, redemptions: 1000, open: STOCK, when: YEAR(1000) };
  say(`seeding twice ${STOCK} serials to draw`);
  const trade: Trade = { ...stock, resellerId: shop.id, mark: SHOP };
  await seedTrade(db, trade);
  const bare: Trade = { ...stock, resellerId: other.id, mark: BARE };
  await seedTrade(db, bare);
  let orders = 0;
  const body = () => JSON.stringify({ product_id: productOf(trade, 0), reference: `order-${orders++}` });
  const headers = { authorization: `Bearer ${shop.token}` };
  const rates: [number, number][] = [];
  for (let turn = 1; turn <= 3; turn += 1) {
    say(`drawing, turn ${turn} of 3`);
    const url = `${server.url}/api/reseller/serials/draw`;
    const { rate } = await shoot({ url, headers, next: body, seconds: SECONDS, connections: SHOPS });
    rates.push([rate, await bareDraws(databaseUrl, developerOf(bare, 0))]);
  }
  const [a, b] = [median(rates.map(([ours]) => ours)), median(rates.map(([, raw]) => raw))];
  line({
    what: `draw, ${SHOPS} at once`,
    ours: `${round(a, 0)} /s`,
    baseline: `${round(b, 0)} /s bare UPDATE … SKIP LOCKED`,
    ratio: a / b,
    atLeast: 0.5,
  });
}

async function bareDraws(connectionString: string, developerId: string): Promise<number> {
  const until = performance.now() + SECONDS * 1000;
  const one = async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    let taken = 0;
    for (; performance.now() < until; taken += 1)
      await client.query({
        name: 'bare_draw',
        text: `update serials set handed_out_at = now(), draw_id = id where developer_id = $1 and id = (
            select s.id from batches b join serials s on (s.developer_id, s.batch_id) = (b.developer_id, b.id)
            where b.developer_id = $1 and s.redeemed_at is null and s.revoked_at is null and s.handed_out_at is null
            for update of s skip locked limit 1)
          returning code`,
        values: [developerId],
      });
    await client.end();
    return taken;
  };
  const begun = performance.now();
  const taken = await Promise.all(Array.from({ length: SHOPS }, one));
  return (taken.reduce((sum, each) => sum + each, 0) * 1000) / (performance.now() - begun);
}
