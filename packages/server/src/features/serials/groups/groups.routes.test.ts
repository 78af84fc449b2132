import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string };
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Delay' });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  call(server, 'GET', path, { token: ada.token, headers });
const csv = { accept: 'text/csv' };

describe('groups', () => {
  it('are exported and deleted by their names; only what is available goes', async () => {
    const regular = await makeSerials(server, ada.token, product.id, { quantity: 150 });
    const promo = { promo_price: 5, batch_tag: 'Black Friday' };
    await makeSerials(server, ada.token, product.id, { quantity: 3, ...promo });
    await makeSerials(server, ada.token, product.id, { quantity: 2, promo_price: 9 });
    await redeem(server, regular[0]?.code as string, 'n@example.com', ada.id);
    await call(server, 'PATCH', `/api/serials/revoke/${regular[1]?.id}`, { token: ada.token });

    const first = (await get('/api/serials/group/Delay')).body;
    expect([first.rows.length, first.total]).toEqual([100, 148]);
    const second = (await get(`/api/serials/group/Delay?cursor=${first.next_cursor}`)).body;
    expect([second.rows.length, second.next_cursor]).toEqual([48, null]);
    const exported = await get(`/api/serials/group/${encodeURIComponent('Delay · Black Friday')}`, csv);
    expect(exported.text.trim().split('\r\n')).toHaveLength(4);
    expect((await get(`/api/serials/group/${encodeURIComponent('Delay · Promo')}`)).body.total).toBe(2);

    const remove = (query: string) => call(server, 'DELETE', `/api/serials/group/Delay${query}`, { token: ada.token });
    expect((await remove('?dry_run=true')).body).toEqual({
      message: '148 serials would be deleted.',
      count: 148,
      dry_run: true,
    });
    expect((await remove('')).body.count).toBe(148);
    expect((await remove('')).status).toBe(404);
    const left = await server.db.query('select 1 from serials where developer_id = $1', [ada.id]);
    expect(left).toHaveLength(7);
  });

  it('are refused without the kind when their name matches both kinds', async () => {
    await makeSerials(server, ada.token, product.id, { promo_price: 5, batch_tag: 'X', quantity: 2 });
    const twin = await makeProduct(server, ada.token, { name: 'Delay · X' });
    await makeSerials(server, ada.token, twin.id, { quantity: 1 });
    const path = `/api/serials/group/${encodeURIComponent('Delay · X')}`;
    const refused = await call(server, 'DELETE', path, { token: ada.token });
    expect([refused.status, refused.body.code]).toEqual([422, 'ambiguous_group']);
    expect((await call(server, 'DELETE', `${path}?kind=regular`, { token: ada.token })).body.count).toBe(1);
    expect((await call(server, 'DELETE', path, { token: ada.token })).body.count).toBe(2);
  });

  it('of two products that share a name are listed apart, and neither goes without naming its product', async () => {
    const short = await makeProduct(server, ada.token, { name: 'A' });
    const long = await makeProduct(server, ada.token, { name: 'A · B' });
    await makeSerials(server, ada.token, short.id, { promo_price: 5, batch_tag: 'B · C', quantity: 2 });
    await makeSerials(server, ada.token, long.id, { promo_price: 5, batch_tag: 'C', quantity: 3 });
    const name = 'A · B · C';
    const { body } = await get('/api/serials/available');
    const groups = [short, long].map(({ id }, i) => ({ name, kind: 'promo', product_id: id, count: 2 + i }));
    expect(body.groups).toMatchObject(groups);
    expect([body.counts.promos[name], body.promos[name].serials.length]).toEqual([5, 5]);

    const path = `/api/serials/group/${encodeURIComponent(name)}`;
    for (const [method, query] of [
      ['DELETE', ''],
      ['DELETE', '?kind=promo'],
      ['DELETE', '?dry_run=true'],
      ['GET', ''],
    ] as const) {
      const refused = await call(server, method, path + query, { token: ada.token });
      expect([refused.status, refused.body.code]).toEqual([422, 'ambiguous_group']);
      expect(refused.body.message).toContain('"A", "A · B"');
    }
    expect((await get(`${path}?product_id=${short.id}`)).body.total).toBe(2);
    expect((await get(`${path}?product_id=${long.id}`, csv)).text.trim().split('\r\n')).toHaveLength(4);
    const gone = await call(server, 'DELETE', `${path}?product_id=${long.id}`, { token: ada.token });
    expect(gone.body.count).toBe(3);
    expect((await get(path)).body.total).toBe(2);
  });

  it.each(['__proto__', 'constructor', 'toString'])('of a product called %s are there like any other', async (name) => {
    const odd = await makeProduct(server, ada.token, { name });
    await makeSerials(server, ada.token, odd.id, { quantity: 2 });
    await makeSerials(server, ada.token, odd.id, { quantity: 1, promo_price: 1 });
    const { body } = await get('/api/serials/available');
    expect(Object.entries(body.counts.regular)).toEqual([[name, 2]]);
    expect(Object.entries(body.counts.promos)).toEqual([[`${name} · Promo`, 1]]);
    const serials = Object.getOwnPropertyDescriptor(body.regular, name)?.value;
    expect(serials.map((serial: { product_name: string }) => serial.product_name)).toEqual([name, name]);
    expect((await get(`/api/serials/group/${name}`)).body.total).toBe(2);
    expect((await call(server, 'DELETE', `/api/serials/group/${name}`, { token: ada.token })).body.count).toBe(2);
  });
});
