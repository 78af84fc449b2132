import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let delay: { id: string };
let reverb: { id: string };

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  reverb = await makeProduct(server, ada.token, { name: 'reverb', price: 9 });
  const fair = await makeSerials(server, ada.token, delay.id, { quantity: 4, batch_tag: 'fair' });
  await makeSerials(server, ada.token, reverb.id, { quantity: 3, new_reseller_name: 'Thomann' });
  const over = await makeSerials(server, ada.token, delay.id, {
    quantity: 2,
    expires_at: '2999-01-01',
    batch_tag: 'old',
  });
  await redeem(server, fair[0]?.code as string, 'nina@example.com', ada.id);
  await call(server, 'PATCH', `/api/serials/revoke/${fair[1]?.id}`, { token: ada.token });
  await server.db.query(
    "update batches set expires_at = '2001-01-01' where id = (select batch_id from serials where id = $1)",
    [over[0]?.id],
  );
});

const get = (path: string, token = ada.token) => call(server, 'GET', `/api/${path}`, { token });
const total = async (query: string) => (await get(`serials?${query}`)).body.total;
const counts = (list: { value: string; label: string | null; count: number }[]) =>
  Object.fromEntries(list.map(({ value, label, count }) => [label ?? value, count]));

describe('the list of serials', () => {
  it('combines filters, leaves out what has a dash, and exports the same', async () => {
    expect(await total('')).toBe(9);
    expect(await total('status=available')).toBe(5);
    expect(await total('status=-redeemed,-expired')).toBe(6);
    expect(await total(`product=${delay.id}&status=available,revoked`)).toBe(3);
    expect(await total('reseller=-none')).toBe(3);
    expect(await total('dateRange=2001-01-01_to_2001-01-31')).toBe(0);
    expect((await get('serials?status=lost')).status).toBe(400);
    const file = await call(server, 'GET', '/api/serials?status=available&reseller=none', {
      token: ada.token,
      headers: { accept: 'text/csv' },
    });
    expect(file.text.trim().split('\r\n')).toHaveLength(1 + 2);
  });

  it('counts each choice under the other filters, for its own account alone', async () => {
    const { body } = await get(`serials/choices?product=${delay.id}`);
    expect(counts(body.status)).toEqual({ available: 2, expired: 2, redeemed: 1, revoked: 1 });
    expect(counts(body.product)).toEqual({ Delay: 6, reverb: 3 });
    expect(counts(body.batch)).toEqual({ fair: 4, old: 2 });
    const bob = await signUp(server);
    expect((await get(`serials?product=${delay.id}`, bob.token)).body.total).toBe(0);
    expect((await get('batches/choices', bob.token)).body.product).toEqual([]);
  });

  it('changes all that match after a try, and skips what a customer has', async () => {
    const change = (body: object, token = ada.token) => call(server, 'POST', '/api/serials/change', { token, body });
    const filter = { product: delay.id, status: '-expired' };
    const tried = await change({ action: 'delete', filter, dry_run: true });
    expect(tried.body).toEqual({ count: 3, skipped: 1, dry_run: true });
    expect(await total('')).toBe(9);
    const bob = await signUp(server);
    expect((await change({ action: 'revoke', filter }, bob.token)).body.count).toBe(0);
    const [one, two] = await Promise.all([change({ action: 'delete', filter }), change({ action: 'delete', filter })]);
    expect(one.body.count + two.body.count).toBe(3);
    expect(await total('')).toBe(6);
  });
});

describe('the list of batches', () => {
  const found = async (query: string) =>
    (await get(`batches?${query}`)).body.rows
      .map((row: { batch_tag: string | null }) => row.batch_tag ?? '–')
      .join(' ');

  it('is sorted by what was asked for, page by page, and filtered', async () => {
    expect(await found('')).toBe('old – fair');
    expect(await found('sort=created_at')).toBe('fair – old');
    expect(await found('sort=-quantity')).toBe('fair – old');
    expect(await found('sort=tag')).toBe('– fair old');
    expect(await found('status=expired')).toBe('old');
    expect(await found(`product=-${delay.id}`)).toBe('–');
    const first = (await get('batches?sort=product&limit=2')).body;
    const second = (await get(`batches?sort=product&limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.rows, ...second.rows].map((row) => row.product_name)).toEqual(['Delay', 'Delay', 'reverb']);
    expect(second.next_cursor).toBeNull();
    expect((await get(`batches?cursor=${first.next_cursor}`)).status).toBe(400);
    const { body } = await get('batches/choices');
    expect(counts(body.status)).toEqual({ open: 1, used_up: 1, expired: 1 });
    expect(counts(body.reseller)).toEqual({ none: 2, Thomann: 1 });
  });
});
