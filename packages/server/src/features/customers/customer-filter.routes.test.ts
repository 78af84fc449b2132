import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let delay: { id: string };
let reverb: { id: string };
let codes: { id: string; code: string }[];

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  reverb = await makeProduct(server, ada.token, { name: 'Reverb', price: 9 });
  const own = await makeSerials(server, ada.token, delay.id, { quantity: 3 });
  const sold = await makeSerials(server, ada.token, reverb.id, { quantity: 2, new_reseller_name: 'Thomann' });
  codes = [...own, ...sold];
  // a: Delay and Reverb; b: Delay; c: Delay, revoked; d: Reverb
  for (const [at, person] of ['a', 'b', 'c', 'a', 'd'].entries()) {
    await redeem(server, codes[at]?.code as string, `${person}@example.com`, ada.id);
  }
  await call(server, 'PATCH', `/api/serials/revoke/${codes[2]?.id}`, { token: ada.token });
  await server.db.query(
    "update customers set last_login_at = null where developer_id = $1 and email = 'd@example.com'",
    [ada.id],
  );
});

const get = (path: string, token = ada.token) => call(server, 'GET', `/api/customers/${path}`, { token });
const found = async (query: string) =>
  (await get(`list${query}`)).body.customers.map(({ email }: { email: string }) => email[0]).join('');

describe('the list of customers', () => {
  const sorts = ['signup_date', 'name', 'email', 'last_login'].flatMap((sort) => [sort, `-${sort}`]);

  it.each([...sorts, 'email&search=example.com'])(
    'is read to its end by cursor as by pages, sorted by %s',
    async (sort) => {
      for (const limit of [1, 2, 3]) {
        let [read, cursor] = ['', ''];
        do {
          const { body } = await get(`list?sort=${sort}&limit=${limit}&count=false&cursor=${cursor}`);
          expect([body.page_size, body.total_exact, body.total]).toEqual([limit, false, body.customers.length]);
          read += body.customers.map(({ email }: { email: string }) => email[0]).join('');
          cursor = body.next_cursor ?? '';
        } while (cursor !== '');
        expect(read).toBe(await found(`?sort=${sort}`));
        expect(read).toHaveLength(4);
      }
    },
  );

  it('goes on only in the order that its cursor comes from', async () => {
    const { next_cursor, total, total_exact } = (await get('list?limit=2&sort=last_login')).body;
    expect([total, total_exact]).toEqual([4, true]);
    for (const sort of ['-last_login', 'email', '-signup_date'])
      expect((await get(`list?sort=${sort}&cursor=${next_cursor}`)).status, sort).toBe(400);
    const never = ['last_login', '=never', '2026-01-01T00:00:00.000Z', codes[0]?.id];
    const cursor = Buffer.from(JSON.stringify(never)).toString('base64url');
    expect((await get(`list?sort=last_login&cursor=${cursor}`)).status).toBe(400);
  });

  it('is sorted by what was asked for, and who never came back is last', async () => {
    expect(await found('')).toBe('dcba');
    expect(await found('?sort=signup_date')).toBe('abcd');
    expect(await found('?sort=email')).toBe('abcd');
    expect(await found('?sort=-email')).toBe('dcba');
    expect((await found('?sort=last_login')).at(-1)).toBe('d');
    expect((await found('?sort=-last_login')).at(-1)).toBe('d');
    expect((await get('list?sort=secret')).status).toBe(400);
  });

  it('combines filters, and leaves out what has a dash', async () => {
    expect(await found(`?product=${delay.id}`)).toBe('cba');
    expect(await found(`?product=${delay.id}&reseller=-none`)).toBe('');
    expect(await found('?reseller=-none')).toBe('d');
    expect(await found(`?product=-${delay.id}`)).toBe('d');
    expect(await found('?status=revoked')).toBe('c');
    expect(await found('?status=-revoked&country=none')).toBe('dba');
    expect(await found('?redeemed=2001-01-01_to_2001-01-31')).toBe('');
    expect(await found('?redeemed=1w')).toBe('dcba');
    const wrong = await get('list?product=x');
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'product']);
  });

  it('counts each customer once for a choice, under the other filters', async () => {
    const { body } = await get('choices');
    const of = (kind: string) =>
      body[kind].map(({ label, value, count }: Record<string, unknown>) => [label ?? value, count]);
    expect(of('product').sort()).toEqual([
      ['Delay', 3],
      ['Reverb', 2],
    ]);
    expect(of('status')).toEqual([
      ['active', 3],
      ['revoked', 1],
    ]);
    const chosen = (await get(`choices?product=${delay.id}&status=revoked`)).body;
    expect(chosen.product.map(({ count }: { count: number }) => count)).toEqual([1]);
    expect(chosen.status).toHaveLength(2);
  });

  it('is exported as it is filtered, and another developer’s ids find nothing', async () => {
    const file = await get(`export?product=-${delay.id}`);
    expect(file.text.trim().split('\n')).toHaveLength(2);
    const bob = await signUp(server);
    expect((await get(`list?product=${delay.id}`, bob.token)).body.total).toBe(0);
    expect((await get('choices', bob.token)).body.product).toEqual([]);
  });

  it('leads to the serials of its customers, to look at and to change', async () => {
    const { customers } = (await get('list?search=a%40example.com')).body;
    const mine = await call(server, 'GET', `/api/serials/redeemed?customer=${customers[0].id}`, { token: ada.token });
    expect(mine.body.total).toBe(2);
    const change = { action: 'revoke', filter: { customer: customers[0].id }, dry_run: true };
    const tried = await call(server, 'POST', '/api/serials/redeemed/change', { token: ada.token, body: change });
    expect(tried.body).toMatchObject({ count: 2, skipped: 0 });
  });
});
