import { beside } from '@tonerow/test-support/beside.ts';
import { answering } from '@tonerow/test-support/command.ts';
import { isCluster } from '@tonerow/test-support/database.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { serverCommand } from '@tonerow/test-support/server-command.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { inLane } from '#platform/work-context.ts';
import { AT_ONCE, TOGETHER } from './closings.service.ts';

let server: TestServer;
// the server lives in January, so that its own hourly job closes nothing of what the processes are to close
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, payoutsOf } = payoutScene(() => ({ server, clock }));

const settings = () => ({ DATABASE_URL: server.db.url, TONEROW_SECRET: TEST_SECRET });
const closeMonth = (...args: string[]) => serverCommand(['close-month', ...args], settings());
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

/** Does the work of the command, in this process. */
const close = (through?: string) =>
  beside({ server, clock: new TestClock('2026-02-02T00:00:00Z') }, ({ closings }) => closings.run({ through }));

it('close-month refuses a month that is not over, with exit code 64', async () => {
  const { code, err } = await closeMonth('--month', '2999-01');
  expect([code, err]).toEqual([64, expect.stringMatching(/^2999-01 is not over yet \(UTC\)\..+\n$/)]);
});

it('close-month counts in a dry run, closes up to a month, and ends with 0 when nothing is left to do', async () => {
  const { ada, rae } = await sold();
  const rehearsed = await closeMonth('--dry-run');
  expect([rehearsed.code, rehearsed.out]).toEqual([
    0,
    'Would close 1 months of developers, with 1 payout statements and 1 billing statements.\n',
  ]);
  expect(await openOf(ada.id)).toEqual(['2026-01-01']);
  expect(await close('2025-12')).toMatchObject({ months: 0, statements: { payout: 0, billing: 0 } });
  expect(await openOf(ada.id)).toEqual(['2026-01-01']);
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
  expect(failed.out).toContain('Closed 1 months of developers, with 1 payout statements and 1 billing statements.\n');
  expect(failed.err).toContain('1 could not be closed.');
  expect([await openOf(bad.ada.id), await openOf(good.ada.id)]).toEqual([['2026-01-01'], []]);
  await server.db.query('drop trigger refused on payouts');
  expect(await close()).toMatchObject({ months: 1, failed: 0 });
  expect(await payoutsOf(bad.rae)).toHaveLength(1);
});

/** Makes developers who sold nothing, next to one, so that no two of those who did are closed together. */
const surround = (developerId: string) =>
  server.db.query(
    `with others as (
       insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
       select (left($1, 24) || lpad(to_hex((('x' || right($1, 12))::bit(48)::bigint + n) % 281474976710656), 12, '0'))::uuid, 'developer',
         'next-' || n || '-' || $1 || '@example.com', 'next-' || n || '-' || $1 || '@example.com', '', 'Next', 'One', now()
       from generate_series(1, ${TOGETHER - 1}) n returning id)
     insert into usage_months (developer_id, month, redemptions) select id, '2026-01-01', 0 from others`,
    [developerId],
  );

it('a close-month that is killed between transactions and within some leaves each month whole, and the next run ends it', async () => {
  const scenes: Awaited<ReturnType<typeof sold>>[] = [];
  for (let n = 0; n < AT_ONCE + 2; n += 1) scenes.push(await sold());
  scenes.sort((a, b) => (a.ada.id < b.ada.id ? -1 : 1));
  for (const { ada } of scenes) await surround(ada.id);
  // all but the first and the last: their statements wait for their numbers, after their months were marked closed
  const stuck = scenes.slice(1, -1).map(({ ada }) => ada.id);
  await server.db.query('insert into payout_numbers (developer_id, year, last) select unnest($1::uuid[]), 2026, 0', [
    stuck,
  ]);
  const lock = await lockWith(server.db, 'select 1 from payout_numbers where developer_id = any($1) for update', [
    stuck,
  ]);
  const child = execa(process.execPath, ['packages/server/src/bin.ts', 'close-month'], {
    ...answering,
    env: settings(),
  });
  const left = async () => Promise.all(scenes.map(async ({ ada }) => (await openOf(ada.id)).length));
  const halfway = [0, ...stuck.map(() => 1), 1];
  try {
    await expect.poll(left, { timeout: 40_000 }).toEqual(halfway);
    await lock.untilWaiting(AT_ONCE);
  } finally {
    child.kill('SIGKILL');
    await child;
    await lock.release();
  }
  expect((await child).signal).toBe('SIGKILL');
  await expect.poll(left).toEqual(halfway);
  for (const [at, { rae }] of scenes.entries()) expect(await payoutsOf(rae)).toHaveLength(at === 0 ? 1 : 0);
  // two at once, as when the job and an operator meet
  const [command, job] = await Promise.all([closeMonth(), close()]);
  expect([command.code, job.failed]).toEqual([0, 0]);
  for (const { ada, rae } of scenes) {
    expect(await openOf(ada.id)).toEqual([]);
    expect((await payoutsOf(rae)).map(({ number }) => number)).toEqual(['2026-0001']);
  }
  const delays = await server.db.query(
    `select distinct extract(epoch from start_after - created_on)::int as seconds from pgboss.job
     where name = 'statements-made' and data ->> 'developerId' = any($1)`,
    [stuck],
  );
  // seals and emails wait until the others are closed
  expect(delays).toContainEqual({ seconds: 5 });
});

