import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

/** Two shops of one account that sell the same. */
async function scene(settings: object = {}) {
  const shop = await ShopScene.begin(server, { kind: 'other' });
  const made = await shop.api('POST', '/api/shops', { kind: 'other', name: 'Second shop', ...settings });
  const items = [
    { key: 'GLIDE', product_ids: [shop.glide.id] },
    { key: 'PRISM', product_ids: [shop.prism.id] },
  ];
  await shop.api('PUT', `/api/shops/${made.body.shop.id}/items`, { items });
  const second = new OtherShop({ address: made.body.shop.address, secret: made.body.secret });
  return { shop, first: new OtherShop(shop), second, secondId: made.body.shop.id as string };
}
const saleOf = (order: string, email: string, { sku = 'GLIDE', paid = '49.00', at = '2026-11-26T09:00:00Z' } = {}) => ({
  order,
  email,
  currency: 'USD',
  paid_at: at,
  lines: [{ id: '1', sku, quantity: 1, paid }],
});
const flagged = { state: 'attention', reasons: [{ reason: 'duplicate' }] };

describe('one sale that two shops bring', () => {
  it('is warned of at the second, whichever that is, and both are issued', async () => {
    for (const isReverse of [false, true]) {
      const { shop, first, second } = await scene();
      const [before, after] = isReverse ? [second, first] : [first, second];
      const email = buyer();
      await before.send('sale.created', saleOf('a1', email));
      const { id } = await shop.becomes('a1', { state: 'issued' });
      // the other shop has the tax in it, and a clock of its own
      await after.send('sale.created', saleOf('b1', email, { paid: '58.31', at: '2026-11-26T09:02:11Z' }));
      await shop.becomes('b1', { ...flagged, serials: 1, duplicate_of: { id, number: 'a1' } });
      // a later look at the first does not turn it around
      await before.send('sale.updated', saleOf('a1', email), new Date(Date.now() + 5000));
      await shop.done();
      expect(await shop.order('a1')).toMatchObject({ state: 'issued', duplicate_of: null });
    }
  });

  it('is found once of two that come at the same moment', async () => {
    const { shop, first, second } = await scene();
    const email = buyer();
    await Promise.all([
      first.send('sale.created', saleOf('c1', email)),
      second.send('sale.created', saleOf('d1', email)),
    ]);
    const both = async () => [await shop.order('c1'), await shop.order('d1')].map((order) => order?.state).sort();
    await expect.poll(both, { timeout: 30_000 }).toEqual(['attention', 'issued']);
    await expectOrderBook(server, shop.ada.id);
  });

  it('is settled by a look, or taken back as a whole', async () => {
    const { shop, first, second } = await scene();
    const email = buyer();
    await first.send('sale.created', saleOf('e1', email));
    await shop.becomes('e1', { state: 'issued' });
    for (const [number, answer, ends] of [
      ['f1', 'keep', { state: 'issued', serials: 1, reasons: [] }],
      ['f2', 'take', { state: 'refunded', serials: 0, reasons: [] }],
    ] as const) {
      await second.send('sale.created', saleOf(number, email));
      const { id } = await shop.becomes(number, flagged);
      const answered = await shop.api('POST', `/api/shop-orders/${id}/decide`, { answer });
      expect(answered.body.order).toMatchObject(ends);
    }
    expect(await shop.order('e1')).toMatchObject({ state: 'issued', serials: 1 });
    await expectOrderBook(server, shop.ada.id);
  });

  it('waits for its owner where one of the shops is set so, and is ignored where one is', async () => {
    const { shop, first, second, secondId } = await scene({ on_duplicate: 'hold' });
    const email = buyer();
    await second.send('sale.created', saleOf('g1', email));
    await shop.becomes('g1', { state: 'issued' });
    await first.send('sale.created', saleOf('h1', email));
    const { id } = await shop.becomes('h1', { ...flagged, serials: 0, missing: 1 });
    const kept = await shop.api('POST', `/api/shop-orders/${id}/decide`, { answer: 'keep' });
    expect(kept.body.order).toMatchObject({ state: 'issued', serials: 1, reasons: [] });
    await shop.api('PATCH', `/api/shops/${secondId}`, { on_duplicate: 'ignore' });
    await first.send('sale.created', saleOf('h2', email));
    await shop.becomes('h2', { state: 'issued', duplicate_of: null });
  });

  it('is another sale by another product, price, customer, or hour', async () => {
    const { shop, first, second } = await scene();
    const email = buyer();
    await first.send('sale.created', saleOf('i1', email));
    await shop.becomes('i1', { state: 'issued' });
    const others = [
      saleOf('j1', email, { sku: 'PRISM' }),
      saleOf('j2', email, { paid: '99.00' }),
      saleOf('j3', buyer()),
      saleOf('j4', email, { at: '2026-11-26T11:00:00Z' }),
    ];
    for (const other of others) await second.send('sale.created', other);
    for (const { order } of others) await shop.becomes(order, { state: 'issued', reasons: [] });
  });
});
