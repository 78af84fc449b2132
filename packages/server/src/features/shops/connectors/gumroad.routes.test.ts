import { PASSWORD } from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { GumroadShop } from '@tonerow/test-support/shops/gumroad.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, type ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { expect, it } from 'vitest';

const suite = apiSuite();

async function scene() {
  const shop = await suite.begin({ kind: 'gumroad' }, ({ glide }) => [
    { key: 'product:glide==', product_ids: [glide] },
  ]);
  const gumroad = new GumroadShop(shop, suite.host);
  await suite.open(shop, { key: gumroad.key });
  /** The order of a sale, which people know by the number of its cart. */
  const orderOf = async (id: string) => {
    const { rows } = (await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body;
    const row = rows.find((each: { external_id: string }) => each.external_id === id);
    return row && (await shop.api('GET', `/api/shop-orders/${row.id}`)).body.order;
  };
  const becomes = async (id: string, expected: object) => {
    await expect.poll(() => orderOf(id), { timeout: 30_000 }).toMatchObject(expected);
    return orderOf(id);
  };
  return { shop, gumroad, becomes, orderOf };
}

it('believes what the API has of a sale, and nothing of the ping', async () => {
  const { shop, gumroad, becomes } = await scene();
  const email = buyer();
  // a field of the seller's own form has the name of one of Gumroad's
  const sale = gumroad.sell(email, 'glide==', { fields: { price: '0', email: 'eve@example.com' } });
  expect([await gumroad.tell(sale), await gumroad.tell(sale)]).toEqual([200, 200]);
  const order = await becomes(sale.id, { state: 'issued', serials: 1, email, paid: '49.00', number: '4711' });
  expect(unitsOf(order)[0].paid_usd).toBe(49);
  await expectOrderBook(suite.server, shop.ada.id);
});

it('gives nothing for a sale that Gumroad does not know, a test ping, a gift’s giver or a preorder', async () => {
  const { shop, gumroad } = await scene();
  expect(await gumroad.tell({ id: 'forged==', email: 'eve@example.com', product: 'glide==', price: 4900 })).toBe(200);
  const real = gumroad.sell(buyer(), 'glide==');
  expect(await gumroad.tell(real, true)).toBe(200);
  await gumroad.tell(gumroad.sell(buyer(), 'glide==', { more: { is_gift_sender_purchase: true } }));
  await gumroad.tell(gumroad.sell(buyer(), 'glide==', { more: { is_preorder_authorization: true } }));
  expect(await gumroad.tell({ id: '' })).toBe(401);
  await shop.done();
  const { rows } = (await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body;
  expect(rows.map(({ serials, state }: { serials: number; state: string }) => [serials, state])).toEqual(
    rows.map(() => [0, 'seen']),
  );
});

it('keeps the serial for a part that is refunded, twice the same; takes it for the whole', async () => {
  const { shop, gumroad, becomes } = await scene();
  const sale = gumroad.sell(buyer(), 'glide==');
  // before its sale
  sale.refundedCents = 1000;
  await gumroad.tellOf('refund', sale);
  await becomes(sale.id, { state: 'attention', serials: 1, reasons: [{ reason: 'amount_refund' }] });
  // the second ping is the same as the first, byte by byte
  sale.refundedCents = 2000;
  await gumroad.tellOf('refund', sale);
  const order = await becomes(sale.id, { reversals: [{ amount: '10.00' }, { amount: '20.00' }] });
  expect(unitsOf(order)[0].refunded_usd).toBe(20);
  Object.assign(sale, { refunded: true });
  await gumroad.tellOf('refund', sale);
  await becomes(sale.id, { state: 'refunded', serials: 0 });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('suspends for a dispute, and gives the same code back when it is won', async () => {
  const { gumroad, becomes, orderOf } = await scene();
  const sale = gumroad.sell(buyer(), 'glide==');
  await gumroad.tell(sale);
  const [{ code }] = unitsOf(await becomes(sale.id, { state: 'issued' }));
  sale.chargedback = true;
  await gumroad.tellOf('dispute', sale);
  await becomes(sale.id, { state: 'disputed' });
  sale.disputeWon = true;
  await gumroad.tellOf('dispute_won', sale);
  await becomes(sale.id, { state: 'issued' });
  expect(unitsOf(await orderOf(sale.id))[0]).toMatchObject({ code, state: 'delivered' });
});

/** Looks at the shop's list, as if it had been connected a year ago and looked at last so long ago. */
async function looked(shop: ShopScene, ago: string) {
  const { ada, shopId } = shop;
  const shown = async () => (await shop.api('GET', `/api/shops/${shopId}`)).body;
  await suite.server.db.query(
    `update shop_connections set created_at = now() - interval '1 year', last_reconciled_at = now() - $2::interval
     where developer_id = $1`,
    [ada.id, ago],
  );
  const { last_reconciled_at: before } = await shown();
  await queueJob(suite.server.db, 'shop-reconcile', { accountId: ada.id, shopId });
  await expect.poll(async () => (await shown()).last_reconciled_at, { timeout: 30_000 }).not.toBe(before);
  return shown();
}

it('has refunds and disputes sent to its address, once each, however often its API is opened and looked at', async () => {
  const { shop, gumroad } = await scene();
  const own = ['refund', 'dispute', 'dispute_won'].map((resource_name) => ({ resource_name, post_url: shop.address }));
  expect(gumroad.subscriptions).toMatchObject(own);
  await suite.open(shop, { key: gumroad.key });
  await looked(shop, '1 day');
  expect(gumroad.subscriptions).toMatchObject(own);
  // the seller has removed one, and somebody else has another
  gumroad.subscriptions.splice(0, 1, { id: '1', resource_name: 'refund', post_url: 'https://example.com' });
  await looked(shop, '1 day');
  expect(gumroad.subscriptions).toHaveLength(4);
  expect(gumroad.subscriptions.at(-1)).toMatchObject({ resource_name: 'refund', post_url: shop.address });
});

/** A shop that is deleted, while its API answers what it does. */
async function deleted(faults: ('500' | '401')[]) {
  const { shop, gumroad } = await scene();
  const foreign = { id: 'someone==', resource_name: 'refund', post_url: 'https://example.com' };
  gumroad.subscriptions.push(foreign);
  const before = suite.host.asked.length;
  suite.host.faults.push(...faults);
  expect((await shop.api('DELETE', `/api/shops/${shop.shopId}`)).status).toBe(200);
  const rows = () =>
    suite.server.db.query<{ credentials: unknown }>(
      'select credentials from shop_connections where developer_id = $1',
      [shop.ada.id],
    );
  const isForgotten = async () => (await rows()).every(({ credentials }) => credentials === null);
  const deletions = () => suite.host.asked.slice(before).filter(({ method }) => method === 'DELETE').length;
  return { shop, gumroad, foreign, isForgotten, deletions };
}

it('that is deleted has nothing sent to its address any more, keeps what others have subscribed to, and is forgotten', async () => {
  const { gumroad, foreign, isForgotten, deletions } = await deleted([]);
  await expect.poll(isForgotten, { timeout: 30_000 }).toBe(true);
  expect(gumroad.subscriptions).toEqual([foreign]);
  expect(deletions()).toBe(3);
});

it('that is deleted is forgotten when its token is gone, too', async () => {
  const { gumroad, isForgotten } = await deleted(['401']);
  await expect.poll(isForgotten, { timeout: 30_000 }).toBe(true);
  expect(gumroad.subscriptions).toHaveLength(4);
});

it('that is deleted while its API is down is asked again', async () => {
  const { shop, gumroad, foreign, isForgotten } = await deleted(['500']);
  const state = async () =>
    (
      await suite.server.db.query<{ state: string }>(
        "select state::text from pgboss.job where name = 'shop-farewell' and data->>'shopId' = $1",
        [shop.shopId],
      )
    ).map((each) => each.state);
  await expect.poll(state, { timeout: 30_000 }).toEqual(['retry']);
  expect(await isForgotten()).toBe(false);
  await queueJob(suite.server.db, 'shop-farewell', { accountId: shop.ada.id, shopId: shop.shopId });
  await expect.poll(isForgotten, { timeout: 30_000 }).toBe(true);
  expect(gumroad.subscriptions).toEqual([foreign]);
});

it('that is deleted, and whose API stays down, is forgotten by the same day', async () => {
  const { shop, isForgotten } = await deleted(['500']);
  await expect.poll(() => suite.host.faults, { timeout: 30_000 }).toEqual([]);
  expect(await isForgotten()).toBe(false);
  await suite.server.db.query(
    "update shop_connections set deleted_at = deleted_at - interval '6 hours' where developer_id = $1",
    [shop.ada.id],
  );
  await queueJob(suite.server.db, 'expire-records');
  await expect.poll(isForgotten, { timeout: 30_000 }).toBe(true);
});

it('has nothing sent to any of its addresses any more once its account is deleted, paused or deleted before', async () => {
  const { shop, gumroad, foreign, isForgotten, deletions } = await deleted(['500']);
  // the first try for it is over, and no other comes
  await expect.poll(() => suite.host.faults, { timeout: 30_000 }).toEqual([]);
  await suite.server.db.query("delete from pgboss.job where name = 'shop-farewell' and data->>'shopId' = $1", [
    shop.shopId,
  ]);
  const second = await shop.api('POST', '/api/shops', { kind: 'gumroad', name: 'Paused' });
  const other = second.body.shop;
  expect((await shop.api('PUT', `/api/shops/${other.id}/credentials`, { key: gumroad.key })).status).toBe(200);
  expect((await shop.api('POST', `/api/shops/${other.id}/pause`, {})).status).toBe(200);
  expect(gumroad.subscriptions.map(({ post_url }) => post_url)).toContain(other.address);
  expect((await shop.api('DELETE', '/api/account/delete', { password: PASSWORD })).status).toBe(200);
  await expect.poll(isForgotten, { timeout: 30_000 }).toBe(true);
  expect(gumroad.subscriptions).toEqual([foreign]);
  expect(deletions()).toBe(6);
});

it('has nothing sent any more that its API was asked for, once that is closed', async () => {
  const { shop, gumroad } = await scene();
  const foreign = { id: 'someone==', resource_name: 'refund', post_url: 'https://example.com' };
  gumroad.subscriptions.push(foreign);
  expect((await shop.api('DELETE', `/api/shops/${shop.shopId}/credentials`)).status).toBe(200);
  expect(gumroad.subscriptions).toEqual([foreign]);
});

it('whose API is down or refuses is closed all the same', async () => {
  for (const fault of ['500', '401'] as const) {
    const { shop } = await scene();
    const before = suite.host.asked.length;
    suite.host.faults.push(fault);
    expect((await shop.api('DELETE', `/api/shops/${shop.shopId}/credentials`)).status).toBe(200);
    expect(suite.host.asked.slice(before)).toHaveLength(1);
    expect((await shop.api('GET', `/api/shops/${shop.shopId}`)).body.has_credentials).toBe(false);
  }
});

it('of a deleted account is forgotten by the same day, whatever becomes of its API', async () => {
  const { shop, gumroad } = await scene();
  suite.host.faults.push('500');
  expect((await shop.api('DELETE', '/api/account/delete', { password: PASSWORD })).status).toBe(200);
  await expect.poll(() => suite.host.faults, { timeout: 30_000 }).toEqual([]);
  const rows = () =>
    suite.server.db.query(
      `select secret, previous_secret, state::text, credentials is null as is_forgotten from shop_connections
       where developer_id = $1`,
      [shop.ada.id],
    );
  const closed = { secret: null, previous_secret: null, state: 'off' };
  expect(await rows()).toEqual([{ ...closed, is_forgotten: false }]);
  await suite.server.db.query(
    "update shop_connections set deleted_at = deleted_at - interval '6 hours' where developer_id = $1",
    [shop.ada.id],
  );
  await queueJob(suite.server.db, 'expire-records');
  await expect.poll(rows, { timeout: 30_000 }).toEqual([{ ...closed, is_forgotten: true }]);
  expect(gumroad.subscriptions).toHaveLength(3);
});

it('looks at the sales of a month for what nobody has sent, and once a day at those of half a year', async () => {
  const { shop, gumroad, becomes, orderOf } = await scene();
  const sold = (days: number) => new Date(Date.now() - days * 86_400_000);
  const [early, late] = [gumroad.sell(buyer(), 'glide==', { created: sold(100) }), gumroad.sell(buyer(), 'glide==')];
  const gone = gumroad.sell(buyer(), 'glide==', { created: sold(200) });
  for (const sale of [early, late, gone]) {
    await gumroad.tell(sale);
    await becomes(sale.id, { state: 'issued' });
    sale.chargedback = true;
  }
  await looked(shop, '1 second');
  await becomes(late.id, { state: 'disputed' });
  expect(await orderOf(early.id)).toMatchObject({ state: 'issued' });
  await looked(shop, '1 day');
  await becomes(early.id, { state: 'disputed' });
  expect(await orderOf(gone.id)).toMatchObject({ state: 'issued' });
});

it('shows that Gumroad refuses to send refunds here, once, reads its list all the same, and forgets it when that is over', async () => {
  const { shop, gumroad, becomes } = await scene();
  gumroad.subscriptions.length = 0;
  gumroad.takesAddress = false;
  const refused = { state: 'attention', trouble: expect.stringContaining('Invalid post URL') };
  expect(await looked(shop, '1 day')).toMatchObject(refused);
  const sale = gumroad.sell(buyer(), 'glide==');
  expect(await looked(shop, '1 second')).toMatchObject(refused);
  await becomes(sale.id, { state: 'issued' });
  await suite.open(shop, { key: gumroad.key });
  expect((await shop.api('GET', `/api/shops/${shop.shopId}`)).body).toMatchObject(refused);
  const { rows } = (await shop.api('GET', '/api/notifications?kind=shop')).body;
  expect(rows.map(({ title }: { title: string }) => title)).toEqual(['My shop needs a look']);
  gumroad.takesAddress = true;
  expect(await looked(shop, '1 second')).toMatchObject({ state: 'active', trouble: null });
  expect(gumroad.subscriptions).toHaveLength(3);
});
