import { makeProduct } from '@tonerow/test-support/http.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, sellAt, close, closeFrom, payoutsOf, payoutOf, get, refund } = payoutScene(() => ({
  server,
  clock,
}));

describe('a closed month', () => {
  it('is one statement per partnership, with the figures of the ledger, read by both sides', async () => {
    clock.set('2026-01-10T12:00:00Z');
    const { ada, rae, product } = await partners({ rate: 20, price: 49.99 });
    await sell(ada, product, 2);
    await sell(ada, product, 1, { promo_price: 10 });
    clock.set('2026-02-01T00:00:00Z');
    expect(await close()).toMatchObject({ failed: 0 });
    const [row] = await payoutsOf(rae);
    expect(row).toMatchObject({
      number: '2026-0001',
      month: '2026-01',
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-01T00:00:00.000Z',
      developer_name: 'Row Audio',
      total_redemptions: 3,
      total_revenue: 109.98,
      avg_price: 36.66,
      commission_rate: 20,
      reseller_earned: 22,
      developer_owed: 87.98,
      brought_forward: 0,
      due: 87.98,
      outstanding: 87.98,
      status: 'pending',
      label: 'Pending',
    });
    expect(await payoutsOf(ada)).toEqual([row]);
    const numbered = async (person: typeof rae, number: string) =>
      (await get(person, `?number=${encodeURIComponent(number)}`)).body;
    for (const person of [ada, rae]) {
      expect(await numbered(person, 'Statement 2026-1')).toMatchObject({ rows: [row], total: 1 });
      for (const other of ['2026-0002', 'none'])
        expect(await numbered(person, other)).toMatchObject({ rows: [], total: 0 });
    }
    const detail = await payoutOf(rae, row.id);
    expect(detail.transactions).toHaveLength(3);
    expect(detail.transactions[0]).toMatchObject({
      kind: 'sale',
      first_name: 'Nina',
      last_name: 'Simone',
      product_name: product.name,
      final_price: 49.99,
      price: 49.99,
      commission_earned: 10,
      refers_to: null,
    });
    expect(await payoutOf(ada, row.id)).toEqual(detail);
    // a second run finds nothing to do
    expect(await close()).toEqual({ months: 0, statements: { payout: 0, billing: 0 }, failed: 0 });
    expect(await payoutsOf(rae)).toEqual([row]);
  });

  it('holds neither imports nor what was sold without a reseller, and needs no sales for a refund', async () => {
    clock.set('2026-03-10T12:00:00Z');
    const { ada, rae, product, partnershipId } = await partners({ rate: 20 });
    await sell(ada, product, 1, { reseller_id: null });
    const [sold] = await sell(ada, product, 1);
    await server.db.query(
      `insert into redemptions (id, developer_id, serial_id, code, product_id, partnership_id, customer_id, redeemed_at, source, final_price_cents)
       select gen_random_uuid(), s.developer_id, s.id, s.code, $2, $3, (select customer_id from redemptions where developer_id = $1 limit 1), $4, 'import', 4900
       from serials s where s.developer_id = $1 and s.redeemed_at is null limit 1`,
      [ada.id, product.id, partnershipId, clock.now()],
    );
    clock.set('2026-04-02T00:00:00Z');
    await close();
    expect((await payoutsOf(rae)).map((row) => [row.month, row.total_redemptions])).toEqual([['2026-03', 1]]);
    // April has a refund alone: the developer owes, and May brings it forward although nothing happened in it
    await refund(ada, sold as string);
    clock.set('2026-06-01T06:00:00Z');
    await close();
    const rows = await payoutsOf(rae);
    expect(rows.map((row) => [row.number, row.month, row.due, row.brought_forward, row.status])).toEqual([
      ['2026-0003', '2026-05', -39.2, -39.2, 'settled'],
      ['2026-0002', '2026-04', -39.2, 0, 'settled'],
      ['2026-0001', '2026-03', 39.2, 0, 'pending'],
    ]);
    const april = await payoutOf(rae, rows[1]?.id as string);
    expect(april.transactions).toMatchObject([
      {
        kind: 'refund',
        final_price: -49,
        commission_earned: -9.8,
        reason: 'Money back',
        refers_to: { statement: '2026-0001' },
      },
    ]);
    expect(april).toMatchObject({ carried: 39.2, outstanding: 0, adjustments: 1, total_redemptions: 0 });
    // the old statement stays as it was, and its transaction shows the refund
    const march = await payoutOf(rae, rows[2]?.id as string);
    expect(march.transactions).toMatchObject([{ final_price: 49, refunded: 49 }]);
  });

  it('has the rates at which it was sold, and what was earned of it when they changed', async () => {
    clock.set('2026-07-10T12:00:00Z');
    const { ada, rae, product, partnershipId } = await partners({ rate: 20, price: 10 });
    await sell(ada, product, 1);
    await sell(ada, await makeProduct(server, ada.token, { price: 5 }), 1);
    await server.db.query('update partnerships set commission_bps = 3333 where id = $1', [partnershipId]);
    await sell(ada, product, 1);
    await server.db.query('update partnerships set commission_bps = 5000 where id = $1', [partnershipId]);
    clock.set('2026-08-01T00:00:00Z');
    await close();
    const [row] = await payoutsOf(rae);
    expect(row).toMatchObject({ total_redemptions: 3, reseller_earned: 6.33, commission_rate: 25.32 });
    expect((await payoutOf(rae, row.id)).rates).toEqual([
      { commission_rate: 20, redemptions: 2, revenue: 15, commission: 3 },
      { commission_rate: 33.33, redemptions: 1, revenue: 10, commission: 3.33 },
    ]);
  });

  it('rounds half a cent up once, at the redemption', async () => {
    clock.set('2026-09-10T12:00:00Z');
    const { ada, rae, product } = await partners({ rate: 50, price: 0.01 });
    await sell(ada, product, 3);
    clock.set('2026-10-01T00:00:00Z');
    await close();
    expect(await payoutsOf(rae)).toMatchObject([
      { total_revenue: 0.03, reseller_earned: 0.03, developer_owed: 0, status: 'paid', label: 'Complete' },
    ]);
  });

  it('stays as it is: the database refuses to change or delete a figure', async () => {
    const [{ id } = { id: '' }] = await server.db.query<{ id: string }>('select id from payouts limit 1');
    for (const change of ['due_cents = due_cents + 1', "number = '2026-9999'", "digest = 'x'", "month = '2020-01-01'"])
      await expect(server.db.query(`update payouts set ${change} where id = $1`, [id])).rejects.toThrow('frozen');
    await expect(server.db.query('delete from payouts where id = $1', [id])).rejects.toThrow('frozen');
    await server.db.query('update payouts set announced_at = now() where id = $1', [id]);
  });
});

