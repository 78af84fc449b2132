import { beside } from '@tonerow/test-support/beside.ts';
import { isCluster } from '@tonerow/test-support/database.ts';
import { type SharedServer, sharedServer, startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene } from '@tonerow/test-support/shops/scene.ts';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { orderJob } from './order-job.ts';

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
  await scene.becomes('bad', { state: 'issued' });
  expect((await jobs()).map(({ key }) => key)).toEqual(orders);
  await expectOrderBook(server, scene.ada.id);
});

it.skipIf(isCluster())(
  'of a process that shows no life goes to another one, and gives everything once if that was only slow',
  async () => {
    const scene = await ShopScene.begin(server, { kind: 'other' });
    const [locked, fn] = [`slow_${scene.ada.id.replaceAll('-', '')}`, 'slow_order'];
    await server.db.query(`create function ${fn}() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(hashtext('${locked}')); return new; end $$`);
    await server.db.query(`create trigger ${fn} before insert on shop_units for each row
    when (new.developer_id = '${scene.ada.id}') execute function ${fn}()`);
    const holder = new pg.Client(server.db.url);
    await holder.connect();
    let other: TestServer | undefined;
    try {
      await holder.query('select pg_advisory_lock(hashtext($1))', [locked]);
      await new OtherShop(scene).send('sale.created', {
        order: 'slow',
        email: buyer(),
        currency: 'USD',
        paid_at: '2026-11-26T09:00:00Z',
        lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }],
      });
      const waits = 'select 1 from pg_locks where pid <> pg_backend_pid() and locktype = $1 and not granted';
      await expect.poll(() => server.db.query(waits, ['advisory']), { timeout: 20_000 }).toHaveLength(1);
      other = await startServer({ db: server.db });
      const mine = "name = 'shop-order' and data ->> 'accountId' = $1";
      const tries = async () => {
        // it is alive, and would show that otherwise
        await server.db.query(
          `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where ${mine} and retry_count = 0`,
          [scene.ada.id],
        );
        return server.db.query(`select state::text, retry_count from pgboss.job where ${mine}`, [scene.ada.id]);
      };
      await expect.poll(tries, { timeout: 30_000 }).toEqual([{ state: 'active', retry_count: 1 }]);
      await holder.query('select pg_advisory_unlock(hashtext($1))', [locked]);
      await expect.poll(tries, { timeout: 30_000 }).toEqual([{ state: 'completed', retry_count: 1 }]);
    } finally {
      await holder.end();
      await other?.stop();
      await server.db.query(`drop trigger ${fn} on shop_units`);
      await server.db.query(`drop function ${fn}()`);
    }
    await scene.becomes('slow', { state: 'issued', serials: 2 });
    const emails = await server.db.query("select 1 from mails where developer_id = $1 and kind = 'order'", [
      scene.ada.id,
    ]);
    expect(emails).toHaveLength(1);
    await expectOrderBook(server, scene.ada.id);
  },
  100_000,
);

it('is left alone by the other processes for as long as the one that it came to works on it itself', async () => {
  const { ada, shopId } = await ShopScene.begin(server, { kind: 'other' });
  const work = { accountId: ada.id, shopId, orderKey: 'own' };
  await beside({ server, clock: systemClock, deferred: [orderJob.name] }, ({ db, jobs }) =>
    db.work({ tx: true }, (tx) => jobs.enqueue(tx, orderJob, work)),
  );
  const waits = await server.db.query(
    `select state::text, start_after > now() + interval '5 minutes' as later from pgboss.job where data ->> 'orderKey' = 'own' and data ->> 'accountId' = $1`,
    [ada.id],
  );
  expect(waits).toEqual([{ state: 'created', later: true }]);
});
