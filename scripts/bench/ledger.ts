import type { Bench } from './bench.ts';
import { seedLedger } from './seeds/seed.ts';
import { median, round, signIn } from './support.ts';

const LARGE = Number(process.env.BENCH_LEDGER ?? 10_000_000);
const SMALL = 100_000;
const TURNS = 41;

/**
 * Compares the waits of an account with a large ledger with those of a small ledger in a database that has no other.
 */
export async function ledger(bench: Bench): Promise<void> {
  const { server, db, say } = bench;
  const run = async (name: string, quantity: number, mark: number) => {
    say(`seeding ${quantity} ledger rows${quantity > 1_000_000 ? ', which takes minutes' : ''}`);
    const { token, developerId } = await signIn(server.url, name);
    await seedLedger(db, developerId, quantity, mark);
    const code = `seed-${Math.floor(quantity / 2)
      .toString(16)
      .padStart(8, '0')}`.slice(0, -1);
    const paths = [
      '/api/analytics',
      '/api/serials/redeemed',
      `/api/serials/redeemed?search=fan${Math.floor(quantity / 8)}@example`,
      `/api/serials/redeemed?search=${code}`,
    ];
    const times: number[] = [];
    for (const path of paths) {
      const turns: number[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) turns.push(await ask(server.url + path, token));
      times.push(median(turns));
    }
    return times;
  };
  const small = await run('small', SMALL, 2);
  const large = await run('large', LARGE, 3);
  const goals: [string, number][] = [
    ['analytics of a month', 1.5],
    ['redeemed: first page', 2],
    ['redeemed: search by e-mail', 2],
    ['redeemed: search by code prefix', 2],
  ];
  for (const [index, [what, atMost]] of goals.entries()) {
    const [a, b] = [large[index] as number, small[index] as number];
    bench.line({
      what: `${what}, ${LARGE} rows`,
      ours: `${round(a, 1)} ms`,
      baseline: `${round(b, 1)} ms with ${SMALL}`,
      ratio: a / b,
      atMost,
    });
  }
}

async function ask(url: string, token: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = (await response.json()) as { rows?: unknown[]; dailyRevenue?: unknown };
  if (!response.ok || (body.rows?.length === 0 && !body.dailyRevenue))
    throw new Error(`${url} answered nothing to measure`);
  return performance.now() - started;
}
