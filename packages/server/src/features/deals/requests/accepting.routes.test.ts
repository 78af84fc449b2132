import { randomUUID } from 'node:crypto';
import { dealCalls } from '@tonerow/test-support/deal-calls.ts';
import { call, makeProduct } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let pair: Partners;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  pair = await makePartners(server);
  product = await makeProduct(server, pair.developer.token, { name: 'Prism' });
});

const { post, get, asked, own, received, withdraw, decline, accept, batches, setStatus, emailTo } = dealCalls(() => ({
  server,
  pair,
  product,
}));

describe('accepting', () => {
  it('is the batch that was asked for, which the reseller sees as a deal', async () => {
    const id = await asked({ expires_at: '2026-12-31' });
    const made = await accept(id, { expires_at: '2026-12-31', batch_tag: 'Spring' });
    expect(made.status, made.text).toBe(201);
    const { rows } = await own('?status=accepted');
    expect(rows).toEqual([
      expect.objectContaining({
        id,
        answered_at: '2026-03-10T12:00:00.000Z',
        accepted: {
          batch_id: made.body.batch_id,
          price: 29,
          quantity: 5,
          promo_start: null,
          promo_expires: null,
          expires_at: '2026-12-31T23:59:59.999Z',
          batch_tag: 'Spring',
        },
      }),
    ]);
    const deals = (await get('/api/reseller/deals', pair.reseller)).body;
    expect(deals.rows).toEqual([
      expect.objectContaining({ promo_price: 29, batch_tag: 'Spring', available_serials: 5 }),
    ]);
    const email = await emailTo(pair.reseller, 'accepted your deal for Prism');
    expect(email.text).not.toContain('changed terms');
  });

  it('with other terms is a counter-offer that the reseller sees', async () => {
    const id = await asked();
    expect((await accept(id, { promo_price: 35, quantity: 2 })).status).toBe(201);
    expect((await own()).rows[0]).toMatchObject({ price: 29, quantity: 5, accepted: { price: 35, quantity: 2 } });
    const email = await emailTo(pair.reseller, 'accepted your deal for Prism');
    expect(email.text).toContain('with changed terms');
    expect(email.text).toContain('$35.00');
  });

  it('is refused for another product or reseller, without a promo price, and for an unknown request', async () => {
    const id = await asked();
    const other = await makeProduct(server, pair.developer.token);
    const paths = async (requestId: string, fields: object) => {
      const answer = await accept(requestId, fields);
      return [answer.status, answer.body.errors?.[0]?.path];
    };
    expect(await paths(id, { product_id: other.id })).toEqual([400, 'product_id']);
    expect(await paths(id, { reseller_id: null })).toEqual([400, 'reseller_id']);
    expect(await paths(id, { reseller_id: null, new_reseller_name: 'Other' })).toEqual([400, 'reseller_id']);
    expect(await paths(id, { promo_price: null })).toEqual([400, 'promo_price']);
    expect(await paths(randomUUID(), {})).toEqual([400, 'deal_request_id']);
    const foreign = (await makePartners(server)).developer;
    const stolen = await makeProduct(server, foreign.token);
    const answer = await post('/api/serials/generate', foreign, {
      product_id: stolen.id,
      promo_price: 1,
      deal_request_id: id,
    });
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'deal_request_id']);
    expect([await batches(), (await received()).rows[0].status]).toEqual([0, 'pending']);
  });

  it('can be tried out without answering', async () => {
    const id = await asked();
    const would = await accept(id, { dry_run: true });
    expect([would.status, would.body.count]).toEqual([200, 5]);
    expect((await received()).rows[0].status).toBe('pending');
    await decline(id);
    expect((await accept(id, { dry_run: true })).status).toBe(409);
  });

  it('happens once: of two at the same time, one makes its batch and the other nothing', async () => {
    const id = await asked();
    const lock = await lockWith(server.db, 'select 1 from deal_requests where id = $1 for update', [id]);
    const both = [accept(id), accept(id)];
    await lock.untilWaiting(2);
    await lock.release();
    const statuses = (await Promise.all(both)).map((each) => each.status);
    expect(statuses.sort()).toEqual([201, 409]);
    expect(await batches()).toBe(1);
  });

  it.each([
    ['declining', (id: string) => decline(id)],
    ['withdrawing', (id: string) => withdraw(id)],
  ])('and %s at the same time have one result', async (_what, other) => {
    const id = await asked();
    const lock = await lockWith(server.db, 'select 1 from deal_requests where id = $1 for update', [id]);
    const both = [accept(id), other(id)] as const;
    await lock.untilWaiting(2);
    await lock.release();
    const [accepted, refused] = (await Promise.all(both)).map((each) => each.status);
    expect([
      [201, 409],
      [409, 200],
    ]).toContainEqual([accepted, refused]);
    expect(await batches()).toBe(accepted === 201 ? 1 : 0);
    expect((await own()).rows[0].status === 'accepted').toBe(accepted === 201);
  });

  it('is answered again after a lost answer, without a second batch', async () => {
    const id = await asked();
    const headers = { 'idempotency-key': randomUUID() };
    const [one, other] = [await accept(id, {}, headers), await accept(id, {}, headers)];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.body).toEqual(one.body);
    expect(await batches()).toBe(1);
    expect((await accept(id)).status).toBe(409);
  });

  it.each(['paused', 'ended'])('is refused while the partnership is %s', async (status) => {
    const id = await asked();
    await setStatus(status);
    expect((await received('?status=pending')).total).toBe(0);
    expect((await received()).rows[0]).toMatchObject({ status: 'pending', is_open: false });
    expect((await own()).total).toBe(status === 'paused' ? 1 : 0);
    expect([400, 409]).toContain((await accept(id)).status);
    expect(await batches()).toBe(0);
  });

  it('is refused when the partnership ends while the serials are generated', async () => {
    const id = await asked();
    const lock = await lockWith(server.db, "update partnerships set status = 'ended', ended_at = now() where id = $1", [
      pair.partnershipId,
    ]);
    const answer = accept(id);
    await lock.untilWaiting(1);
    await lock.release('commit');
    expect((await answer).status).toBe(409);
    expect(await batches()).toBe(0);
    expect((await received()).rows[0].status).toBe('pending');
  });

  it('is refused for a deleted product, whose request keeps its name', async () => {
    const id = await asked();
    await call(server, 'DELETE', `/api/products/${product.id}`, { token: pair.developer.token });
    expect((await received()).rows[0]).toMatchObject({ product_name: 'Prism', status: 'pending', is_open: false });
    expect((await accept(id)).status).toBe(404);
    expect((await decline(id, 'We stopped selling it')).status).toBe(200);
  });

  it('is refused after the reseller has deleted their account', async () => {
    const id = await asked();
    const gone = await call(server, 'DELETE', '/api/account/delete', {
      token: pair.reseller.token,
      body: { password: 'a fine long password' },
    });
    expect(gone.status, gone.text).toBe(200);
    expect([400, 409]).toContain((await accept(id)).status);
    expect(await batches()).toBe(0);
  });
});
