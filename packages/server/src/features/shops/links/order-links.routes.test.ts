import { call } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let shop: ShopScene;
let other: OtherShop;
beforeAll(async () => {
  server = await sharedServer();
  shop = await ShopScene.begin(server, { kind: 'other' });
  other = new OtherShop(shop);
});

const saleOf = (order: string, email: string | null, sku = 'GLIDE') => ({
  order,
  email,
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [{ id: '1', sku, quantity: 2, paid: '98.00' }],
});

const request = (order: string, email: string) =>
  call(server, 'POST', '/api/redeem/orders', { body: { order, email, dev: shop.ada.id } });
const open = (token: string) => call(server, 'POST', '/api/redeem/orders/open', { body: { token } });

/** The token of an email that opens an order. */
async function tokenTo(address: string): Promise<string> {
  const email = await server.email(
    ({ to, subject }) => to?.[0]?.address === address && subject === 'The codes of your order',
  );
  const [, token] = /codes=([\w.%-]+)/.exec(email.text ?? '') ?? [];
  return decodeURIComponent(token as string);
}
const linksTo = async (address: string) =>
  (await server.db.query(`select 1 from mails where kind = 'order_link' and recipient = $1`, [address])).length;
/** Waits until whatever was asked for has been looked for once. */
const looked = () =>
  expect
    .poll(
      async () =>
        (
          await server.db.query(
            `select 1 from pgboss.job where name = 'shop-order-link' and data->>'developerId' = $1
             and (state = 'active' or (state = 'created' and start_after <= now()))`,
            [shop.ada.id],
          )
        ).length,
      { timeout: 15_000 },
    )
    .toBe(0);

it('emails a link that opens the codes of an order, and gives one answer whatever is asked for', async () => {
  const [email, stranger] = [buyer(), buyer()];
  await other.send('sale.created', saleOf('#L1', email));
  const order = await shop.becomes('L1', { state: 'issued' });
  const answers = [];
  // its number without its address, no such number, and last what is right
  for (const [number, address] of [
    ['L1', stranger],
    ['L-none', email],
    ['L1', email],
  ] as const)
    answers.push(await request(number, address));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(202);
  const token = await tokenTo(email);
  const opened = await open(token);
  expect(opened.body).toMatchObject({ order: '#L1', state: 'ready' });
  expect(opened.body.codes.map(({ code }: { code: string }) => code).sort()).toEqual(
    unitsOf(order)
      .map(({ code }) => code)
      .sort(),
  );
  await looked();
  expect([await linksTo(email), await linksTo(stranger)]).toEqual([1, 0]);
  const [, secret] = token.split('.');
  const kept = await server.db.query('select token_hash from shop_order_links where developer_id = $1', [shop.ada.id]);
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain(secret);
  // another account’s id, and another secret
  for (const wrong of [`${shop.glide.id}.${secret}`, `${shop.ada.id}.else`, 'else'])
    expect([(await open(wrong)).status, (await open(wrong)).body.code]).toEqual([422, 'link_invalid']);
  await server.db.query(`update shop_order_links set expires_at = now() where developer_id = $1`, [shop.ada.id]);
  expect((await open(token)).body.code).toBe('link_invalid');
});

it('shows that codes are coming, and nothing of what was given back', async () => {
  const email = buyer();
  await other.send('sale.created', saleOf('L2', email, 'LATER'));
  await shop.becomes('L2', { reasons: [{ reason: 'unmapped' }] });
  await request('L2', email);
  const token = await tokenTo(email);
  expect((await open(token)).body).toEqual({ order: 'L2', state: 'coming', codes: [] });
  await shop.map([{ key: 'LATER', product_ids: [shop.prism.id] }]);
  await shop.becomes('L2', { state: 'issued' });
  expect((await open(token)).body).toMatchObject({ state: 'ready', codes: [{}, {}] });
  await other.send('sale.refunded', { order: 'L2', refund: 'r1' });
  await shop.becomes('L2', { state: 'refunded' });
  expect((await open(token)).body).toEqual({ order: 'L2', state: 'returned', codes: [] });
});

it('a link no longer opens an order that has another address by now', async () => {
  const email = buyer();
  await other.send('sale.created', saleOf('L3', email));
  const { id } = await shop.becomes('L3', { state: 'issued' });
  await request('L3', email);
  const token = await tokenTo(email);
  await shop.api('PATCH', `/api/shop-orders/${id}`, { email: buyer() });
  expect((await open(token)).body.code).toBe('link_invalid');
});

it('an order without an address has a code, whose customer gets the serials at an address of their own, once', async () => {
  const [email, second] = [buyer(), buyer()];
  await other.send('sale.created', saleOf('L4', null));
  const order = await shop.becomes('L4', { state: 'attention', reasons: [{ reason: 'no_email' }], serials: 2 });
  expect(order.pickup_code).toMatch(/^ORDR(-[2-9A-HJ-NP-Z]{4}){3}$/);
  await request(` ${order.pickup_code.toLowerCase().replaceAll('-', ' ')} `, email);
  const delivered = await shop.becomes('L4', { state: 'issued', email, pickup_code: null, reasons: [] });
  const sent = await server.email(({ to }) => to?.[0]?.address === email);
  for (const { code } of unitsOf(delivered)) expect(sent.text).toContain(code);
  // by somebody else it is not moved; by the same it is opened
  await request(order.pickup_code, second);
  await request(order.pickup_code, email);
  await tokenTo(email);
  await looked();
  expect(await shop.order('L4')).toMatchObject({ email });
  expect([await linksTo(email), await linksTo(second)]).toEqual([1, 0]);
});

it('looks again for an order that is not here yet', async () => {
  const email = buyer();
  await request('L5', email);
  await looked();
  await other.send('sale.created', saleOf('L5', email));
  await shop.becomes('L5', { state: 'issued' });
  await server.db.query(
    `update pgboss.job set start_after = now() where name = 'shop-order-link' and data->>'order' = 'L5' and state = 'created'`,
  );
  expect((await open(await tokenTo(email))).body).toMatchObject({ order: 'L5', state: 'ready' });
});

it('emails an address ten times in a day at most, and reports what is wrong with a request', async () => {
  const email = buyer();
  await other.send('sale.created', saleOf('L6', email));
  await shop.becomes('L6', { state: 'issued' });
  const since = new Date().toISOString();
  await server.db.query(
    `insert into mails (id, developer_id, kind, recipient, recipient_key, subject, attempts, created_at)
     select gen_random_uuid(), $1, 'order_link', $2, $2, 'The codes of your order', 0, $3::timestamptz from generate_series(1, 10)`,
    [shop.ada.id, email, since],
  );
  await request('L6', email);
  await looked();
  expect(await linksTo(email)).toBe(10);
  const nowhere = await call(server, 'POST', '/api/redeem/orders', { body: { order: 'L6', email } });
  expect([nowhere.status, nowhere.body.errors?.[0]?.path]).toEqual([400, 'dev']);
  expect((await request('', email)).body.errors?.[0]?.path).toBe('order');
});
