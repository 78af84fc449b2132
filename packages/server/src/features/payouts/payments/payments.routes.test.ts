import { call } from '@tonerow/test-support/http.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, close, payoutsOf, payoutOf, get, post, authed, remind } = payoutScene(() => ({
  server,
  clock,
}));

/** A statement over 80 dollars, and both sides of it. */
async function statement() {
  clock.set(new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1, 10)));
  const scene = await partners({ rate: 20, price: 100 });
  await sell(scene.ada, scene.product, 1);
  clock.set(new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1, 1, 0, 10)));
  await close();
  const [row] = await payoutsOf(scene.rae);
  return { ...scene, id: row.id as string, number: row.number as string };
}

const emails = async (address: string, subject: string) =>
  (await server.db.query('select 1 from mails where recipient = $1 and subject like $2', [address, `%${subject}%`]))
    .length;
describe('a payment', () => {
  it('of the rest completes the statement, on both sides, and is emailed', async () => {
    const { ada, rae, id } = await statement();
    const paid = await post(ada, `/${id}/mark-paid`);
    expect([paid.status, paid.body]).toMatchObject([
      200,
      { status: 'paid', label: 'Complete', paid: 80, outstanding: 0 },
    ]);
    expect((await payoutOf(rae, id)).payments).toMatchObject([
      { n: 1, amount: 80, paid_on: clock.now().toISOString().slice(0, 10), method: null, reverses: null },
    ]);
    expect(await emails(rae.email, 'received $80.00')).toBe(1);
    const again = await post(ada, `/${id}/mark-paid`);
    expect([again.status, again.body.message]).toEqual([409, 'This statement has been paid.']);
  });

  it('in part leaves the rest with its own statement', async () => {
    const { ada, id, product } = await statement();
    const body = { amount: 30.5, paid_on: '2026-02-03', method: 'bank transfer', reference: '=1+1' };
    expect((await post(ada, `/${id}/mark-paid`, body)).body).toMatchObject({
      status: 'pending',
      paid: 30.5,
      outstanding: 49.5,
    });
    await sell(ada, product, 1);
    clock.advance(35 * DAY);
    await close();
    const [next, first] = await payoutsOf(ada);
    expect([next.brought_forward, next.due, first.outstanding]).toEqual([0, 80, 49.5]);
    expect((await post(ada, `/${id}/mark-paid`)).body).toMatchObject({ status: 'paid', paid: 80 });
  });

  it('beyond the rest is brought forward once, also when the payment is taken back afterwards', async () => {
    const { ada, rae, id, product } = await statement();
    expect((await post(ada, `/${id}/mark-paid`, { amount: 100 })).body).toMatchObject({
      status: 'paid',
      outstanding: -20,
    });
    await sell(ada, product, 1);
    clock.advance(35 * DAY);
    await close();
    const [next] = await payoutsOf(rae);
    expect([next.brought_forward, next.due]).toEqual([-20, 60]);
    expect(await payoutOf(rae, id)).toMatchObject({ carried: 20, outstanding: 0, status: 'paid' });
    const reversed = await post(ada, `/${id}/payments/1/reverse`, { reason: 'It was another shop’s' });
    // the 20 were given to the next statement already
    expect(reversed.body).toMatchObject({
      status: 'pending',
      label: 'Pending',
      paid: 0,
      outstanding: 100,
      paid_at: null,
    });
    clock.advance(35 * DAY);
    await close();
    expect((await payoutsOf(rae)).map((row) => row.brought_forward)).toEqual([-20, 0]);
  });

  it('is taken back once, with a reason, by a row of its own', async () => {
    const { ada, rae, id } = await statement();
    await post(ada, `/${id}/mark-paid`);
    expect((await post(ada, `/${id}/payments/1/reverse`)).status).toBe(400);
    const answers = await Promise.all([1, 2].map(() => post(ada, `/${id}/payments/1/reverse`, { reason: 'Typo' })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect((await payoutOf(rae, id)).payments).toMatchObject([
      { n: 1, amount: 80 },
      { n: 2, amount: -80, reverses: 1, reason: 'Typo' },
    ]);
    expect((await post(ada, `/${id}/payments/2/reverse`, { reason: 'x' })).status).toBe(409);
    expect((await post(ada, `/${id}/payments/3/reverse`, { reason: 'x' })).status).toBe(404);
    expect((await post(ada, `/${id}/mark-paid`)).body).toMatchObject({ status: 'paid', paid: 80 });
    expect(await emails(rae.email, 'reversed a payment')).toBe(1);
    await expect(
      server.db.query('update payout_payments set amount_cents = 1 where payout_id = $1', [id]),
    ).rejects.toThrow('append-only');
  });

  it('that races another one pays the rest once', async () => {
    const { ada, id } = await statement();
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(ada, `/${id}/mark-paid`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    expect(await payoutOf(ada, id)).toMatchObject({ paid: 80, outstanding: 0 });
  });

  it('whose answer got lost is not recorded twice', async () => {
    const { ada, id } = await statement();
    const ask = () =>
      fetch(`${server.url}/api/reseller/developer/payouts/${id}/mark-paid`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ada.token}`,
          'content-type': 'application/json',
          'idempotency-key': `pay-${id}`,
        },
        body: JSON.stringify({ amount: 10 }),
      });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    expect(await payoutOf(ada, id)).toMatchObject({ paid: 10 });
  });

  it('whose process died before the answer is not recorded twice, nor is its counter-entry', async () => {
    const { ada, rae, id } = await statement();
    const twice = async (path: string, body: object) => {
      const ask = () =>
        call(server, 'POST', `/api/reseller/developer/payouts/${id}/${path}`, {
          token: ada.token,
          headers: { 'idempotency-key': `died-${id}` },
          body,
        });
      const first = await ask();
      await server.db.query(
        `update idempotency_records set status = null, answer = null, locked_until = $2
         where id in (select id from payout_payments where payout_id = $1)`,
        [id, clock.now()],
      );
      const second = await ask();
      expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    };
    await twice('mark-paid', { amount: 10 });
    expect(await emails(rae.email, 'received $10.00')).toBe(1);
    await twice('payments/1/reverse', { reason: 'Typo' });
    expect((await payoutOf(ada, id)).payments.map((row: { amount: number }) => row.amount)).toEqual([10, -10]);
  });

  it.each([
    ['nothing', { amount: 0 }],
    ['a negative amount', { amount: -5 }],
    ['a third of a cent', { amount: 0.333 }],
    ['no date', { paid_on: 'yesterday' }],
    ['a date in the future', { paid_on: '2199-01-01' }],
    ['an unknown field', { sum: 5 }],
  ])('is not %s', async (_, body) => {
    const { ada, id } = await statement();
    expect((await post(ada, `/${id}/mark-paid`, body)).status).toBe(400);
  });

  it('is the developer’s to record, and of a statement over nothing there is none', async () => {
    const { rae, ada, id } = await statement();
    expect((await authed(rae, 'POST', `/api/reseller/developer/payouts/${id}/mark-paid`, {})).status).toBe(403);
    await server.db.query('alter table payouts disable trigger payouts_frozen');
    await server.db.query(
      'update payouts set developer_owed_cents = 0, total_revenue_cents = 2000, due_cents = 0 where id = $1',
      [id],
    );
    await server.db.query('alter table payouts enable trigger payouts_frozen');
    expect((await post(ada, `/${id}/mark-paid`, { amount: 1 })).body.message).toBe(
      'There is nothing to pay on this statement.',
    );
  });
});

describe('agreeing', () => {
  it('the reseller confirms once, and the developer is emailed', async () => {
    const { ada, rae, id } = await statement();
    for (let times = 0; times < 2; times += 1)
      expect((await post(rae, `/${id}/confirm`)).body).toMatchObject({ status: 'confirmed', label: 'Pending' });
    expect((await payoutOf(ada, id)).messages).toMatchObject([{ kind: 'confirm', by: 'reseller' }]);
    expect(await emails(ada.email, 'confirmed statement')).toBe(1);
    expect((await authed(ada, 'GET', '/api/notifications')).body.rows[0]).toMatchObject({
      kind: 'payout',
      title: expect.stringMatching(/^.+ confirmed statement \d{4}-\d{4}$/),
      detail: expect.stringMatching(/^For \w+ \d{4}$/),
    });
  });

  it('a dispute is answered, and back at the reseller', async () => {
    const { ada, rae, id } = await statement();
    expect((await post(rae, `/${id}/dispute`)).status).toBe(400);
    expect((await post(ada, `/${id}/answer`, { text: 'Nobody asked' })).status).toBe(409);
    expect((await post(rae, `/${id}/dispute`, { reason: '<b>One</b> is missing' })).body).toMatchObject({
      status: 'disputed',
    });
    expect((await post(rae, `/${id}/dispute`, { reason: 'again' })).status).toBe(409);
    expect((await post(ada, `/${id}/answer`, { text: 'It is in May' })).body).toMatchObject({
      status: 'pending',
      disputed_at: null,
    });
    expect((await post(rae, `/${id}/confirm`)).body).toMatchObject({ status: 'confirmed' });
    expect((await payoutOf(ada, id)).messages.map((each: { kind: string }) => each.kind)).toEqual([
      'dispute',
      'answer',
      'confirm',
    ]);
    await post(ada, `/${id}/mark-paid`);
    expect((await post(rae, `/${id}/dispute`, { reason: 'late' })).status).toBe(409);
  });

  it('a statement is disputed at most 50 times, and can then still be answered and confirmed', async () => {
    const { ada, rae, id } = await statement();
    await server.db.query(
      `insert into payout_messages (developer_id, id, payout_id, kind, text, created_at)
       select $1, gen_random_uuid(), $2, kind, 'x', now() from generate_series(1, 149), unnest(array['answer', 'confirm']) kind`,
      [ada.id, id],
    );
    await server.db.query(
      `insert into payout_messages (developer_id, id, payout_id, kind, text, created_at)
       select $1, gen_random_uuid(), $2, 'dispute', 'x', now() from generate_series(1, 49)`,
      [ada.id, id],
    );
    expect((await post(rae, `/${id}/dispute`, { reason: 'the last' })).status).toBe(200);
    expect((await post(ada, `/${id}/answer`, { text: 'No' })).status).toBe(200);
    expect((await post(rae, `/${id}/dispute`, { reason: 'once more' })).status).toBe(422);
    expect((await post(rae, `/${id}/confirm`)).body).toMatchObject({ status: 'confirmed' });
  });

  it('a payment taken back puts a statement where it was before', async () => {
    const { ada, rae, id } = await statement();
    await post(rae, `/${id}/confirm`);
    await post(ada, `/${id}/mark-paid`);
    expect((await post(ada, `/${id}/payments/1/reverse`, { reason: 'x' })).body).toMatchObject({ status: 'confirmed' });
  });
});

describe('reminders', () => {
  it('come on day 7, silence confirms on day 14, and “unpaid” follows on day 30 and then monthly', async () => {
    const { ada, rae, id } = await statement();
    const status = async () => (await payoutOf(rae, id)).status;
    clock.advance(7 * DAY - HOUR);
    await remind();
    expect(await emails(rae.email, 'Please confirm')).toBe(0);
    clock.advance(HOUR);
    for (let runs = 0; runs < 2; runs += 1) await remind();
    expect(await emails(rae.email, 'Please confirm')).toBe(1);
    clock.advance(7 * DAY);
    await remind();
    expect(await status()).toBe('confirmed');
    expect((await payoutOf(ada, id)).messages).toMatchObject([{ kind: 'confirm', by: 'silence' }]);
    clock.advance(16 * DAY);
    for (let runs = 0; runs < 2; runs += 1) await remind();
    expect([await emails(rae.email, 'has not been paid'), await emails(ada.email, 'has not paid')]).toEqual([1, 1]);
    clock.advance(30 * DAY);
    await remind();
    expect(await emails(rae.email, 'has not been paid')).toBe(2);
    await post(ada, `/${id}/mark-paid`);
    clock.advance(90 * DAY);
    await remind();
    expect(await emails(rae.email, 'has not been paid')).toBe(2);
  });

  it('never come for less than the developer has set, and silence confirms all the same', async () => {
    const { ada, rae, id } = await statement();
    const threshold = async (reminder_threshold: number) =>
      expect((await authed(ada, 'PUT', '/api/account/settings', { reminder_threshold })).status).toBe(200);
    await threshold(80.01);
    clock.advance(7 * DAY);
    await remind();
    clock.advance(7 * DAY);
    await remind();
    expect((await payoutOf(rae, id)).status).toBe('confirmed');
    clock.advance(16 * DAY);
    await remind();
    expect([await emails(rae.email, 'Please confirm'), await emails(rae.email, 'has not been paid')]).toEqual([0, 0]);
    await threshold(80);
    clock.advance(30 * DAY);
    await remind();
    expect([await emails(rae.email, 'has not been paid'), await emails(ada.email, 'has not paid')]).toEqual([1, 1]);
    await post(ada, `/${id}/mark-paid`, { amount: 0.01 });
    clock.advance(30 * DAY);
    await remind();
    expect(await emails(rae.email, 'has not been paid')).toBe(1);
  });
});

describe('a deleted developer', () => {
  const leave = (id: string) =>
    server.db.query(
      "update users set email = 'deleted', email_key = null, first_name = '', last_name = '', company_name = null, deleted_at = $2 where id = $1",
      [id, clock.now()],
    );

  it('is owed nothing that anybody is reminded of', async () => {
    const { ada, rae, id } = await statement();
    await leave(ada.id);
    clock.advance(7 * DAY);
    await remind();
    expect(await emails(rae.email, 'Please confirm')).toBe(0);
    expect(await server.db.query('select remind_at from payouts where id = $1', [id])).toEqual([{ remind_at: null }]);
  });

  it('is called a closed account in the statement of the last month', async () => {
    const { ada, rae, product } = await statement();
    await sell(ada, product, 1);
    await leave(ada.id);
    clock.advance(35 * DAY);
    await close();
    const [last] = await payoutsOf(rae);
    expect((await payoutOf(rae, last.id)).parties.developer).toMatchObject({ name: 'Closed account', email: '' });
  });
});

describe('balances', () => {
  it('show who owes what since when, what the open month adds and what was refunded', async () => {
    const { ada, rae, id, number, product, partnershipId } = await statement();
    const closed = clock.now();
    clock.advance(3 * DAY);
    const [serial] = await sell(ada, product, 2);
    const refund = await authed(ada, 'POST', `/api/serials/${serial}/refund`, { reason: 'Money back' });
    expect(refund.status, refund.text).toBeLessThan(300);
    const { body } = await authed(ada, 'GET', '/api/reseller/developer/balances');
    expect(body).toMatchObject({ total: 1, total_outstanding: 80, total_unpaid: 1 });
    expect(body.rows).toMatchObject([
      {
        reseller_id: partnershipId,
        outstanding: 80,
        credit: 0,
        since: closed.toISOString(),
        oldest_id: id,
        oldest_number: number,
        unpaid: 1,
        open_redemptions: 2,
        open_owed: 80,
        revenue: 300,
        refunded: 100,
        refund_rate: 33.33,
        effective_rate: 20,
      },
    ]);
    expect((await get(rae, `/${id}`)).status).toBe(200);
  });
});

describe('what if', () => {
  it('the same sales had another rate or price: rounded sale by sale, for the developer alone', async () => {
    const { ada, rae, partnershipId, product } = await statement();
    clock.advance(3 * DAY);
    await sell(ada, product, 2, { promo_price: 9.99 });
    const path = `/api/reseller/developer/resellers/${partnershipId}/what-if`;
    const ask = async (query: string, person = ada) => authed(person, 'GET', `${path}${query}`);
    expect((await ask('')).body).toMatchObject({
      redemptions: 3,
      actual: { revenue: 119.98, commission: 24, owed: 95.98 },
      what_if: { revenue: 119.98, commission: 24, owed: 95.98 },
      difference: 0,
      break_even_redemptions: 3,
    });
    // 9.99 at 33.33% is 3.329667, twice; 100 is 33.33
    expect((await ask('?commission_rate=33.33')).body.what_if).toEqual({
      revenue: 119.98,
      commission: 39.99,
      owed: 79.99,
    });
    expect((await ask('?promo_price=50')).body).toMatchObject({
      what_if: { revenue: 150, commission: 30, owed: 120 },
      difference: 24.02,
    });
    expect((await ask('?commission_rate=100')).body.break_even_redemptions).toBe(null);
    expect((await ask('?months=0')).status).toBe(400);
    expect((await ask('', rae)).status).toBe(403);
    const other = await partners({ rate: 20 });
    expect((await ask('', other.ada)).status).toBe(404);
  });
});
