import { call, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

it('lists what came from a shop, newest first, with its order and why nothing was made of it', async () => {
  const [ada, stranger] = [await signUpVerified(server), await signUp(server)];
  const api = (path: string, token = ada.token) => call(server, 'GET', path, { token });
  const made = await call(server, 'POST', '/api/shops', { token: ada.token, body: { kind: 'other', name: 'My shop' } });
  const { id, address } = made.body.shop;
  expect((await api('/api/shops')).body.kinds).toContain('other');
  const path = `/api/shops/${id}/deliveries`;
  expect((await api(path)).body).toEqual({ rows: [], next_cursor: null });
  const shop = new OtherShop({ address, secret: made.body.secret });
  const sale = {
    order: '1001',
    email: 'nina@example.com',
    currency: 'USD',
    paid_at: '2026-11-26T09:00:00Z',
    lines: [{ id: '1', sku: 'GLIDE', quantity: 1, paid: '49.00' }],
  };
  expect(await shop.send('sale.created', sale)).toBe(200);
  await expect
    .poll(async () => (await api(path)).body.rows[0], { timeout: 20_000 })
    .toMatchObject({ event: 'sale.created', state: 'done', why: null, order_key: '1001', order_number: '1001' });
  expect(await shop.send('sale.created', { ...sale, order: '1002', currency: 'NOT' })).toBe(200);
  await expect
    .poll(async () => (await api(`${path}?limit=1`)).body.rows[0]?.state, { timeout: 20_000 })
    .not.toBe('received');
  const newest = (await api(`${path}?limit=1`)).body;
  expect(newest.rows).toMatchObject([{ order_key: '1002' }]);
  expect(newest.next_cursor).not.toBeNull();
  const older = (await api(`${path}?limit=1&cursor=${encodeURIComponent(newest.next_cursor)}`)).body;
  expect(older).toMatchObject({ rows: [{ order_key: '1001' }], next_cursor: null });
  expect((await api(path, stranger.token)).status).toBe(404);
});
