import type { Bench } from './bench.ts';
import { median, round, signIn } from './ground.ts';
import { seedLedger } from './seed.ts';

const LARGE = Number(process.env.BENCH_LEDGER ?? 10_000_000);
const SMALL = 100_000;
const TURNS = 21;

/** What a large account waits for against a small one, in the same database, in turns. */
export async function ledger(bench: Bench): Promise<void> {
  const { server, db, say } = bench;
  const [small, large] = [await signIn(server.url, 'small'), await signIn(server.url, 'large')];
  say(`seeding ${SMALL} ledger rows`);
  await seedLedger(db, small.developerId, SMALL, 2);
  say(`seeding ${LARGE} ledger rows, which takes minutes`);
  await seedLedger(db, large.developerId, LARGE, 3);
  const code = (i: number) => `seed-${i.toString(16).padStart(8, '0')}`;
  const middle = { small: Math.floor(SMALL / 8), large: Math.floor(LARGE / 8) };
  const questions: [what: string, small: string, large: string, atMost: number][] = [
    ['analytics of a month', '/api/analytics', '/api/analytics', 1.5],
    ['redeemed: first page', '/api/serials/redeemed', '/api/serials/redeemed', 2],
    [
      'redeemed: search by e-mail',
      `/api/serials/redeemed?search=fan${middle.small}@example`,
      `/api/serials/redeemed?search=fan${middle.large}@example`,
      2,
    ],
    [
      'redeemed: search by code prefix',
      `/api/serials/redeemed?search=${code(SMALL / 2).slice(0, -1)}`,
      `/api/serials/redeemed?search=${code(LARGE / 2).slice(0, -1)}`,
      2,
    ],
  ];
  for (const [what, smallPath, largePath, atMost] of questions) {
    say(what);
    const times = { small: [] as number[], large: [] as number[] };
    for (let turn = 0; turn < TURNS; turn += 1) {
      times.small.push(await ask(server.url + smallPath, small.token));
      times.large.push(await ask(server.url + largePath, large.token));
    }
    const [a, b] = [median(times.large), median(times.small)];
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
