import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { partnerRecount } from '@tonerow/test-support/partner-recount.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
beforeEach(async () => {
  clock.set('2026-03-10T12:00:00Z');
  ada = await signUp(server);
});
afterAll(() => server.stop());

const post = (id: string, action: string, body: object, token = ada.token, headers: Record<string, string> = {}) =>
  call(server, 'POST', `/api/serials/${id}/${action}`, { token, body, headers });
const refund = (id: string, body: object = {}) => post(id, 'refund', { reason: 'Bought twice', ...body });
const reinstate = (id: string, body: object = {}) => post(id, 'reinstate', { reason: 'A mistake', ...body });

/** A serial sold by a reseller at 20%, redeemed. */
async function sold(price: number, bps = 2000): Promise<string> {
  const product = await makeProduct(server, ada.token, { price });
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1, new_reseller_name: `Shop ${bps}` });
  await server.db.query('update partnerships set commission_bps = $2 where developer_id = $1', [ada.id, bps]);
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  return serial?.id as string;
}

const rows = () =>
  server.db.query(
    `select kind, revenue_cents, commission_cents, month::text from ledger_adjustments where developer_id = $1 order by created_at, id`,
    [ada.id],
  );

describe('a refund', () => {
  it('and what takes it back are in the history of the serial, with amount and reason', async () => {
    const id = await sold(10);
    await refund(id, { amount: 4, reason: 'Late update' });
    clock.advance(1000);
    await refund(id, { kind: 'chargeback', revoke: true });
    clock.advance(1000);
    await reinstate(id, { reassign: true });
    const { body } = await call(server, 'GET', `/api/serials/${id}`, { token: ada.token });
    expect(body.history.map(({ at: _, ...event }: { at: string }) => event)).toEqual([
      { kind: 'reassigned', detail: null, amount: null },
      { kind: 'reinstated', detail: 'A mistake', amount: 10 },
      { kind: 'revoked', detail: null, amount: null },
      { kind: 'charged_back', detail: 'Bought twice', amount: -6 },
      { kind: 'refunded', detail: 'Late update', amount: -4 },
      { kind: 'redeemed', detail: 'redeem', amount: null },
      { kind: 'given', detail: 'Shop 2000', amount: null },
      { kind: 'made', detail: 'generate', amount: null },
    ]);
  });

  it('is an entry of its own day and month, and changes neither the redemption nor the usage', async () => {
    const id = await sold(10);
    const before = await server.db.query('select * from redemptions where developer_id = $1', [ada.id]);
    clock.set('2026-04-02T12:00:00Z');
    const made = await refund(id);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      kind: 'refund',
      amount: -10,
      commission: -2,
      month: '2026-04',
      refunded: 10,
      refundable: 0,
    });
    expect(await server.db.query('select * from redemptions where developer_id = $1', [ada.id])).toEqual(before);
    const usage = await server.db.query(
      'select month::text, redemptions from usage_months where developer_id = $1 order by 1',
      [ada.id],
    );
    expect(usage).toEqual([
      { month: '2026-03-01', redemptions: 1 },
      { month: '2026-04-01', redemptions: 0 },
    ]);
    const { body } = await call(server, 'GET', '/api/analytics?startDate=2026-03-10&endDate=2026-04-02', {
      token: ada.token,
    });
    expect([body.dailyRevenue['2026-03-10'], body.dailyRevenue['2026-04-02']]).toEqual([10, -10]);
    expect(body.totals).toEqual({ redemptions: 1, revenue: 0, refunded: 10 });
    const { sums, ledger } = await partnerRecount(server);
    expect(sums).toEqual(ledger);
  });

  it('falls on the account’s own day, also after its time zone changed', async () => {
    const id = await sold(10);
    clock.set('2026-03-31T23:30:00Z');
    await refund(id);
    const settings = { token: ada.token, body: { time_zone: 'Pacific/Kiritimati' } };
    await call(server, 'PUT', '/api/account/settings', settings);
    const { body } = await call(server, 'GET', '/api/analytics?startDate=2026-04-01&endDate=2026-04-01', {
      token: ada.token,
    });
    expect(body.totals).toEqual({ redemptions: 0, revenue: -10, refunded: 10 });
    expect(await rows()).toMatchObject([{ month: '2026-03-01' }]);
  });

  it('can be made in parts that add up to the whole, also where commissions have half cents', async () => {
    const id = await sold(0.04, 1250);
    for (const [amount, commission] of [
      [0.01, -0.01],
      [0.01, 0],
      [0.02, 0],
    ] as const)
      expect((await refund(id, { amount })).body).toMatchObject({ amount: -amount, commission });
    const [sum] = await server.db.query(
      'select sum(revenue_cents)::int as revenue, sum(commission_cents)::int as commission from ledger_adjustments where developer_id = $1',
      [ada.id],
    );
    expect(sum).toEqual({ revenue: -4, commission: -1 });
  });

  it('is taken back exactly, and can then be made again', async () => {
    const id = await sold(9.99, 1250);
    await refund(id, { amount: 3.33 });
    await refund(id, { amount: 1.11 });
    const back = await reinstate(id);
    expect(back.body).toMatchObject({ kind: 'reinstatement', amount: 4.44, refunded: 0, refundable: 9.99 });
    const [sum] = await server.db.query(
      'select sum(revenue_cents)::int as revenue, sum(commission_cents)::int as commission from ledger_adjustments where developer_id = $1',
      [ada.id],
    );
    expect(sum).toEqual({ revenue: 0, commission: 0 });
    expect((await reinstate(id)).status).toBe(409);
    expect((await refund(id)).body).toMatchObject({ amount: -9.99 });
  });

  it('is refused beyond what was paid, for what nobody paid, redeemed or sold here, and without a reason', async () => {
    const id = await sold(10);
    const tooMuch = await refund(id, { amount: 10.01 });
    expect([tooMuch.status, tooMuch.body.message]).toEqual([422, 'Only $10.00 can still be refunded.']);
    expect((await refund(id, { amount: 0 })).status).toBe(400);
    expect((await refund(id, { amount: 0.001 })).status).toBe(400);
    expect((await refund(id, { amount: -1 })).status).toBe(400);
    expect((await refund(id, { reason: ' ' })).status).toBe(400);
    expect((await refund(id)).status).toBe(201);
    expect((await refund(id)).body.message).toBe('This serial is fully refunded.');
    const free = await sold(0);
    expect((await refund(free)).body.message).toBe('Nothing was paid for this serial.');
    const product = await makeProduct(server, ada.token, { name: 'Chorus', price: 10 });
    const [open] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    expect((await refund(open?.id as string)).body.message).toBe('This serial has not been redeemed.');
    const form = new FormData();
    const csv =
      'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Reseller\nAAAA-0001,Chorus,N,S,n@example.com,15.50,2026-01-05,Shop\n';
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'sales.csv');
    await call(server, 'POST', '/api/serials/import-redeemed', { token: ada.token, body: form });
    const [imported] = await server.db.query<{ serial_id: string }>(
      "select serial_id from redemptions where developer_id = $1 and source = 'import'",
      [ada.id],
    );
    expect((await refund(imported?.serial_id as string)).status).toBe(422);
  });

  it('is another developer’s business: the serial looks absent', async () => {
    const id = await sold(10);
    const eve = await signUp(server);
    for (const action of ['refund', 'reinstate'])
      expect((await post(id, action, { reason: 'x' }, eve.token)).status).toBe(404);
    expect(await rows()).toEqual([]);
  });

  it('revokes in the same step when asked, and its reversal reassigns', async () => {
    const id = await sold(10);
    expect((await refund(id, { revoke: true })).status).toBe(201);
    const get = () => call(server, 'GET', `/api/serials/${id}`, { token: ada.token });
    expect((await get()).body).toMatchObject({
      revoked: true,
      refunded: 10,
      refundable: 0,
      refunds: [{ kind: 'refund', amount: -10, commission: -2, reason: 'Bought twice' }],
    });
    // a refusal revokes nothing
    const other = await sold(5);
    expect((await refund(other, { amount: 6, revoke: true })).status).toBe(422);
    expect((await call(server, 'GET', `/api/serials/${other}`, { token: ada.token })).body.revoked).toBe(false);
    expect((await reinstate(id, { reassign: true })).status).toBe(201);
    expect((await get()).body).toMatchObject({ revoked: false, refunded: 0 });
  });

  it('moves no money when a serial is only revoked or reassigned', async () => {
    const id = await sold(10);
    await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
    expect(await rows()).toEqual([]);
    await refund(id);
    await call(server, 'PATCH', `/api/serials/reassign/${id}`, { token: ada.token });
    expect(await rows()).toHaveLength(1);
  });

  it('is made once when the same request comes twice', async () => {
    const id = await sold(10);
    const key = { 'idempotency-key': 'refund-1' };
    const body = { amount: 4, reason: 'Late' };
    const [first, second] = [
      await post(id, 'refund', body, ada.token, key),
      await post(id, 'refund', body, ada.token, key),
    ];
    expect(second.body).toEqual(first.body);
    expect(await rows()).toHaveLength(1);
  });

  it('is made once when its process died before the answer, and so is its reversal', async () => {
    const id = await sold(10);
    const twice = async (action: string, body: object) => {
      const ask = () => post(id, action, body, ada.token, { 'idempotency-key': `${action}-${id}` });
      const first = await ask();
      await server.db.query(
        'update idempotency_records set status = null, answer = null, locked_until = $2 where id = $1',
        [first.body.id, clock.now()],
      );
      const second = await ask();
      expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    };
    await twice('refund', { amount: 4, reason: 'Late', revoke: true });
    expect(await rows()).toHaveLength(1);
    await twice('reinstate', { reason: 'A mistake', reassign: true });
    expect(await rows()).toMatchObject([{ revenue_cents: -400 }, { revenue_cents: 400 }]);
  });
});

