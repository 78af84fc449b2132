import { call } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { catalog, type EventType } from '../../webhooks/events/catalog.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function scene(items?: readonly object[]) {
  const shop = await ShopScene.begin(server, { kind: 'other', name: 'Fair of Berlin' }, items);
  const body = { url: 'https://hooks.example.com/', events: ['order.*'] };
  const { webhook } = (await call(server, 'POST', '/api/webhooks', { token: shop.ada.token, body })).body;
  // the events recorded for it count here, and nothing is sent
  await call(server, 'PATCH', `/api/webhooks/${webhook.id}`, { token: shop.ada.token, body: { enabled: false } });
  const told = async () =>
    (
      await server.db.query<{ type: EventType; data: string; personal: string | null }>(
        'select type, data, personal from webhook_events where developer_id = $1 order by xid, id',
        [shop.ada.id],
      )
    )
      .filter(({ type }) => type.startsWith('order.'))
      .map(({ type, data, personal }) => {
        const event = JSON.parse(data);
        z.decode(catalog[type].data, { ...event, ...JSON.parse(personal ?? '{}') });
        return { type, ...event, personal };
      });
  return { shop, other: new OtherShop(shop), told };
}
const AT = new Date('2026-11-26T10:00:00Z');
const saleOf = (order: string, email: string) => ({
  order,
  email,
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }],
});

it('webhooks are told of an order that comes, has its serials and is refunded, each once, with the customer kept apart', async () => {
  const { shop, other, told } = await scene();
  const email = buyer();
  for (let times = 0; times < 3; times += 1) await other.send('sale.created', saleOf('told', email), AT);
  await shop.becomes('told', { state: 'issued' });
  await shop.done();
  await other.send('sale.refunded', { order: 'told', refund: 'r1' });
  await shop.becomes('told', { state: 'refunded' });
  await shop.done();
  const events = await told();
  expect(events.map(({ type, serials, missing, paid_usd }) => [type, serials, missing, paid_usd])).toEqual([
    ['order.received', 2, 0, 98],
    ['order.issued', 2, 0, 98],
    ['order.refunded', 0, 0, 98],
  ]);
  for (const { email: shown, personal } of events) {
    expect(shown).toBeUndefined();
    expect(JSON.parse(personal ?? '{}')).toMatchObject({ email });
  }
});

it('what is not mapped is told by the bell and by email, once for each key, and the order asks for it', async () => {
  const { shop, other, told } = await scene([]);
  for (const order of ['one', 'two']) {
    await other.send('sale.created', saleOf(order, buyer()));
    await shop.becomes(order, { state: 'attention', reasons: [{ reason: 'unmapped' }] });
  }
  const { rows } = (await shop.api('GET', '/api/notifications?kind=shop')).body;
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    kind: 'shop',
    title: 'Fair of Berlin sells something that is not mapped',
    detail: 'GLIDE',
    object_id: shop.shopId,
  });
  const email = await server.email(
    ({ to, subject }) => to?.[0]?.address === shop.ada.email && subject === rows[0].title,
  );
  expect(email.text).toContain(`/developer/tools/shops/${shop.shopId}`);
  expect((await told()).filter(({ type }) => type === 'order.attention')).toHaveLength(2);
  // switched off, the bell alone has it
  expect((await shop.api('PUT', '/api/account/settings', { notify_shops: false })).status).toBe(200);
  const another = { ...saleOf('three', buyer()), lines: [{ id: '1', sku: 'PRISM', quantity: 1, paid: '9.00' }] };
  await other.send('sale.created', another);
  await shop.becomes('three', { state: 'attention', reasons: [{ reason: 'unmapped' }] });
  expect((await shop.api('GET', '/api/notifications?kind=shop')).body.rows).toHaveLength(2);
  const emails = await server.db.query('select 1 from mails where recipient = $1 and subject = $2', [
    shop.ada.email,
    rows[0].title,
  ]);
  expect(emails).toHaveLength(1);
  await shop.map([{ key: 'GLIDE', product_ids: [shop.glide.id] }]);
  for (const order of ['one', 'two']) await shop.becomes(order, { state: 'issued', serials: 2 });
  expect((await told()).filter(({ type }) => type === 'order.issued')).toHaveLength(2);
});
