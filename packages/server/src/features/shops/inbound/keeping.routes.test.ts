import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { deliver, OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, expect, it } from 'vitest';
import { BURST } from './bursts.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const saleOf = (order: string) => ({
  order,
  email: buyer(),
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '49.00' }],
});

it('keeps what arrives together in few transactions, each once, and one that cannot be kept alone is refused', async () => {
  const scene = await ShopScene.begin(server, { kind: 'other' });
  const shop = new OtherShop(scene);
  await server.db.query(`create function refused() returns trigger language plpgsql as $$ begin
    if new.developer_id = '${scene.ada.id}' and new.order_key = 'bad' then raise exception 'refused here'; end if; return new; end $$`);
  await server.db.query(
    'create trigger refused before insert on shop_deliveries for each row execute function refused()',
  );
  const orders = Array.from({ length: 30 }, (_, n) => (n === 20 ? 'bad' : `o-${n}`));
  const sent = orders.map((order) => shop.event('sale.created', saleOf(order)));
  // each twice, and both at once
  const statuses = await Promise.all([...sent, ...sent].map(deliver));
  await server.db.query('drop trigger refused on shop_deliveries');
  await server.db.query('drop function refused()');
  expect(statuses).toEqual([...orders, ...orders].map((order) => (order === 'bad' ? 500 : 200)));
  await scene.done();
  const [kept] = await server.db.query<{ n: number; turns: number }>(
    `select count(*)::int as n, count(distinct received_at)::int as turns from shop_deliveries where developer_id = $1`,
    [scene.ada.id],
  );
  expect(kept?.n).toBe(29);
  // the shop tries again
  expect(await deliver(sent[20] as (typeof sent)[number])).toBe(200);
  await scene.becomes('bad', { state: 'issued' });
  const [{ issued } = { issued: 0 }] = await server.db.query<{ issued: number }>(
    `select count(*)::int as issued from shop_orders where developer_id = $1 and state = 'issued'`,
    [scene.ada.id],
  );
  expect(issued).toBe(30);
  await expectOrderBook(server, scene.ada.id);
});

it('lets other accounts go first once an account has many orders, and answers a flood before it issues it', async () => {
  const scene = await ShopScene.begin(server, { kind: 'other' });
  const shop = new OtherShop(scene);
  const orders = Array.from({ length: BURST.flood + 10 }, (_, n) => `many-${n}`);
  await Promise.all(orders.map((order) => shop.send('sale.created', saleOf(order))));
  const queued = await server.db.query<{ priority: number; later: boolean; n: number }>(
    `select priority, (extract(epoch from start_after - created_on) > 9) as later, count(*)::int as n
     from pgboss.job where name = 'shop-order' and data ->> 'accountId' = $1 group by 1, 2 order by 1, 2`,
    [scene.ada.id],
  );
  const jobs = (priority: number, later: boolean) =>
    queued.find((group) => group.priority === priority && group.later === later)?.n ?? 0;
  expect(jobs(10, false) + jobs(0, false) + jobs(0, true)).toBe(orders.length);
  const [{ took = 0 } = {}] = await server.db.query<{ took: number }>(
    `select (extract(epoch from max(received_at) - min(received_at)) * 1000)::int as took from shop_deliveries where developer_id = $1`,
    [scene.ada.id],
  );
  // reports that a slow machine takes in after the time of a burst begin another one
  if (took < BURST.ms)
    expect([jobs(10, false), jobs(0, false), jobs(0, true)]).toEqual([BURST.many, BURST.flood - BURST.many, 10]);
  expect([jobs(10, false) >= BURST.many, jobs(0, false) > 0]).toEqual([true, true]);
});
