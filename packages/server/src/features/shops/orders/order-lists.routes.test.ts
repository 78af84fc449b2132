import { call, makeProduct, type Person, redeem, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let productId: string;
const get = (path: string, token = ada.token) => call(server, 'GET', path, { token });

/** No cell of these has a comma or a line break. */
const csvRows = (text: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','));

async function record(order: string, fields: object = {}) {
  const answer = await call(server, 'POST', '/api/sales', {
    token: ada.token,
    body: {
      order,
      email: `${order.replaceAll(/\W/g, '')}@example.com`,
      currency: 'USD',
      lines: [{ id: '1', quantity: 1, paid: '49.00', product_ids: [productId] }],
      ...fields,
    },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { order_id: string; serials: { code: string }[] };
}

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
  ({ id: productId } = await makeProduct(server, ada.token, { name: 'Glide' }));
});

it('lists orders page by page with their total, by state and shop, by number and address, and one’s own alone', async () => {
  await record('A-1');
  await record('#A-2');
  await record('A-3', { lines: [{ id: '1', sku: 'NOBODY', quantity: 1, paid: '5.00' }] });
  const first = (await get('/api/shop-orders?limit=2')).body;
  expect(first).toMatchObject({ total: 3, total_exact: true, rows: [{ number: 'A-3' }, { number: '#A-2' }] });
  const second = (await get(`/api/shop-orders?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)).body;
  expect(second).toMatchObject({ rows: [{ number: 'A-1' }], next_cursor: null });
  const numbers = async (query: string, token?: string) =>
    (await get(`/api/shop-orders?${query}`, token)).body.rows.map(({ number }: { number: string }) => number);
  expect(await numbers('state=issued')).toEqual(['#A-2', 'A-1']);
  expect(await numbers('state=-issued')).toEqual(['A-3']);
  expect(await numbers('search=A-2')).toEqual(['#A-2']);
  expect(await numbers('search=%23A-1')).toEqual(['A-1']);
  expect(await numbers('search=a1@example.com')).toEqual(['A-1']);
  expect(await numbers('search=A-')).toEqual([]);
  expect(await numbers('dateRange=1w')).toHaveLength(3);
  expect(await numbers('dateRange=2020-01-01_to_2020-01-31')).toEqual([]);
  expect((await get('/api/shop-orders?state=lost')).status).toBe(400);
  const { shops } = (await get('/api/shops')).body;
  expect(await numbers(`shop=${shops[0].id}`)).toHaveLength(3);
  expect(await numbers(`shop=-${shops[0].id}`)).toEqual([]);
  const stranger = await signUp(server);
  expect(await numbers('', stranger.token)).toEqual([]);
  const choices = (await get('/api/shop-orders/choices')).body;
  expect(choices.shop).toEqual([{ value: shops[0].id, label: 'Recorded sales', count: 3, exact: true }]);
  const states = Object.fromEntries(
    choices.state.map(({ value, count }: { value: string; count: number }) => [value, count]),
  );
  expect(states).toMatchObject({ issued: 2 });
  expect((await get('/api/shop-orders/choices', stranger.token)).body).toEqual({ state: [], shop: [] });
});

it('finds the order that a serial was sold in, from the serial too', async () => {
  const { order_id, serials } = await record('B-1');
  const order = (await get(`/api/shop-orders/${order_id}`)).body.order;
  const serialId = order.lines[0].units[0].serial_id as string;
  expect(order.products).toEqual([{ id: productId, name: 'Glide' }]);
  expect((await get(`/api/shop-orders?serial=${serialId}`)).body.rows).toMatchObject([{ id: order_id }]);
  const serial = (await get(`/api/serials/${serialId}`)).body;
  expect(serial).toMatchObject({ code: serials[0]?.code, order: { id: order_id, number: 'B-1' } });
});

const book = (search: string, token = ada.token) =>
  call(server, 'GET', `/api/shop-orders?search=${search}`, { token, headers: { accept: 'text/csv' } });

it('the order book has a line for each line of an order, in the currency that was paid', async () => {
  await record('C-1', {
    currency: 'JPY',
    lines: [
      { id: '1', quantity: 2, paid: '5000', product_ids: [productId] },
      { id: '2', sku: '=FORMULA', quantity: 1, paid: '700' },
    ],
  });
  const answer = await book('C-1');
  expect(answer.status).toBe(200);
  const [head, ...rows] = csvRows(answer.text);
  const records = rows.map((row) => Object.fromEntries((head ?? []).map((name, at) => [name, row[at]])));
  expect(records).toMatchObject([
    { Order: 'C-1', Line: '1', Quantity: '2', Paid: '5000', Currency: 'JPY', Email: 'C1@example.com' },
    { Order: 'C-1', Line: '2', SKU: "'=FORMULA", Paid: '700', Serials: '' },
  ]);
  expect(records[0]?.Serials?.split(' ')).toHaveLength(2);
});

it('the order book has each amount that was given back once, on the first line that it is of', async () => {
  const line = (id: string, paid: string) => ({ id, quantity: 1, paid, product_ids: [productId] });
  const { order_id } = await record('R-1', { lines: [line('1', '49.00'), line('2', '20.50'), line('3', '10.00')] });
  const at = (day: number) => `2026-04-0${day}T10:00:00Z`;
  await server.db.query(
    `insert into shop_reversals (id, developer_id, order_id, key, kind, is_whole, lines, amount, state, happened_at, seen_at)
      select gen_random_uuid(), $1, $2, r.key, r.kind, false, r.lines, r.amount, 'seen', r.at, r.at
      from json_to_recordset($3) r (key text, kind text, lines jsonb, amount text, at timestamptz)`,
    [
      ada.id,
      order_id,
      JSON.stringify([
        {
          key: 'a',
          kind: 'refund',
          lines: [
            { id: '2', quantity: 1 },
            { id: '3', quantity: 1 },
          ],
          amount: '30.50',
          at: at(1),
        },
        { key: 'b', kind: 'refund', lines: null, amount: '5.00', at: at(2) },
        { key: 'c', kind: 'chargeback', lines: [{ id: 'unknown', quantity: 1 }], amount: '44.00', at: at(3) },
      ]),
    ],
  );
  const [head = [], ...rows] = csvRows((await book('R-1')).text);
  const cells = rows.map((row) => ['Line', 'USD', 'Refunded USD', 'Refunds'].map((name) => row[head.indexOf(name)]));
  expect(cells).toEqual([
    ['1', '49.00', '0.00', 'refund 2026-04-02 5.00; chargeback 2026-04-03 44.00'],
    ['2', '20.50', '0.00', 'refund 2026-04-01 30.50; refund 2026-04-02; chargeback 2026-04-03'],
    ['3', '10.00', '0.00', 'refund 2026-04-01; refund 2026-04-02; chargeback 2026-04-03'],
  ]);
});

it('leaves addresses and codes out of the order book for a token that may not read them', async () => {
  await record('D-1');
  const made = await call(server, 'POST', '/api/account/tokens', {
    token: ada.token,
    body: { name: 'Shops', scopes: ['shops:read'] },
  });
  const answer = await book('D-1', made.body.token);
  const [head = [], row = []] = csvRows(answer.text);
  expect([row[head.indexOf('Email')], row[head.indexOf('Serials')], row[head.indexOf('Paid')]]).toEqual([
    '',
    '',
    '49.00',
  ]);
});

it('reports by shop what was sold in it, and what of it was redeemed and given back', async () => {
  const eve = await signUpVerified(server);
  const { id } = await makeProduct(server, eve.token);
  const sale = (order: string, paid: string) =>
    call(server, 'POST', '/api/sales', {
      token: eve.token,
      body: {
        order,
        email: 'nina@example.com',
        currency: 'USD',
        lines: [{ id: '1', quantity: 1, paid, product_ids: [id] }],
      },
    });
  const first = await sale('1', '49.00');
  await sale('2', '20.50');
  await redeem(server, first.body.serials[0].code, 'nina@example.com', eve.id);
  const report = await get('/api/analytics/shops', eve.token);
  expect(report.status, report.text).toBe(200);
  expect(report.body.shops).toMatchObject([
    {
      shop: 'Recorded sales',
      kind: 'other',
      orders: 2,
      paid: 69.5,
      unknown: 0,
      redemptions: 1,
      revenue: 49,
      refunded: 0,
      disputed: 0,
    },
  ]);
  expect((await get('/api/analytics/shops?startDate=2020-01-01&endDate=2020-01-31', eve.token)).body.shops).toEqual([]);
});
