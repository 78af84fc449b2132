import { call, makeProduct, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let glide: { id: string };
let prism: { id: string };
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
  [glide, prism] = [await makeProduct(server, ada.token), await makeProduct(server, ada.token)];
});

const api = (method: string, path: string, body?: object, token = ada.token) =>
  call(server, method, path, { token, ...(body ? { body } : {}) });
const sale = (order: string, fields: object = {}) => ({
  order,
  email: 'nina@example.com',
  currency: 'USD',
  lines: [{ id: '1', product_ids: [glide.id, prism.id], quantity: 2, paid: '100.00' }],
  ...fields,
});

it('a recorded sale answers its serials at once, and recorded again the same ones', async () => {
  const first = await api('POST', '/api/sales', sale('fair-1'));
  expect(first.status, first.text).toBe(201);
  expect(
    first.body.serials.map(({ product_id, line }: { product_id: string; line: string }) => [product_id, line]),
  ).toEqual([
    [glide.id, '1'],
    [prism.id, '1'],
    [glide.id, '1'],
    [prism.id, '1'],
  ]);
  expect(first.body.waiting).toEqual([]);
  const again = await api('POST', '/api/sales', sale('fair-1'));
  expect(again.body).toEqual(first.body);
  const { order } = (await api('GET', `/api/shop-orders/${first.body.order_id}`)).body;
  expect(order).toMatchObject({ number: 'fair-1', shop_name: 'Recorded sales', state: 'issued', paid_usd: 100 });
  expect(order.lines[0].units.map(({ paid_usd }: { paid_usd: number }) => paid_usd)).toEqual([25, 25, 25, 25]);
  await expectOrderBook(server, ada.id);
});

it('several at once are one order, in one shop', async () => {
  const ben = await signUpVerified(server);
  const product = await makeProduct(server, ben.token);
  const lines = [{ id: '1', product_ids: [product.id], quantity: 1, paid: '10.00' }];
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => api('POST', '/api/sales', sale('rush', { lines }), ben.token)),
  );
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await api('GET', '/api/shops', undefined, ben.token)).body.shops).toHaveLength(1);
  await expectOrderBook(server, ben.id);
});

it('of what is not mapped waits, and reports it; more of it is added to the same order', async () => {
  const first = await api('POST', '/api/sales', sale('fair-2', { lines: [{ id: '1', sku: 'NEW', paid: '5.00' }] }));
  expect(first.body).toMatchObject({ serials: [], waiting: [{ line: '1', why: 'unmapped' }] });
  const lines = [
    { id: '1', sku: 'NEW', paid: '5.00' },
    { id: '2', product_ids: [glide.id], paid: '0.00' },
  ];
  const second = await api('POST', '/api/sales', sale('fair-2', { lines }));
  expect(second.body.order_id).toBe(first.body.order_id);
  expect(second.body).toMatchObject({ serials: [{ line: '2' }], waiting: [{ line: '1', why: 'unmapped' }] });
});

it('in another currency counts by the rate of its day, or at the list price, and no missing rate keeps a code', async () => {
  await server.db.query(
    `insert into shop_rates (currency, day, usd) values ('EUR', '2031-03-07', '1.0834'), ('JPY', '2031-03-07', '0.0067')
     on conflict do nothing`,
  );
  const paid = async (order: string, currency: string, amount: string, paid_at: string) => {
    const lines = [{ id: '1', product_ids: [glide.id], quantity: 1, paid: amount }];
    const { body } = await api('POST', '/api/sales', sale(order, { currency, lines, paid_at }));
    expect(body.serials).toHaveLength(1);
    const { order: shown } = (await api('GET', `/api/shop-orders/${body.order_id}`)).body;
    const [line] = shown.lines;
    return [
      line.paid,
      line.paid_usd,
      line.rate,
      line.rate_source,
      shown.reasons.map(({ reason }: { reason: string }) => reason),
    ];
  };
  // a Sunday has the rate of the Friday before
  expect(await paid('eur', 'eur', '49.00', '2031-03-09T10:00:00Z')).toEqual(['49.00', 53.09, '1.0834', 'day', []]);
  expect(await paid('jpy', 'JPY', '5000', '2031-03-07T10:00:00Z')).toEqual(['5000', 33.5, '0.0067', 'day', []]);
  expect(await paid('kwd', 'KWD', '12.345', '2031-03-07T10:00:00Z')).toEqual([
    '12.345',
    null,
    null,
    'list',
    ['list_price'],
  ]);
  expect(await paid('old', 'EUR', '49.00', '2031-03-20T10:00:00Z')).toEqual([
    '49.00',
    null,
    null,
    'list',
    ['list_price'],
  ]);
  await expectOrderBook(server, ada.id);
});

it('is refused when it makes no sense, and nothing is recorded', async () => {
  const line = { id: '1', product_ids: [glide.id], paid: '1.00' };
  for (const fields of [
    { lines: [] },
    { lines: [line, line] },
    { lines: [{ ...line, paid: 1 }] },
    { lines: [{ ...line, paid: '-1.00' }] },
    { lines: [{ ...line, quantity: 0 }] },
    { lines: [{ ...line, quantity: 10_001 }] },
    { lines: [{ id: '1', paid: '1.00' }] },
    { lines: [{ ...line, product_ids: ['01900000-0000-7000-8000-000000000000'] }] },
    { currency: 'EURO' },
    { email: 'nobody' },
    { order: '' },
    { color: 'red' },
  ]) {
    const answer = await api('POST', '/api/sales', sale('senseless', fields));
    expect([JSON.stringify(fields), answer.status]).toEqual([JSON.stringify(fields), 400]);
  }
  expect((await api('GET', '/api/shop-orders?search=senseless')).body.rows).toEqual([]);
  const stranger = await signUpVerified(server);
  const theirs = (await api('POST', '/api/shops', { kind: 'other', name: 'Theirs' }, stranger.token)).body.shop.id;
  expect((await api('POST', '/api/sales', sale('theirs', { shop_id: theirs }))).status).toBe(404);
});

it('of 500 of one thing is one order, and one email', async () => {
  const lines = [{ id: '1', product_ids: [glide.id], quantity: 500, paid: '9999.99' }];
  const email = `big-${ada.id}@example.com`;
  const { body } = await api('POST', '/api/sales', sale('big', { lines, email }));
  expect(new Set(body.serials.map(({ code }: { code: string }) => code)).size).toBe(500);
  const sum = await server.db.query(
    'select sum(usd_cents)::int as cents from shop_units where developer_id = $1 and order_id = $2',
    [ada.id, body.order_id],
  );
  expect(sum).toEqual([{ cents: 999_999 }]);
  const sent = await server.db.query('select 1 from mails where recipient = $1', [email]);
  expect(sent).toHaveLength(1);
  await expectOrderBook(server, ada.id);
});