describe('the edge of a month', () => {
  it('a redemption that races the close is in exactly one statement', async () => {
    clock.set('2027-01-31T23:59:59.999Z');
    const { ada, rae, product } = await partners({ rate: 20, price: 1 });
    const serials = await sellAt(ada, product, 200);
    let done = 0;
    // as many at once as one account may have
    const redemptions = Array.from({ length: 10 }, async () => {
      for (let redeemed = serials.pop(); redeemed; redeemed = serials.pop()) {
        let { status } = await redeemed();
        // a server that is short of time asks to come again, as the redemption page does
        for (let again = 0; status === 503 && again < 5; again += 1) ({ status } = await redeemed());
        expect(status).toBe(200);
        done += 1;
      }
    });
    await vi.waitUntil(() => done > 40, { timeout: 20_000, interval: 1 });
    clock.set('2027-02-01T00:00:00.000Z');
    const closes = [closeFrom(), closeFrom()];
    await Promise.all([...redemptions, ...closes]);
    await close();
    clock.set('2027-03-01T00:00:00.000Z');
    await close();
    const rows = await payoutsOf(rae);
    const ledger = await server.db.query<{ month: string; n: number }>(
      `select to_char(redeemed_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as n from redemptions
       where developer_id = $1 group by 1 order by 1 desc`,
      [ada.id],
    );
    expect(rows.map((row) => ({ month: row.month, n: row.total_redemptions }))).toEqual(ledger);
    expect(ledger).toHaveLength(2);
    expect(ledger.reduce((sum, { n }) => sum + n, 0)).toBe(200);
  });

  it('a redemption with a clock that is still in a closed month is repeated until it is not', async () => {
    clock.set('2027-04-30T23:59:59.999Z');
    const { ada, rae, product } = await partners({ rate: 20, price: 1 });
    await sell(ada, product, 1);
    const [late] = await sellAt(ada, product, 1);
    await server.db.query("update usage_months set closed_at = '2027-05-01' where developer_id = $1", [ada.id]);
    expect((await late?.())?.status).toBe(503);
    clock.set('2027-05-01T00:00:00.000Z');
    expect((await late?.())?.status).toBe(200);
    expect(await payoutsOf(rae)).toEqual([]);
  });

  it('ten closes at once, a year late, make each statement once, numbered without gaps', async () => {
    clock.set('2027-06-15T00:00:00Z');
    const one = await partners({ rate: 20, price: 1 });
    const two = await partners({ rate: 30, price: 2, ada: one.ada });
    for (const month of ['06', '07', '08', '09', '10', '11', '12']) {
      clock.set(`2027-${month}-15T00:00:00Z`);
      await sell(one.ada, one.product, 1, { reseller_id: one.partnershipId });
      await sell(one.ada, two.product, 1, { reseller_id: two.partnershipId });
    }
    clock.set('2028-12-15T00:00:00Z');
    await Promise.all(Array.from({ length: 10 }, () => closeFrom()));
    const rows = await payoutsOf(one.ada);
    expect(rows.map(({ number }) => number).sort()).toEqual(
      Array.from({ length: 14 }, (_, n) => `2027-${String(n + 1).padStart(4, '0')}`),
    );
    const chain = (await payoutsOf(two.rae)).reverse();
    expect(chain.map((row) => row.previous_digest)).toEqual([null, ...chain.slice(0, -1).map((row) => row.digest)]);
    await expect
      .poll(
        async () =>
          (
            await server.db.query("select 1 from mails where recipient = $1 and subject like 'Your statement%'", [
              two.rae.email,
            ])
          ).length,
        { timeout: 20_000 },
      )
      .toBe(7);
    expect(
      await server.db.query("select 1 from mails where recipient = $1 and subject like 'Reseller statements%'", [
        one.ada.email,
      ]),
    ).toHaveLength(7);
  });

  it('a rehearsal reports what would be closed and leaves nothing', async () => {
    clock.set('2029-01-15T00:00:00Z');
    await close();
    const { ada, rae, product } = await partners({ rate: 20, price: 1 });
    await sell(ada, product, 1);
    clock.set('2029-02-15T00:00:00Z');
    const rehearsed = await close({ dryRun: true });
    expect(rehearsed).toMatchObject({ failed: 0 });
    expect(await payoutsOf(rae)).toEqual([]);
    expect(await close({ through: '2028-12' })).toEqual({
      months: 0,
      statements: { payout: 0, billing: 0 },
      failed: 0,
    });
    expect(await close({ through: '2031-12' })).toEqual(rehearsed);
    expect(await payoutsOf(rae)).toHaveLength(1);
  });
});

