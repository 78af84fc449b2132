import { openBeside } from '@tonerow/test-support/beside.ts';
import { isCluster } from '@tonerow/test-support/database.ts';
import { call, makeSerials } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { everything, transactions } from '@tonerow/test-support/shops/order-ends.ts';
import { deliver, OtherShop } from '@tonerow/test-support/shops/other.ts';
import { resoldScene } from '@tonerow/test-support/shops/resold.ts';
import { ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import type { Deps } from '../../../deps.ts';

// Nothing works on orders by itself here: each test decides what is worked on together, and by which process.
let server: TestServer;
let one: Awaited<ReturnType<typeof openBeside>>;
let two: Awaited<ReturnType<typeof openBeside>>;
const now = new Date('2026-11-26T12:00:00.000Z');
beforeAll(async () => {
  server = await startServer({ env: { TONEROW_ROLE: 'api' } });
  one = await openBeside({ server, clock: new TestClock(now) });
  two = await openBeside({ server, clock: new TestClock(now) });
});
afterAll(async () => {
  await one?.close();
  await two?.close();
  await server?.stop();
});

const begin = () => ShopScene.begin(server, { kind: 'other' });
const resold = (stock: number) => resoldScene(server, { stock, now });

const sold = (at: string) => new Date(`2026-11-26T${at}Z`);

const saleOf = (order: string, fields: object = {}) => ({
  order,
  email: `buyer-of-${order}@example.com`,
  first_name: 'Nina',
  last_name: 'Simone',
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '49.00' }],
  ...fields,
});

const TWO_LINES = {
  language: 'de-DE',
  lines: [
    { id: '1', sku: 'GLIDE', quantity: 2, paid: '98.01' },
    { id: '2', sku: 'PRISM', quantity: 1, paid: '29.00' },
  ],
};

async function sell(scene: ShopScene, orders: readonly object[], at = sold('10:00:00')): Promise<void> {
  const shop = new OtherShop(scene);
  for (const order of orders) expect(await shop.send('sale.created', order, at)).toBe(200);
}

/** Works on what waits of a shop, as one fetch of jobs does. */
function work({ ada, shopId }: ShopScene, orderKeys: readonly string[], { deps }: { deps: Deps } = one) {
  const jobs = orderKeys.map((orderKey) => ({ id: orderKey, payload: { accountId: ada.id, shopId, orderKey } }));
  return deps.shopOrders.runAll(jobs);
}

const emailsOf = async ({ ada }: ShopScene) =>
  (await server.db.query(`select 1 from mails where developer_id = $1 and kind = 'order'`, [ada.id])).length;

