import { call, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function scene() {
  const shop = await ShopScene.begin(server, { kind: 'other' });
  return { shop, other: new OtherShop(shop) };
}
const saleOf = (order: string, email: string | null, fields: object = {}) => ({
  order,
  email,
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }],
  ...fields,
});
const act = (shop: ShopScene, id: string, what: string, body?: object) =>
  shop.api('POST', `/api/shop-orders/${id}/${what}`, body);

/** An order of two, both redeemed, of which one was refunded. */
async function asked() {
  const { shop, other } = await scene();
  const email = buyer();
  await other.send('sale.created', saleOf('asked', email));
  const order = await shop.becomes('asked', { state: 'issued' });
  for (const { code } of unitsOf(order)) await redeem(server, code, email, shop.ada.id);
  await other.send('sale.refunded', { order: 'asked', refund: 'r1', lines: [{ id: '1', quantity: 1 }] });
  await shop.becomes('asked', { state: 'attention', reasons: [{ reason: 'refund_asks' }], serials: 2 });
  return { shop, other, id: order.id as string };
}

describe('what was refunded and redeemed', () => {
  it('is kept, which settles the order and gives nothing back twice', async () => {
    const { shop, id } = await asked();
    const kept = await act(shop, id, 'decide', { answer: 'keep' });
    expect(kept.status, kept.text).toBe(200);
    expect(kept.body.order).toMatchObject({ state: 'issued', serials: 2, reasons: [] });
    expect(
      unitsOf(kept.body.order)
        .map(({ state }) => state)
        .sort(),
    ).toEqual(['delivered', 'kept']);
    await expectOrderBook(server, shop.ada.id);
    expect((await act(shop, id, 'decide', { answer: 'keep' })).status).toBe(422);
  });

  it('is taken back, and stays so whatever comes later', async () => {
    const { shop, other, id } = await asked();
    const taken = await act(shop, id, 'decide', { answer: 'take' });
    expect(taken.body.order).toMatchObject({ serials: 1, reasons: [] });
    expect(
      unitsOf(taken.body.order)
        .map(({ state }) => state)
        .sort(),
    ).toEqual(['delivered', 'revoked']);
    await other.send('sale.refunded', { order: 'asked', refund: 'r1', lines: [{ id: '1', quantity: 1 }] });
    await shop.done();
    expect((await shop.order('asked')).serials).toBe(1);
    await expectOrderBook(server, shop.ada.id);
  });

  it('is asked about again when there is more of it', async () => {
    const { shop, other, id } = await asked();
    await act(shop, id, 'decide', { answer: 'keep' });
    await other.send('sale.refunded', { order: 'asked', refund: 'r2', amount: '1.00' });
    await shop.becomes('asked', { state: 'attention', reasons: [{ reason: 'amount_refund' }] });
    expect((await act(shop, id, 'decide', { answer: 'take' })).status).toBe(422);
    const { order } = (await act(shop, id, 'decide', { answer: 'keep' })).body;
    expect(order.reasons).toEqual([]);
    expect(order.reversals.map(({ state }: { state: string }) => state)).toEqual(['applied', 'applied']);
    await other.send('sale.refunded', { order: 'asked', refund: 'r3', amount: '1.00' });
    await shop.becomes('asked', { state: 'attention', reasons: [{ reason: 'amount_refund' }] });
    await expectOrderBook(server, shop.ada.id);
  });

  it('is decided unit by unit', async () => {
    const { shop, id } = await asked();
    const strange = await act(shop, id, 'decide', {
      answer: 'take',
      unit_ids: ['01900000-0000-7000-8000-000000000001'],
    });
    expect(strange.body.order).toMatchObject({ state: 'attention', serials: 2 });
  });
});

