import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, redeem, signUp } from '../../../../../test/support/http.ts';
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
