import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execaNode } from 'execa';
import type { Bench } from '../bench.ts';
import { developerOf, seedTrade, type Trade } from '../seeds/seed-resellers.ts';
import { root, round } from '../support.ts';

const SOLD = Math.ceil(Number(process.env.BENCH_RESOLD ?? 2_000_000) / 2);
const LAST_MONTH = `(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC') - interval '1 hour' * (1 + i % 600)`;
const FEW = { developers: 100, partnerships: 100, mark: 24 };
const MANY = { developers: 10_000, partnerships: 1, mark: 25 };

/** The close of a month: ten thousand statements, of few developers and of many. */
export async function payoutClose(bench: Bench): Promise<void> {
  const few = await close(bench, FEW);
  const baseline = `${round(few.bare)} s INSERT … SELECT … GROUP BY`;
  bench.line({
    what: `close a month of ${FEW.developers} developers with ${FEW.partnerships} partnerships each, ${SOLD} redemptions`,
    ours: `${round(few.closed)} s`,
    baseline,
    ratio: few.closed / few.bare,
    atMost: 3,
  });
  bench.line({
    what: '  until the server’s jobs have sealed all of its statements',
    ours: `${round(few.sealed)} s`,
    baseline,
    ratio: few.sealed / few.bare,
    atMost: 15,
  });
  const many = await close(bench, MANY);
  bench.line({
    what: `close it of ${MANY.developers} developers with one partnership each`,
    ours: `${round(many.closed)} s`,
    baseline: `${round(few.closed)} s of ${FEW.developers}`,
    ratio: many.closed / few.closed,
    atMost: 5,
  });
  bench.line({
    what: '  until all is sealed',
    ours: `${round(many.sealed)} s`,
    baseline: `${round(few.sealed)} s of ${FEW.developers}`,
    ratio: many.sealed / few.sealed,
    atMost: 5,
  });
}

/** Seconds of a close, until its statements are sealed, and of one statement that sums the same ledger rows by partnership. */
async function close(
  { databaseUrl, db, folder, say }: Bench,
  size: Pick<Trade, 'developers' | 'partnerships' | 'mark'>,
): Promise<{ closed: number; sealed: number; bare: number }> {
  const count = size.developers * size.partnerships;
  say(`seeding ${SOLD} redemptions of last month in ${count} partnerships of ${size.developers} developers`);
  const trade: Trade = { ...size, resellerId: null, redemptions: SOLD, open: 0, when: LAST_MONTH };
  await seedTrade(db, trade);
  const own = `developer_id between '${developerOf(trade, 0)}' and '${developerOf(trade, size.developers)}'`;
  await db.query(`insert into usage_months (developer_id, month, redemptions)
    select developer_id, date_trunc('month', redeemed_at at time zone 'UTC')::date, count(*) from redemptions where ${own} group by 1, 2`);
  const bare = await sumBare(db, own);
  const secret = (await readFile(path.join(folder, 'data', 'secret'), 'utf8')).trim();
  const env = { DATABASE_URL: databaseUrl, TONEROW_SECRET: secret, TONEROW_DATA_DIR: path.join(folder, 'data-close') };
  const command = async (...args: string[]) => {
    const begun = performance.now();
    const { stdout } = await execaNode(path.join(root, 'packages/server/dist/bin.js'), ['close-month', ...args], {
      env,
    });
    return { stdout, seconds: (performance.now() - begun) / 1000 };
  };
  say('closing the month');
  const nothing = await command('--month', '2020-01');
  const begun = performance.now();
  const closed = await command();
  const made = await db.query(`select count(*)::int as n from payouts where ${own}`);
  if (made.rows[0].n !== count) throw new Error(`the close answered: ${closed.stdout}`);
  say('waiting for the seals');
  const unsealed = `select count(*)::int as n from payouts where ${own} and digest is null`;
  while ((await db.query(unsealed)).rows[0].n > 0) await pause(100);
  const sealed = (performance.now() - begun) / 1000 - nothing.seconds;
  return { closed: closed.seconds - nothing.seconds, sealed, bare };
}

/** The quickest of three. */
async function sumBare(db: Bench['db'], own: string): Promise<number> {
  await db.query(
    'create table bare_statements (id uuid primary key, partnership_id uuid, n int, revenue int8, commission int8)',
  );
  const seconds: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await db.query('truncate bare_statements');
    const begun = performance.now();
    await db.query(`insert into bare_statements select gen_random_uuid(), partnership_id, count(*), sum(final_price_cents), sum(commission_cents)
      from redemptions where ${own} group by partnership_id`);
    seconds.push((performance.now() - begun) / 1000);
  }
  await db.query('drop table bare_statements');
  return Math.min(...seconds);
}
