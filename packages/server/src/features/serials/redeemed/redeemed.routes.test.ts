import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, {
    name: 'Delay',
    price: 30,
    file_urls: [{ name: 'Mac', url: 'https://example.com/a.dmg' }],
  });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  call(server, 'GET', path, { token: ada.token, headers });
const csv = { accept: 'text/csv' };

it('shows redeemed serials with their customers, twenty a page, and finds them', async () => {
  const bea = await signUp(server);
  const synth = await makeProduct(server, bea.token, { name: 'Drum', price: 30, sale_price: 20 });
  const serials = await makeSerials(server, bea.token, synth.id, { quantity: 23 });
  for (const [i, serial] of serials.slice(0, 22).entries()) {
    expect((await redeem(server, serial.code, `fan${i}@example.com`)).status).toBe(200);
  }
  const page = async (query: string) =>
    (await call(server, 'GET', `/api/serials/redeemed${query}`, { token: bea.token })).body;
  const first = await page('?page=1');
  expect([first.total, first.page_size, first.rows.length]).toEqual([22, 20, 20]);
  expect((await page('?page=2')).rows).toHaveLength(2);
  expect(first.rows[0]).toMatchObject({
    email: 'fan21@example.com',
    first_name: 'Nina',
    last_name: 'Simone',
    product: 'Drum',
    total: 20,
    final_price: 20,
    price: 30,
    download_count: 0,
    status: 'active',
    customer: { email: 'fan21@example.com' },
  });
  expect((await page('?search=FAN7@')).rows.map((row: { email: string }) => row.email)).toEqual(['fan7@example.com']);
  expect((await page('?search=nina simone')).total).toBe(22);
  expect((await page(`?search=${serials[3]?.code.toLowerCase()}`)).total).toBe(1);
  const all = [...(await page('')).rows, ...(await page('?page=2')).rows];
  // it may be midnight in between
  const days = new Set(all.map(({ redeemed_at }: { redeemed_at: string }) => redeemed_at.slice(0, 10)));
  let found = 0;
  for (const day of days) found += (await page(`?search=${day}`)).total;
  expect(found).toBe(22);
  expect((await page('?dateRange=2020-01-01_to_2020-12-31')).total).toBe(0);
});

describe('redeemed serials', () => {
  it('are found by name, address, code, product and day, and exported as they were found', async () => {
    const other = await makeProduct(server, ada.token, { name: '=Chorus', price: 10 });
    const [a, b] = await makeSerials(server, ada.token, product.id);
    const [c] = await makeSerials(server, ada.token, other.id);
    await redeem(server, a?.code as string, 'nina@example.com', ada.id);
    await redeem(server, b?.code as string, 'zoe@example.org', ada.id);
    await redeem(server, c?.code as string, 'nina@example.com', ada.id);
    const total = async (search: string) =>
      (await get(`/api/serials/redeemed?search=${encodeURIComponent(search)}`)).body.total;
    expect(await total('nina@')).toBe(2);
    expect(await total('NINA')).toBe(3);
    expect(await total('nina simone')).toBe(3);
    expect(await total('example.org')).toBe(1);
    expect(await total(String(a?.code).toLowerCase().replaceAll('-', ' '))).toBe(1);
    expect(await total('chorus')).toBe(1);
    const { rows } = (await get('/api/serials/redeemed')).body;
    let found = 0;
    // it may be midnight in between
    for (const day of new Set<string>(rows.map((row: { redeemed_at: string }) => row.redeemed_at.slice(0, 10))))
      found += await total(day);
    expect(found).toBe(3);
    expect(await total('2001-01-01')).toBe(0);
    expect(await total("'; drop table serials; --\\")).toBe(0);
    const all = await get('/api/serials/redeemed', csv);
    expect(all.headers.get('content-disposition')).toContain('redeemed_serials.csv');
    const lines = all.text.trim().split('\n');
    expect(lines[0]).toBe('Redeem Date,First,Last,Email,Serial,Product,Total');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z,Nina,Simone,nina@example.com,.*,'=Chorus,10.00$/);
    expect((await get('/api/serials/redeemed?search=zoe', csv)).text.trim().split('\n')).toHaveLength(2);
  });

  it('are paged, and their total comes from the sums', async () => {
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 25 });
    for (const { code } of serials) await redeem(server, code, 'nina@example.com', ada.id);
    const first = (await get('/api/serials/redeemed')).body;
    expect([first.rows.length, first.total, first.total_exact, first.page_size]).toEqual([20, 25, true, 20]);
    const second = (await get('/api/serials/redeemed?page=2')).body;
    expect(second.rows).toHaveLength(5);
    const seen = [...first.rows, ...second.rows].map((row: { code: string }) => row.code);
    expect(new Set(seen).size).toBe(25);
    expect((await get('/api/serials/redeemed?dateRange=2001-01-01_to_2001-02-01')).body.total).toBe(0);
    expect((await get('/api/serials/redeemed?search=delay&page=2')).body.rows).toHaveLength(5);
  });
});
