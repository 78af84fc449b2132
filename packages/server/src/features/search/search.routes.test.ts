import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, redeem, signUp } from '../../../../../test/support/http.ts';
import { makePartners } from '../../../../../test/support/partners.ts';
import { startServer, type TestServer } from '../../../../../test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

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
  expect(await find('%')).toEqual({ serials: [], customers: [], products: [] });
  for (const words of [serial?.code as string, 'nina', 'delay']) {
    expect(await find(words, stranger.token)).toEqual({ serials: [], customers: [], products: [] });
  }
  expect((await call(server, 'GET', '/api/search?q=', { token: ada.token })).status).toBe(400);
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
