import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { GumroadShop } from '@tonerow/test-support/shops/gumroad.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, unitsOf } from '@tonerow/test-support/shops/scene.ts';
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
  expect(await gumroad.tell(real, undefined, true)).toBe(200);
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
  await gumroad.tell(sale, 'refund');
  await becomes(sale.id, { state: 'attention', serials: 1, reasons: [{ reason: 'amount_refund' }] });
  // the second ping is the same as the first, byte by byte
  sale.refundedCents = 2000;
  await gumroad.tell(sale, 'refund');
  const order = await becomes(sale.id, { reversals: [{ amount: '10.00' }, { amount: '20.00' }] });
  expect(unitsOf(order)[0].refunded_usd).toBe(20);
  Object.assign(sale, { refunded: true });
  await gumroad.tell(sale, 'refund');
  await becomes(sale.id, { state: 'refunded', serials: 0 });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('suspends for a dispute, and gives the same code back when it is won', async () => {
  const { gumroad, becomes, orderOf } = await scene();
  const sale = gumroad.sell(buyer(), 'glide==');
  await gumroad.tell(sale);
  const [{ code }] = unitsOf(await becomes(sale.id, { state: 'issued' }));
  sale.chargedback = true;
  await gumroad.tell(sale, 'dispute');
  await becomes(sale.id, { state: 'disputed' });
  sale.disputeWon = true;
  await gumroad.tell(sale, 'dispute_won');
  await becomes(sale.id, { state: 'issued' });
  expect(unitsOf(await orderOf(sale.id))[0]).toMatchObject({ code, state: 'delivered' });
});
