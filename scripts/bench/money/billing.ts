import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setPlan } from '@tonerow/test-support/plans.ts';
import type { Bench } from '../bench.ts';
import { type Shot, shoot } from '../load.ts';
import { seedLedger, seedOpen } from '../seeds/seed.ts';
import { databaseCpu, median, post, round, signIn, startServer } from '../support.ts';
import { closeAndCollect } from './billing-close.ts';

const USED = Number(process.env.BENCH_USED ?? 5_000_000);
const LITTLE = Math.ceil(USED / 100);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const TURNS = 21;
const [BIG, SMALL, OPEN] = [30, 31, 32];
/** Serials to redeem, more than can be redeemed in the time. */
const STOCK = 60_000;
const AT_ONCE = 4;

/** All that the billing screen asks when it is opened. */
const SCREEN = [
  '/api/me/plan',
  '/api/billing/usage/current',
  '/api/billing/summary',
  '/api/billing/graph',
  '/api/billing/history',
  '/api/billing/invoices',
  '/api/billing/subscription-status',
];

/** Measures billing: its screen, the price of a redemption, and the close of a month with its collection. */
export async function billing(bench: Bench): Promise<void> {
  await screen(bench);
  await redemption(bench);
  await closeAndCollect(bench);
}

/** The billing screen of a developer with many redemptions in the year against that of one with a hundredth. */
async function screen({ server, db, folder, say, line }: Bench): Promise<void> {
  const account = async (name: string, redemptions: number, mark: number) => {
    say(`seeding a year with ${redemptions} redemptions, and their usage`);
    const { token, developerId } = await signIn(server.url, name);
    await seedLedger(db, developerId, redemptions, mark);
    await setPlan(db, { plan: 'elite', accountId: developerId, at: new Date('2020-01-01T00:00:00Z') });
    await db.query(SEED_DAYS, [developerId]);
    await db.query(SEED_MONTHS, [developerId]);
    await db.query(SEED_STATEMENTS, [developerId, mark]);
    return token;
  };
  const big = await account('much-used', USED, BIG);
  const small = await account('little-used', LITTLE, SMALL);
  for (const table of ['usage_days', 'usage_months', 'billing_statements']) await db.query(`vacuum analyze ${table}`);

  const visit = async (token: string) => {
    const [cpu, begun] = [await databaseCpu(path.join(folder, 'data')), performance.now()];
    for (const target of SCREEN) {
      const response = await fetch(server.url + target, { headers: { authorization: `Bearer ${token}` } });
      if (!response.ok) throw new Error(`${target} answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    }
    return { ms: performance.now() - begun, cpu: (await databaseCpu(path.join(folder, 'data'))) - cpu };
  };
  for (const token of [big, small, big, small]) await visit(token);
  const runs: [Visit, Visit][] = [];
  for (let turn = 0; turn < TURNS; turn += 1) runs.push([await visit(big), await visit(small)]);
  const [much, little] = [runs.map(([ours]) => ours), runs.map(([, theirs]) => theirs)];
  const [a, b] = [median(much.map(({ ms }) => ms)), median(little.map(({ ms }) => ms))];
  line({
    what: `billing screen, ${SCREEN.length} calls, ${USED} redemptions in the year`,
    ours: `${round(a, 1)} ms`,
    baseline: `${round(b, 1)} ms with ${LITTLE}`,
    ratio: a / b,
    atMost: 1.5,
  });
  // the system counts in hundredths of a second, so only the sum of all visits is worth something
  const sum = (visits: Visit[]) => visits.reduce((total, { cpu }) => total + cpu, 0) / TURNS;
  const [busy, idle] = [sum(much), sum(little)];
  if (idle > 0)
    line({
      what: '  processor time of the database',
      ours: `${round(busy, 1)} ms`,
      baseline: `${round(idle, 1)} ms`,
      ratio: busy / idle,
      atMost: 1.5,
    });
}

interface Visit {
  ms: number;
  cpu: number;
}

const SEED_DAYS = `insert into usage_days (developer_id, day, redemptions, cost_cents)
  select developer_id, (redeemed_at at time zone 'UTC')::date, count(*), 3 * count(*) from redemptions where developer_id = $1 group by 1, 2`;
const SEED_MONTHS = `insert into usage_months (developer_id, month, redemptions, plan, overage_redemptions, overage_cents, closed_at)
  select developer_id, month, n, 'elite', greatest(0, n - 500), 3 * greatest(0, n - 500),
    case when month < date_trunc('month', now() at time zone 'UTC') then month + interval '1 month' end
  from (select developer_id, date_trunc('month', day)::date as month, sum(redemptions)::int as n from usage_days
    where developer_id = $1 group by 1, 2) used`;
const SEED_STATEMENTS = `insert into billing_statements (developer_id, id, month, number, plan, fee_cents, redemptions, overage_redemptions,
    overage_cents, refresh_count, refresh_cents, total_cents, party, closed_at, state, paid_at)
  select developer_id, gen_random_uuid(), month, to_char(month, 'YYYY') || '-9' || lpad($2::text, 3, '0') || to_char(month, 'MM'), plan,
    2000, redemptions, overage_redemptions, overage_cents, 0, 0, 2000 + overage_cents, '{"name": "Bench", "email": "bench@example.com"}',
    closed_at, 'paid', closed_at
  from usage_months where developer_id = $1 and closed_at is not null`;

/**
 * A redemption over HTTP against the same by a server that counts as it did before redemptions had prices (processes/unpriced.ts). The rest
 * of a redemption is today's in both, and so is the ledger's column for the price.
 */
async function redemption({ server, db, databaseUrl, folder, say, line }: Bench): Promise<void> {
  const { developerId } = await signIn(server.url, 'redeemed');
  await setPlan(db, { plan: 'elite', accountId: developerId });
  say(`seeding ${STOCK} serials to redeem`);
  await seedOpen(db, developerId, STOCK, OPEN);
  const codes = await db.query<{ code: string }>('select code from serials where developer_id = $1', [developerId]);
  const email = 'fan@example.com';
  const body = () => JSON.stringify({ serial: codes.rows.pop()?.code, email, dev: developerId });
  const { temp_token } = await post(server.url, '/api/redeem/initiate', JSON.parse(body()));
  await post(server.url, '/api/redeem/complete', { temp_token, first_name: 'Nina', last_name: 'Simone' });
  // beyond the quota, so that each has a price
  await db.query('update usage_months set redemptions = 1000 where developer_id = $1', [developerId]);
  const priced = async () => {
    const { rows } = await db.query(
      'select coalesce(sum(redemptions), 0)::int as n from usage_days where developer_id = $1',
      [developerId],
    );
    return rows[0].n as number;
  };

  const secret = (await readFile(path.join(folder, 'data', 'secret'), 'utf8')).trim();
  const settings = { DATABASE_URL: databaseUrl, TONEROW_SECRET: secret, TONEROW_ROLE: 'api' };
  const [ours, before] = [
    await startServer(path.join(folder, 'data-priced'), settings),
    await startServer(path.join(folder, 'data-unpriced'), settings, 'scripts/bench/processes/unpriced.ts'),
  ];
  const runs: { ours: Shot[]; before: Shot[] } = { ours: [], before: [] };
  const run = async (which: keyof typeof runs, url: string) => {
    const already = await priced();
    const shot = await shoot({
      url: `${url}/api/redeem/initiate`,
      next: body,
      seconds: SECONDS,
      connections: AT_ONCE,
    });
    const isPriced = (await priced()) > already;
    if (isPriced !== (which === 'ours'))
      throw new Error(`the redemptions of ${which} were ${isPriced ? '' : 'not '}priced`);
    runs[which].push(shot);
  };
  try {
    for (let turn = 1; turn <= 5; turn += 1) {
      say(`redeeming, turn ${turn} of 5`);
      await run('before', before.url);
      await run('ours', ours.url);
    }
  } finally {
    await ours.stop();
    await before.stop();
  }
  const rate = (shots: Shot[]) => median(shots.map((shot) => shot.rate));
  line({
    what: `redeem over HTTP with usage and price, ${AT_ONCE} at once`,
    ours: `${round(rate(runs.ours), 0)} /s`,
    baseline: `${round(rate(runs.before), 0)} /s counted without a price`,
    ratio: rate(runs.ours) / rate(runs.before),
    atLeast: 0.95,
  });
}
