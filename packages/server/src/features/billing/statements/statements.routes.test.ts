import { beside } from '@tonerow/test-support/beside.ts';
import { monthScene } from '@tonerow/test-support/billing-months.ts';
import { databaseInZone } from '@tonerow/test-support/database-in-zone.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let db: Awaited<ReturnType<typeof databaseInZone>>;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  // 14 hours ahead of the months that are closed
  db = await databaseInZone('Etc/GMT-14');
  server = await startServer({ overrides: { clock }, db });
});
afterAll(async () => {
  await server.stop();
  await db.end();
});

const { developer, use, switchTo, invoicesOf, invoiceOf, close, authed } = monthScene(() => ({ server, clock }));

interface Line {
  kind: string;
  amount: number;
}
const cents = (dollars: number) => Math.round(dollars * 100);
const sumOf = (lines: Line[], kind?: string) =>
  lines.filter((line) => !kind || line.kind === kind).reduce((sum, { amount }) => sum + cents(amount), 0);

describe('the statement of a closed month', () => {
  it('has the fee of the dearest plan, the overage line by line at its prices, and the refreshes', async () => {
    clock.set('2026-01-10T12:00:00Z');
    const ada = await developer('pro', 249);
    const [serial] = await use(ada, 3);
    clock.advance(1);
    await switchTo(ada, 'creator');
    await use(ada, 1);
    await server.db.query('update serials set download_count = 3 where id = $1', [serial]);
    const refreshed = await authed(ada, 'PATCH', `/api/serials/refresh/${serial}`, {});
    expect(refreshed.status, refreshed.text).toBe(200);
    clock.set('2026-02-01T00:00:00Z');
    await close();
    const [row] = await invoicesOf(ada);
    expect(row).toMatchObject({
      number: expect.stringMatching(/^2026-\d{4}$/),
      month: '2026-01',
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-01T00:00:00.000Z',
      plan: 'creator',
      plan_name: 'Creator (Pay As You Go)',
      fee: 10,
      redemptions: 253,
      overage_redemptions: 3,
      overage_cost: 0.13,
      refresh_count: 1,
      refresh_cost: 0.05,
      total: 10.18,
      state: 'local',
      paid_at: null,
    });
    const invoice = await invoiceOf(ada, row.id);
    expect(invoice).toMatchObject({
      ...row,
      lines: [
        { n: 1, kind: 'fee', description: 'Plan Pro, January 2026 (UTC)', quantity: 1, unit_price: 10, amount: 10 },
        { n: 2, kind: 'overage', quantity: 1, unit_price: 0.05, amount: 0.05 },
        { n: 3, kind: 'overage', quantity: 2, unit_price: 0.04, amount: 0.08 },
        { n: 4, kind: 'refresh', quantity: 1, unit_price: 0.05, amount: 0.05 },
      ],
      party: { name: expect.any(String), email: ada.email, company: 'Row Audio' },
      payment: { attempts: 0, next_attempt_at: null, first_failed_at: null, last_error: null },
    });
    expect(sumOf(invoice.lines)).toBe(cents(invoice.total));
    const history = await authed(ada, 'GET', '/api/billing/history');
    expect(history.body.map((each: { invoice: unknown }) => each.invoice)).toEqual([
      { id: row.id, number: row.number, state: 'local', paid_by: null },
    ]);
    // a second run finds nothing to do
    await close();
    expect(await invoicesOf(ada)).toEqual([row]);
  });

  it('is none when nothing was used and the plan has no fee, and settled when there is nothing to pay', async () => {
    clock.set('2026-03-10T12:00:00Z');
    const [idle, small] = [await developer(), await developer()];
    await server.db.query("insert into usage_months (developer_id, month) values ($1, '2026-03-01')", [idle.id]);
    await use(small, 2);
    clock.set('2026-04-01T00:00:00Z');
    await close();
    expect(await invoicesOf(idle)).toEqual([]);
    const [row] = await invoicesOf(small);
    expect(row).toMatchObject({ month: '2026-03', total: 0, redemptions: 2, state: 'settled' });
    expect((await invoiceOf(small, row.id)).lines).toEqual([]);
  });

  it('is made for every month of a plan with a fee, also when the close runs a year late, until the plan is left', async () => {
    clock.set('2026-05-31T23:59:59.999Z');
    const ada = await developer('pro');
    clock.set('2026-07-15T00:00:00Z');
    await switchTo(ada, 'elite');
    clock.set('2026-09-30T23:59:59.999Z');
    await switchTo(ada, 'free');
    clock.set('2027-06-15T00:00:00Z');
    await Promise.all([close(), close(), close()]);
    expect(
      (await invoicesOf(ada)).map((row: { month: string; plan: string; fee: number }) => [
        row.month,
        row.plan,
        row.fee,
      ]),
    ).toEqual([
      ['2026-09', 'free', 20],
      ['2026-08', 'elite', 20],
      ['2026-07', 'elite', 20],
      ['2026-06', 'pro', 10],
      ['2026-05', 'pro', 10],
    ]);
  });

  it('has one line without a price when the rows do not add up to what was counted', async () => {
    clock.set('2027-07-10T00:00:00Z');
    const ada = await developer('pro', 300);
    await switchTo(ada, 'elite');
    await server.db.query(
      'update usage_months set overage_redemptions = 3, overage_cents = 11 where developer_id = $1',
      [ada.id],
    );
    clock.set('2027-08-10T00:00:00Z');
    await close();
    const [row] = await invoicesOf(ada);
    const { lines } = await invoiceOf(ada, row.id);
    expect(lines[1]).toMatchObject({ kind: 'overage', quantity: 3, unit_price: null, amount: 0.11 });
    expect(sumOf(lines)).toBe(cents(row.total));
  });

  it('stays as it is: the database refuses to change or delete a figure, a line or who was billed', async () => {
    const [{ id } = { id: '' }] = await server.db.query<{ id: string }>(
      'select s.id from billing_statements s join billing_lines l on (l.developer_id, l.statement_id) = (s.developer_id, s.id) limit 1',
    );
    for (const change of ['fee_cents = fee_cents + 1', "number = '2026-9999'", "party = '{}'", "plan = 'elite'"])
      await expect(server.db.query(`update billing_statements set ${change} where id = $1`, [id])).rejects.toThrow(
        'frozen',
      );
    await expect(server.db.query('delete from billing_statements where id = $1', [id])).rejects.toThrow('frozen');
    await expect(
      server.db.query('update billing_lines set quantity = 2 where statement_id = $1', [id]),
    ).rejects.toThrow('frozen');
    await expect(server.db.query('delete from billing_lines where statement_id = $1', [id])).rejects.toThrow('frozen');
    await server.db.query("update billing_statements set state = 'void' where id = $1", [id]);
  });

  it('has a number of the month’s year, without gaps across developers', async () => {
    clock.set('2028-01-10T00:00:00Z');
    await close();
    const rows = await server.db.query<{ number: string; month: string }>(
      'select number, month::text from billing_statements order by number',
    );
    const years = Map.groupBy(rows, ({ number }) => number.slice(0, 4));
    expect(years.size).toBeGreaterThan(1);
    expect(rows.map(({ month }) => month)).toContain('2027-12-01');
    expect(rows.filter(({ number, month }) => number.slice(0, 4) !== month.slice(0, 4))).toEqual([]);
    for (const [year, numbers] of years)
      expect(numbers.map(({ number }) => number)).toEqual(
        numbers.map((_, n) => `${year}-${String(n + 1).padStart(4, '0')}`),
      );
  });
});

