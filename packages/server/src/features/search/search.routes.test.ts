import { plantStatement } from '@tonerow/test-support/billing.ts';
import { call, makeProduct, makeSerials, redeem, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { plantPayout } from '@tonerow/test-support/payouts.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

const nothing = {
  serials: [],
  customers: [],
  orders: [],
  products: [],
  batches: [],
  resellers: [],
  statements: [],
  invoices: [],
};

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('finds a serial by pasting it, a customer by address, a product by name, and nothing of other accounts', async () => {
  const [ada, stranger] = [await signUp(server), await signUp(server)];
  const product = await makeProduct(server, ada.token, { name: 'Tape Delay' });
  const [serial] = await makeSerials(server, ada.token, product.id);
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  const find = async (q: string, token = ada.token) =>
    (await call(server, 'GET', `/api/search?q=${encodeURIComponent(q)}`, { token })).body;
  expect((await find(` ${serial?.code.toLowerCase().replaceAll('-', ' ')}`)).serials).toEqual([
    { id: serial?.id, code: serial?.code, product_name: 'Tape Delay', redeemed: true, revoked: false },
  ]);
  expect((await find('nina@')).customers[0].email).toBe('nina@example.com');
  expect((await find('delay')).products[0].name).toBe('Tape Delay');
  expect(await find('%')).toEqual(nothing);
  for (const words of [serial?.code as string, 'nina', 'delay']) {
    expect(await find(words, stranger.token)).toEqual(nothing);
  }
  expect((await call(server, 'GET', '/api/search?q=', { token: ada.token })).status).toBe(400);
});

it('finds each by its id, a redeemed serial by its last block, a batch by its tag and a reseller by name', async () => {
  const pair = await makePartners(server);
  const { token, id: ownerId } = pair.developer;
  const stranger = await signUp(server);
  const product = await makeProduct(server, token, { name: 'Glass Reverb' });
  const made = await makeSerials(server, token, product.id, { quantity: 2, batch_tag: 'Black Friday' });
  const [serial, unsold] = made as [(typeof made)[0], (typeof made)[0]];
  await redeem(server, serial.code, 'omar@example.com', ownerId);
  const find = async (q: string, by = token) =>
    (await call(server, 'GET', `/api/search?q=${encodeURIComponent(q)}`, { token: by })).body;
  const [customer] = (await find('omar@')).customers;
  const [batch] = (await find('black fri')).batches;
  expect(batch).toMatchObject({ batch_tag: 'Black Friday', product_name: 'Glass Reverb', quantity: 2 });
  const ids = { serials: serial.id, customers: customer.id, products: product.id, batches: batch.id };
  for (const [kind, id] of Object.entries({ ...ids, resellers: pair.partnershipId })) {
    const found = await find(id as string);
    expect(found).toEqual({ ...nothing, [kind]: [expect.objectContaining({ id })] });
    expect(await find(id as string, stranger.token)).toEqual(nothing);
  }
  const tail = serial.code.slice(-4);
  expect((await find(tail.toLowerCase())).serials.map(({ id }: { id: string }) => id)).toEqual([serial.id]);
  expect((await find(tail, stranger.token)).serials).toEqual([]);
  // a serial that nobody owns yet has no customer who could read its last block out
  expect((await find(unsold.code.slice(-4))).serials).toEqual([]);
  const [reseller] = (await find(pair.partnershipId)).resellers;
  expect((await find(reseller.name.slice(0, 4))).resellers).toContainEqual(reseller);
});

it('finds what an order of a reseller’s shop was given, until it is returned, and only for its developer', async () => {
  const pair = await makePartners(server);
  const other = await makePartners(server);
  const product = await makeProduct(server, pair.developer.token, { name: 'Spring Tank' });
  await makeSerials(server, pair.developer.token, product.id, { reseller_id: pair.partnershipId, quantity: 3 });
  const drawn = await call(server, 'POST', '/api/reseller/serials/draw', {
    token: pair.reseller.token,
    body: { product_id: product.id, reference: 'SHOP 4711/a', quantity: 2 },
  });
  expect(drawn.status, drawn.text).toBe(201);
  const codes: string[] = drawn.body.serials.map(({ code }: { code: string }) => code);
  const find = async (q: string, { token } = pair.developer) =>
    (await call(server, 'GET', `/api/search?q=${encodeURIComponent(q)}`, { token })).body.serials.map(
      ({ code }: { code: string }) => code,
    );
  expect(await find(' SHOP 4711/a ')).toEqual([...codes].sort());
  expect(await find('SHOP 4711')).toEqual([]);
  expect(await find('SHOP 4711/a', other.developer)).toEqual([]);
  const returned = await call(server, 'POST', '/api/reseller/serials/draws/SHOP%204711%2Fa/return', {
    token: pair.reseller.token,
    body: { codes: [codes[0]] },
  });
  expect(returned.status, returned.text).toBe(200);
  expect(await find('SHOP 4711/a')).toEqual([codes[1]]);
});

it('finds a statement and an invoice by their number as it is written or said, and by their id, and only one’s own', async () => {
  const [ada, stranger] = [await signUp(server), await signUp(server)];
  const { id: statement } = await plantPayout(server.db, ada.id);
  const invoice = await plantStatement(server.db, ada, { number: '2026-0001' });
  await plantStatement(server.db, ada, { number: '2026-RT4K2-0012', month: '2026-03-01' });
  const find = async (q: string, token = ada.token) =>
    (await call(server, 'GET', `/api/search?q=${encodeURIComponent(q)}`, { token })).body;
  const found = {
    statements: [{ id: statement, number: '2026-0001', month: '2026-01', reseller_name: 'Shop' }],
    invoices: [{ id: invoice, number: '2026-0001', month: '2026-02' }],
  };
  const { statements, invoices } = found;
  for (const [words, what] of [
    ['2026-0001', found],
    ['#2026-0001', found],
    [' Statement 2026-1 ', { statements }],
    ['invoice 2026-1', { invoices }],
  ] as const) {
    expect(await find(words), words).toEqual({ ...nothing, ...what });
    expect(await find(words, stranger.token), words).toEqual(nothing);
  }
  expect(await find(statement)).toMatchObject({ statements: found.statements, invoices: [] });
  expect(await find(invoice)).toEqual({ ...nothing, invoices: found.invoices });
  for (const id of [statement, invoice]) expect(await find(id, stranger.token)).toEqual(nothing);
  expect((await find('2026-rt4k2-0012')).invoices).toMatchObject([{ number: '2026-RT4K2-0012' }]);
  expect(await find('2026-0002')).toEqual(nothing);
});

it('finds an order of a shop by its number as it is written or typed, and by its id, and only one’s own', async () => {
  const [ada, stranger] = [await signUpVerified(server), await signUp(server)];
  const product = await makeProduct(server, ada.token);
  const recorded = await call(server, 'POST', '/api/sales', {
    token: ada.token,
    body: {
      order: '#70411',
      currency: 'USD',
      email: 'nina@example.com',
      lines: [{ id: '1', quantity: 1, paid: '49.00', product_ids: [product.id] }],
    },
  });
  expect(recorded.status, recorded.text).toBe(201);
  const id = recorded.body.order_id as string;
  const find = async (q: string, token = ada.token) =>
    (await call(server, 'GET', `/api/search?q=${encodeURIComponent(q)}`, { token })).body;
  for (const words of ['#70411', '70411', id]) {
    expect((await find(words)).orders, words).toEqual([
      { id, number: '#70411', state: 'issued', shop_name: 'Recorded sales' },
    ]);
    expect((await find(words, stranger.token)).orders, words).toEqual([]);
  }
  expect((await find('7041')).orders).toEqual([]);
});

it('finds for an access token what its scopes read, and nothing else', async () => {
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token, { name: 'Secret Verb' });
  const [serial] = await makeSerials(server, ada.token, product.id, { batch_tag: 'secret-tag' });
  await redeem(server, serial?.code as string, 'secret@example.com', ada.id);
  await plantPayout(server.db, ada.id);
  await plantStatement(server.db, ada, { number: '2026-0001' });
  // as an order that has the number of an invoice
  await server.db.query(
    `with shop as (insert into shop_connections
      (id, developer_id, kind, name, mode, token, state, delivering, on_refund, on_dispute, created_at)
      values (gen_random_uuid(), $1, 'other', 'Mine', 'live', gen_random_uuid()::text, 'active', 'us', 'ask', 'suspend', now()) returning id)
    insert into shop_orders (id, developer_id, connection_id, external_id, number, state, reasons, settled, received_at, updated_at)
      select gen_random_uuid(), $1, id, '2026-0001', '2026-0001', 'pending', '{}', '{}', now(), now() from shop`,
    [ada.id],
  );
  const kindsOf = {
    'customers:read': ['customers'],
    'serials:read': ['batches', 'serials'],
    'shops:read': ['orders'],
    'products:read': ['products'],
    'resellers:read': ['resellers'],
    'payouts:read': ['statements'],
    'account:read': ['invoices'],
  };
  for (const [scope, kinds] of Object.entries(kindsOf)) {
    const made = await call(server, 'POST', '/api/account/tokens', {
      token: ada.token,
      body: { name: scope, scopes: [scope] },
    });
    const found = new Set<string>();
    for (const q of ['secret', serial?.code as string, '2026-0001', 'shop']) {
      const { body } = await call(server, 'GET', `/api/search?q=${q}`, { token: made.body.token });
      for (const [kind, rows] of Object.entries(body)) if ((rows as unknown[]).length > 0) found.add(kind);
    }
    expect([...found].sort(), scope).toEqual(kinds);
  }
});
