import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});

const post = (body: unknown, token = ada.token) => call(server, 'POST', '/api/products', { token, body });
const get = (id: string, token = ada.token) => call(server, 'GET', `/api/products/${id}`, { token });
const put = (id: string, body: unknown, token = ada.token) =>
  call(server, 'PUT', `/api/products/${id}`, { token, body });
const remove = (id: string, query = '', token = ada.token) =>
  call(server, 'DELETE', `/api/products/${id}${query}`, { token });

describe('creating', () => {
  it('answers the whole product with its defaults', async () => {
    const { status, body } = await post({
      name: ' Reverb ',
      short_desc: 'Space',
      feature_list: ['Plates', ' ', 'Halls'],
      price: 49.99,
      sale_price: '',
      file_urls: [
        { name: '', url: ' https://cdn.example.com/a/Reverb%20Mac.dmg ' },
        { name: 'x', url: '' },
        { name: 'Manual', url: 'https://example.com/' },
        { url: 'https://example.com' },
      ],
      is_draft: true,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Reverb',
      juce_product_id: 'Reverb',
      feature_list: ['Plates', 'Halls'],
      price: 49.99,
      sale_price: null,
      image_url: null,
      is_draft: true,
      serials_available: 0,
      max_activations: 3,
      offline_days: 30,
      lease_days: 90,
      trial_days: 0,
      on_loss: 'finish',
      version: 1,
      file_urls: [
        { name: 'Reverb Mac.dmg', url: 'https://cdn.example.com/a/Reverb%20Mac.dmg' },
        { name: 'Manual', url: 'https://example.com/' },
        { name: 'Download', url: 'https://example.com' },
      ],
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a negative price', { name: 'a', price: -1 }, 'price'],
    ['three decimals', { name: 'a', price: 1.005 }, 'price'],
    ['a price as text', { name: 'a', price: 'free' }, 'price'],
    ['a sale price above the price', { name: 'a', price: 5, sale_price: 6 }, 'sale_price'],
    ['a script as a file', { name: 'a', file_urls: [{ name: 'x', url: 'javascript:alert(1)' }] }, 'file_urls.0.url'],
    ['no seats', { name: 'a', max_activations: 0 }, 'max_activations'],
    ['a JUCE product id of two lines', { name: 'a', juce_product_id: 'a\nb' }, 'juce_product_id'],
    ['a JUCE product id that is too long', { name: 'a', juce_product_id: 'a'.repeat(201) }, 'juce_product_id'],
    ['a lease of no day', { name: 'a', lease_days: 0 }, 'lease_days'],
    ['a lease of more than a year', { name: 'a', lease_days: 366 }, 'lease_days'],
    ['a loss that means nothing', { name: 'a', on_loss: 'explode' }, 'on_loss'],
    ['an unknown field', { name: 'a', serials_available: 5 }, 'serials_available'],
  ])('refuses %s', async (_name, body, path) => {
    const answer = await post(body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
  });

  it('refuses a name twice, whatever its case, and under a race', async () => {
    const answers = await Promise.all(['Echo', 'ECHO', 'echo', 'Echo'].map((name) => post({ name })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      code: 'name_taken',
      errors: [{ path: 'name' }],
    });
    const stranger = await signUp(server);
    expect((await post({ name: 'Echo' }, stranger.token)).status).toBe(201);
  });

  it.each([
    ['text/plain', 'hello', 415],
    ['application/json', '{"name":', 400],
    ['application/json', '', 400],
    ['application/json', '[]', 400],
    ['application/json', 'null', 400],
    ['application/json', `{"name":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('refuses a body of type %s', async (type, body, status) => {
    const answer = await call(server, 'POST', '/api/products', {
      token: ada.token,
      body,
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(status);
    expect(answer.body.message).toBeTruthy();
  });
});

describe('lists', () => {
  it('page by cursor and search by name', async () => {
    const bea = await signUp(server);
    for (const name of ['Alpha', 'Beta 100%', 'Gamma']) await makeProduct(server, bea.token, { name });
    const list = (query: string) => call(server, 'GET', `/api/products${query}`, { token: bea.token });
    const first = await list('?limit=2');
    expect(first.body.map((product: { name: string }) => product.name)).toEqual(['Gamma', 'Beta 100%']);
    expect(first.headers.get('x-total-count')).toBe('3');
    const next = await list(`?limit=2&cursor=${first.headers.get('x-next-cursor')}`);
    expect(next.body.map((product: { name: string }) => product.name)).toEqual(['Alpha']);
    expect(next.headers.get('x-next-cursor')).toBeNull();
    expect((await list('?search=100%25')).body).toHaveLength(1);
    expect((await list('?search=nothing')).body).toEqual([]);
    expect((await list('?cursor=rubbish')).status).toBe(400);
    expect((await list('?limit=1001')).status).toBe(400);
  });
});

describe('changing', () => {
  it('keeps omitted fields, and reports the second of two concurrent changes', async () => {
    const product = await makeProduct(server, ada.token, {
      short_desc: 'kept',
      price: 10,
      lease_days: 365,
      on_loss: 'mute',
    });
    expect((await put(product.id, { sale_price: 5, version: 1 })).body).toMatchObject({
      short_desc: 'kept',
      lease_days: 365,
      on_loss: 'mute',
      price: 10,
      sale_price: 5,
      version: 2,
    });
    expect((await put(product.id, { short_desc: 'late', version: 1 })).body.code).toBe('stale_version');
    expect((await put(product.id, { price: 4 })).body.errors[0].path).toBe('sale_price');
    expect((await put(product.id, { is_draft: true })).status).toBe(400);
  });

  it('publishes a draft during a concurrent change', async () => {
    const product = await makeProduct(server, ada.token, { is_draft: true });
    const lock = await lockWith(server.db, 'select 1 from products where developer_id = $1 and id = $2 for update', [
      ada.id,
      product.id,
    ]);
    const changed = put(product.id, { price: 12 });
    await lock.untilWaiting(1);
    const published = call(server, 'POST', `/api/products/${product.id}/publish`, { token: ada.token });
    await lock.untilWaiting(2);
    await lock.release();
    expect([(await changed).status, (await published).status]).toEqual([200, 200]);
    expect((await get(product.id)).body).toMatchObject({ price: 12, is_draft: false });
  });

  it('does not wait for a batch that is being generated', async () => {
    const product = await makeProduct(server, ada.token);
    const lock = await lockWith(server.db, 'select 1 from products where developer_id = $1 and id = $2 for key share', [
      ada.id,
      product.id,
    ]);
    expect((await put(product.id, { price: 12 })).status).toBe(200);
    await lock.release();
  });

  it('publishes a draft once and for all', async () => {
    const product = await makeProduct(server, ada.token, { is_draft: true });
    const publish = () => call(server, 'POST', `/api/products/${product.id}/publish`, { token: ada.token });
    expect((await publish()).body.is_draft).toBe(false);
    expect((await publish()).status).toBe(200);
  });

  it('looks to a stranger as if nothing were there', async () => {
    const product = await makeProduct(server, ada.token);
    const { token } = await signUp(server);
    const absent = await get('01900000-0000-7000-8000-000000000000', token);
    for (const answer of [
      await get(product.id, token),
      await put(product.id, { name: 'mine' }, token),
      await remove(product.id, '', token),
    ]) {
      expect({ ...answer.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    }
    expect((await get(product.id)).body.name).toBe(product.name);
    expect((await get('not-an-id')).status).toBe(400);
  });
});

describe('deleting', () => {
  it('takes the available serials along', async () => {
    const product = await makeProduct(server, ada.token);
    await makeSerials(server, ada.token, product.id, { quantity: 4 });
    expect((await get(product.id)).body.serials_available).toBe(4);
    expect((await remove(product.id)).body).toEqual({
      message: 'Product deleted.',
      serials_deleted: 4,
      serials_revoked: 0,
      dry_run: false,
    });
    expect((await get(product.id)).status).toBe(404);
  });

  it('needs force with redeemed serials, which keeps the ledger and revokes them', async () => {
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 3 });
    expect((await redeem(server, serial?.code as string, 'nina@example.com')).status).toBe(200);
    const refused = await remove(product.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'product_has_redeemed_serials']);
    expect((await remove(product.id, '?force=true')).body).toEqual({
      message: 'Product deleted.',
      serials_deleted: 2,
      serials_revoked: 1,
      dry_run: false,
    });
    expect(await server.db.query('select 1 from redemptions where product_id = $1', [product.id])).toHaveLength(1);
    expect((await post({ name: product.name })).status).toBe(201);
    const reopened = await redeem(server, serial?.code as string, 'nina@example.com');
    expect(reopened.body.products[0]).toMatchObject({ revoked: true });
  });
});

describe('the JUCE product id', () => {
  it('is the name until another one is set, and again when that is emptied', async () => {
    const { id } = (await post({ name: 'Nebula' })).body;
    const juce = async (body: object) => (await put(id, body)).body.juce_product_id;
    expect(await juce({ name: 'Nebula II' })).toBe('Nebula II');
    expect(await juce({ juce_product_id: ' com.row.nebula ' })).toBe('com.row.nebula');
    expect(await juce({ name: 'Nebula III' })).toBe('com.row.nebula');
    for (const empty of ['', null]) {
      await juce({ juce_product_id: 'com.row.nebula' });
      expect(await juce({ juce_product_id: empty })).toBe('Nebula III');
    }
    // a spelling of its own is kept, for people to see
    expect(await juce({ juce_product_id: 'nebula iii' })).toBe('nebula iii');
    expect((await post({ name: 'Pulsar', juce_product_id: 'com.row.pulsar' })).body.juce_product_id).toBe(
      'com.row.pulsar',
    );
  });

  it('belongs to one product of a developer, whatever its case, whether it is a name or not', async () => {
    const one = (await post({ name: 'Quasar' })).body;
    const two = (await post({ name: 'Blazar', juce_product_id: 'com.row.blazar' })).body;
    const taken = async (answer: Promise<{ status: number; body: { code: string; errors: { path: string }[] } }>) => {
      const { status, body } = await answer;
      return [status, body.code, body.errors[0]?.path];
    };
    const conflict = [409, 'name_taken', 'juce_product_id'];
    expect(await taken(put(two.id, { juce_product_id: 'QUASAR' }))).toEqual(conflict);
    expect(await taken(put(one.id, { juce_product_id: 'com.ROW.blazar' }))).toEqual(conflict);
    expect(await taken(post({ name: 'Magnetar', juce_product_id: 'quasar' }))).toEqual(conflict);
    expect((await put(one.id, { juce_product_id: two.id.toUpperCase() })).body.errors[0].path).toBe('juce_product_id');
    expect(await taken(post({ name: 'Com.Row.Blazar' }))).toEqual([409, 'name_taken', 'name']);
    const at = await Promise.all(
      ['a', 'b'].map((name) => post({ name: `Race ${name}`, juce_product_id: 'com.row.race' })),
    );
    expect(at.map((answer) => answer.status).sort()).toEqual([201, 409]);
    // other developers’ products do not matter here, and those of a deleted product are free
    const stranger = await signUp(server);
    expect((await post({ name: 'Quasar', juce_product_id: 'com.row.blazar' }, stranger.token)).status).toBe(201);
    await remove(two.id);
    expect((await put(one.id, { juce_product_id: 'com.row.blazar' })).status).toBe(200);
  });
});

it('repeats the first answer under one idempotency key', async () => {
  const ask = (body: object) =>
    call(server, 'POST', '/api/products', { token: ada.token, body, headers: { 'idempotency-key': '"k1"' } });
  const answers = await Promise.all([ask({ name: 'Once' }), ask({ name: 'Once' }), ask({ name: 'Once' })]);
  const made = answers.filter((answer) => answer.status === 201);
  expect(made.length).toBeGreaterThanOrEqual(1);
  for (const answer of answers) expect([201, 409]).toContain(answer.status);
  const again = await ask({ name: 'Once' });
  expect(again.body).toEqual(made[0]?.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await ask({ name: 'Other' })).status).toBe(422);
});
