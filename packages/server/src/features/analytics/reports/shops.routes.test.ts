import { redeem } from '@tonerow/test-support/http.ts';
import { sharedServer } from '@tonerow/test-support/server.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { expect, it } from 'vitest';

const server = await sharedServer();

/** A sale of $49 whose code was redeemed, and what the report has of it: revenue, refunded, disputed. */
async function sold(order: string) {
  const scene = await ShopScene.begin(server, { kind: 'other' });
  const shop = new OtherShop(scene);
  const email = `buyer-of-${scene.shopId}@example.com`;
  const lines = [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '49.00' }];
  await shop.send('sale.created', { order, email, currency: 'USD', paid_at: '2026-11-26T09:00:00Z', lines });
  const [{ code, serial_id: serialId }] = unitsOf(await scene.becomes(order, { state: 'issued' }));
  await redeem(server, code, email, scene.ada.id);
  const report = async () => {
    const { body } = await scene.api('GET', '/api/analytics/shops');
    return body.shops.map(({ revenue, refunded, disputed }: Record<string, number>) => [
      revenue,
      refunded,
      disputed,
    ])[0];
  };
  return { scene, shop, serialId, report };
}

it('leaves nothing of a dispute that was won, in either column', async () => {
  const { scene, shop, report } = await sold('won');
  await shop.send('sale.disputed', { order: 'won', refund: 'd1' });
  await scene.becomes('won', { state: 'disputed' });
  expect(await report()).toEqual([0, 0, 49]);
  await shop.send('sale.dispute_won', { order: 'won', refund: 'd1' });
  await scene.becomes('won', { state: 'issued' });
  expect(await report()).toEqual([49, 0, 0]);
});

it('keeps the part that was refunded before a dispute that was won', async () => {
  const { scene, shop, report } = await sold('part');
  await shop.send('sale.refunded', { order: 'part', refund: 'r1', amount: '10.00' });
  await scene.becomes('part', { reasons: [{ reason: 'amount_refund' }] });
  await shop.send('sale.disputed', { order: 'part', refund: 'd1' });
  await expect.poll(report).toEqual([0, 10, 39]);
  await shop.send('sale.dispute_won', { order: 'part', refund: 'd1' });
  await expect.poll(report).toEqual([39, 10, 0]);
});

it('takes a refund that is undone off the refunds, also after a dispute that was won', async () => {
  const { scene, serialId, report } = await sold('undone');
  const change = async (path: string, body: object) => {
    const answer = await scene.api('POST', `/api/serials/${serialId}/${path}`, { reason: 'Asked for', ...body });
    expect(answer.status, answer.text).toBe(201);
  };
  await change('refund', { kind: 'chargeback', amount: 20 });
  await change('refund', { kind: 'refund', amount: 5 });
  expect(await report()).toEqual([24, 5, 20]);
  // all of both
  await change('reinstate', {});
  expect(await report()).toEqual([49, 0, 0]);
  await change('refund', { kind: 'refund' });
  expect(await report()).toEqual([0, 49, 0]);
  await change('reinstate', {});
  expect(await report()).toEqual([49, 0, 0]);
});
