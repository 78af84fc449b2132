import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, type ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { describe, expect, it } from 'vitest';

const suite = apiSuite();
const glides = [{ sku: 'GLIDE', quantity: 2, total: '98.00' }];

async function scene() {
  const shop = await suite.begin({ kind: 'woocommerce' }, ({ glide, prism }) => [
    { key: 'GLIDE', product_ids: [glide] },
    { key: 'PRISM', product_ids: [prism] },
  ]);
  const woo = new WooCommerceShop(shop);
  await suite.open(shop, woo.serve(suite.host));
  const changed = await shop.api('PATCH', `/api/shops/${shop.shopId}`, { delivery: 'shop' });
  expect(changed.status, changed.text).toBe(200);
  return { shop, woo };
}
const codesOf = (order: { lines: { units: { code: string }[] }[] }) => unitsOf(order).map(({ code }) => code);
const statesOf = (order: { lines: { units: { state: string }[] }[] }) => unitsOf(order).map(({ state }) => state);
const shown = async (shop: ShopScene) => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body;
/** The number of emails that we have sent to an address. */
const emailsTo = async (address: string) =>
  (await suite.server.db.query("select id from mails where kind = 'order' and recipient_key = $1", [address])).length;
const write = (shop: ShopScene, order: { id: number }) =>
  queueJob(suite.server.db, 'shop-note', { accountId: shop.ada.id, shopId: shop.shopId, orderKey: String(order.id) });
async function delivered(shop: ShopScene, order: { id: number }) {
  const isDelivered = { state: 'delivered' };
  return shop.becomes(String(order.id), { lines: [{ units: [isDelivered, isDelivered] }] });
}

