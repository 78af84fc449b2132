import { call, makeProduct, makeSerials, type Person, redeem } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Loose = any;

const api = ({ token }: Person, method: string, path: string, body?: object) =>
  call(server, method, path, { token, ...(body ? { body } : {}) });

interface Scene extends Partners {
  shop: OtherShop;
  shopId: string;
  productId: string;
}

/** A reseller whose shop sells a developer's product as GLIDE. @param stock codes that they may draw */
async function scene(stock: number): Promise<Scene> {
  const pair = await makePartners(server);
  const { developer, reseller, partnershipId } = pair;
  const { id: productId } = await makeProduct(server, developer.token, { name: 'Glide' });
  if (stock > 0) await makeSerials(server, developer.token, productId, { reseller_id: partnershipId, quantity: stock });
  const made = await api(reseller, 'POST', '/api/shops', { kind: 'other', name: 'Reseller’s shop' });
  expect(made.status, made.text).toBe(201);
  const shopId = made.body.shop.id as string;
  const mapped = await api(reseller, 'PUT', `/api/shops/${shopId}/items`, {
    items: [{ key: 'GLIDE', product_ids: [productId] }],
  });
  expect(mapped.status, mapped.text).toBe(200);
  expect(mapped.body.items[0]).toMatchObject({ source: 'pool', products: [{ id: productId, name: 'Glide' }] });
  const shop = new OtherShop({ address: made.body.shop.address, secret: made.body.secret });
  return { ...pair, shop, shopId, productId };
}

const saleOf = (order: string, quantity: number, email = `${order}@example.com`) => ({
  order,
  email,
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [{ id: '1', sku: 'GLIDE', quantity, paid: '50.00' }],
});

async function orderOf(reseller: Person, number: string): Promise<Loose> {
  const { body } = await api(reseller, 'GET', `/api/shop-orders?search=${encodeURIComponent(number)}`);
  const [row] = body.rows;
  return row && (await api(reseller, 'GET', `/api/shop-orders/${row.id}`)).body.order;
}
const orderIs = (reseller: Person, number: string, expected: object) =>
  expect.poll(() => orderOf(reseller, number), { timeout: 20_000 }).toMatchObject(expected);
const unitsOf = (order: Loose): Loose[] => order.lines.flatMap(({ units }: Loose) => units);

it('what a reseller’s shop sells is drawn from their stock, once, and emailed in their name', async () => {
  const { developer, reseller, shop, shopId } = await scene(3);
  const sale = saleOf('r-1001', 2);
  expect(await shop.send('sale.created', sale)).toBe(200);
  await orderIs(reseller, 'r-1001', { state: 'issued', serials: 2 });
  const units = unitsOf(await orderOf(reseller, 'r-1001'));
  expect(units).toMatchObject([
    { state: 'delivered', serial_id: null },
    { state: 'delivered', serial_id: null },
  ]);
  expect(new Set(units.map(({ code }) => code)).size).toBe(2);
  for (const { code, draw } of units) {
    const drawn = await api(reseller, 'GET', `/api/reseller/serials/draws/${encodeURIComponent(draw)}`);
    expect(drawn.status, drawn.text).toBe(200);
    expect(drawn.body).toMatchObject({ quantity: 1, serials: [{ code, state: 'handed_out' }] });
    expect(draw).toContain(shopId);
    const email = await server.email(
      (each) => each.to?.[0]?.address === sale.email && each.text?.includes(code) === true,
    );
    expect(email.text).toContain(code);
  }
  // again, and as another event: nothing more is drawn
  expect(await shop.send('sale.updated', sale, new Date(Date.now() + 1000))).toBe(200);
  await expect
    .poll(async () => (await api(reseller, 'GET', `/api/shops/${shopId}`)).body.waiting, { timeout: 20_000 })
    .toBe(0);
  expect(unitsOf(await orderOf(reseller, 'r-1001'))).toEqual(units);
  // the developer sees neither the shop nor the order
  expect((await api(developer, 'GET', '/api/shops')).body.shops).toEqual([]);
  expect((await api(developer, 'GET', '/api/shop-orders')).body.rows).toEqual([]);
  // it earns as every draw
  await redeem(server, units[0].code, sale.email, developer.id);
  const ledger = await server.db.query(
    'select partnership_id is not null as sold from redemptions where developer_id = $1',
    [developer.id],
  );
  expect(ledger).toEqual([{ sold: true }]);
});