describe('the edge of a month', () => {
  it('is UTC for developers in every time zone, to the millisecond, also on a machine and a database that are in another', async () => {
    expect(new Date(0).getTimezoneOffset()).toBe(-14 * 60);
    const session = await beside({ server, clock }, (deps) => deps.db.query('show timezone'));
    expect(session).toEqual([{ TimeZone: 'Etc/GMT-14' }]);
    clock.set('2028-01-31T23:59:59.999Z');
    const people = await Promise.all(
      ['Pacific/Kiritimati', 'Etc/GMT+12', 'Pacific/Niue', 'UTC'].map(async (zone) => {
        const ada = await developer('creator', 100);
        await server.db.query('update users set time_zone = $2 where id = $1', [ada.id, zone]);
        return ada;
      }),
    );
    for (const ada of people) await use(ada, 1);
    clock.set('2028-02-01T00:00:00.000Z');
    for (const ada of people) await use(ada, 1);
    await close();
    clock.set('2028-03-01T00:00:00.000Z');
    await close();
    for (const ada of people)
      expect(
        (await invoicesOf(ada)).map((row: { month: string; redemptions: number; total: number }) => [
          row.month,
          row.redemptions,
          row.total,
        ]),
      ).toEqual([
        ['2028-02', 1, 0],
        ['2028-01', 101, 0.05],
      ]);
  });

  it('a plan that is switched during the close counts in one month alone: the one that the lock gives it', async () => {
    clock.set('2028-04-30T23:59:59.999Z');
    const ada = await developer('pro');
    await server.db.query('update usage_months set closed_at = $2 where developer_id <> $1 and closed_at is null', [
      ada.id,
      clock.now(),
    ]);
    // the close has the month, and waits for its number
    const busy = await lockWith(server.db, 'select 1 from billing_numbers where year = 2028 for update');
    clock.set('2028-05-01T00:00:00.000Z');
    const closing = close();
    await busy.untilWaiting(1).catch(() => busy.untilWaiting(1));
    // this machine's clock is still in April
    clock.set('2028-04-30T23:59:59.999Z');
    const switching = switchTo(ada, 'elite');
    await busy.untilWaiting(2).catch(() => busy.untilWaiting(2));
    clock.set('2028-05-01T00:00:00.001Z');
    await busy.release();
    await Promise.all([closing, switching]);
    clock.set('2028-06-01T00:00:00.000Z');
    await close();
    expect((await invoicesOf(ada)).map((row: { month: string; fee: number }) => [row.month, row.fee])).toEqual([
      ['2028-05', 20],
      ['2028-04', 10],
    ]);
  });
});

