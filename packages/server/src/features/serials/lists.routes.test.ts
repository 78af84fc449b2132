import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
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

async function download(code: string, email: string) {
  const opened = await redeem(server, code, email, ada.id);
  const link = new URL(opened.body.products[0].files[0].url);
  await call(server, 'GET', link.pathname + link.search);
}

it('answers 406 to a form that there is none of, also when it is called like a part of every object', async () => {
  for (const accept of ['constructor', '__proto__', 'image/png']) {
    const { status, body } = await get('/api/serials', { accept });
    expect([status, body.code]).toEqual([406, 'not_acceptable']);
  }
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

describe('the download count', () => {
  const refresh = (id: string) => call(server, 'PATCH', `/api/serials/refresh/${id}`, { token: ada.token });

  it('is set back at the plan’s price, once, and opens the downloads again', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id);
    const id = serial?.id as string;
    await download(serial?.code as string, 'n@example.com');
    await server.db.query('update serials set download_count = 5 where id = $1', [id]);
    expect((await get(`/api/serials/${id}`)).body.download_count).toBe(5);
    expect((await refresh(id)).body).toMatchObject({ download_count: 0, refresh_cost: 0 });
    await setPlan(server.db, { plan: 'creator', accountId: ada.id });
    await download(serial?.code as string, 'n@example.com');
    const both = await Promise.all([refresh(id), refresh(id)]);
    expect(both.map(({ body }) => body.refresh_cost).sort()).toEqual([0, 0.05]);
    const charges = await server.db.query('select plan, cost_cents from refresh_charges where developer_id = $1', [
      ada.id,
    ]);
    expect(charges).toEqual([
      { plan: 'free', cost_cents: 0 },
      { plan: 'creator', cost_cents: 5 },
    ]);
  });
});

