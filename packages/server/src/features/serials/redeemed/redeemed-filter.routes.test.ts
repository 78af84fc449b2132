import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let delay: { id: string; name: string };
let reverb: { id: string; name: string };
const ids: Record<string, string> = {};

interface Row {
  id: string;
  code: string;
  email: string;
  total: number;
  revoked: boolean;
  download_count: number;
}

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  reverb = await makeProduct(server, ada.token, { name: 'reverb', price: 9 });
  const three = await makeSerials(server, ada.token, delay.id, { quantity: 3, batch_tag: 'fair' });
  const two = await makeSerials(server, ada.token, reverb.id, { quantity: 2, new_reseller_name: 'Thomann' });
  for (const [at, { id, code }] of [...three, ...two].entries()) {
    await redeem(server, code, `p${at}@example.com`, ada.id);
    ids[`p${at}`] = id;
  }
  await server.db.query('update serials set download_count = 5 where id = $1', [ids.p1]);
  await server.db.query('update serials set download_count = 2 where id = $1', [ids.p3]);
  await call(server, 'PATCH', `/api/serials/revoke/${ids.p2}`, { token: ada.token });
});

const list = (query: string) => call(server, 'GET', `/api/serials/redeemed${query}`, { token: ada.token });
const found = async (query: string) => (await list(query)).body.rows.map(({ email }: Row) => email.slice(0, 2));
const choices = async (query = '') =>
  (await call(server, 'GET', `/api/serials/redeemed/choices${query}`, { token: ada.token })).body;
const change = (body: object, token = ada.token) =>
  call(server, 'POST', '/api/serials/redeemed/change', { token, body });

describe('the list of redeemed serials', () => {
  const sorts = ['redeemed_at', 'customer', 'product', 'total'].flatMap((sort) => [sort, `-${sort}`]);

  it.each([...sorts, '-redeemed_at&search=Delay', '-total&product=', '-redeemed_at&dateRange=1w'])(
    'is read to its end by cursor as by pages, sorted by %s',
    async (query) => {
      const sort = query.replace('product=', `product=${delay.id}`);
      const whole = await found(`?sort=${sort}`);
      const read: string[] = [];
      let cursor = '';
      do {
        const { body } = await list(`?sort=${sort}&limit=2&count=false&cursor=${cursor}`);
        expect([body.page_size, body.total_exact, body.total]).toEqual([2, false, body.rows.length]);
        read.push(...body.rows.map(({ email }: Row) => email.slice(0, 2)));
        cursor = body.next_cursor ?? '';
      } while (cursor !== '');
      expect(read).toEqual(whole);
      expect(whole.length).toBeGreaterThan(2);
    },
  );

  it('goes on only in the order that its cursor comes from', async () => {
    const { next_cursor, total, total_exact } = (await list('?limit=2')).body;
    expect([total, total_exact]).toEqual([5, true]);
    for (const query of ['?sort=total', '?sort=redeemed_at', '?sort=-customer'])
      expect((await list(`${query}&cursor=${next_cursor}`)).body.errors).toEqual([
        { path: 'cursor', message: 'The cursor is not valid.' },
      ]);
    for (const parts of [
      ['-total', 'many', '2026-01-01T00:00:00.000Z', ids.p0],
      ['-redeemed_at', 'x', 'x', ids.p0],
      ['x'],
    ]) {
      const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
      expect((await list(`?sort=${parts[0]}&cursor=${cursor}`)).status, parts[0]).toBe(400);
    }
    expect((await list('?limit=1001')).status).toBe(400);
    expect((await list('?limit=1000')).body.next_cursor).toBeNull();
  });

  it('is sorted by what was asked for, the newest first among equals', async () => {
    expect(await found('')).toEqual(['p4', 'p3', 'p2', 'p1', 'p0']);
    expect(await found('?sort=redeemed_at')).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    expect(await found('?sort=-total')).toEqual(['p2', 'p1', 'p0', 'p4', 'p3']);
    expect(await found('?sort=-product')).toEqual(['p4', 'p3', 'p2', 'p1', 'p0']);
    expect(await found('?sort=total&search=p1@')).toEqual(['p1']);
    expect((await list('?sort=secret')).status).toBe(400);
  });

  it('combines filters, and leaves out what has a dash', async () => {
    expect(await found(`?product=${delay.id}`)).toEqual(['p2', 'p1', 'p0']);
    expect(await found(`?product=${delay.id},${reverb.id}`)).toHaveLength(5);
    expect(await found(`?product=-${delay.id}`)).toEqual(['p4', 'p3']);
    expect(await found('?status=revoked,download_limit')).toEqual(['p2', 'p1']);
    expect(await found('?status=-revoked')).toEqual(['p4', 'p3', 'p1', 'p0']);
    expect(await found(`?status=active&product=${delay.id}`)).toEqual(['p0']);
    expect(await found('?reseller=none&sort=redeemed_at')).toEqual(['p0', 'p1', 'p2']);
    expect(await found('?reseller=-none')).toEqual(['p4', 'p3']);
    expect(await found('?country=none')).toHaveLength(5);
    expect(await found(`?status=-revoked&search=p2@`)).toEqual([]);
    const { body } = await list('?status=-revoked');
    expect([body.total, body.total_exact]).toEqual([4, true]);
  });

  it('refuses what no filter is', async () => {
    for (const query of ['product=x', 'status=broken', 'country=germany', `batch='`]) {
      const { status, body } = await list(`?${query}`);
      expect([status, body.errors?.[0]?.path]).toEqual([400, query.split('=')[0]]);
    }
  });

  it('exports what is filtered', async () => {
    const csv = await call(server, 'GET', '/api/serials/redeemed?status=revoked', {
      token: ada.token,
      headers: { accept: 'text/csv' },
    });
    expect(csv.text.trim().split('\n')).toHaveLength(2);
    expect(csv.text).toContain('p2@example.com');
  });

  it('counts each choice together with the other filters, but not with its own', async () => {
    const all = await choices();
    expect(all.product).toEqual([
      { value: delay.id, label: 'Delay', count: 3, exact: true },
      { value: reverb.id, label: 'reverb', count: 2, exact: true },
    ]);
    expect(all.reseller.map(({ label, count }: { label: string; count: number }) => [label, count])).toEqual([
      [null, 3],
      ['Thomann', 2],
    ]);
    expect(all.batch.map(({ label, count }: { label: string; count: number }) => [label, count])).toEqual([
      ['fair', 3],
      [null, 2],
    ]);
    const revoked = await choices(`?status=revoked&product=${delay.id}`);
    expect(revoked.product).toEqual([{ value: delay.id, label: 'Delay', count: 1, exact: true }]);
    expect(revoked.status).toEqual(
      expect.arrayContaining(
        ['active', 'download_limit', 'revoked'].map((value) => ({ value, label: null, count: 1, exact: true })),
      ),
    );
    expect((await choices('?search=p4@')).product).toEqual([
      { value: reverb.id, label: 'reverb', count: 1, exact: true },
    ]);
  });

  it.each([
    '',
    'product=-x',
    'reseller=none',
    'status=-revoked',
    'country=none',
    'search=p',
    'dateRange=2001-01-01_to_2001-02-01',
  ])('counts for each choice, whether from sums or not, what the list then has: %s', async (query) => {
    const under = query.replace('-x', `-${reverb.id}`);
    const counts = await choices(`?${under}`);
    for (const kind of ['product', 'reseller', 'batch', 'country', 'status']) {
      const others = under.startsWith(`${kind}=`) ? '' : under;
      for (const { value, count } of counts[kind])
        expect([kind, value, (await list(`?${others}&${kind}=${value}`)).body.total]).toEqual([kind, value, count]);
    }
    expect(counts.product.length > 0).toBe(!query.startsWith('dateRange'));
  });
});