describe('a close of many', () => {
  it('developers at once makes one statement each, page by page, from two processes', async () => {
    clock.set('2029-01-10T00:00:00Z');
    await server.db.query('update usage_months set closed_at = $1 where closed_at is null', [clock.now()]);
    await server.db.query(
      `with made as (
         insert into users (id, role, email, email_key, password_hash, first_name, last_name, plan, created_at)
         select gen_random_uuid(), 'developer', 'many' || n || '@example.com', 'many' || n || '@example.com', 'x', 'Many', n::text, 'pro', '2029-01-01'
         from generate_series(1, 1203) n returning id
       ), planned as (
         insert into plan_changes (developer_id, id, from_plan, to_plan, changed_at, changed_by)
         select id, gen_random_uuid(), 'free', 'pro', '2029-01-01', id from made
       ) insert into usage_months (developer_id, month, plan) select id, '2029-01-01', 'pro' from made`,
    );
    clock.set('2029-02-01T00:00:00Z');
    const reports = await Promise.all([close(), close()]);
    expect(reports.map(({ failed }) => failed)).toEqual([0, 0]);
    const made = await server.db.query<{ month: string; n: number; total: string }>(
      `select month::text, count(distinct developer_id)::int as n, sum(total_cents) as total from billing_statements
       where month >= '2029-01-01' group by 1 order by 1`,
    );
    expect(made.map(({ month, n, total }) => [month, n, Number(total)])).toEqual([['2029-01-01', 1203, 1_203_000]]);
    expect(reports.reduce((sum, { statements }) => sum + statements.billing, 0)).toBe(1203);
  }, 300_000);
});
