import { call, type Person, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { deliver, OtherShop, signedBy } from '@tonerow/test-support/shops/other.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
});

const api = (method: string, path: string, body?: object, token = ada.token) =>
  call(server, method, path, { token, ...(body ? { body } : {}) });
const create = (fields: object = {}, token = ada.token) =>
  api('POST', '/api/shops', { kind: 'other', name: 'My shop', ...fields }, token);
const stored = (table: string, id: string) =>
  server.db.query<Record<string, unknown>>(`select * from ${table} where developer_id = $1 and id = $2`, [ada.id, id]);
const deliveries = async (shopId: string) =>
  (
    await server.db.query<{ n: number }>(
      'select count(*)::int as n from shop_deliveries where developer_id = $1 and connection_id = $2',
      [ada.id, shopId],
    )
  )[0]?.n;
const refund = (order = 'nobody') => ({
  type: 'sale.refunded',
  timestamp: new Date().toISOString(),
  data: { order, refund: 'r1' },
});

describe('a shop', () => {
  it('is connected by an address and a secret, which is shown once and sealed', async () => {
    const made = await create();
    expect(made.status, made.text).toBe(201);
    const { shop, secret } = made.body;
    expect(shop).toMatchObject({ kind: 'other', name: 'My shop', mode: 'live', state: 'active', has_secret: true });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shop.address).toMatch(new RegExp(`^${server.url}/api/shop-hooks/${ada.id}/[A-Za-z0-9]{32}$`));
    const shown = [await api('GET', `/api/shops/${shop.id}`), await api('GET', '/api/shops')];
    for (const { text } of shown) expect(text).not.toContain(secret);
    const [row] = await stored('shop_connections', shop.id);
    expect(Buffer.from(row?.secret as Buffer).includes(secret.slice(6, 20))).toBe(false);
    expect(server.logged()).not.toContain(secret.slice(6));
  });

  it('whose secret is its own is given that, and has none until then', async () => {
    const { shop, secret } = (await create({ kind: 'shopify' })).body;
    expect([shop.has_secret, secret]).toEqual([false, undefined]);
    const changed = await api('PATCH', `/api/shops/${shop.id}`, { secret: 'shopify_made_this' });
    expect(changed.body).toMatchObject({ has_secret: true });
    expect(changed.text).not.toContain('shopify_made');
    expect((await api('PATCH', `/api/shops/${shop.id}`, { secret: '        ' })).status).toBe(400);
    expect((await create({ secret: 'one of my own' })).status).toBe(400);
  });

  it('that takes a secret of ours gets one of letters and digits, and one that nobody knows is refused', async () => {
    expect((await create({ kind: 'woocommerce' })).body.secret).toMatch(/^[A-Za-z0-9]{32}$/);
    expect((await create({ kind: 'gumroad' })).body).toMatchObject({ shop: { has_secret: false } });
    const refused = await create({ kind: 'etsy' });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'kind']);
  });

  it('is made once by a request that is repeated', async () => {
    const send = () =>
      call(server, 'POST', '/api/shops', {
        token: ada.token,
        body: { kind: 'other', name: 'Twice' },
        headers: { 'idempotency-key': 'shop-twice' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
  });

  it('is another account’s to nobody, and needs a verified address', async () => {
    const { shop } = (await create()).body;
    const stranger = await signUpVerified(server);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['POST', '/rotate-secret', {}],
      ['POST', '/pause', undefined],
      ['POST', '/resume', undefined],
      ['GET', '/items', undefined],
      ['GET', '/orders', undefined],
      ['DELETE', '', undefined],
    ] as const)
      expect((await api(method, `/api/shops/${shop.id}${path}`, body, stranger.token)).status).toBe(404);
    expect((await create({}, (await signUp(server)).token)).status).toBe(403);
    expect((await api('GET', '/api/shops', undefined, (await signUp(server, 'reseller')).token)).status).toBe(200);
  });

  it('has a name, a kind and settings that are refused when they are strange', async () => {
    for (const fields of [{ name: '' }, { kind: 'ebay' }, { mode: 'sandbox' }, { on_refund: 'burn' }, { color: 'red' }])
      expect((await create(fields)).status).toBe(400);
    const { shop } = (await create()).body;
    const changed = await api('PATCH', `/api/shops/${shop.id}`, { name: 'Else', on_refund: 'keep', delivery: 'shop' });
    expect(changed.body).toMatchObject({ name: 'Else', on_refund: 'keep', delivery: 'shop', on_dispute: 'suspend' });
  });

  it('that is deleted is unknown from then on, and nothing opens it', async () => {
    const { shop, secret } = (await create()).body;
    const other = new OtherShop({ address: shop.address, secret });
    expect(await other.send('sale.refunded', refund().data)).toBe(200);
    expect((await api('DELETE', `/api/shops/${shop.id}`)).status).toBe(200);
    expect(await other.send('sale.refunded', refund().data)).toBe(404);
    expect((await api('GET', `/api/shops/${shop.id}`)).status).toBe(404);
    expect((await api('DELETE', `/api/shops/${shop.id}`)).status).toBe(404);
    expect((await stored('shop_connections', shop.id))[0]).toMatchObject({ secret: null, state: 'off' });
    const log = await api('GET', '/api/audit-log?action=shop_deleted');
    expect(log.body.rows[0]).toMatchObject({ object_id: shop.id, detail: 'My shop' });
  });
});