describe('a change of all that match', () => {
  const filter = { product: '', status: 'active' };

  it('is tried first, and then changes exactly those', async () => {
    const order = { action: 'revoke', filter: { ...filter, product: reverb.id } };
    expect((await change({ ...order, dry_run: true })).body).toEqual({ count: 2, skipped: 0, cost: 0, dry_run: true });
    expect(await found('?status=revoked')).toEqual(['p2']);
    expect((await change(order)).body).toMatchObject({ count: 2, dry_run: false });
    expect(await found('?status=revoked')).toEqual(['p4', 'p3', 'p2']);
    const back = { action: 'reassign', filter: { product: reverb.id } };
    expect((await change(back)).body).toMatchObject({ count: 2, skipped: 0 });
    expect(await found('?status=revoked')).toEqual(['p2']);
  });

  it('resets downloads for the price of each one that had any, once', async () => {
    const order = { action: 'reset_downloads', filter: {} };
    expect((await change({ ...order, dry_run: true })).body).toMatchObject({ count: 2, skipped: 3, cost: 0.06 });
    const used = async () =>
      (
        await server.db.query(
          'select refresh_count as n, refresh_cents as cents from usage_months where developer_id = $1',
          [ada.id],
        )
      )[0];
    expect(await used()).toEqual({ n: 0, cents: 0 });
    expect((await change(order)).body).toMatchObject({ count: 2, skipped: 3, cost: 0.06 });
    expect(await used()).toEqual({ n: 2, cents: 6 });
    expect((await change(order)).body).toMatchObject({ count: 0, cost: 0 });
    const charges = await server.db.query('select cost_cents from refresh_charges where developer_id = $1', [ada.id]);
    expect(charges.map(({ cost_cents }) => cost_cents)).toEqual([3, 3]);
    const days = await server.db.query(
      'select refresh_count as n, refresh_cents as cents from usage_days where developer_id = $1 and refresh_count > 0',
      [ada.id],
    );
    expect(days).toEqual([{ n: 2, cents: 6 }]);
  });

  it('never reaches another account', async () => {
    const eve = await signUp(server);
    expect((await change({ action: 'revoke', filter: {} }, eve.token)).body).toMatchObject({ count: 0 });
    expect((await change({ action: 'revoke', filter: { product: delay.id } }, eve.token)).body.count).toBe(0);
    expect(await found('?status=revoked')).toEqual(['p2']);
  });
});
