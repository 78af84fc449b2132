import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setPlan } from '@tonerow/test-support/plans.ts';
import type { Bench } from './bench.ts';
import { type Shot, shoot } from './load.ts';
import { SEEDED_MACHINES, seededCode, seedLedger } from './seeds/seed.ts';
import { median, post, round, signIn, startBare, startServer } from './support.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const TURNS = 5;
const MARK = 4;
/** How many machines, out of all serials, hold a fresh token; bare routes serve the same ones. */
const HOLDERS = 20_000;
const AT_ONCE = 50;

/** The most common calls of plugins against bare routes on the same database, alternating; then with two processes. */
export async function licensing(bench: Bench): Promise<void> {
  const { server, db, databaseUrl, quantity, say } = bench;
  say(`seeding ${quantity} redeemed serials with ${quantity * SEEDED_MACHINES} machines`);
  const { token, developerId } = await signIn(server.url, 'plugins');
  await seedLedger(db, developerId, quantity, MARK, SEEDED_MACHINES);
  await setPlan(db, { plan: 'elite', accountId: developerId });
  const { plaintext } = await post(server.url, '/api/developer/plugin-keys', {}, token);
  const headers = { authorization: `Bearer ${plaintext}` };
  const bare = await startBare(databaseUrl);

  let newcomers = 0;
  // each once: a machine that activates again has a newer token, which is the one that its plugin keeps
  const numbers = new Set<number>();
  while (numbers.size < Math.min(HOLDERS, quantity)) numbers.add(Math.floor(Math.random() * quantity));
  const licenses = [...numbers].map((number) => ({ license_key: seededCode(number), machine_id: 'machine-1' }));
  const oneOf = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;
  const somebody = () => oneOf(licenses).license_key;
  const asked = (license_key: string, machine_id: string) =>
    JSON.stringify({ license_key, machine_id, developer_id: developerId });
  const ours = (license_key: string, machine_id: string) => JSON.stringify({ license_key, machine_id });
  const holders: string[] = [];
  say(`activating ${licenses.length} of them`);
  for (let from = 0; from < licenses.length; from += AT_ONCE) {
    await Promise.all(
      licenses.slice(from, from + AT_ONCE).map(async (license) => {
        const { validation_token } = await post(server.url, '/api/license/v1/activate', license, plaintext);
        holders.push(JSON.stringify({ ...license, validation_token }));
      }),
    );
  }
  const cases = {
    find: () => asked(bareCode(somebody()), 'machine-1'),
    add: () => asked(bareCode(somebody()), `bare-${newcomers++}`),
    validate: () => oneOf(holders),
    // not the machines that validate: their tokens have to stay the newest, as a plugin's own are
    known: () => ours(somebody(), 'machine-2'),
    // one new machine per serial, because each has one seat left
    fresh: () => ours(seededCode(newcomers++ % quantity), 'machine-new'),
  };
  const v1 = `${server.url}/api/license/v1`;
  const runs: Record<keyof typeof cases, Shot[]> = { find: [], add: [], validate: [], known: [], fresh: [] };
  const run = async (name: keyof typeof cases, url: string) =>
    runs[name].push(await shoot({ url, headers, next: cases[name], seconds: SECONDS }));
  try {
    for (let turn = 0; turn <= TURNS; turn += 1) {
      say(`validate and activate against bare routes, ${nameOf(turn)}`);
      await run('find', `${bare.url}/find`);
      await run('validate', `${v1}/validate`);
      await run('known', `${v1}/activate`);
      await run('add', `${bare.url}/add`);
      await run('fresh', `${v1}/activate`);
    }
  } finally {
    await bare.stop();
  }
  const rate = (name: keyof typeof cases) => median(counted(runs[name]).map((shot) => shot.rate));
  const p99 = (name: keyof typeof cases) => median(counted(runs[name]).map((shot) => shot.p99));
  const compare = (what: string, a: keyof typeof cases, b: keyof typeof cases, atLeast: number) =>
    bench.line({
      what,
      ours: `${round(rate(a), 0)} /s`,
      baseline: `${round(rate(b), 0)} /s bare route`,
      ratio: rate(a) / rate(b),
      atLeast,
    });
  compare(`validate, ${quantity} serials, ${quantity * SEEDED_MACHINES} machines`, 'validate', 'find', 0.85);
  bench.line({
    what: '  99 of 100 within',
    ours: `${round(p99('validate'), 1)} ms`,
    baseline: `${round(p99('find'), 1)} ms bare route`,
    ratio: p99('validate') / p99('find'),
    atMost: 1.4,
  });
  compare('activate a known machine', 'known', 'find', 0.6);
  compare('activate a new machine', 'fresh', 'add', 0.7);

  const [one, two] = [
    await withProcesses(bench, 1, headers, cases.validate),
    await withProcesses(bench, 2, headers, cases.validate),
  ];
  bench.line({
    what: 'validate, two processes',
    ours: `${round(two, 0)} /s`,
    baseline: `${round(one, 0)} /s by one`,
    ratio: two / one,
    atLeast: 1.5,
  });
}

/** Turn 0 comes before those that count, so that nothing is measured while the engine still compiles it. */
const nameOf = (turn: number) => (turn === 0 ? 'to warm up' : `turn ${turn} of ${TURNS}`);
const counted = <T>(turns: readonly T[]) => turns.slice(1);

/** Another server on the same database, with this many processes. */
async function withProcesses(bench: Bench, count: number, headers: Record<string, string>, next: () => string) {
  const secret = (await readFile(path.join(bench.folder, 'data', 'secret'), 'utf8')).trim();
  const server = await startServer(path.join(bench.folder, `data-${count}`), {
    DATABASE_URL: bench.databaseUrl,
    TONEROW_SECRET: secret,
    TONEROW_WORKERS: String(count),
  });
  try {
    const url = `${server.url}/api/license/v1/validate`;
    const rates: number[] = [];
    for (let turn = 0; turn <= TURNS; turn += 1) {
      bench.say(`validate by ${count === 1 ? 'one process' : `${count} processes`}, ${nameOf(turn)}`);
      rates.push((await shoot({ url, headers, next, seconds: SECONDS, connections: 32 })).rate);
    }
    return median(counted(rates));
  } finally {
    await server.stop();
  }
}

const bareCode = (code: string) => code.replaceAll('-', '');