describe('a rotated secret', () => {
  it('is accepted beside the old one until the overlap ends', async () => {
    const { shop, secret } = (await create()).body;
    const rotated = await api('POST', `/api/shops/${shop.id}/rotate-secret`, { overlap_hours: 2 });
    expect(rotated.body.secret).not.toBe(secret);
    expect(rotated.body.shop.rotates_until).not.toBeNull();
    const signed = (by: string) => deliver(signedBy(by, shop.address, refund()));
    expect([await signed(secret), await signed(rotated.body.secret)]).toEqual([200, 200]);
    await server.db.query(
      `update shop_connections set previous_until = now() - interval '1 second' where developer_id = $1 and id = $2`,
      [ada.id, shop.id],
    );
    expect([await signed(secret), await signed(rotated.body.secret)]).toEqual([401, 200]);
  });

  it('of a shop that makes its own has to be pasted', async () => {
    const { shop } = (await create({ kind: 'shopify', secret: 'the_first_key' })).body;
    expect((await api('POST', `/api/shops/${shop.id}/rotate-secret`, {})).status).toBe(400);
    const rotated = await api('POST', `/api/shops/${shop.id}/rotate-secret`, { secret: 'the_second_key' });
    expect([rotated.status, rotated.body.secret]).toEqual([200, undefined]);
  });
});

