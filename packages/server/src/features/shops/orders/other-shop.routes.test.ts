import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { deliver, OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

interface Scene {
  ada: Person;
  shop: OtherShop;
  shopId: string;
  glide: { id: string; name: string };
  prism: { id: string; name: string };
}

const api = (ada: Person, method: string, path: string, body?: object) =>
  call(server, method, path, { token: ada.token, ...(body ? { body } : {}) });

/** A developer with two products, and a shop that sells them. */
async function scene(shopFields: object = {}, { mapped = true } = {}): Promise<Scene> {
  const ada = await signUpVerified(server);
  const made = await api(ada, 'POST', '/api/shops', { kind: 'other', name: 'My shop', ...shopFields });
  expect(made.status, made.text).toBe(201);
  const [glide, prism] = [await makeProduct(server, ada.token), await makeProduct(server, ada.token)];
  const shop = new OtherShop({ address: made.body.shop.address, secret: made.body.secret });
  const shopId = made.body.shop.id as string;
  if (mapped) {
    const items = [
      { key: 'GLIDE', product_ids: [glide.id] },
      { key: 'PRISM', product_ids: [prism.id] },
    ];
    expect((await api(ada, 'PUT', `/api/shops/${shopId}/items`, { items })).status).toBe(200);
  }
  return { ada, shop, shopId, glide, prism };
}

const saleOf = (order: string, fields: object = {}) => ({
  order,
  email: `buyer-${randomUUID()}@example.com`,
  first_name: 'Nina',
  last_name: 'Simone',
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [
    { id: '1', sku: 'GLIDE', quantity: 2, paid: '98.01' },
    { id: '2', sku: 'PRISM', quantity: 1, paid: '29.00' },
  ],
  ...fields,
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Loose = any;

async function orderOf(ada: Person, number: string): Promise<Loose> {
  const { body } = await api(ada, 'GET', `/api/shop-orders?search=${encodeURIComponent(number)}`);
  if (body.rows.length === 0) return undefined;
  return (await api(ada, 'GET', `/api/shop-orders/${body.rows[0].id}`)).body.order;
}
const orderIs = (ada: Person, number: string, expected: object) =>
  expect.poll(() => orderOf(ada, number), { timeout: 20_000 }).toMatchObject(expected);
const unitsOf = (order: Loose): Loose[] => order.lines.flatMap(({ units }: Loose) => units);
/** Once nothing that came is waiting any more. */
const allDone = (ada: Person, shopId: string) =>
  expect.poll(async () => (await api(ada, 'GET', `/api/shops/${shopId}`)).body.waiting, { timeout: 20_000 }).toBe(0);

describe('a sale', () => {
  it('becomes serials that its customer is emailed, once, and that cost what was paid', async () => {
    const { ada, shop, shopId, glide, prism } = await scene();
    const sale = saleOf('#1001');
    const sent = shop.event('sale.created', sale);
    expect(await deliver(sent)).toBe(200);
    await orderIs(ada, '#1001', { state: 'issued', email: sale.email, paid: '127.01', paid_usd: 127.01, serials: 3 });
    const order = await orderOf(ada, '#1001');
    const units = unitsOf(order);
    expect(units.map(({ paid_usd, state }) => [paid_usd, state])).toEqual([
      [49.01, 'delivered'],
      [49, 'delivered'],
      [29, 'delivered'],
    ]);
    expect(new Set(units.map(({ code }) => code)).size).toBe(3);
    const email = await server.email(({ to }) => to?.[0]?.address === sale.email);
    for (const { code } of units) expect(email.text).toContain(code);
    // a customer who has never met the developer knows what they bought
    for (const { name } of [glide, prism]) expect(email.text).toContain(name);
    // again, as it was sent, and by another id
    expect(await deliver(sent)).toBe(200);
    expect(await shop.send('sale.updated', sale, new Date(Date.now() + 1000))).toBe(200);
    await allDone(ada, shopId);
    expect(unitsOf(await orderOf(ada, '#1001'))).toEqual(units);
    // the first one is redeemed for what was paid
    await redeem(server, units[0].code, sale.email, ada.id);
    const ledger = await server.db.query('select final_price_cents from redemptions where developer_id = $1', [ada.id]);
    expect(ledger).toEqual([{ final_price_cents: 4901 }]);
    await expectOrderBook(server, ada.id);
  });

  it('for which nothing was paid is free, also at redemption', async () => {
    const { ada, shop } = await scene();
    const sale = saleOf('free', { lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '0.00' }] });
    await shop.send('sale.created', sale);
    await orderIs(ada, 'free', { state: 'issued' });
    const [{ code }] = unitsOf(await orderOf(ada, 'free'));
    await redeem(server, code, sale.email, ada.id);
    const ledger = await server.db.query('select final_price_cents from redemptions where developer_id = $1', [ada.id]);
    expect(ledger).toEqual([{ final_price_cents: 0 }]);
    await expectOrderBook(server, ada.id);
  });

  it('whose serials were made for it warns of no stock that is low when one is redeemed', async () => {
    const { ada, shop } = await scene();
    const sale = saleOf('no-stock');
    await shop.send('sale.created', sale);
    await orderIs(ada, 'no-stock', { state: 'issued' });
    const [{ code }] = unitsOf(await orderOf(ada, 'no-stock'));
    await redeem(server, code, sale.email, ada.id);
    const notices = await server.db.query('select kind from notices where account_id = $1', [ada.id]);
    expect(notices).toEqual([]);
  });

  it('that is not paid yet waits for that, and one that was paid stays paid', async () => {
    const { ada, shop, shopId } = await scene();
    const sale = saleOf('later');
    const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000);
    await shop.send('sale.created', { ...sale, paid_at: null }, at(0));
    await orderIs(ada, 'later', { state: 'pending', serials: 0 });
    await shop.send('sale.updated', sale, at(1));
    await orderIs(ada, 'later', { state: 'issued', serials: 3 });
    await shop.send('sale.updated', { ...sale, paid_at: null }, at(2));
    await allDone(ada, shopId);
    await orderIs(ada, 'later', { state: 'issued', serials: 3 });
  });

  it('of something that nobody has mapped waits, and is delivered once somebody has', async () => {
    const { ada, shop, shopId, glide, prism } = await scene({}, { mapped: false });
    await shop.send('sale.created', saleOf('#7'));
    await orderIs(ada, '#7', { state: 'attention', serials: 0, reasons: [{ reason: 'unmapped' }] });
    const items = await api(ada, 'GET', `/api/shops/${shopId}/items?unmapped=true`);
    expect(items.body.rows.map(({ key }: Loose) => key)).toEqual(['GLIDE', 'PRISM']);
    const map = (mapping: object[]) => api(ada, 'PUT', `/api/shops/${shopId}/items`, { items: mapping });
    await map([{ key: 'GLIDE', product_ids: [glide.id, prism.id], units: 2 }]);
    // two pieces of two products, twice each
    await orderIs(ada, '#7', { state: 'attention', serials: 8 });
    await map([{ key: 'PRISM', product_ids: [prism.id] }]);
    await orderIs(ada, '#7', { state: 'issued', serials: 9, reasons: [] });
    // delivered serials stay, whatever the item is mapped to later
    await map([{ key: 'PRISM', product_ids: [glide.id] }]);
    await shop.send('sale.updated', saleOf('#7'), new Date(Date.now() + 1000));
    await allDone(ada, shopId);
    expect((await orderOf(ada, '#7')).lines[1].product_ids).toEqual([prism.id]);
    await expectOrderBook(server, ada.id);
  });

  it('waits once what it is mapped to is forgotten, and whatever else the shop sells stays mapped', async () => {
    const { ada, shop, shopId } = await scene();
    const forget = () => api(ada, 'DELETE', `/api/shops/${shopId}/items/GLIDE`);
    expect((await forget()).status).toBe(200);
    expect((await forget()).status).toBe(404);
    const { rows } = (await api(ada, 'GET', `/api/shops/${shopId}/items`)).body;
    expect(rows.map(({ key }: Loose) => key)).toEqual(['PRISM']);
    await shop.send('sale.created', saleOf('#8'));
    await orderIs(ada, '#8', { state: 'attention', serials: 1, reasons: [{ reason: 'unmapped' }] });
    await expectOrderBook(server, ada.id);
  });

  it('takes serials of a batch where that is what it is mapped to, waits without any, and gets them once they come', async () => {
    const { ada, shop, shopId, glide } = await scene();
    const pool = { batch_tag: 'shop', quantity: 1 };
    const [only] = await makeSerials(server, ada.token, glide.id, pool);
    await makeSerials(server, ada.token, glide.id, { quantity: 2, batch_tag: 'other' });
    const items = [{ key: 'GLIDE', product_ids: [glide.id], source: 'pool', batch_tag: 'shop' }];
    await api(ada, 'PUT', `/api/shops/${shopId}/items`, { items });
    await shop.send('sale.created', saleOf('pool', { lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }] }));
    await orderIs(ada, 'pool', { state: 'attention', serials: 1, missing: 1, reasons: [{ reason: 'out_of_stock' }] });
    expect(unitsOf(await orderOf(ada, 'pool'))[0].code).toBe(only?.code);
    await makeSerials(server, ada.token, glide.id, pool);
    // whatever makes it look again, as the minute does
    await api(ada, 'PUT', `/api/shops/${shopId}/items`, { items });
    await orderIs(ada, 'pool', { state: 'issued', serials: 2, missing: 0 });
    await expectOrderBook(server, ada.id);
  });

  it('that waits for serials follows what its line is mapped to then, and what it has stays', async () => {
    const { ada, shop, shopId, glide, prism } = await scene();
    const map = async (mapping: object[]) =>
      expect((await api(ada, 'PUT', `/api/shops/${shopId}/items`, { items: mapping })).status).toBe(200);
    const wrong = { key: 'GLIDE', product_ids: [glide.id], source: 'pool', batch_tag: 'wrong' };
    const line = (quantity: number) => ({ id: '1', sku: 'GLIDE', quantity, paid: '98.00' });
    const prismLine = { id: '2', sku: 'PRISM', quantity: 1, paid: '29.00' };
    await map([wrong]);
    await shop.send('sale.created', saleOf('tag', { lines: [line(2), prismLine] }));
    await orderIs(ada, 'tag', { state: 'attention', serials: 1, missing: 2, reasons: [{ reason: 'out_of_stock' }] });
    const [before] = unitsOf(await orderOf(ada, 'tag')).filter(({ code }) => code !== null);
    const pool = await makeSerials(server, ada.token, glide.id, { batch_tag: 'right', quantity: 2 });
    await map([
      { ...wrong, batch_tag: 'right' },
      { key: 'PRISM', product_ids: [glide.id] },
    ]);
    await orderIs(ada, 'tag', { state: 'issued', serials: 3, missing: 0, reasons: [] });
    const [own, other] = (await orderOf(ada, 'tag')).lines;
    expect(own.units.map(({ code }: Loose) => code).sort()).toEqual(pool.map(({ code }) => code).sort());
    expect([other.product_ids, other.units]).toEqual([[prism.id], [before]]);
    // one of two was there: the other one waits for what the line is sold as
    const [last] = await makeSerials(server, ada.token, glide.id, { batch_tag: 'right', quantity: 1 });
    await shop.send('sale.created', saleOf('half', { lines: [line(2)] }));
    await orderIs(ada, 'half', { serials: 1, missing: 1, reasons: [{ reason: 'out_of_stock' }] });
    // the next waits as well, and is a bundle by the time that it gets its serials
    await shop.send('sale.created', saleOf('bundle', { lines: [line(1)] }));
    await orderIs(ada, 'bundle', { serials: 0, missing: 1, reasons: [{ reason: 'out_of_stock' }] });
    await map([{ key: 'GLIDE', product_ids: [prism.id, glide.id], units: 2 }]);
    await orderIs(ada, 'bundle', { state: 'issued', serials: 4, missing: 0, reasons: [] });
    const bundle = unitsOf(await orderOf(ada, 'bundle')).map(({ paid_usd }) => paid_usd);
    expect(bundle).toEqual([24.5, 24.5, 24.5, 24.5]);
    await allDone(ada, shopId);
    const half = await orderOf(ada, 'half');
    expect([half.serials, half.missing, half.lines[0].product_ids]).toEqual([1, 1, [glide.id]]);
    expect(half.lines[0].units[0].code).toBe(last?.code);
    await expectOrderBook(server, ada.id);
  });

  it('of a product that is deleted before it gets its serials follows what its line is mapped to then', async () => {
    const { ada, shop, shopId, glide, prism } = await scene();
    expect((await api(ada, 'DELETE', `/api/products/${glide.id}`)).status).toBeLessThan(300);
    await shop.send('sale.created', saleOf('gone', { lines: [saleOf('').lines[0]] }));
    await orderIs(ada, 'gone', { state: 'attention', missing: 2, reasons: [{ reason: 'product_gone' }] });
    await api(ada, 'PUT', `/api/shops/${shopId}/items`, { items: [{ key: 'GLIDE', product_ids: [prism.id] }] });
    await orderIs(ada, 'gone', { state: 'issued', serials: 2, missing: 0, reasons: [] });
    await expectOrderBook(server, ada.id);
  });

  it('without an address gives its codes to the seller, and a test order test codes that count nowhere', async () => {
    const { ada, shop } = await scene();
    await shop.send('sale.created', saleOf('till', { email: null }));
    await orderIs(ada, 'till', { state: 'attention', serials: 3, reasons: [{ reason: 'no_email' }] });
    expect(unitsOf(await orderOf(ada, 'till')).every(({ state, code }) => state === 'issued' && code)).toBe(true);
    await shop.send('sale.created', saleOf('try', { test: true }));
    await orderIs(ada, 'try', { state: 'issued', test: true });
    for (const { code, serial_id } of unitsOf(await orderOf(ada, 'try')))
      expect([code, serial_id]).toEqual([expect.stringMatching(/^TEST-ACTV-\w{4}-\w{4}$/), null]);
    await expectOrderBook(server, ada.id);
  });
});