describe('who may read a statement', () => {
  it('neither strangers nor another reseller of the developer, but a former partner', async () => {
    clock.set('2029-03-15T00:00:00Z');
    const one = await partners({ rate: 20, price: 1 });
    const two = await partners({ rate: 20, price: 1, ada: one.ada });
    const stranger = await partners({ rate: 20, price: 1 });
    await sell(one.ada, one.product, 1, { reseller_id: one.partnershipId });
    clock.set('2029-04-15T00:00:00Z');
    await close();
    const [row] = await payoutsOf(one.rae);
    for (const person of [two.rae, stranger.rae, stranger.ada]) {
      expect((await get(person, `/${row.id}`)).status).toBe(404);
      expect(await payoutsOf(person)).toEqual([]);
    }
    for (const status of ['paused', 'ended']) {
      await server.db.query('update partnerships set status = $2 where id = $1', [one.partnershipId, status]);
      expect((await get(one.rae, `/${row.id}`)).status).toBe(200);
      expect(await payoutsOf(one.rae)).toEqual([row]);
    }
  });

  it('whoever claims a named reseller sees what it earned before, under the name it had', async () => {
    clock.set('2029-05-15T00:00:00Z');
    const { ada, rae, product, partnershipId } = await partners({ rate: 20, price: 1 });
    await server.db.query(
      "update partnerships set status = 'named', reseller_id = null, name = 'Old Shop' where id = $1",
      [partnershipId],
    );
    await sell(ada, product, 1);
    clock.set('2029-06-15T00:00:00Z');
    await close();
    expect(await payoutsOf(rae)).toEqual([]);
    await server.db.query("update partnerships set status = 'active', reseller_id = $2 where id = $1", [
      partnershipId,
      rae.id,
    ]);
    expect(await payoutsOf(rae)).toMatchObject([{ month: '2029-05', reseller_name: 'Old Shop' }]);
  });

  it('an erased customer is shown as Erased, and the sums stay', async () => {
    clock.set('2029-07-15T00:00:00Z');
    const { ada, rae, product } = await partners({ rate: 20, price: 1 });
    await sell(ada, product, 1);
    clock.set('2029-08-15T00:00:00Z');
    await close();
    const [row] = await payoutsOf(rae);
    await server.db.query(
      "update customers set email = '', email_key = 'erased:' || id, first_name = null, last_name = null, erased_at = now() where developer_id = $1",
      [ada.id],
    );
    expect(await payoutOf(rae, row.id)).toMatchObject({
      ...row,
      transactions: [{ first_name: 'Erased', last_name: null, email: null }],
    });
  });
});