/** Another process that closes, and waits a second for a lock. */
const closeBeside = () =>
  beside({ server, clock: new TestClock('2026-02-02T00:00:00Z') }, ({ closings }) =>
    inLane('probe', () => closings.run()),
  );

/** When those who wait for a lock have begun to. */
async function waitings(): Promise<number[]> {
  const rows = await server.db.query<{ since: Date }>(
    "select query_start as since from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.map(({ since }) => since.getTime());
}

it.skipIf(isCluster()).each([
  ['closes it: nothing is left to do', 'commit', 1],
  ['does not close it after all: it is closed here', 'rollback', 2],
] as const)(
  'a close that meets a month in the hands of another closes the others, waits, and reports no failure when the other %s',
  async (_, end, months) => {
    const [held, other] = [await sold(), await sold()];
    const lock = await lockWith(
      server.db,
      "update usage_months set closed_at = now() where developer_id = $1 and month = '2026-01-01'",
      [held.ada.id],
    );
    const closing = closeBeside();
    const begun = new Set<number>();
    const waited = async () => {
      for (const since of await waitings()) begun.add(since);
      return begun.size;
    };
    // again, after it was refused the first time
    await expect.poll(waited, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(await openOf(other.ada.id)).toEqual([]);
    await lock.release(end);
    expect(await closing).toMatchObject({ months, failed: 0 });
    expect([await openOf(held.ada.id), await openOf(other.ada.id)]).toEqual([[], []]);
    expect(await payoutsOf(held.rae)).toHaveLength(end === 'commit' ? 0 : 1);
  },
);

it.skipIf(isCluster())(
  'a month that somebody never lets go is reported after a while, in the way of no other, and closed by a later run',
  async () => {
    const [held, other] = [await sold(), await sold()];
    const lock = await lockWith(server.db, 'select 1 from usage_months where developer_id = $1 for update', [
      held.ada.id,
    ]);
    expect(await closeBeside()).toMatchObject({ months: 1, failed: 1 });
    expect(await openOf(other.ada.id)).toEqual([]);
    await lock.release();
    expect(await closeBeside()).toMatchObject({ months: 1, failed: 0 });
    expect(await payoutsOf(held.rae)).toHaveLength(1);
  },
);

it('months of one developer are closed in their order, however many developers are closed at once', async () => {
  const scenes: Awaited<ReturnType<typeof sold>>[] = [];
  for (let n = 0; n < AT_ONCE + 1; n += 1) scenes.push(await sold());
  // nothing was sold in these, so they make no statements, but the one of January must come after them
  await server.db.query(
    `insert into usage_months (developer_id, month, redemptions)
     select d, m, 0 from unnest($1::uuid[]) d, unnest(array['2025-10-01', '2025-11-01', '2025-12-01']::date[]) m`,
    [scenes.map(({ ada }) => ada.id)],
  );
  const developers = scenes.length;
  expect(await close('2026-01')).toMatchObject({
    months: 4 * developers,
    statements: { payout: developers, billing: developers },
    failed: 0,
  });
  // by the numbers of their transactions, because the clock is held
  const closings = await server.db.query<{ ordered: boolean }>(
    `select bool_and(closed_at is not null and xid > before) as ordered from (
       select closed_at, xmin::text::bigint as xid,
         lag(xmin::text::bigint, 1, 0::bigint) over (partition by developer_id order by month) as before
       from usage_months where developer_id = any($1)) months`,
    [scenes.map(({ ada }) => ada.id)],
  );
  expect(closings).toEqual([{ ordered: true }]);
});