describe('the codes of an order', () => {
  it('are sent again, also to another address, which the shop does not overwrite', async () => {
    const { shop, other } = await scene();
    const [first, second] = [buyer(), buyer()];
    await other.send('sale.created', saleOf('again', first), new Date(Date.now() - 5000));
    const { id } = await shop.becomes('again', { state: 'issued' });
    const changed = await shop.api('PATCH', `/api/shop-orders/${id}`, { email: second, note: 'Called us.' });
    expect(changed.body.order).toMatchObject({ email: second, note: 'Called us.' });
    const resent = await act(shop, id, 'resend');
    expect(resent.status, resent.text).toBe(200);
    const email = await server.email(({ to }) => to?.[0]?.address === second);
    for (const { code } of unitsOf(resent.body.order)) expect(email.text).toContain(code);
    await other.send('sale.updated', saleOf('again', first));
    await shop.done();
    expect(await shop.order('again')).toMatchObject({ email: second, note: 'Called us.', serials: 2 });
    await expectOrderBook(server, shop.ada.id);
  });

  it('are sent again five times an hour at most: whoever has the address has asked for none of them', async () => {
    const { shop, other } = await scene();
    await other.send('sale.created', saleOf('often', buyer()));
    const { id } = await shop.becomes('often', { state: 'issued' });
    const limited = await startServer({ db: server.db, env: { TONEROW_RATE_LIMITS: 'on' } });
    try {
      const resend = () => call(limited, 'POST', `/api/shop-orders/${id}/resend`, { token: shop.ada.token });
      for (let times = 1; times <= 5; times += 1) expect((await resend()).status).toBe(200);
      expect((await resend()).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  it('are sent once there is an address, where the shop had none', async () => {
    const { shop, other } = await scene();
    await other.send('sale.created', saleOf('till', null));
    const { id } = await shop.becomes('till', { state: 'attention', reasons: [{ reason: 'no_email' }] });
    expect((await act(shop, id, 'resend')).status).toBe(422);
    const email = buyer();
    const { body } = await shop.api('PATCH', `/api/shop-orders/${id}`, { email });
    expect(body.order).toMatchObject({ state: 'issued', reasons: [], email });
    await server.email(({ to }) => to?.[0]?.address === email);
  });

  it('are noted as given by hand, where the shop had no address and the seller has none', async () => {
    const { shop, other } = await scene();
    await other.send('sale.created', saleOf('fair', null));
    const { id } = await shop.becomes('fair', { state: 'attention', reasons: [{ reason: 'no_email' }] });
    const { body } = await act(shop, id, 'decide', { answer: 'keep' });
    expect(body.order).toMatchObject({ state: 'issued', reasons: [], serials: 2 });
  });

  it('are not sent when none of them still works', async () => {
    const { shop, other } = await scene();
    await other.send('sale.created', saleOf('gone', buyer()));
    await other.send('sale.refunded', { order: 'gone', refund: 'r1' });
    const { id } = await shop.becomes('gone', { state: 'refunded', serials: 0 });
    expect((await act(shop, id, 'resend')).status).toBe(422);
  });
});

it('an order that was canceled without a refund is kept, or taken back as a whole', async () => {
  const shop = await ShopScene.begin(server, { kind: 'woocommerce' });
  const woo = new WooCommerceShop(shop);
  const order = woo.place(buyer(), [{ sku: 'GLIDE', quantity: 1, total: '49.00' }]);
  woo.pay(order);
  await woo.send(order);
  const { id } = await shop.becomes(String(order.id), { state: 'issued' });
  woo.turn(order, 'cancelled');
  await woo.send(order);
  await shop.becomes(String(order.id), { state: 'attention', reasons: [{ reason: 'canceled' }] });
  const { body } = await act(shop, id, 'decide', { answer: 'take' });
  expect(body.order).toMatchObject({ state: 'refunded', serials: 0, reasons: [] });
  await expectOrderBook(server, shop.ada.id);
});

it('a delivery that could not be used is worked on again, and one of somebody else’s is not there', async () => {
  const { shop, other } = await scene();
  const email = buyer();
  await other.send('sale.created', saleOf('replayed', email, { currency: 'USD' }));
  await other.send('sale.refunded', { order: 'replayed', refund: 5, lines: 'no list' });
  const { id } = await shop.becomes('replayed', {
    state: 'issued',
    deliveries: [{ state: 'failed' }, { state: 'done' }],
  });
  const { deliveries } = await shop.order('replayed');
  const [failed, done] = deliveries as [{ id: string }, { id: string }];
  for (const each of [failed, done]) expect((await act(shop, id, `deliveries/${each.id}/replay`)).status).toBe(200);
  await shop.done();
  // a finished act is done once
  expect(await shop.order('replayed')).toMatchObject({ state: 'issued', serials: 2 });
  const eve = await signUpVerified(server);
  for (const [method, path] of [
    ['POST', `deliveries/${done.id}/replay`],
    ['POST', 'resend'],
    ['POST', 'decide'],
    ['PATCH', ''],
  ] as const) {
    const body = path === 'decide' ? { answer: 'keep' } : method === 'PATCH' ? { note: 'mine' } : undefined;
    const url = `/api/shop-orders/${id}${path && `/${path}`}`;
    const refused = await call(server, method, url, { token: eve.token, ...(body ? { body } : {}) });
    expect([path, refused.status]).toEqual([path, 404]);
  }
  await expectOrderBook(server, shop.ada.id);
});
