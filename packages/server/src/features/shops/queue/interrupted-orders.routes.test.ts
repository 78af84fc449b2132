import { isCluster } from '@tonerow/test-support/database.ts';
import { redeem } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

/**
 * The steps at which the work on an order ends for the first time, as if its process were killed there. Nothing of that
 * attempt stays.
 */
const steps = [
  ['its lines are written', 'shop_lines', 'insert'],
  ['its units are made', 'shop_units', 'insert'],
  ['its serials are made', 'serials', 'insert'],
  ['its email is queued', 'mails', 'insert'],
  ['its units are written', 'shop_units', 'update'],
  ['it is written', 'shop_orders', 'update'],
  ['what came is noted as done', 'shop_deliveries', 'update'],
  ['a serial is revoked', 'serials', 'update'],
  ['the ledger is told', 'ledger_adjustments', 'insert'],
] as const;

afterAll(async () => {
  for (const [n, [, table]] of steps.entries()) {
    await server.db.query(`drop trigger if exists killed_${n} on ${table}`);
    await server.db.query(`drop function if exists killed_${n}()`);
    await server.db.query(`drop sequence if exists killed_${n}`);
  }
});

/** A second attempt is made some seconds after the first. */
const LONG = 100_000;

/** A sequence is not rolled back, so only the first attempt ends there. */
async function plant(n: number, accountId: string): Promise<void> {
  const [, table, event] = steps[n] as (typeof steps)[number];
  await server.db.query(`create sequence killed_${n}`);
  await server.db.query(`create function killed_${n}() returns trigger language plpgsql as $$ begin
    if new.developer_id = '${accountId}' and nextval('killed_${n}') = 1 then raise exception 'killed here'; end if;
    return new; end $$`);
  await server.db.query(
    `create trigger killed_${n} before ${event} on ${table} for each row execute function killed_${n}()`,
  );
}

it.skipIf(isCluster())(
  'work on an order that ends at any step is done again, and gives everything once',
  async () => {
    const scenes = await Promise.all(steps.map(() => ShopScene.begin(server, { kind: 'other' })));
    const sale = () => ({
      order: 'killed',
      email: buyer(),
      currency: 'USD',
      paid_at: '2026-11-26T09:00:00Z',
      lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }],
    });
    await Promise.all(
      scenes.map(async (scene, n) => {
        const shop = new OtherShop(scene);
        const sold = sale();
        // those two end when a refund comes, the others when the sale does
        const isRefund = n >= steps.length - 2;
        if (!isRefund) await plant(n, scene.ada.id);
        expect(await shop.send('sale.created', sold)).toBe(200);
        const units = unitsOf(await scene.becomes('killed', { state: 'issued', serials: 2 }));
        if (!isRefund) return;
        await redeem(server, units[0].code, sold.email, scene.ada.id);
        await plant(n, scene.ada.id);
        expect(await shop.send('sale.refunded', { order: 'killed', refund: 'r1' })).toBe(200);
        await scene.becomes('killed', { state: 'refunded', serials: 0 });
      }),
    );
    for (const [n, scene] of scenes.entries()) {
      await scene.done();
      await expectOrderBook(server, scene.ada.id);
      const [{ killed } = { killed: 0 }] = await server.db.query<{ killed: number }>(
        `select last_value::int as killed from killed_${n}`,
      );
      expect([steps[n]?.[0], killed > 1]).toEqual([steps[n]?.[0], true]);
      const emails = await server.db.query('select 1 from mails where developer_id = $1 and kind = $2', [
        scene.ada.id,
        'order',
      ]);
      expect([steps[n]?.[0], emails.length]).toEqual([steps[n]?.[0], 1]);
    }
  },
  2 * LONG,
);