describe('what is taken back', () => {
  it('before its sale comes leaves a mark, so that nothing is given later', async () => {
    const { ada, shop, shopId } = await scene();
    await shop.send('sale.refunded', { order: 'early', refund: 'r1' });
    await orderIs(ada, 'early', { state: 'seen', reversals: [{ key: 'r1', state: 'seen' }] });
    await shop.send('sale.created', saleOf('early'));
    await orderIs(ada, 'early', { state: 'refunded', serials: 0, reversals: [{ key: 'r1', state: 'applied' }] });
    await allDone(ada, shopId);
    expect(unitsOf(await orderOf(ada, 'early')).every(({ code }) => code === null)).toBe(true);
    await expectOrderBook(server, ada.id);
  });

  it('by a refund of everything is dead in every plugin, and the ledger has given it back, once', async () => {
    const { ada, shop, shopId } = await scene();
    const sale = saleOf('back');
    await shop.send('sale.created', sale);
    await orderIs(ada, 'back', { state: 'issued' });
    const [{ code, serial_id }] = unitsOf(await orderOf(ada, 'back'));
    await redeem(server, code, sale.email, ada.id);
    await shop.send('sale.refunded', { order: 'back', refund: 'r1' });
    await orderIs(ada, 'back', { state: 'refunded', serials: 0 });
    // a dispute of what is refunded gives nothing back a second time
    await shop.send('sale.disputed', { order: 'back', refund: 'd1' });
    await allDone(ada, shopId);
    const serial = (await api(ada, 'GET', `/api/serials/${serial_id}`)).body;
    expect(serial.revoked_at ?? serial.serial?.revoked_at).not.toBeNull();
    const booked = await server.db.query('select kind, revenue_cents from ledger_adjustments where developer_id = $1', [
      ada.id,
    ]);
    expect(booked).toEqual([{ kind: 'refund', revenue_cents: -4901 }]);
    await expectOrderBook(server, ada.id);
  });

  it('by a dispute is suspended, and the same code works again when it is won', async () => {
    const { ada, shop } = await scene();
    const sale = saleOf('fight');
    await shop.send('sale.created', sale);
    await orderIs(ada, 'fight', { state: 'issued' });
    const before = unitsOf(await orderOf(ada, 'fight'));
    await redeem(server, before[0].code, sale.email, ada.id);
    await shop.send('sale.disputed', { order: 'fight', refund: 'd1' });
    await orderIs(ada, 'fight', { state: 'disputed' });
    expect(unitsOf(await orderOf(ada, 'fight')).map(({ state }) => state)).toEqual(Array(3).fill('suspended'));
    await expectOrderBook(server, ada.id);
    await shop.send('sale.dispute_won', { order: 'fight', refund: 'd1' });
    await orderIs(ada, 'fight', { state: 'issued' });
    const after = unitsOf(await orderOf(ada, 'fight'));
    expect(after.map(({ code, state }) => [code, state])).toEqual(before.map(({ code }) => [code, 'delivered']));
    const booked = await server.db.query(
      'select kind, revenue_cents from ledger_adjustments where developer_id = $1 order by created_at, id',
      [ada.id],
    );
    expect(booked).toEqual([
      { kind: 'chargeback', revenue_cents: -4901 },
      { kind: 'reinstatement', revenue_cents: 4901 },
    ]);
    await expectOrderBook(server, ada.id);
  });

  it('by a dispute is revoked where that is set, and gives the same code again when it is won', async () => {
    const { ada, shop } = await scene({ on_dispute: 'revoke' });
    await shop.send('sale.created', saleOf('firm'));
    await orderIs(ada, 'firm', { state: 'issued' });
    const codes = unitsOf(await orderOf(ada, 'firm')).map(({ code }) => code);
    await shop.send('sale.disputed', { order: 'firm', refund: 'd1' });
    await expect
      .poll(async () => unitsOf(await orderOf(ada, 'firm')).map(({ state }) => state), { timeout: 20_000 })
      .toEqual(Array(3).fill('revoked'));
    await expectOrderBook(server, ada.id);
    await shop.send('sale.dispute_won', { order: 'firm', refund: 'd1' });
    await orderIs(ada, 'firm', { state: 'issued', serials: 3 });
    expect(unitsOf(await orderOf(ada, 'firm')).map(({ code }) => code)).toEqual(codes);
    await expectOrderBook(server, ada.id);
  });

  it('as an amount takes no serial: of what is redeemed the ledger gives a part back, the rest is redeemed for less', async () => {
    const { ada, shop } = await scene();
    const sale = saleOf('less');
    await shop.send('sale.created', sale);
    await orderIs(ada, 'less', { state: 'issued' });
    const units = unitsOf(await orderOf(ada, 'less'));
    await redeem(server, units[0].code, sale.email, ada.id);
    await shop.send('sale.refunded', { order: 'less', refund: 'r1', amount: '12.70' });
    await orderIs(ada, 'less', { state: 'attention', serials: 3, reasons: [{ reason: 'amount_refund' }] });
    await redeem(server, units[2].code, sale.email, ada.id);
    const ledger = await server.db.query(
      `select r.final_price_cents, a.revenue_cents from redemptions r
         left join ledger_adjustments a on (a.developer_id, a.redemption_id) = (r.developer_id, r.id)
       where r.developer_id = $1 order by r.final_price_cents desc`,
      [ada.id],
    );
    expect(ledger).toEqual([
      { final_price_cents: 4901, revenue_cents: -491 },
      { final_price_cents: 2611, revenue_cents: null },
    ]);
    await expectOrderBook(server, ada.id);
  });
});

