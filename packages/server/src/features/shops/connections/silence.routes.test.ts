import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, type ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { expect, it } from 'vitest';

const suite = apiSuite();

/** A shop that sold on so many days, each a day apart. */
async function scene(days: number, mode = 'live') {
  const scene = await suite.begin({ kind: 'other', mode }, ({ glide }) => [{ key: 'GLIDE', product_ids: [glide] }]);
  const other = new OtherShop(scene);
  for (let n = 0; n < days; n += 1) {
    await other.send('sale.created', saleOf(`s${n}`));
    await scene.becomes(`s${n}`, { state: 'issued' });
  }
  await dayApart(scene);
  return { scene, other };
}

async function dayApart({ ada }: ShopScene) {
  const found = await suite.server.db.query<{ id: string }>(
    'select id from shop_orders where developer_id = $1 order by id desc',
    [ada.id],
  );
  for (const [days, { id }] of found.entries())
    await suite.server.db.query(
      'update shop_orders set received_at = now() - make_interval(days => $3) where developer_id = $1 and id = $2',
      [ada.id, id, days],
    );
}

const saleOf = (order: string) => ({
  order,
  email: buyer(),
  currency: 'USD',
  paid_at: new Date().toISOString(),
  lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '49.00' }],
});

/** As if the last report had come so many days ago, and every sale before that. */
async function later({ ada }: ShopScene, days: number) {
  for (const [table, columns] of [
    ['shop_orders', ['received_at']],
    ['shop_connections', ['last_event_at', 'silent_at']],
  ] as const)
    for (const column of columns) {
      const found = await suite.server.db.query<{ id: string; at: Date }>(
        `select id, ${column} - make_interval(days => $2) as at from ${table} where developer_id = $1`,
        [ada.id, days],
      );
      for (const { id, at } of found)
        await suite.server.db.query(`update ${table} set ${column} = $3 where developer_id = $1 and id = $2`, [
          ada.id,
          id,
          at,
        ]);
    }
}
const shown = async (shop: ShopScene) => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body;
const bells = async (shop: ShopScene): Promise<string[]> =>
  (await shop.api('GET', '/api/notifications?kind=shop')).body.rows.map(({ title }: { title: string }) => title);

/** Looks at all shops, and waits until that has been. */
async function looked() {
  await queueJob(suite.server.db, 'shop-silent');
  const open = () =>
    suite.server.db.query(
      "select 1 from pgboss.job where name = 'shop-silent' and state in ('created', 'active', 'retry')",
    );
  await expect.poll(open, { timeout: 30_000 }).toEqual([]);
}

it('warns once of a shop that has reported nothing for much longer than it used to, and anew after it has reported', async () => {
  const { scene: shop, other } = await scene(5);
  await later(shop, 6);
  await looked();
  expect(await shown(shop)).toMatchObject({ state: 'active', trouble: null });
  await later(shop, 2);
  await looked();
  expect(await shown(shop)).toMatchObject({
    state: 'attention',
    trouble: expect.stringContaining('reported nothing for 8 days'),
  });
  await looked();
  expect(await bells(shop)).toEqual(['My shop has gone silent']);
  const { text } = await suite.server.email(
    ({ to, subject }) => to?.[0]?.address === shop.ada.email && subject === 'My shop has gone silent',
  );
  expect(text).toContain('If it has sold nothing, all is well.');
  // a change by its owner is not a report
  const rotated = await shop.api('POST', `/api/shops/${shop.shopId}/rotate-secret`, {});
  expect(rotated.body.shop).toMatchObject({ trouble: null });
  await looked();
  expect(await bells(shop)).toHaveLength(1);
  expect(await other.send('sale.created', saleOf('s9'))).toBe(200);
  expect(await shown(shop)).toMatchObject({ state: 'active', trouble: null });
  await shop.becomes('s9', { state: 'issued' });
  // by now it was silent for eight days, and is waited for three times as long
  await later(shop, 20);
  await looked();
  expect(await bells(shop)).toHaveLength(1);
  await later(shop, 5);
  await looked();
  expect(await bells(shop)).toHaveLength(2);
});

it('warns of none that has hardly sold, is for tests, is paused, or is compared with its own list', async () => {
  const { scene: young } = await scene(4);
  const { scene: test } = await scene(5, 'test');
  const { scene: paused } = await scene(5);
  expect((await paused.api('POST', `/api/shops/${paused.shopId}/pause`)).status).toBe(200);
  const listed = await suite.begin({ kind: 'woocommerce' }, ({ glide }) => [{ key: 'GLIDE', product_ids: [glide] }]);
  const woo = new WooCommerceShop(listed);
  for (let n = 0; n < 5; n += 1) {
    const order = woo.place(buyer(), [{ sku: 'GLIDE', quantity: 1, total: '49.00' }]);
    woo.pay(order);
    await woo.send(order);
    await listed.becomes(String(order.id), { state: 'issued' });
  }
  await dayApart(listed);
  await suite.open(listed, woo.serve(suite.host));
  const { scene: silent } = await scene(5);
  const shops = { young, test, paused, listed };
  for (const shop of [...Object.values(shops), silent]) await later(shop, 30);
  await looked();
  expect(await bells(silent)).toHaveLength(1);
  for (const [which, shop] of Object.entries(shops)) expect([which, await bells(shop)]).toEqual([which, []]);
  // nothing else shows what it sells any more
  await listed.api('DELETE', `/api/shops/${listed.shopId}/credentials`);
  await looked();
  expect(await bells(listed)).toEqual(['My shop has gone silent']);
});
