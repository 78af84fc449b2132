import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let delay: { id: string };

const file = [{ name: 'Manual', url: 'https://example.com/manual.pdf' }];

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30, file_urls: file });
  const reverb = await makeProduct(server, ada.token, { name: 'reverb', price: 90, sale_price: 9.5 });
  await makeProduct(server, ada.token, { name: 'Chorus', price: null, is_draft: true });
  await makeProduct(server, ada.token, { name: '=Gate', price: 0 });
  const own = await makeSerials(server, ada.token, delay.id, { quantity: 7 });
  const others = await makeSerials(server, ada.token, reverb.id, { quantity: 4 });
  for (const { code } of own.slice(0, 2)) await redeem(server, code, 'nina@example.com', ada.id);
  for (const { code } of others.slice(0, 3)) await redeem(server, code, 'otto@example.com', ada.id);
  const body = { name: '1.2.0' };
  const made = await call(server, 'POST', `/api/products/${delay.id}/file-versions`, { token: ada.token, body });
  expect(made.status).toBe(201);
});

const get = (path = '', token = ada.token) => call(server, 'GET', `/api/products${path}`, { token });
const names = async (query: string) => ((await get(`?${query}`)).body as { name: string }[]).map(({ name }) => name);

describe('the list of products', () => {
  it('is in every order of a table, in both directions, page by page', async () => {
    const orders = {
      name: ['=Gate', 'Chorus', 'Delay', 'reverb'],
      price: ['Chorus', '=Gate', 'reverb', 'Delay'],
      created_at: ['Delay', 'reverb', 'Chorus', '=Gate'],
      available: ['Chorus', '=Gate', 'reverb', 'Delay'],
      generated: ['Chorus', '=Gate', 'reverb', 'Delay'],
      redeemed: ['Chorus', '=Gate', 'Delay', 'reverb'],
      revenue: ['Chorus', '=Gate', 'reverb', 'Delay'],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      for (const [way, wanted] of [
        ['', expected],
        ['-', expected.toReversed()],
      ] as const) {
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null && seen.length < 9) {
          const page = await get(`?sort=${way}${sort}&limit=1&cursor=${cursor}`);
          expect(page.headers.get('x-total-count')).toBe('4');
          seen.push(...page.body.map(({ name }: { name: string }) => name));
          cursor = page.headers.get('x-next-cursor');
        }
        expect(seen, way + sort).toEqual(wanted);
      }
    }
  });

  it('refuses a cursor of another order, and what is none', async () => {
    const { headers } = await get('?sort=name&limit=1');
    const cursor = headers.get('x-next-cursor');
    expect((await get(`?sort=-name&cursor=${cursor}`)).status).toBe(400);
    const forged = Buffer.from(JSON.stringify(['name', 'a\0', delay.id])).toString('base64url');
    expect((await get(`?sort=name&cursor=${forged}`)).status).toBe(400);
    expect((await get('?sort=secret')).status).toBe(400);
  });

  it('combines filters, and leaves out what has a dash', async () => {
    expect(await names('status=draft')).toEqual(['Chorus']);
    expect(await names('status=-draft&sort=name')).toEqual(['=Gate', 'Delay', 'reverb']);
    expect(await names('files=with')).toEqual(['Delay']);
    expect(await names('price=sale,free&sort=name')).toEqual(['=Gate', 'reverb']);
    expect(await names('price=unset')).toEqual(['Chorus']);
    expect(await names('stock=empty&status=submitted')).toEqual(['=Gate']);
    expect(await names('stock=-empty&sort=name&search=E')).toEqual(['Delay', 'reverb']);
    expect((await get('?stock=lost')).status).toBe(400);
  });

  it('counts each choice under the other filters, for its own account alone', async () => {
    const { body } = await get('/choices?status=submitted');
    const of = (kind: string) =>
      Object.fromEntries(body[kind].map((each: { value: string; count: number }) => [each.value, each.count]));
    expect(of('status')).toEqual({ submitted: 3, draft: 1 });
    expect(of('files')).toEqual({ with: 1, without: 2 });
    expect(of('price')).toEqual({ priced: 1, sale: 1, free: 1 });
    expect(of('stock').empty).toBe(1);
    const bob = await signUp(server);
    expect((await get('/choices', bob.token)).body.status).toEqual([]);
    expect((await get('/export', bob.token)).text.trim().split('\n')).toHaveLength(1);
  });

  it('has figures where they are asked for, and only there', async () => {
    const [plain] = (await get('?search=delay')).body;
    expect(plain).not.toHaveProperty('figures');
    expect(plain.serials_available).toBe(5);
    const [full] = (await get('?search=delay&figures=true')).body;
    expect(full.figures).toEqual({ generated: 7, redeemed: 2, revenue: 60, days_left: 75, file_version: '1.2.0' });
    const [gate] = (await get('?search=gate&figures=true')).body;
    expect(gate.figures).toEqual({ generated: 0, redeemed: 0, revenue: 0, days_left: null, file_version: null });
  });

  it('is exported as it is filtered and sorted, with nothing that a spreadsheet runs', async () => {
    const { text, headers } = await get('/export?sort=name&status=submitted');
    expect(headers.get('content-disposition')).toContain('products');
    const [head, gate, first, second, ...rest] = text.trim().split('\n');
    expect(head).toBe('ID,Name,Status,Price,Sale Price,Available,Generated,Redeemed,Revenue,Files,Version,Created');
    expect(gate).toContain(",'=Gate,submitted,0.00,,0,0,0,0.00,0,,");
    expect(first).toContain(`${delay.id},Delay,submitted,30.00,,5,7,2,60.00,1,1.2.0,`);
    expect(second).toContain(',reverb,submitted,90.00,9.50,1,4,3,28.50,0,,');
    expect(rest).toEqual([]);
  });

  it('has views', async () => {
    const body = { list: 'products', name: 'Best', filter: { sort: '-revenue' } };
    expect((await call(server, 'POST', '/api/views', { token: ada.token, body })).status).toBe(201);
  });
});