describe('whatever comes in whatever order', () => {
  it('ends in the same, also when all of it comes at once', async () => {
    const { ada, shop, shopId } = await scene();
    const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000);
    const sale = saleOf('x');
    const three = [{ id: '1', sku: 'GLIDE', quantity: 3, paid: '147.00' }, sale.lines[1]];
    const events = (order: string) => [
      shop.event('sale.created', { ...sale, order, paid_at: null }, at(0)),
      shop.event('sale.updated', { ...sale, order }, at(1)),
      shop.event('sale.updated', { ...sale, order, lines: three }, at(2)),
      shop.event('sale.refunded', { order, refund: 'r1', lines: [{ id: '1', quantity: 1 }] }, at(3)),
      shop.event('sale.disputed', { order, refund: 'd1' }, at(4)),
      shop.event('sale.dispute_won', { order, refund: 'd1' }, at(5)),
    ];
    const orders = Array.from({ length: 24 }, (_, n) => `x-${n}`);
    await Promise.all(
      orders.map(async (order, n) => {
        // another order for each, and every second of them all at once, twice
        const all = events(order);
        const shuffled = all.map((event, at) => ({ event, key: (at * 7 + n * 5) % 11 }));
        shuffled.sort((a, b) => a.key - b.key);
        if (n % 2 === 0) for (const { event } of shuffled) expect(await deliver(event)).toBe(200);
        else
          expect(await Promise.all([...shuffled, ...shuffled].map(({ event }) => deliver(event)))).toEqual(
            Array(12).fill(200),
          );
      }),
    );
    await allDone(ada, shopId);
    const rows = (await api(ada, 'GET', '/api/shop-orders')).body.rows as Loose[];
    expect(rows.map(({ number }) => number).sort()).toEqual([...orders].sort());
    for (const row of rows)
      expect([row.number, row.state, row.serials, row.missing, row.paid]).toEqual([
        row.number,
        'issued',
        3,
        0,
        '176.00',
      ]);
    await expectOrderBook(server, ada.id);
  });
});

it('a refund that is reported twice before anything of its order was worked on counts once', async () => {
  const shop = await ShopScene.begin(server, { kind: 'other' });
  const other = new OtherShop(shop);
  // reports that come meanwhile are worked on together
  await shop.api('POST', `/api/shops/${shop.shopId}/pause`);
  const refund = { order: 'twice', refund: 'r1', lines: [{ id: '1', quantity: 1 }] };
  for (const at of [new Date(), new Date(Date.now() + 1000)]) await other.send('sale.refunded', refund, at);
  await other.send('sale.created', {
    order: 'twice',
    email: buyer(),
    currency: 'USD',
    paid_at: '2026-11-26T09:00:00Z',
    lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }],
  });
  await shop.api('POST', `/api/shops/${shop.shopId}/resume`);
  const order = await shop.becomes('twice', { state: 'issued', serials: 1 });
  expect(order.reversals).toMatchObject([{ kind: 'refund', state: 'applied' }]);
  await shop.done();
  await expectOrderBook(server, shop.ada.id);
});