it('an order waits for stock, and is delivered when there is some', async () => {
  const { developer, reseller, partnershipId, shop, productId } = await scene(1);
  await shop.send('sale.created', saleOf('r-1002', 3));
  await orderIs(reseller, 'r-1002', {
    state: 'attention',
    serials: 1,
    missing: 2,
    reasons: [{ reason: 'out_of_stock' }],
  });
  await makeSerials(server, developer.token, productId, { reseller_id: partnershipId, quantity: 2 });
  await shop.send('sale.updated', saleOf('r-1002', 3), new Date(Date.now() + 1000));
  await orderIs(reseller, 'r-1002', { state: 'issued', serials: 3, missing: 0, reasons: [] });
});

it('a refund locks what nobody has redeemed, and leaves to the developer what a customer has', async () => {
  const { developer, reseller, shop } = await scene(2);
  const sale = saleOf('r-1003', 2);
  await shop.send('sale.created', sale);
  await orderIs(reseller, 'r-1003', { state: 'issued' });
  const [kept, gone] = unitsOf(await orderOf(reseller, 'r-1003'));
  await redeem(server, kept.code, sale.email, developer.id);
  await shop.send('sale.refunded', { order: 'r-1003', refund: 're_1' });
  await orderIs(reseller, 'r-1003', { state: 'attention', reasons: [{ reason: 'partner_redeemed' }] });
  const states = Object.fromEntries(unitsOf(await orderOf(reseller, 'r-1003')).map(({ code, state }) => [code, state]));
  expect(states).toEqual({ [kept.code]: 'delivered', [gone.code]: 'revoked' });
  // a code that a customer has read is nobody else's
  const refused = await redeem(server, gone.code, 'other@example.com', developer.id);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const adjusted = await server.db.query('select 1 from ledger_adjustments where developer_id = $1', [developer.id]);
  expect(adjusted).toEqual([]);
});

it('a dispute locks the codes, and a won one gives the same ones back', async () => {
  const { reseller, shop } = await scene(1);
  await shop.send('sale.created', saleOf('r-1004', 1));
  await orderIs(reseller, 'r-1004', { state: 'issued' });
  const [before] = unitsOf(await orderOf(reseller, 'r-1004'));
  await shop.send('sale.disputed', { order: 'r-1004', refund: 'dp_1' });
  await orderIs(reseller, 'r-1004', { state: 'disputed' });
  const draw = `/api/reseller/serials/draws/${encodeURIComponent(before.draw)}`;
  expect((await api(reseller, 'GET', draw)).body.serials).toMatchObject([{ state: 'revoked' }]);
  await shop.send('sale.dispute_won', { order: 'r-1004', refund: 'dp_1' });
  await orderIs(reseller, 'r-1004', { state: 'issued' });
  expect(unitsOf(await orderOf(reseller, 'r-1004'))).toMatchObject([{ code: before.code, state: 'delivered' }]);
  expect((await api(reseller, 'GET', draw)).body.serials).toMatchObject([{ state: 'handed_out' }]);
});

it('maps only what the reseller may sell, and draws nothing while the partnership is paused', async () => {
  const { developer, reseller, partnershipId, shop, shopId } = await scene(1);
  const other = await scene(0);
  const stolen = await api(reseller, 'PUT', `/api/shops/${shopId}/items`, {
    items: [{ key: 'X', product_ids: [other.productId] }],
  });
  expect(stolen.status).toBe(400);
  const paused = await api(developer, 'POST', `/api/reseller/developer/resellers/${partnershipId}/pause`);
  expect(paused.status, paused.text).toBe(200);
  await shop.send('sale.created', saleOf('r-1005', 1));
  await orderIs(reseller, 'r-1005', { serials: 0, missing: 1, reasons: [{ reason: 'partner_paused' }] });
});

it('what is not mapped is told by email, with the reseller’s own page of the shop', async () => {
  const { reseller, shop, shopId } = await scene(0);
  const lines = [{ id: '1', sku: 'PRISM', quantity: 1, paid: '9.00' }];
  await shop.send('sale.created', { ...saleOf('r-1006', 1), lines });
  const { text } = await server.email(
    ({ to, subject }) => to?.[0]?.address === reseller.email && subject?.includes('not mapped') === true,
  );
  expect(text).toContain(`/reseller/shops/${shopId}`);
});

