import { call, makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let pair: Partners;
let product: string;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  pair = await makePartners(server);
  product = (await makeProduct(server, pair.developer.token, { name: 'Prism' })).id;
  await give({ quantity: 1, batch_tag: 'always' });
  await give({ quantity: 2, batch_tag: 'over', promo_price: 9, promo_expires: '2026-03-12T00:00:00Z' });
  await give({ quantity: 4, batch_tag: 'soon', promo_price: 8, promo_start: '2026-03-20T00:00:00Z' });
});
afterAll(() => server.stop());

const give = (fields: object) =>
  makeSerials(server, pair.developer.token, product, { reseller_id: pair.partnershipId, ...fields });

async function get(path: string, accept = 'application/json', token = pair.reseller.token) {
  const answer = await call(server, 'GET', path, { token, headers: { accept } });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

interface DealRow {
  batch_tag: string;
  available_serials: number;
  not_for_sale_serials: number;
}

/** Everything that a reseller is told to be able to sell, by where they read it. */
async function told() {
  const one = (await get(`/api/reseller/products/${product}`)).body;
  const row = (await get('/api/reseller/products')).body.rows[0];
  const list = (await get(`/api/reseller/products/${product}/available`)).body;
  const { stats, serialGroups } = (await get('/api/reseller/dashboard')).body;
  const file = (await get(`/api/reseller/download-serials?product_id=${product}`, 'text/csv')).text;
  const [own] = (await get(`/api/reseller/developers/${pair.developer.id}/stock`)).body;
  const path = `/api/reseller/developer/resellers/${pair.partnershipId}/stock`;
  const [given] = (await get(path, undefined, pair.developer.token)).body;
  const deals: DealRow[] = (await get('/api/reseller/deals?sort=alphabetical')).body.rows;
  return {
    available: {
      product: one.product.available_serials,
      count: one.serials.counts.available,
      serials: one.serials.available.length,
      row: row.available_serials,
      list: list.rows.length,
      total: list.total,
      dashboard: stats.availableSerials,
      group: serialGroups[0].remaining,
      stock: own.available,
      developer: given.available,
      file: file.trim().split('\r\n').length - 1,
    },
    notForSale: {
      product: one.product.not_for_sale_serials,
      row: row.not_for_sale_serials,
      dashboard: stats.notForSaleSerials,
      group: serialGroups[0].not_for_sale,
      stock: own.not_for_sale,
      developer: given.not_for_sale,
    },
    total: serialGroups[0].total,
    deals: Object.fromEntries(
      deals.map((deal) => [deal.batch_tag, [deal.available_serials, deal.not_for_sale_serials]]),
    ),
  };
}

const everywhere = (n: number, names: string[]) => Object.fromEntries(names.map((name) => [name, n]));

it.each([
  ['before a deal begins', '2026-03-10T12:00:00Z', 3, { over: [2, 0], soon: [0, 4] }],
  ['after one is over', '2026-03-13T00:00:00Z', 1, { over: [0, 2], soon: [0, 4] }],
  ['once the next has begun', '2026-03-20T00:00:00Z', 5, { over: [0, 2], soon: [4, 0] }],
])('is the same in every list, file and figure, and what can be drawn, %s', async (_when, at, available, deals) => {
  clock.set(at);
  const found = await told();
  expect(found.available).toEqual(everywhere(available, Object.keys(found.available)));
  expect(found.notForSale).toEqual(everywhere(7 - available, Object.keys(found.notForSale)));
  expect(found).toMatchObject({ total: 7, deals });
  const draw = await call(server, 'POST', '/api/reseller/serials/draw', {
    token: pair.reseller.token,
    body: { product_id: product, quantity: 7, reference: `all-${at.slice(0, 10)}` },
  });
  expect(draw.body).toMatchObject({ code: 'out_of_stock', available });
});

it('counts files and their codes among what can be sold only', async () => {
  const { stats, serialGroups } = (await get('/api/reseller/dashboard')).body;
  expect([stats.serialsInFiles, serialGroups[0].in_files]).toEqual([5, 5]);
  clock.set('2026-03-25T00:00:00Z');
  await server.db.query("update batches set promo_expires = '2026-03-24' where batch_tag = 'soon'");
  const after = (await get('/api/reseller/dashboard')).body;
  expect([after.stats.serialsInFiles, after.stats.availableSerials, after.stats.notForSaleSerials]).toEqual([1, 1, 6]);
});