describe('at once', () => {
  it('two refunds never give back more than was paid', async () => {
    const id = await sold(10);
    const busy = await lockWith(server.db, 'select 1 from redemptions where serial_id = $1 for no key update', [id]);
    const both = [refund(id, { amount: 6 }), refund(id, { amount: 6 })];
    await busy.untilWaiting(2);
    await busy.release();
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await rows()).toMatchObject([{ revenue_cents: -600, commission_cents: -120 }]);
  });

  it('a refund and its reversal leave the sale whole or refunded, never below zero or above the price', async () => {
    const id = await sold(10);
    await refund(id, { amount: 5, revoke: true });
    const answers = await Promise.all([
      refund(id, { amount: 5 }),
      reinstate(id, { reassign: true }),
      refund(id, { amount: 5, revoke: true }),
      reinstate(id, { reassign: true }),
      call(server, 'PATCH', `/api/serials/reassign/${id}`, { token: ada.token }),
    ]);
    for (const { status } of answers) expect([200, 201, 409, 422]).toContain(status);
    const sums = await server.db.query<{ revenue: number; commission: number }>(
      `select sum(revenue_cents) over (order by created_at, id)::int as revenue,
         sum(commission_cents) over (order by created_at, id)::int as commission from ledger_adjustments where developer_id = $1`,
      [ada.id],
    );
    const { revenue = 0, commission = 0 } = sums.at(-1) ?? {};
    expect(revenue).toBeLessThanOrEqual(0);
    expect(revenue).toBeGreaterThanOrEqual(-1000);
    expect(commission).toBe(revenue / 5 + 0);
    const recount = await partnerRecount(server);
    expect(recount.sums).toEqual(recount.ledger);
  });
});
