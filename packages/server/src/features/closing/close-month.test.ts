import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answering, run } from '../../../../../test/support/command.ts';
import { lockWith } from '../../../../../test/support/lock-with.ts';
import { payoutScene } from '../../../../../test/support/payouts.ts';
import { setPlan } from '../../../../../test/support/plans.ts';
import { startServer, TEST_SECRET, type TestServer } from '../../../../../test/support/server.ts';
import { TestClock } from '../../platform/clock.ts';

let server: TestServer;
// the server lives in January, so that its own hourly job closes nothing of what the processes are to close
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, payoutsOf } = payoutScene(() => ({ server, clock }));

const BIN = 'packages/server/src/bin.ts';
const settings = () => ({ env: { DATABASE_URL: server.db.url, TONEROW_SECRET: TEST_SECRET } });
const closeMonth = (...args: string[]) => run(process.execPath, [BIN, 'close-month', ...args], settings());
const openOf = async (developerId: string) =>
  (
    await server.db.query<{ month: string }>(
      'select month::text from usage_months where developer_id = $1 and closed_at is null order by month',
      [developerId],
    )
  ).map(({ month }) => month);

/** A developer with a sale of a reseller. */
async function sold() {
  const scene = await partners({ rate: 20, price: 10 });
  // off the plan with a fee, which would open every month until today
  await setPlan(server.db, { plan: 'creator', accountId: scene.ada.id, at: new Date(clock.now().getTime() + 1) });
  await sell(scene.ada, scene.product, 1);
  return scene;
}

it('close-month refuses the running month and months that are none, with exit code 64', async () => {
  const running = new Date().toISOString().slice(0, 7);
  for (const month of [running, '2999-01']) {
    const { code, err } = await closeMonth('--month', month);
    expect([code, err]).toEqual([
      64,
      `${month} is not over yet (UTC). The last month to close is the one before ${running}.\n`,
    ]);
  }
  expect(await closeMonth('--month', '2026-13')).toMatchObject({ code: 64 });
});

it('close-month counts in a dry run, closes up to a month, and ends with 0 when nothing is left to do', async () => {
  const { ada, rae } = await sold();
  const rehearsed = await closeMonth('--dry-run');
  expect([rehearsed.code, rehearsed.out]).toEqual([
    0,
    'Would close 1 months of developers, with 1 payout statements and 1 billing statements.\n',
  ]);
  expect(await openOf(ada.id)).toEqual(['2026-01-01']);
  expect(await closeMonth('--month', '2025-12')).toMatchObject({
    code: 0,
    out: 'Closed 0 months of developers, with 0 payout statements and 0 billing statements.\n',
  });
  expect(await closeMonth('--month', '2026-01')).toMatchObject({
    code: 0,
    out: 'Closed 1 months of developers, with 1 payout statements and 1 billing statements.\n',
  });
  expect(await closeMonth()).toMatchObject({
    code: 0,
    out: 'Closed 0 months of developers, with 0 payout statements and 0 billing statements.\n',
  });
  expect(await payoutsOf(rae)).toHaveLength(1);
});

it('close-month ends with 1 when a month could not be closed, closes the others, and a later run closes that one', async () => {
  const [bad, good] = [await sold(), await sold()];
  await server.db.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  );
  await server.db.query(
    `create trigger refused before insert on payouts for each row when (new.developer_id = '${bad.ada.id}') execute function refuse()`,
  );
  const failed = await closeMonth();
  expect(failed.code).toBe(1);
  // beside the log's line with the error
  expect(failed.out).toContain('Closed 1 months of developers, with 1 payout statements and 1 billing statements.\n');
  expect(failed.err).toContain('1 could not be closed.');
  expect([await openOf(bad.ada.id), await openOf(good.ada.id)]).toEqual([['2026-01-01'], []]);
  await server.db.query('drop trigger refused on payouts');
  expect(await closeMonth()).toMatchObject({ code: 0 });
  expect(await payoutsOf(bad.rae)).toHaveLength(1);
});

it('a close-month that is killed between two developers and within one leaves each month whole, and the next run ends it', async () => {
  const scenes = [await sold(), await sold(), await sold()].sort((a, b) => (a.ada.id < b.ada.id ? -1 : 1));
  const [first, second, third] = scenes as [(typeof scenes)[0], (typeof scenes)[0], (typeof scenes)[0]];
  // the second one's statement waits for its number, after its month was marked closed
  await server.db.query('insert into payout_numbers (developer_id, year, last) values ($1, 2026, 0)', [second.ada.id]);
  const lock = await lockWith(server.db, 'select 1 from payout_numbers where developer_id = $1 for update', [
    second.ada.id,
  ]);
  const child = execa(process.execPath, [BIN, 'close-month'], { ...answering, ...settings() });
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(() => server.db.query(waiting), { timeout: 60_000 }).toHaveLength(1);
  child.kill('SIGKILL');
  expect((await child).signal).toBe('SIGKILL');
  await lock.release();
  const left = async () => Promise.all(scenes.map(async ({ ada }) => (await openOf(ada.id)).length));
  await expect.poll(left).toEqual([0, 1, 1]);
  expect(await payoutsOf(first.rae)).toHaveLength(1);
  expect(await payoutsOf(second.rae)).toEqual([]);
  // two at once, as when the job and an operator meet
  const again = await Promise.all([closeMonth(), closeMonth()]);
  expect(again.map(({ code }) => code)).toEqual([0, 0]);
  for (const { ada, rae } of [first, second, third]) {
    expect(await openOf(ada.id)).toEqual([]);
    expect((await payoutsOf(rae)).map(({ number }) => number)).toEqual(['2026-0001']);
  }
});
