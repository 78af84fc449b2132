import { call, makeProduct, type Person } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let developer: Person;
let reseller: Person;
beforeAll(async () => {
  server = await sharedServer();
  ({ developer, reseller } = await makePartners(server));
});

const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${developer.token}`, ...headers },
    ...(body !== undefined && { body }),
  });

describe('a parameter without a value', () => {
  it.each([
    '/api/analytics?startDate=&endDate=',
    '/api/billing/summary?startDate=&endDate=',
    '/api/customers/list?dateRange=&search=',
    '/api/serials/redeemed?dateRange=&limit=',
  ])('counts as left out: %s', async (path) => {
    const [blank, without] = await Promise.all(
      [path, path.replace(/\?.*/, '')].map((each) => call(server, 'GET', each, { token: developer.token })),
    );
    expect(blank?.status, blank?.text).toBe(200);
    expect(blank?.body).toEqual(without?.body);
  });

  it('filters no serials of a product away', async () => {
    const product = await makeProduct(server, developer.token, { name: 'Prism', price: 10 });
    const [partner] = (await call(server, 'GET', '/api/reseller/developer/resellers', { token: developer.token })).body;
    const batch = { product_id: product.id, quantity: 3, reseller_id: partner.id };
    await call(server, 'POST', '/api/serials/generate', { token: developer.token, body: batch });
    const path = `/api/reseller/products/${product.id}?promo_price=&promo_expires=&batch_tag=`;
    const { body } = await call(server, 'GET', path, { token: reseller.token });
    expect(body.serials.counts.available).toBe(3);
  });

  it('still has to be given where it is needed', async () => {
    expect((await call(server, 'GET', '/api/search?q=', { token: developer.token })).status).toBe(400);
  });
});

describe('an empty body that is labeled as JSON', () => {
  const json = { 'content-type': 'application/json' };

  it('is none', async () => {
    const id = '01a20000-0000-7000-8000-000000000000';
    expect((await send('PATCH', `/api/serials/revoke/${id}`, json, '')).status).toBe(404);
  });

  it.each([json, {}])('names the fields that are needed, with headers %j', async (headers) => {
    const refused = await send('DELETE', '/api/account/delete', headers, 'content-type' in headers ? '' : undefined);
    expect(refused.status).toBe(400);
    const { errors } = (await refused.json()) as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toContain('password');
  });
});

it('refuses an encoded body instead of reading it as it is', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const refused = await send('POST', '/api/products', headers, '{"name":"Squeezed"}');
  expect(refused.status).toBe(415);
  const plain = await send('POST', '/api/products', { ...headers, 'content-encoding': 'identity' }, '{"name":"Plain"}');
  expect(plain.status).toBe(201);
});