/** A list from a place on, or from its beginning. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
async function everyPage(path: string, from: string | null = ''): Promise<any[]> {
  const rows = [];
  for (let cursor = from; cursor !== null; ) {
    const page: { rows: unknown[]; next_cursor: string | null } = (
      await get(`${path}?limit=7${cursor && `&cursor=${cursor}`}`)
    ).body;
    rows.push(...page.rows);
    cursor = page.next_cursor;
  }
  return rows;
}

describe('one serial', () => {
  it('returns its whole history', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Shop', batch_tag: 'T' });
    const id = serial?.id as string;
    await download(serial?.code as string, 'n@example.com');
    for (const action of ['revoke', 'revoke', 'reassign', 'refresh'])
      await call(server, 'PATCH', `/api/serials/${action}/${id}`, { token: ada.token });
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    const machine = { license_key: serial?.code, machine_id: 'studio-mac' };
    await call(server, 'POST', '/api/license/v1/activate', { token: key, body: machine });
    await call(server, 'POST', '/api/license/v1/deactivate', { token: key, body: machine });
    const { body } = await get(`/api/serials/${id}`);
    expect(body.history.map((event: { kind: string }) => event.kind)).toEqual([
      'released',
      'activated',
      'refreshed',
      'reassigned',
      'revoked',
      'downloaded',
      'redeemed',
      'given',
      'made',
    ]);
    expect(body.history.find((event: { kind: string }) => event.kind === 'downloaded').detail).toBe('Mac');
    expect(body).toMatchObject({
      reseller_name: 'Shop',
      seats_used: 0,
      max_activations: 3,
      final_price: 30,
      batch_tag: 'T',
    });
    expect(body.customer).toMatchObject({ email: 'n@example.com', first_name: 'Nina' });
    expect(body.machines[0]).toMatchObject({ machine_id: 'studio-mac' });
    expect([body.history_cursor, body.machines_cursor]).toEqual([null, null]);
    expect(await everyPage(`/api/serials/${id}/history`)).toEqual(body.history);
  });

  it('has as many machines and entries of its history as there are, page by page', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const id = serial?.id as string;
    await server.db.query(
      `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at, released_at)
       select gen_random_uuid(), developer_id, id, 'machine-' || n, now(), now() - interval '1 hour' * (n / 2),
         case when n % 3 = 0 then now() end from serials, generate_series(1, 260) n where id = $1`,
      [id],
    );
    const { body } = await get(`/api/serials/${id}`);
    expect([body.machines.length, body.history.length]).toEqual([200, 200]);
    const machines = [...body.machines, ...(await everyPage(`/api/serials/${id}/machines`, body.machines_cursor))];
    expect(new Set(machines.map((each) => each.machine_id)).size).toBe(260);
    expect(machines).toEqual(await everyPage(`/api/serials/${id}/machines`));
    const held = machines.map((each) => each.released_at === null);
    expect(held).toEqual([...held].sort().reverse());
    const history = [...body.history, ...(await everyPage(`/api/serials/${id}/history`, body.history_cursor))];
    expect(history).toHaveLength(260 + 86 + 1);
    expect(history).toEqual(await everyPage(`/api/serials/${id}/history`));
  });
});

describe('batches', () => {
  it('know how far their serials came, and hand-outs only where a reseller gives them away', async () => {
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    const made = async (fields: object) => {
      const serials = await makeSerials(server, ada.token, product.id, { quantity: 4, ...fields });
      const [batch] = (await get('/api/batches?limit=1')).body.rows;
      return { serials, id: batch.id as string };
    };
    const own = await made({ batch_tag: 'Funnel' });
    await redeem(server, own.serials[0]?.code as string, 'one@example.com');
    await redeem(server, own.serials[1]?.code as string, 'two@example.com');
    for (const machine_id of ['a', 'b']) {
      const body = { license_key: own.serials[0]?.code, machine_id };
      await call(server, 'POST', '/api/license/v1/activate', { token: key, body });
    }
    expect((await get(`/api/batches/${own.id}/funnel`)).body).toEqual({
      batch_id: own.id,
      stages: [
        { stage: 'generated', count: 4, share: 100, of_previous: null },
        { stage: 'redeemed', count: 2, share: 50, of_previous: 50 },
        { stage: 'activated', count: 1, share: 25, of_previous: 50 },
      ],
    });
    const sold = await made({ new_reseller_name: 'Funnel Shop' });
    expect((await get(`/api/batches/${sold.id}/funnel`)).body.stages).toEqual([
      { stage: 'generated', count: 4, share: 100, of_previous: null },
      { stage: 'handed_out', count: 0, share: 0, of_previous: 0 },
      { stage: 'redeemed', count: 0, share: 0, of_previous: null },
      { stage: 'activated', count: 0, share: 0, of_previous: null },
    ]);
  });

  it('shows the state of each; only those that were not redeemed are revoked', async () => {
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 10, batch_tag: 'Fair' });
    await redeem(server, serials[0]?.code as string, 'n@example.com', ada.id);
    const [batch] = (await get('/api/batches?search=fair')).body.rows;
    expect(batch).toMatchObject({
      quantity: 10,
      open: 9,
      redeemed: 1,
      revoked: 0,
      origin: 'generate',
      batch_tag: 'Fair',
    });
    const revoke = (query = '') =>
      call(server, 'POST', `/api/batches/${batch.id}/revoke${query}`, { token: ada.token });
    expect((await revoke('?dry_run=true')).body).toEqual({ count: 9, dry_run: true });
    expect((await revoke()).body).toEqual({ count: 9, dry_run: false, changed_at: expect.any(String) });
    expect((await get(`/api/batches/${batch.id}`)).body).toMatchObject({ open: 0, redeemed: 1, revoked: 9 });
    const again = await get(`/api/serials?batch_id=${batch.id}`, csv);
    expect(again.headers.get('content-disposition')).toContain('serial_batch_full.csv');
    expect(again.text.trim().split('\r\n')).toHaveLength(11);
  });
});

it('take the last day that there is, also west of Greenwich', async () => {
  const dan = await signUp(server);
  await call(server, 'PUT', '/api/account/settings', { token: dan.token, body: { time_zone: 'America/New_York' } });
  const { id } = await makeProduct(server, dan.token);
  const body = { product_id: id, quantity: 1, expires_at: '9999-12-31' };
  expect((await call(server, 'POST', '/api/serials/generate', { token: dan.token, body })).status).toBe(201);
  const range = 'dateRange=2026-01-01_to_9999-12-31';
  for (const path of ['serials?', `serials/available?${range}`, `serials/redeemed?${range}`]) {
    expect([path, (await call(server, 'GET', `/api/${path}`, { token: dan.token })).status]).toEqual([path, 200]);
  }
});

it('count a serial as available in every view or in none, whether or not it may be redeemed yet', async () => {
  const draft = await makeProduct(server, ada.token, { name: 'Draft', is_draft: true });
  await makeSerials(server, ada.token, draft.id, { quantity: 2 });
  await makeSerials(server, ada.token, draft.id, { quantity: 1, promo_price: 1, promo_start: '2999-01-01' });
  const [past] = await makeSerials(server, ada.token, draft.id, { quantity: 2 });
  await server.db.query(
    `update batches set expires_at = '2020-01-01' from serials s where s.batch_id = batches.id and s.id = $1`,
    [past?.id],
  );
  const [, late] = await makeSerials(server, ada.token, draft.id, { quantity: 2 });
  await call(server, 'PATCH', `/api/serials/revoke/${late?.id}`, { token: ada.token });
  const views = {
    product: (await get(`/api/products/${draft.id}`)).body.serials_available,
    products: (await get('/api/products?search=draft')).body[0].serials_available,
    groups: (await get('/api/serials/available')).body.total,
    list: (await get('/api/serials?state=available')).body.total,
    csv: (await get('/api/serials?state=available', csv)).text.trim().split('\r\n').length - 1,
  };
  expect(views).toEqual({ product: 4, products: 4, groups: 4, list: 4, csv: 4 });
});

it('count the available serials of all groups, though only the first hundred are listed', async () => {
  const [{ developer_id, batch_id } = {} as never] = await server.db.query<{ developer_id: string; batch_id: string }>(
    'select developer_id, batch_id from serials where id = $1',
    [(await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.id],
  );
  await server.db.query(
    `with made as (
       insert into batches (id, developer_id, product_id, origin, quantity, promo_price_cents, batch_tag, created_at)
       select gen_random_uuid(), b.developer_id, b.product_id, b.origin, 1, 100, 'Tag ' || n, b.created_at
       from batches b, generate_series(1, 120) n where b.developer_id = $1 and b.id = $2 returning *
     ) insert into serials (id, developer_id, batch_id, code, code_key)
     select gen_random_uuid(), developer_id, id, batch_tag, upper(batch_tag) from made`,
    [developer_id, batch_id],
  );
  const { body } = await get('/api/serials/available');
  expect([body.groups.length, body.total]).toEqual([100, 121]);
});