describe('what comes to the address', () => {
  it('is kept once, and answered the same again', async () => {
    const { shop, secret } = (await create()).body;
    const sent = signedBy(secret, shop.address, refund());
    expect(await Promise.all([deliver(sent), deliver(sent), deliver(sent)])).toEqual([200, 200, 200]);
    expect(await deliveries(shop.id)).toBe(1);
    expect((await api('GET', `/api/shops/${shop.id}`)).body.last_event_at).not.toBeNull();
  });

  it('is refused, kept nowhere, and said to be, when it is forged, late, cut or written anew', async () => {
    const { shop, secret } = (await create()).body;
    const good = signedBy(secret, shop.address, refund());
    const wrong = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const hourAgo = new Date(Date.now() - 3_600_000);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const without = (name: string) => ({ ...good, headers: { ...good.headers, [name]: '' } });
    const bad = [
      signedBy(wrong, shop.address, refund()),
      signedBy('whsec_', shop.address, refund()),
      signedBy(secret, shop.address, refund(), { at: hourAgo }),
      signedBy(secret, shop.address, refund(), { at: inAnHour }),
      { ...good, body: good.body.slice(0, -1) },
      { ...good, body: JSON.stringify(JSON.parse(good.body), null, 1) },
      { ...good, body: '' },
      { ...good, headers: { ...good.headers, 'webhook-id': 'another' } },
      { ...good, headers: { ...good.headers, 'webhook-timestamp': 'soon' } },
      without('webhook-signature'),
      without('webhook-id'),
    ];
    for (const sent of bad) expect(await deliver(sent)).toBe(401);
    const zipped = { ...good, headers: { ...good.headers, 'content-encoding': 'gzip' } };
    expect(await deliver(zipped)).toBe(415);
    expect(await deliveries(shop.id)).toBe(0);
    const shown = (await api('GET', `/api/shops/${shop.id}`)).body;
    expect(shown).toMatchObject({ last_event_at: null, refused_why: expect.any(String) });
    expect(shown.refused_at).not.toBeNull();
  });

  it('of a shop that has no secret yet is refused, whoever signed it', async () => {
    const { shop } = (await create({ kind: 'shopify' })).body;
    expect(await deliver(signedBy('whsec_', shop.address, refund()))).toBe(401);
    expect((await api('GET', `/api/shops/${shop.id}`)).body.refused_why).toContain('no secret');
  });

  it('of an address that somebody has guessed is nobody’s', async () => {
    const { shop, secret } = (await create()).body;
    const [start] = shop.address.split(ada.id);
    for (const address of [
      `${start}${ada.id}/${'a'.repeat(32)}`,
      `${start}01900000-0000-7000-8000-000000000000/${shop.address.slice(-32)}`,
      `${start}nobody/${shop.address.slice(-32)}`,
      `${shop.address.slice(0, -1)}`,
    ])
      expect(await deliver(signedBy(secret, address, refund()))).toBe(404);
  });

  it('and is signed but makes no sense is answered, kept, and said to be of no use', async () => {
    const { shop, secret } = (await create()).body;
    const order = 'senseless 🎹';
    for (const event of [
      { type: 'sale.created', timestamp: 'yesterday', data: { order } },
      { type: 'sale.created', timestamp: new Date().toISOString(), data: { order, lines: [] } },
      { type: 'sale.refunded', timestamp: new Date().toISOString(), data: { order } },
      { type: 'sale.exploded', timestamp: new Date().toISOString(), data: { order } },
      { type: 'ping' },
    ])
      expect(await deliver(signedBy(secret, shop.address, event))).toBe(200);
    const deep = `{"type":"sale.created","data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const signed = signedBy(secret, shop.address, {});
    expect(await deliver({ ...signed, body: deep })).toBe(401);
    const told = () =>
      server.db.query(
        `select event, state, why is not null as why from shop_deliveries where developer_id = $1 and connection_id = $2 order by event, state`,
        [ada.id, shop.id],
      );
    await expect.poll(told, { timeout: 20_000 }).toEqual([
      { event: 'ping', state: 'ignored', why: true },
      { event: 'sale.created', state: 'failed', why: true },
      { event: 'sale.created', state: 'failed', why: true },
      { event: 'sale.exploded', state: 'ignored', why: true },
      { event: 'sale.refunded', state: 'failed', why: true },
    ]);
    expect((await api('GET', `/api/shops/${shop.id}/orders`)).body.rows).toEqual([]);
  });

  it('of a shop that is paused is kept and waits, and is worked on when it is resumed', async () => {
    const { shop, secret } = (await create()).body;
    expect((await api('POST', `/api/shops/${shop.id}/pause`)).body.state).toBe('off');
    expect(await deliver(signedBy(secret, shop.address, refund('paused')))).toBe(200);
    const shown = () => api('GET', `/api/shops/${shop.id}`);
    expect((await shown()).body).toMatchObject({ state: 'off', waiting: 1 });
    expect((await api('POST', `/api/shops/${shop.id}/resume`)).body.state).toBe('active');
    await expect.poll(async () => (await shown()).body.waiting, { timeout: 20_000 }).toBe(0);
    const { rows } = (await api('GET', `/api/shops/${shop.id}/orders`)).body;
    expect(rows).toMatchObject([{ number: 'paused', state: 'seen' }]);
  });
});
