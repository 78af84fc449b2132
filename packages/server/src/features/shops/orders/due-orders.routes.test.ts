import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('tries an order again that fails, and none of those that were due together with it', async () => {
  const scene = await ShopScene.begin(server, { kind: 'other' });
  const shop = new OtherShop(scene);
  await server.db.query(`create function bad() returns trigger language plpgsql as $$ begin
    if new.developer_id = '${scene.ada.id}' and new.external_id = 'bad' then raise exception 'bad'; end if; return new; end $$`);
  await server.db.query('create trigger bad before insert on shop_orders for each row execute function bad()');
  const orders = ['a', 'b', 'bad', 'c', 'd'];
  const sale = (order: string) => ({
    order,
    email: buyer(),
    currency: 'USD',
    paid_at: '2026-11-26T09:00:00Z',
    lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '49.00' }],
  });
  await Promise.all(orders.map((order) => shop.send('sale.created', sale(order))));
  const jobs = () =>
    server.db.query<{ key: string; state: string }>(
      `select data ->> 'orderKey' as key, state::text from pgboss.job
       where name = 'shop-order' and data ->> 'accountId' = $1 order by 1`,
      [scene.ada.id],
    );
  const ended = orders.map((key) => ({ key, state: key === 'bad' ? 'retry' : 'completed' }));
  await expect.poll(jobs, { timeout: 20_000 }).toEqual(ended);
  await server.db.query('drop trigger bad on shop_orders');
  await server.db.query('drop function bad()');
  await scene.becomes('bad', { state: 'issued' }, 60_000);
  expect((await jobs()).map(({ key }) => key)).toEqual(orders);
  await expectOrderBook(server, scene.ada.id);
}, 100_000);
