import { createHash } from 'node:crypto';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, refund, close, payoutsOf, post, beside } = payoutScene(() => ({ server, clock }));
const audit = () => beside((deps) => deps.payoutAudit.run());

/** As somebody with the database's password could. */
async function tamper(table: string, change: string, where: string) {
  await server.db.query(`alter table ${table} disable trigger user`);
  await server.db.query(`update ${table} set ${change} where ${where}`);
  await server.db.query(`alter table ${table} enable trigger user`);
}

it('finds nothing in what was made by the close, and each kind of tampering; both sides see it, and nothing is repaired', async () => {
  const { ada, rae, product } = await partners({ rate: 20, price: 100 });
  const [sold] = await sell(ada, product, 2);
  clock.advance(31 * DAY);
  await sell(ada, product, 1);
  await refund(ada, sold as string);
  clock.advance(31 * DAY);
  await close();
  const [next, first] = await payoutsOf(rae);
  await post(ada, `/${first.id}/mark-paid`, { amount: 200 });
  clock.advance(31 * DAY);
  await close();
  expect(await payoutsOf(rae)).toHaveLength(3);
  expect(await audit()).toBe(0);

  const cases: [table: string, change: string, back: string, where: string, difference: string][] = [
    [
      'payouts',
      'reseller_earned_cents = 3999, developer_owed_cents = 16001, due_cents = 16001',
      'reseller_earned_cents = 4000, developer_owed_cents = 16000, due_cents = 16000',
      `id = '${first.id}'`,
      'commission, digest, brought forward',
    ],
    ['payouts', "digest = repeat('0', 64)", `digest = '${next.digest}'`, `id = '${next.id}'`, 'digest'],
    ['payouts', 'paid_cents = 100', 'paid_cents = 20000', `id = '${first.id}'`, 'payments, brought forward'],
    ['payout_payments', 'amount_cents = 1', 'amount_cents = 20000', `payout_id = '${first.id}'`, 'payments'],
    [
      'redemptions',
      'final_price_cents = 10001',
      'final_price_cents = 10000',
      `serial_id = '${sold}'`,
      'revenue, rates, rows',
    ],
    ['redemptions', 'commission_bps = 2001', 'commission_bps = 2000', `serial_id = '${sold}'`, 'rates, rows'],
    [
      'redemptions',
      "redeemed_at = (redeemed_at at time zone 'UTC' + interval '1 ms') at time zone 'UTC'",
      "redeemed_at = (redeemed_at at time zone 'UTC' - interval '1 ms') at time zone 'UTC'",
      `serial_id = '${sold}'`,
      'rows',
    ],
    [
      'ledger_adjustments',
      'commission_cents = -1',
      'commission_cents = -2000',
      `developer_id = '${ada.id}'`,
      'adjustments, rows',
    ],
  ];
  for (const [table, change, back, where, difference] of cases) {
    await tamper(table, change, where);
    expect(await audit(), change).toBeGreaterThan(0);
    const seen = async (person: typeof ada) => (await payoutsOf(person)).map((row) => row.difference).filter(Boolean);
    expect(await seen(rae), change).toContain(difference);
    expect(await seen(ada)).toEqual(await seen(rae));
    await tamper(table, back, where);
    expect(await audit(), back).toBe(0);
    expect(await seen(rae)).toEqual([]);
  }
  expect((await payoutsOf(rae)).map(({ digest }) => digest).slice(1)).toEqual([next.digest, first.digest]);
});

it('accepts what was sealed before rates were, and nothing that was changed under such a seal', async () => {
  const { ada, rae, product } = await partners({ rate: 20, price: 100 });
  const [sold] = await sell(ada, product, 1);
  clock.advance(31 * DAY);
  await close();
  const [{ id, number, month }] = await payoutsOf(rae);
  const [row] = await server.db.query<{ line: string; partnership: string }>(
    `select id || ' ' || to_char(redeemed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' sale - 10000 2000' as line,
       partnership_id as partnership from redemptions where serial_id = $1`,
    [sold],
  );
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const rows = sha256(`${row?.line}\n`);
  const text = `tonerow statement 1\nnumber ${number}\nmonth ${month}\ndeveloper ${ada.id}\npartnership ${row?.partnership}\ncurrency USD\nredemptions 1\nrevenue 10000\ncommission 2000\nadjustments 0\nadjustment_revenue 0\nadjustment_commission 0\nbrought_forward 0\ndue 8000\nrows ${rows}\nprevious -\n`;
  await tamper('payouts', `rows_digest = '${rows}', digest = '${sha256(text)}'`, `id = '${id}'`);
  expect(await audit()).toBe(0);
  await tamper(
    'redemptions',
    "redeemed_at = (redeemed_at at time zone 'UTC' + interval '1 ms') at time zone 'UTC'",
    `serial_id = '${sold}'`,
  );
  expect(await audit()).toBeGreaterThan(0);
  await tamper(
    'redemptions',
    "redeemed_at = (redeemed_at at time zone 'UTC' - interval '1 ms') at time zone 'UTC'",
    `serial_id = '${sold}'`,
  );
  await tamper('payouts', "number = '2026-9999'", `id = '${id}'`);
  expect(await audit()).toBeGreaterThan(0);
  await tamper('payouts', `number = '${number}'`, `id = '${id}'`);
  expect(await audit()).toBe(0);
});

it('finds statements that are missing, also when a developer has none left', async () => {
  const { ada, product } = await partners({ rate: 20, price: 100 });
  await sell(ada, product, 1);
  clock.advance(31 * DAY);
  await close();
  expect(await audit()).toBe(0);
  await server.db.query('alter table payouts disable trigger user');
  for (const table of ['payouts', 'payout_numbers'])
    await server.db.query(`delete from ${table} where developer_id = $1`, [ada.id]);
  await server.db.query('alter table payouts enable trigger user');
  expect(await audit()).toBe(1);
});