it('a reseller’s order book has their own orders with the codes that were drawn, and nobody else has them', async () => {
  const [mine, other] = [await scene(3), await scene(1)];
  const { developer, reseller, shop, shopId } = mine;
  await shop.send('sale.created', saleOf('r-2001', 2));
  await shop.send('sale.created', saleOf('r-2002', 2));
  await other.shop.send('sale.created', saleOf('r-2003', 1));
  await orderIs(reseller, 'r-2001', { state: 'issued', serials: 2 });
  await orderIs(reseller, 'r-2002', { state: 'attention', serials: 1, missing: 1 });
  await orderIs(other.reseller, 'r-2003', { state: 'issued', serials: 1 });
  await shop.send('sale.refunded', { order: 'r-2001', refund: 're_1' });
  await orderIs(reseller, 'r-2001', { state: 'refunded', serials: 0 });
  const codesOf = async (number: string) => unitsOf(await orderOf(reseller, number)).map(({ code }) => code ?? '');
  // as a list
  const list = async (person: Person, query: string) => (await api(person, 'GET', `/api/shop-orders?${query}`)).body;
  const numbersOf = ({ rows }: Loose) => rows.map(({ number }: Loose) => number);
  expect(await list(reseller, '')).toMatchObject({ total: 2, rows: [{ number: 'r-2002' }, { number: 'r-2001' }] });
  expect(numbersOf(await list(reseller, 'state=attention'))).toEqual(['r-2002']);
  expect(numbersOf(await list(reseller, `shop=${shopId}&search=r-2001`))).toEqual(['r-2001']);
  expect(numbersOf(await list(reseller, 'search=r-2003'))).toEqual([]);
  // and as a file
  const book = async ({ token }: Person) => {
    const { status, text } = await call(server, 'GET', '/api/shop-orders', { token, headers: { accept: 'text/csv' } });
    expect(status, text).toBe(200);
    const [head = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(','));
    return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
  };
  const line = { Shop: 'Reseller’s shop', SKU: 'GLIDE', Quantity: '2', Paid: '50.00', Currency: 'USD', USD: '50.00' };
  expect(await book(reseller)).toMatchObject([
    { ...line, Order: 'r-2002', State: 'attention', Serials: (await codesOf('r-2002')).filter(Boolean).join(' ') },
    { ...line, Order: 'r-2001', State: 'refunded', Serials: (await codesOf('r-2001')).join(' ') },
  ]);
  expect((await book(reseller))[1]?.Refunds).toMatch(/^refund \d{4}-\d\d-\d\d/);
  expect((await book(other.reseller)).map(({ Order }) => Order)).toEqual(['r-2003']);
  // whose codes they are sees no order of it
  expect(await book(developer)).toEqual([]);
});

it('a reseller’s shop gives codes itself only where it shows no page of a developer’s, and writes no note in their name', async () => {
  const { reseller } = await makePartners(server);
  const made = (kind: string, delivery: string) =>
    api(reseller, 'POST', '/api/shops', { kind, name: kind, mode: 'live', delivery });
  const taken = ['fastspring', 'other'];
  for (const kind of ['woocommerce', 'shopify', 'fastspring', 'stripe', 'paddle', 'lemonsqueezy', 'gumroad', 'other']) {
    const isTaken = taken.includes(kind);
    const { status, body } = await made(kind, 'shop');
    expect([kind, status, body.errors?.[0]?.path]).toEqual([
      kind,
      isTaken ? 201 : 400,
      isTaken ? undefined : 'delivery',
    ]);
    const { id } = (await made(kind, 'us')).body.shop;
    const changed = await api(reseller, 'PATCH', `/api/shops/${id}`, { delivery: 'shop' });
    expect([kind, changed.status]).toEqual([kind, isTaken ? 200 : 400]);
    const { delivery } = (await api(reseller, 'GET', `/api/shops/${id}`)).body;
    expect([kind, delivery]).toEqual([kind, isTaken ? 'shop' : 'us']);
  }
});

it('a reseller’s shop that gives the codes itself sends no email, and its program reads them from the order', async () => {
  const { reseller, shop, shopId } = await scene(1);
  expect((await api(reseller, 'PATCH', `/api/shops/${shopId}`, { delivery: 'shop' })).status).toBe(200);
  await shop.send('sale.created', saleOf('r-2101', 1));
  await orderIs(reseller, 'r-2101', { state: 'issued', serials: 1 });
  const [{ code }] = unitsOf(await orderOf(reseller, 'r-2101'));
  expect(code).toEqual(expect.any(String));
  const emails = await server.db.query('select 1 from mails where developer_id = $1', [reseller.id]);
  expect(emails).toEqual([]);
});