describe('new orders that are settled together', () => {
  it('end as those that are settled one by one: the same rows, emails, events and figures', async () => {
    await server.db.query(
      `insert into shop_rates (currency, day, usd) values ('EUR', '2026-11-25', '1.10') on conflict do nothing`,
    );
    const simple = [
      saleOf('plain'),
      saleOf('two', TWO_LINES),
      saleOf('bundle', { lines: [{ id: '1', sku: 'BOTH', quantity: 2, paid: '99.99' }] }),
      saleOf('tagged', { lines: [{ id: '1', sku: 'TAGGED', quantity: 1, paid: '0.00' }] }),
      saleOf('euros', { currency: 'EUR', lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '50.00' }] }),
      saleOf('edited'),
      saleOf('emoji 🎹', { email: 'emoji@example.com' }),
      saleOf('test', { test: true }),
      saleOf('test-of-stock', { test: true, lines: [{ id: '1', sku: 'POOL', quantity: 2, paid: '5.00' }] }),
      saleOf('pool', { lines: [{ id: '1', sku: 'POOL', quantity: 2, paid: '5.01' }] }),
      saleOf('pool-again', {
        lines: [
          { id: '1', sku: 'POOL', quantity: 1, paid: '5.00' },
          { id: '2', sku: 'PRISM', quantity: 1, paid: '29.00' },
        ],
      }),
    ];
    const others = [
      saleOf('till', { email: null }),
      saleOf('later', { paid_at: null }),
      saleOf('unmapped', { lines: [{ id: '1', sku: 'WHAT', quantity: 1, paid: '5.00' }] }),
      saleOf('yen', { currency: 'JPY', lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '500' }] }),
      saleOf('back'),
      saleOf('many', { lines: [{ id: '1', sku: 'GLIDE', quantity: 21, paid: '21.00' }] }),
    ];
    const all = [...simple, ...others];
    const keys = all.map(({ order }) => order);
    const ends: Record<string, string[]>[] = [];
    for (const isTogether of [false, true]) {
      const scene = await begin();
      const both = [scene.glide.id, scene.prism.id];
      await scene.map([
        { key: 'BOTH', product_ids: both, units: 2 },
        { key: 'TAGGED', product_ids: [scene.prism.id], batch_tag: 'shop', prefix: 'SHOP' },
        { key: 'POOL', product_ids: [scene.glide.id], source: 'pool', batch_tag: 'box' },
      ]);
      await makeSerials(server, scene.ada.token, scene.glide.id, { quantity: 20, batch_tag: 'box' });
      await server.db.query('update batches set created_at = $2 where developer_id = $1', [scene.ada.id, now]);
      const endpoint = { url: 'https://hooks.example.com/orders', events: ['order.*'] };
      const made = await scene.api('POST', '/api/webhooks', endpoint);
      expect(made.status, made.text).toBe(201);
      await sell(scene, all);
      await sell(scene, [saleOf('edited', { last_name: 'Waymon' })], sold('10:05:00'));
      const shop = new OtherShop(scene);
      expect(await shop.send('sale.refunded', { order: 'back', refund: 'r1' }, sold('10:06:00'))).toBe(200);
      if (isTogether) expect(await work(scene, keys)).toEqual(new Map());
      else
        for (const orderKey of keys)
          await one.deps.shopOrders.run({ accountId: scene.ada.id, shopId: scene.shopId, orderKey });
      const [together = []] = await transactions(scene);
      expect(together).toEqual(isTogether ? simple.map(({ order }) => order).sort() : [together[0]]);
      await expectOrderBook(server, scene.ada.id);
      ends.push(await everything(scene));
    }
    expect(ends[1]).toEqual(ends[0]);
    // so that nothing equal is nothing at all
    expect(ends[0]).toMatchObject({ queued: { length: 13 }, notices: { length: 1 } });
  });

  it('notify once, with what is left then, of stock that they make low', async () => {
    const scene = await begin();
    await scene.map([{ key: 'POOL', product_ids: [scene.glide.id], source: 'pool', batch_tag: 'box' }]);
    await makeSerials(server, scene.ada.token, scene.glide.id, { quantity: 12, batch_tag: 'box' });
    const keys = ['a', 'b', 'c', 'd'];
    await sell(
      scene,
      keys.map((key) => saleOf(key, { lines: [{ id: '1', sku: 'POOL', quantity: 1, paid: '5.00' }] })),
    );
    expect(await work(scene, keys)).toEqual(new Map());
    expect(await transactions(scene)).toEqual([keys]);
    const notices = await server.db.query('select kind, detail from notices where account_id = $1', [scene.ada.id]);
    expect(notices).toEqual([{ kind: 'low_serials', detail: '8 serials left' }]);
    await expectOrderBook(server, scene.ada.id);
  });

  it('wait alone for stock that is not there for all of them', async () => {
    const scene = await begin();
    await scene.map([{ key: 'POOL', product_ids: [scene.glide.id], source: 'pool', batch_tag: 'box' }]);
    await makeSerials(server, scene.ada.token, scene.glide.id, { quantity: 2, batch_tag: 'box' });
    const keys = ['a', 'b', 'c'];
    await sell(
      scene,
      keys.map((key) => saleOf(key, { lines: [{ id: '1', sku: 'POOL', quantity: 1, paid: '5.00' }] })),
    );
    expect(await work(scene, keys)).toEqual(new Map());
    const states = await server.db.query(
      'select state, count(*)::int as n from shop_orders where developer_id = $1 group by state order by n',
      [scene.ada.id],
    );
    expect(states).toEqual([
      { state: 'attention', n: 1 },
      { state: 'issued', n: 2 },
    ]);
    await expectOrderBook(server, scene.ada.id);
  });

  it('of an account with two shops go together but for those that the other shop may have brought, too', async () => {
    const ends: Record<string, string[]>[] = [];
    for (const isTogether of [false, true]) {
      const scene = await begin();
      const made = await scene.api('POST', '/api/shops', { kind: 'other', name: 'Beside' });
      const beside = { ...made.body.shop, secret: made.body.secret };
      const items = { items: [{ key: 'GLIDE', product_ids: [scene.glide.id] }] };
      expect((await scene.api('PUT', `/api/shops/${beside.id}/items`, items)).status).toBe(200);
      const twin = saleOf('twin', { order: 'theirs' });
      expect(await new OtherShop(beside).send('sale.created', twin, sold('09:30:00'))).toBe(200);
      const theirs = { accountId: scene.ada.id, shopId: beside.id as string, orderKey: 'theirs' };
      await one.deps.shopOrders.run(theirs);
      const late = { email: 'buyer-of-twin@example.com', paid_at: '2026-11-26T10:30:00Z' };
      const keys = ['a', 'twin', 'late', 'b'];
      await sell(scene, [saleOf('a'), saleOf('twin'), saleOf('late', late), saleOf('b')]);
      if (isTogether) expect(await work(scene, keys)).toEqual(new Map());
      else for (const orderKey of keys) await one.deps.shopOrders.run({ ...theirs, shopId: scene.shopId, orderKey });
      if (isTogether) expect(await transactions(scene)).toEqual([['a', 'b', 'late'], ['theirs'], ['twin']]);
      expect(await scene.order('twin')).toMatchObject({ state: 'attention' });
      await expectOrderBook(server, scene.ada.id);
      const all = await everything(scene);
      ends.push(
        Object.fromEntries(
          Object.entries(all).map(([name, rows]) => [name, rows.map((row) => row.replaceAll(beside.id, '<beside>'))]),
        ),
      );
    }
    expect(ends[1]).toEqual(ends[0]);
  });

  it('of a reseller end as those that are settled one by one, each code a draw with an email of its own', async () => {
    const simple = [
      saleOf('plain'),
      saleOf('two', TWO_LINES),
      saleOf('bundle', { lines: [{ id: '1', sku: 'BOTH', quantity: 1, paid: '99.99' }] }),
      saleOf('yen', { currency: 'JPY', lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '500' }] }),
      saleOf('test', { test: true }),
      saleOf('emoji 🎹', { email: 'emoji@example.com' }),
    ];
    const all = [...simple, saleOf('later', { paid_at: null }), saleOf('till', { email: null })];
    const keys = all.map(({ order }) => order);
    const ends: Record<string, string[]>[] = [];
    for (const isTogether of [false, true]) {
      const { scene, owner } = await resold(30);
      await sell(scene, all);
      if (isTogether) expect(await work(scene, keys)).toEqual(new Map());
      else
        for (const orderKey of keys)
          await one.deps.shopOrders.run({ accountId: scene.ada.id, shopId: scene.shopId, orderKey });
      if (isTogether) expect((await transactions(scene))[0]).toEqual(simple.map(({ order }) => order).sort());
      await expectOrderBook(server, scene.ada.id);
      ends.push({ ...(await everything(scene)), theirs: (await everything(owner)).emails as string[] });
    }
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[0]).toMatchObject({ draws: { length: 11 }, theirs: { length: 7 } });
  });

  it('of a reseller wait alone for codes that are not there for all of them, or of a partner who paused', async () => {
    const { scene, owner } = await resold(2);
    const keys = ['a', 'b', 'c'];
    await sell(
      scene,
      keys.map((key) => saleOf(key)),
    );
    expect(await work(scene, keys)).toEqual(new Map());
    const states = () =>
      server.db.query(
        'select reasons, count(*)::int as n from shop_orders where developer_id = $1 group by 1 order by 2',
        [scene.ada.id],
      );
    expect(await states()).toEqual([
      { reasons: ['out_of_stock'], n: 1 },
      { reasons: [], n: 2 },
    ]);
    await expectOrderBook(server, scene.ada.id);
    await server.db.query(`update partnerships set status = 'paused' where developer_id = $1`, [owner.ada.id]);
    await sell(scene, [saleOf('d'), saleOf('e')]);
    expect(await work(scene, ['d', 'e'])).toEqual(new Map());
    expect(await states()).toContainEqual({ reasons: ['partner_paused'], n: 2 });
  });

  it('of a reseller are drawn once each by two processes that have some of the same', async () => {
    const { scene } = await resold(50);
    const keys = Array.from({ length: 40 }, (_, n) => `o-${n}`);
    await sell(
      scene,
      keys.map((key) => saleOf(key)),
    );
    const [first, second] = [keys.slice(0, 28), keys.slice(12).reverse()];
    expect(await Promise.all([work(scene, first, one), work(scene, second, two)])).toEqual([new Map(), new Map()]);
    const drawn = await server.db.query('select count(*)::int as n from draws where reseller_id = $1', [scene.ada.id]);
    expect(drawn).toEqual([{ n: keys.length }]);
    await expectOrderBook(server, scene.ada.id);
  });

  it('are issued once each by two processes that have some of the same', async () => {
    const scene = await begin();
    const keys = Array.from({ length: 40 }, (_, n) => `o-${n}`);
    await sell(
      scene,
      keys.map((key) => saleOf(key)),
    );
    const [first, second] = [keys.slice(0, 28), keys.slice(12).reverse()];
    expect(await Promise.all([work(scene, first, one), work(scene, second, two)])).toEqual([new Map(), new Map()]);
    const states = await server.db.query(
      'select state, count(*)::int as n from shop_orders where developer_id = $1 group by state',
      [scene.ada.id],
    );
    expect(states).toEqual([{ state: 'issued', n: keys.length }]);
    expect(await emailsOf(scene)).toBe(keys.length);
    const batches = await server.db.query('select quantity from batches where developer_id = $1', [scene.ada.id]);
    expect(batches).toEqual([{ quantity: keys.length }]);
    await expectOrderBook(server, scene.ada.id);
  });

  it('leave out an order with its refund, and one that came twice', async () => {
    const scene = await begin();
    const shop = new OtherShop(scene);
    const twice = shop.event('sale.created', saleOf('twice'), sold('10:00:00'));
    const sent = [
      ...[1, 2, 3].map(() => deliver(twice)),
      shop.send('sale.created', saleOf('sold'), sold('10:00:00')),
      shop.send('sale.refunded', { order: 'sold', refund: 'r1' }, sold('10:01:00')),
      shop.send('sale.created', saleOf('other'), sold('10:00:00')),
    ];
    expect(await Promise.all(sent)).toEqual(sent.map(() => 200));
    const came = await server.db.query(
      'select order_key, count(*)::int as n from shop_deliveries where developer_id = $1 group by 1 order by 1',
      [scene.ada.id],
    );
    expect(came).toEqual([
      { order_key: 'other', n: 1 },
      { order_key: 'sold', n: 2 },
      { order_key: 'twice', n: 1 },
    ]);
    await work(scene, ['twice', 'sold', 'sold', 'other']);
    expect(await transactions(scene)).toEqual([['other', 'twice'], ['sold']]);
    expect(await scene.order('sold')).toMatchObject({ state: 'refunded', serials: 0 });
    expect(await emailsOf(scene)).toBe(2);
    await expectOrderBook(server, scene.ada.id);
  });

  it.skipIf(isCluster())('give nothing of a product that is deleted amid, nor of a shop that is', async () => {
    for (const [path, state] of [
      [({ glide }: ShopScene) => `/api/products/${glide.id}`, 'attention'],
      [({ shopId }: ShopScene) => `/api/shops/${shopId}`, 'issued'],
    ] as const) {
      const scene = await begin();
      await sell(
        scene,
        ['a', 'b'].map((key) => saleOf(key)),
      );
      // the transaction stops once it has its orders, for as long as this one holds the lock
      await plant('shop_lines', scene.ada.id, 'perform pg_advisory_xact_lock(20261127);');
      const gate = await lockWith(server.db, 'select pg_advisory_xact_lock(20261127)');
      const working = work(scene, ['a', 'b']);
      await gate.untilWaiting(1);
      expect((await call(server, 'DELETE', path(scene), { token: scene.ada.token })).status).toBeLessThan(300);
      await gate.release();
      expect(await working).toEqual(new Map());
      await unplant('shop_lines');
      const orders = await server.db.query('select state, reasons from shop_orders where developer_id = $1', [
        scene.ada.id,
      ]);
      expect(orders).toEqual(['a', 'b'].map(() => ({ state, reasons: state === 'attention' ? ['product_gone'] : [] })));
      await expectOrderBook(server, scene.ada.id);
    }
  });

  it.skipIf(isCluster())(
    'are each done alone if all together end at any step, and one that fails takes no other with it',
    async () => {
      for (const table of ['shop_lines', 'serials', 'mails', 'shop_units', 'webhook_events', 'shop_deliveries']) {
        const scene = await begin();
        const endpoint = { url: 'https://hooks.example.com/orders', events: ['order.*'] };
        expect((await scene.api('POST', '/api/webhooks', endpoint)).status).toBe(201);
        await sell(
          scene,
          ['a', 'b', 'c'].map((key) => saleOf(key)),
        );
        await server.db.query('create sequence ended');
        // a sequence is not rolled back, so only the first attempt ends there
        const event = table === 'shop_deliveries' ? 'update' : 'insert';
        await plant(table, scene.ada.id, `if nextval('ended') = 1 then raise exception 'ended here'; end if;`, event);
        expect(await work(scene, ['a', 'b', 'c'])).toEqual(new Map());
        await unplant(table);
        const [last] = await server.db.query<{ n: number }>('select last_value::int as n from ended');
        await server.db.query('drop sequence ended');
        expect([table, last?.n ?? 0]).not.toEqual([table, 1]);
        expect([table, await transactions(scene)]).toEqual([table, [['a'], ['b'], ['c']]]);
        expect([table, await emailsOf(scene)]).toEqual([table, 3]);
        await expectOrderBook(server, scene.ada.id);
      }
      const scene = await begin();
      await sell(
        scene,
        ['a', 'bad', 'c'].map((key) => saleOf(key)),
      );
      await plant('shop_orders', scene.ada.id, `if new.external_id = 'bad' then raise exception 'bad'; end if;`);
      const failures = await work(scene, ['a', 'bad', 'c']);
      await unplant('shop_orders');
      expect([...failures].map(([id, { message }]) => [id, message])).toEqual([['bad', 'bad']]);
      expect(await transactions(scene)).toEqual([['a'], ['c']]);
      expect(await work(scene, ['bad'])).toEqual(new Map());
      await expectOrderBook(server, scene.ada.id);
    },
  );
});

/** Lets a trigger do something about an account's rows. */
async function plant(table: string, accountId: string, what: string, event = 'insert'): Promise<void> {
  await server.db.query(`create function planted() returns trigger language plpgsql as $$ begin
    if new.developer_id = '${accountId}' then ${what} end if; return new; end $$`);
  await server.db.query(`create trigger planted before ${event} on ${table} for each row execute function planted()`);
}

async function unplant(table: string): Promise<void> {
  await server.db.query(`drop trigger planted on ${table}`);
  await server.db.query('drop function planted()');
}