describe('WooCommerce that gives the codes itself', () => {
  it('writes them into one customer note, once, and we email nothing', async () => {
    const { shop, woo } = await scene();
    const email = buyer();
    const order = woo.place(email, glides);
    woo.pay(order);
    await Promise.all([woo.send(order), woo.send(order), woo.send(order, 'order.created')]);
    const codes = codesOf(await delivered(shop, order));
    expect(woo.emailed).toEqual([{ to: email, note: expect.stringContaining(String(order.id)) }]);
    for (const code of codes) expect(woo.emailed[0]?.note).toContain(code);
    woo.pay(order, 'completed');
    await woo.send(order);
    await write(shop, order);
    await shop.done();
    expect(woo.notes).toHaveLength(1);
    expect(await emailsTo(email)).toBe(0);
    await expectOrderBook(suite.server, shop.ada.id);
  });

  it('writes no second note when the answer to the first is lost', async () => {
    const { shop, woo } = await scene();
    const order = woo.place(buyer(), glides);
    woo.pay(order);
    woo.lostAnswers = 1;
    await woo.send(order);
    await delivered(shop, order);
    expect([woo.notes.length, woo.lostAnswers]).toEqual([1, 0]);
  });

  it('writes nothing while somebody else writes, and what comes later into a note of its own', async () => {
    const { shop, woo } = await scene();
    const [first, second] = [
      woo.place(buyer(), glides),
      woo.place(buyer(), [...glides, { sku: 'LATER', quantity: 1, total: '9.00' }]),
    ];
    for (const order of [first, second]) woo.pay(order);
    await woo.send(second);
    await expect.poll(() => woo.notes.length, { timeout: 30_000 }).toBe(1);
    await shop.map([{ key: 'LATER', product_ids: [shop.prism.id] }]);
    await expect.poll(() => woo.notes.length, { timeout: 30_000 }).toBe(2);
    const [early = '', late = ''] = woo.notes.map(({ note }) => note);
    const codes = codesOf(await shop.order(String(second.id)));
    expect(codes.map((code) => [early.includes(code), late.includes(code)])).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ]);

    woo.permissions = 'read';
    await woo.send(first);
    await shop.becomes(String(first.id), { state: 'issued' });
    await delivered(shop, first);
    await suite.server.db.query(
      `update shop_units set state = 'issued', mail_id = null where developer_id = $1 and order_id =
         (select id from shop_orders where developer_id = $1 and external_id = $2)`,
      [shop.ada.id, String(first.id)],
    );
    woo.permissions = 'read_write';
    const hold = (until: string | null) =>
      suite.server.db.query(
        'update shop_orders set noting_until = $3::timestamptz where developer_id = $1 and external_id = $2',
        [shop.ada.id, String(first.id), until],
      );
    await hold('2100-01-01');
    const asked = suite.host.asked.length;
    await write(shop, first);
    await expect
      .poll(
        () =>
          suite.server.db.query(
            "select state from pgboss.job where name = 'shop-note' and state = 'retry' and data->>'shopId' = $1",
            [shop.shopId],
          ),
        {
          timeout: 30_000,
        },
      )
      .not.toEqual([]);
    expect(suite.host.asked.slice(asked).filter(({ path }) => path.includes('/notes'))).toEqual([]);
    await hold(null);
    await delivered(shop, first);
    expect(woo.notes).toHaveLength(3);
  }, 60_000);

  it('whose key may only read shows that, and we email the codes until it may write', async () => {
    const { shop, woo } = await scene();
    woo.permissions = 'read';
    const emails = [buyer(), buyer(), buyer()];
    const [first, second, third] = emails.map((email) => woo.place(email, glides)) as [
      ReturnType<WooCommerceShop['place']>,
      ReturnType<WooCommerceShop['place']>,
      ReturnType<WooCommerceShop['place']>,
    ];
    for (const order of [first, second, third]) woo.pay(order);
    for (const order of [first, second]) {
      await woo.send(order);
      await delivered(shop, order);
    }
    expect(woo.notes).toEqual([]);
    for (const email of emails.slice(0, 2)) expect(await emailsTo(email)).toBe(1);
    // it stays while other reports come, and is told once
    expect(await shown(shop)).toMatchObject({ state: 'attention', trouble: expect.stringContaining('Read/Write') });
    const { rows } = (await shop.api('GET', '/api/notifications?kind=shop')).body;
    expect(rows).toHaveLength(1);
    woo.permissions = 'read_write';
    await woo.send(third);
    await delivered(shop, third);
    expect([woo.notes.length, await emailsTo(emails[2] as string)]).toEqual([1, 0]);
    expect(await shown(shop)).toMatchObject({ state: 'active', trouble: null });
  });

  it('that is away for a quarter of an hour has the codes emailed by us', async () => {
    const { shop, woo } = await scene();
    const email = buyer();
    const order = woo.place(email, glides);
    woo.pay(order);
    for (let times = 0; times < 40; times += 1) suite.host.faults.push('500');
    await woo.send(order);
    await shop.becomes(String(order.id), { state: 'issued' });
    expect(statesOf(await shop.order(String(order.id)))).toEqual(['issued', 'issued']);
    await suite.server.db.query(
      "update shop_units set issued_at = now() - interval '16 minutes' where developer_id = $1",
      [shop.ada.id],
    );
    await write(shop, order);
    await delivered(shop, order);
    suite.host.faults.length = 0;
    expect([woo.notes, await emailsTo(email)]).toEqual([[], 1]);
    expect(await shown(shop)).toMatchObject({ trouble: expect.stringContaining('15 minutes') });
    // our email is wanted by now, and nothing is wrong with that
    await shop.api('PATCH', `/api/shops/${shop.shopId}`, { delivery: 'us' });
    expect(await shown(shop)).toMatchObject({ delivery: 'us', trouble: null, state: 'active' });
  });
});

it('only a shop that can gives the codes itself', async () => {
  for (const kind of ['shopify', 'paddle', 'gumroad']) {
    const shop = await suite.begin({ kind }, () => []);
    const { status, body } = await shop.api('PATCH', `/api/shops/${shop.shopId}`, { delivery: 'shop' });
    expect([kind, status, body.errors?.[0]?.path]).toEqual([kind, 400, 'delivery']);
    expect((await shown(shop)).delivery).toBe('us');
  }
  for (const kind of ['stripe', 'lemonsqueezy', 'fastspring', 'other'])
    await suite.begin({ kind, delivery: 'shop' }, () => []);
  const woo = await suite.begin({ kind: 'woocommerce' }, () => []);
  const closed = await woo.api('PATCH', `/api/shops/${woo.shopId}`, { delivery: 'shop' });
  expect([closed.status, closed.body.code]).toEqual([422, 'domain_rule']);
  const made = await woo.api('POST', '/api/shops', { kind: 'gumroad', name: 'Gumroad', delivery: 'shop' });
  expect([made.status, made.body.errors?.[0]?.path]).toEqual([400, 'delivery']);
});
