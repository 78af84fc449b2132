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
  expect([await gumroad.send(sale), await gumroad.send(sale)]).toEqual([200, 200]);
  const order = await becomes(sale.id, { state: 'issued', serials: 1, email, paid: '49.00', number: '4711' });
  expect(unitsOf(order)[0].paid_usd).toBe(49);
  await expectOrderBook(suite.server, shop.ada.id);
});

it('gives nothing for a sale that Gumroad does not know, a test ping, a gift’s giver or a preorder', async () => {
  const { shop, gumroad } = await scene();
  expect(await gumroad.send({ id: 'forged==', email: 'eve@example.com', product: 'glide==', price: 4900 })).toBe(200);
  const real = gumroad.sell(buyer(), 'glide==');
  expect(await gumroad.send(real, true)).toBe(200);
  await gumroad.send(gumroad.sell(buyer(), 'glide==', { more: { is_gift_sender_purchase: true } }));
  await gumroad.send(gumroad.sell(buyer(), 'glide==', { more: { is_preorder_authorization: true } }));
  expect(await gumroad.send({ id: '' })).toBe(401);
  await shop.done();
  const { rows } = (await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body;
  expect(rows.map(({ serials, state }: { serials: number; state: string }) => [serials, state])).toEqual(
    rows.map(() => [0, 'seen']),
  );
  const { rows: deliveries } = (await shop.api('GET', `/api/shops/${shop.shopId}/deliveries`)).body;
  expect(deliveries.at(-1)).toMatchObject({ state: 'ignored', why: expect.stringMatching(/knows no such sale/) });
});

it('keeps the serial for a part that is refunded, twice the same; takes it for the whole', async () => {
  const { shop, gumroad, becomes } = await scene();
  const sale = gumroad.sell(buyer(), 'glide==');
  // before its sale
  sale.refundedCents = 1000;
  await gumroad.sendTo('refund', sale);
  await becomes(sale.id, { state: 'attention', serials: 1, reasons: [{ reason: 'amount_refund' }] });
  // the second ping is the same as the first, byte by byte
  sale.refundedCents = 2000;
  await gumroad.sendTo('refund', sale);
  const order = await becomes(sale.id, { reversals: [{ amount: '10.00' }, { amount: '20.00' }] });
  expect(unitsOf(order)[0].refunded_usd).toBe(20);
  Object.assign(sale, { refunded: true });
  await gumroad.sendTo('refund', sale);
  await becomes(sale.id, { state: 'refunded', serials: 0 });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('suspends for a dispute, and gives the same code back when it is won', async () => {
  const { gumroad, becomes, orderOf } = await scene();
  const sale = gumroad.sell(buyer(), 'glide==');
  await gumroad.send(sale);
  const [{ code }] = unitsOf(await becomes(sale.id, { state: 'issued' }));
  sale.chargedback = true;
  await gumroad.sendTo('dispute', sale);
  await becomes(sale.id, { state: 'disputed' });
  sale.disputeWon = true;
  await gumroad.sendTo('dispute_won', sale);
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

const foreign = { id: 'someone==', resource_name: 'refund', post_url: 'https://example.com' };

/** A shop whose subscriptions are beside somebody else's, and what is left of it once it is left. */
async function leaving() {
  const { shop, gumroad } = await scene();
  gumroad.subscriptions.push(foreign);
  const path = `/api/shops/${shop.shopId}`;
  const before = suite.host.asked.length;
  const ok = async (method: string, target: string, body?: object) =>
    expect((await shop.api(method, target, body)).status).toBe(200);
  const keys = () =>
    suite.server.db.query<{ tries: number; is_due: boolean }>(
      'select tries, next_at <= now() as is_due from shop_farewells where developer_id = $1',
      [shop.ada.id],
    );
  const working = () =>
    suite.server.db.query(
      `select 1 from pgboss.job where state in ('created', 'active', 'retry')
       and (name = 'shop-farewells' or name = 'shop-farewell' and data->>'shopId' = $1)`,
      [shop.shopId],
    );
  /** A try counts from its beginning, and is looked at when it is over. */
  const tried = async (times: number) => {
    const due = [{ tries: times, is_due: false }];
    await expect.poll(keys, { timeout: 30_000 }).toEqual(due);
    await expect.poll(working, { timeout: 30_000 }).toEqual([]);
    expect(await keys()).toEqual(due);
  };
  const forgotten = () => expect.poll(keys, { timeout: 30_000 }).toEqual([]);
  /** The next try, as if its time had come, so long after the first. */
  const again = async (since = '1 hour', faults: typeof suite.host.faults = []) => {
    suite.host.faults.push(...faults);
    await suite.server.db.query(
      'update shop_farewells set next_at = now(), created_at = now() - $2::interval where developer_id = $1',
      [shop.ada.id, since],
    );
    await queueJob(suite.server.db, 'shop-farewells');
  };
  const opened = async () =>
    (
      await suite.server.db.query<{ name: string }>(
        'select name from shop_connections where developer_id = $1 and credentials is not null',
        [shop.ada.id],
      )
    ).map(({ name }) => name);
  const bells = async () => (await shop.api('GET', '/api/notifications?kind=shop')).body.rows;
  const deletions = () => suite.host.asked.slice(before).filter(({ method }) => method === 'DELETE').length;
  return { shop, gumroad, path, ok, keys, tried, forgotten, again, opened, bells, deletions };
}

it('that is deleted has nothing sent to its address any more, keeps what others have subscribed to, and is forgotten', async () => {
  const { gumroad, path, ok, forgotten, opened, deletions } = await leaving();
  await ok('DELETE', path);
  expect(await opened()).toEqual([]);
  await forgotten();
  expect(gumroad.subscriptions).toEqual([foreign]);
  expect(deletions()).toBe(3);
});

it('that is deleted is forgotten when its token is gone, too', async () => {
  const { gumroad, path, ok, forgotten, bells } = await leaving();
  suite.host.faults.push('401');
  await ok('DELETE', path);
  await forgotten();
  expect(gumroad.subscriptions).toHaveLength(4);
  expect(await bells()).toEqual([]);
});

/** Three questions for what is there, and one that ends each of it. */
const STEPS = [0, 1, 2, 3, 4, 5];

it.each(STEPS.flatMap((step) => (['500', '429'] as const).map((fault) => [fault, step] as const)))(
  'whose API answers %s at step %i of its end is asked again, and nothing is left',
  async (fault, step) => {
    const { gumroad, path, ok, tried, forgotten, again, opened, bells } = await leaving();
    suite.host.faults.push(...STEPS.slice(0, step).map(() => null), fault);
    await ok('DELETE', path);
    await tried(1);
    expect(gumroad.subscriptions).toHaveLength(4 - Math.max(0, step - 3));
    await again();
    await forgotten();
    expect(gumroad.subscriptions).toEqual([foreign]);
    expect([await opened(), await bells()]).toEqual([[], []]);
  },
);

it('whose end is cut off before it is written, and whose job is lost, ends all the same', async () => {
  const { shop, gumroad, path, ok, keys, forgotten, again } = await leaving();
  const { db } = suite.server;
  // as if the process were killed when all has ended at the shop, and before that is written
  await db.query(`create function dies_here() returns trigger language plpgsql as $$ begin
    if old.developer_id = '${shop.ada.id}' and old.tries = 1 then raise exception 'killed here'; end if;
    return old; end $$`);
  await db.query('create trigger dies_here before delete on shop_farewells for each row execute function dies_here()');
  try {
    await ok('DELETE', path);
    await expect.poll(() => gumroad.subscriptions, { timeout: 30_000 }).toEqual([foreign]);
    // and its job with it
    await db.query("delete from pgboss.job where name = 'shop-farewell' and data->>'shopId' = $1", [shop.shopId]);
    expect(await keys()).toEqual([{ tries: 1, is_due: false }]);
    await again();
    await forgotten();
  } finally {
    await db.query('drop trigger dies_here on shop_farewells');
    await db.query('drop function dies_here()');
  }
});

it('whose API stays away for days is given up: its key is forgotten, and its owner ends by hand what is named', async () => {
  const { shop, gumroad, path, ok, tried, forgotten, again, opened, bells } = await leaving();
  suite.host.faults.push('500');
  await ok('DELETE', path);
  await tried(1);
  await again('4 days 23 hours', ['429']);
  await tried(2);
  expect(await bells()).toEqual([]);
  // it answers, and nobody can read that
  await again('5 days', ['no JSON']);
  await forgotten();
  expect(await opened()).toEqual([]);
  expect(gumroad.subscriptions).toHaveLength(4);
  const byHand = expect.stringContaining('Settings › Advanced › Applications');
  await expect
    .poll(bells)
    .toMatchObject([{ title: 'My shop still sends reports here', detail: byHand, object_id: null }]);
  const { text } = await suite.server.email(
    ({ to, subject }) => to?.[0]?.address === shop.ada.email && subject === 'My shop still sends reports here',
  );
  expect(text).toContain('delete the one whose token you had entered');
  expect(text).toContain(shop.address);
  expect(text).toContain('for 5 days');
});

it('that is closed while its API is down has nothing sent any more once that answers', async () => {
  const { gumroad, path, ok, tried, forgotten, again, opened } = await leaving();
  suite.host.faults.push('500');
  await ok('DELETE', `${path}/credentials`);
  expect(await opened()).toEqual([]);
  await tried(1);
  await again();
  await forgotten();
  expect(gumroad.subscriptions).toEqual([foreign]);
});

it('that is opened again meanwhile, or by another key of the same account, keeps what it has sent here', async () => {
  const { gumroad, path, ok, tried, forgotten, again, opened, deletions } = await leaving();
  suite.host.faults.push('500');
  await ok('DELETE', `${path}/credentials`);
  await tried(1);
  await ok('PUT', `${path}/credentials`, { key: gumroad.key });
  // nothing is ended while Gumroad refuses today's key
  await again('1 hour', [null, null, null, '401']);
  await tried(2);
  expect(gumroad.subscriptions).toHaveLength(4);
  await again();
  await forgotten();
  expect(gumroad.subscriptions).toHaveLength(4);
  expect([await opened(), deletions()]).toEqual([['My shop'], 0]);
});

it('that is opened by the key of another account has nothing sent by the former one, though that is down meanwhile', async () => {
  const { shop, gumroad, path, ok, tried, forgotten, again, opened } = await leaving();
  const other = new GumroadShop(shop, suite.host, gumroad);
  // the probe, and what that subscribes to: two questions for each of three
  suite.host.faults.push(...Array.from({ length: 7 }, () => null), '500');
  await ok('PUT', `${path}/credentials`, { key: other.key });
  await tried(1);
  expect([gumroad.subscriptions.length, other.subscriptions.length]).toEqual([4, 3]);
  await again();
  await forgotten();
  expect(gumroad.subscriptions).toEqual([foreign]);
  expect(other.subscriptions).toHaveLength(3);
  expect(await opened()).toEqual(['My shop']);
  // the same key once more is no other
  await ok('PUT', `${path}/credentials`, { key: other.key });
  await forgotten();
  expect(other.subscriptions).toHaveLength(3);
});

it('has nothing sent to any of its addresses any more once its account is deleted, paused or deleted before', async () => {
  const { shop, gumroad, path, ok, keys, tried, opened, deletions } = await leaving();
  suite.host.faults.push('500');
  await ok('DELETE', path);
  await tried(1);
  const second = await shop.api('POST', '/api/shops', { kind: 'gumroad', name: 'Paused' });
  const other = second.body.shop;
  await ok('PUT', `/api/shops/${other.id}/credentials`, { key: gumroad.key });
  await ok('POST', `/api/shops/${other.id}/pause`, {});
  expect(gumroad.subscriptions.map(({ post_url }) => post_url)).toContain(other.address);
  await ok('DELETE', '/api/account/delete', { password: PASSWORD });
  expect([await keys(), await opened()]).toEqual([[], []]);
  expect(gumroad.subscriptions).toEqual([foreign]);
  expect(deletions()).toBe(6);
});

it('of a deleted account is forgotten at once, whatever its API answers', async () => {
  for (const fault of ['500', '401', 'hangs up', 'no JSON'] as const) {
    const { shop, ok, keys } = await leaving();
    suite.host.faults.push(fault, ...(fault === 'hangs up' ? [fault] : []));
    await ok('DELETE', '/api/account/delete', { password: PASSWORD });
    suite.host.faults.length = 0;
    const rows = await suite.server.db.query(
      'select secret, previous_secret, state::text, credentials from shop_connections where developer_id = $1',
      [shop.ada.id],
    );
    expect(rows).toEqual([{ secret: null, previous_secret: null, state: 'off', credentials: null }]);
    expect(await keys()).toEqual([]);
  }
});

it('looks at the sales of a month for what nobody has sent, and once a day at those of half a year', async () => {
  const { shop, gumroad, becomes, orderOf } = await scene();
  const sold = (days: number) => new Date(Date.now() - days * 86_400_000);
  const [early, late] = [gumroad.sell(buyer(), 'glide==', { created: sold(100) }), gumroad.sell(buyer(), 'glide==')];
  const gone = gumroad.sell(buyer(), 'glide==', { created: sold(200) });
  for (const sale of [early, late, gone]) {
    await gumroad.send(sale);
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
