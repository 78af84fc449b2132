import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { PaddleShop } from '@tonerow/test-support/shops/paddle.ts';
import { buyer, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { expect, it } from 'vitest';

const suite = apiSuite();
const SECRET = 'pdl_ntfset_0123456789_secret';

async function scene() {
  const shop = await suite.begin({ kind: 'paddle', secret: SECRET }, ({ glide, prism }) => [
    { key: 'variant:pri_glide', product_ids: [glide] },
    { key: 'product:pro_prism', product_ids: [prism] },
  ]);
  const paddle = new PaddleShop({ address: shop.address, secret: SECRET }, suite.host);
  await suite.open(shop, { key: paddle.key });
  return { shop, paddle };
}
const glides = { price: 'pri_glide', product: 'pro_glide', quantity: 2, subtotal: 9800 };
const prism = { price: 'pri_prism', product: 'pro_prism', quantity: 1, subtotal: 2900, discount: 900 };

it('asks the API who bought, and counts what was paid without tax and after discounts', async () => {
  const { shop, paddle } = await scene();
  const email = buyer();
  const sale = paddle.sell(email, [glides, prism]);
  expect([await paddle.sendSale(sale), await paddle.sendSale(sale)]).toEqual([200, 200]);
  const order = await shop.becomes(sale.id, { state: 'issued', serials: 3, email, country: 'DE', first_name: 'Nina' });
  expect(unitsOf(order).map(({ paid_usd }) => paid_usd)).toEqual([49, 49, 20]);
  await expectOrderBook(suite.server, shop.ada.id);
});

it('counts another currency by what is paid out in dollars', async () => {
  const { shop, paddle } = await scene();
  const sale = paddle.sell(buyer(), [glides], { currency: 'EUR', payout: 10_501 });
  await paddle.sendSale(sale);
  const order = await shop.becomes(sale.id, { state: 'issued', paid: '98.00', paid_usd: 105.01 });
  expect([order.lines[0].rate_source, ...unitsOf(order).map(({ paid_usd }) => paid_usd)]).toEqual([
    'shop',
    52.51,
    52.5,
  ]);
});

it('takes a whole line back, asks about a part of one, and does nothing about tax, credits and what waits for approval', async () => {
  const { shop, paddle } = await scene();
  const sale = paddle.sell(buyer(), [glides, prism]);
  const line = (n: number) => `txnitm_${sale.id}_${n}`;
  const full = paddle.adjustment(sale, { items: [{ item_id: line(1), type: 'full', amount: '2000' }] });
  // before its sale, and twice
  await paddle.send('adjustment.created', full);
  await paddle.send('adjustment.updated', full);
  await paddle.sendSale(sale);
  await shop.becomes(sale.id, { state: 'issued', serials: 2 });
  const none = [
    { status: 'pending_approval', items: [{ item_id: line(0), type: 'full', amount: '9800' }] },
    { status: 'rejected', items: [{ item_id: line(0), type: 'full', amount: '9800' }] },
    { action: 'credit', items: [{ item_id: line(0), type: 'full', amount: '9800' }] },
    { items: [{ item_id: line(0), type: 'tax', amount: '19' }] },
  ];
  for (const fields of none) expect(await paddle.send('adjustment.created', paddle.adjustment(sale, fields))).toBe(200);
  await shop.done();
  expect(await shop.order(sale.id)).toMatchObject({ state: 'issued', serials: 2 });
  const part = paddle.adjustment(sale, { items: [{ item_id: line(0), type: 'partial', amount: '1000' }] });
  await paddle.send('adjustment.created', part);
  await shop.becomes(sale.id, { state: 'attention', serials: 2, reasons: [{ reason: 'amount_refund' }] });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('suspends for a chargeback and gives the same codes back when that is reversed; a warning only flags', async () => {
  const { shop, paddle } = await scene();
  const sale = paddle.sell(buyer(), [prism]);
  await paddle.sendSale(sale);
  const [{ code }] = unitsOf(await shop.becomes(sale.id, { state: 'issued' }));
  await paddle.send('adjustment.created', paddle.adjustment(sale, { action: 'chargeback_warning', type: 'full' }));
  await shop.becomes(sale.id, { reasons: [{ reason: 'inquiry' }], serials: 1 });
  await paddle.send('adjustment.created', paddle.adjustment(sale, { action: 'chargeback', type: 'full' }));
  await expect.poll(async () => unitsOf(await shop.order(sale.id))[0].state, { timeout: 30_000 }).toBe('suspended');
  await paddle.send('adjustment.created', paddle.adjustment(sale, { action: 'chargeback_reverse', type: 'full' }));
  await expect
    .poll(async () => unitsOf(await shop.order(sale.id))[0], { timeout: 30_000 })
    .toMatchObject({ code, state: 'delivered' });
});

it('accepts either of two signatures, and refuses what is old or forged', async () => {
  const { shop, paddle } = await scene();
  const sale = paddle.sell(buyer(), [prism]);
  paddle.secrets = [SECRET, 'the_next_one'];
  expect(await paddle.sendSale(sale)).toBe(200);
  paddle.secrets = ['another'];
  expect(await paddle.sendSale(sale)).toBe(401);
  paddle.secrets = [SECRET];
  expect(await paddle.post('{}', Math.floor(Date.now() / 1000) - 301)).toBe(401);
  await shop.becomes(sale.id, { state: 'issued' });
});
