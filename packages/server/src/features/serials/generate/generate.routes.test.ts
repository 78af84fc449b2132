import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Delay; "Tape"', price: 30, sale_price: 20 });
});

const generate = (body: object, headers: Record<string, string> = {}, token = ada.token) =>
  call(server, 'POST', '/api/serials/generate', { token, body: { product_id: product.id, ...body }, headers });

describe('generating', () => {
  it('generates ten by default, in the requested format', async () => {
    const { status, body } = await generate({});
    expect([status, body.count, body.serials.length]).toEqual([201, 10, 10]);
    expect(body.serials[0].code).toMatch(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$/);
    expect(body.serials[0]).toMatchObject({
      product_id: product.id,
      reseller_id: null,
      expires_at: null,
      promo_price: null,
      batch_tag: null,
      notes: null,
    });
  });

  it('carries prefix, promo, expiry, tag and notes; days mean the account’s time zone', async () => {
    await server.db.query("update users set time_zone = 'America/New_York' where id = $1", [ada.id]);
    const { body } = await generate({
      quantity: 2,
      prefix: 'blck',
      promo_price: 9.99,
      promo_start: '2027-01-10',
      promo_expires: '2027-02-01',
      expires_at: '2027-12-31',
      batch_tag: 'Black Friday',
      notes: 'for the newsletter',
    });
    await server.db.query("update users set time_zone = 'UTC' where id = $1", [ada.id]);
    expect(body.serials[0].code).toMatch(/^BLCK-/);
    expect(body.serials[0]).toMatchObject({
      promo_price: 9.99,
      promo_start: '2027-01-10T05:00:00.000Z',
      promo_expires: '2027-02-02T04:59:59.999Z',
      expires_at: '2028-01-01T04:59:59.999Z',
      batch_tag: 'Black Friday',
      notes: 'for the newsletter',
    });
  });

  it('gives serials to a reseller by id or by a new name, which is made once', async () => {
    const made = await Promise.all([
      generate({ new_reseller_name: 'Plugin Shop' }),
      generate({ new_reseller_name: 'plugin shop' }),
    ]);
    const [one, two] = made.map((answer) => answer.body.serials[0].reseller_id);
    expect(one).toBe(two);
    const resellers = (await call(server, 'GET', '/api/reseller/developer/resellers', { token: ada.token })).body;
    expect(resellers).toHaveLength(1);
    expect(resellers[0]).toMatchObject({ id: one, commission_rate: 20, status: 'named' });
    expect((await generate({ reseller_id: one })).body.serials[0].reseller_id).toBe(one);
    const stranger = await signUp(server);
    const theirs = await makeProduct(server, stranger.token);
    const stolen = await call(server, 'POST', '/api/serials/generate', {
      token: stranger.token,
      body: { product_id: theirs.id, reseller_id: one },
    });
    expect(stolen.body.errors[0].path).toBe('reseller_id');
  });

  it.each([
    ['a short prefix', { prefix: 'ABC' }, 400, 'prefix'],
    ['the prefix of test serials', { prefix: 'test' }, 400, 'prefix'],
    ['a prefix with a dash', { prefix: 'AB-C' }, 400, 'prefix'],
    ['a prefix of spaces', { prefix: '    ' }, 400, 'prefix'],
    ['a prefix with a space around it', { prefix: ' BLCK' }, 400, 'prefix'],
    ['no serials', { quantity: 0 }, 400, 'quantity'],
    ['half a serial', { quantity: 1.5 }, 400, 'quantity'],
    ['too many', { quantity: 1_000_001 }, 400, 'quantity'],
    ['quantity as text', { quantity: '10' }, 400, 'quantity'],
    ['promo dates without a price', { promo_expires: '2030-01-01' }, 400, 'promo_price'],
    ['an expiry in the past', { expires_at: '2020-01-01' }, 422, 'expires_at'],
    [
      'a promo that ends before it starts',
      { promo_price: 1, promo_start: '2030-02-01', promo_expires: '2030-01-01' },
      422,
      'promo_expires',
    ],
    ['a day that does not exist', { expires_at: '2030-02-30' }, 400, 'expires_at'],
    [
      'two resellers',
      { reseller_id: '01900000-0000-7000-8000-000000000000', new_reseller_name: 'x' },
      400,
      'new_reseller_name',
    ],
  ])('refuses %s', async (_name, body, status, path) => {
    const answer = await generate(body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([status, path]);
  });

  it('explains the prefix rule in the specified wording', async () => {
    expect((await generate({ prefix: 'A' })).body.errors[0].message).toBe(
      'Prefix must be exactly 4 alphanumeric characters (A–Z, 0–9).',
    );
  });

  it('can be tried: the same refusals, and nothing is made', async () => {
    const body = { new_reseller_name: 'Never made', dry_run: true };
    const before = (await call(server, 'GET', '/api/serials', { token: ada.token })).body.total;
    for (const accept of ['application/json', 'text/csv']) {
      const tried = await generate({ ...body, quantity: 1_000_000 }, { accept });
      expect([tried.status, tried.body]).toEqual([
        200,
        { batch_id: null, count: 1_000_000, serials: [], dry_run: true },
      ]);
    }
    expect((await generate({ ...body, quantity: 1_000_001 })).body.errors[0].path).toBe('quantity');
    expect((await generate({ ...body, promo_start: '2999-01-01' })).body.errors[0].path).toBe('promo_price');
    expect((await generate({ ...body, product_id: crypto.randomUUID() })).status).toBe(404);
    expect((await call(server, 'GET', '/api/serials', { token: ada.token })).body.total).toBe(before);
    const resellers = (await call(server, 'GET', '/api/reseller/developer/resellers', { token: ada.token })).body;
    expect(JSON.stringify(resellers)).not.toContain('Never made');
  });

  it('is a stranger’s 404', async () => {
    const { token } = await signUp(server);
    expect((await generate({}, {}, token)).status).toBe(404);
  });

  it('streams CSV that a spreadsheet opens safely, and NDJSON', async () => {
    const formula = await makeProduct(server, ada.token, { name: '=HYPERLINK("x")' });
    const csv = await call(server, 'POST', '/api/serials/generate', {
      token: ada.token,
      body: { product_id: formula.id, quantity: 12_000, batch_tag: '+tag', notes: 'a, "b"\nc' },
      headers: { accept: 'text/csv' },
    });
    expect(csv.status).toBe(201);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('x-total-count')).toBe('12000');
    expect(
      csv.text.startsWith('Serial,Product,Promo Price,Promo Expires,Active From,Active To,Batch Tag,Notes\r\n'),
    ).toBe(true);
    const rows = csv.text.match(
      /^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4},"'=HYPERLINK\(""x""\)",,,,,'\+tag,"a, ""b""\nc"\r$/gm,
    );
    expect(new Set(rows).size).toBe(12_000);
    const lines = await generate({ quantity: 11_000 }, { accept: 'application/x-ndjson' });
    const parsed = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(parsed).toHaveLength(11_000);
    expect(parsed[0]).toMatchObject({ product_id: product.id, notes: null });
  });

  it('requires streaming for more than 10,000', async () => {
    const answer = await generate({ quantity: 10_001 });
    expect([answer.status, answer.body.code]).toEqual([406, 'not_acceptable']);
    expect((await generate({}, { accept: 'image/png' })).status).toBe(406);
  });

  it('makes one batch of two requests with one idempotency key, streamed or not', async () => {
    const key = { 'idempotency-key': 'batch-1' };
    const [a, b] = await Promise.all([generate({ quantity: 500 }, key), generate({ quantity: 500 }, key)]);
    const answers = [a, b].filter((answer) => answer.status === 201);
    expect(answers.length).toBeGreaterThanOrEqual(1);
    const again = await generate({ quantity: 500 }, key);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(answers[0]?.body);
    const asCsv = await generate({ quantity: 500 }, { ...key, accept: 'text/csv' });
    expect(asCsv.headers.get('x-batch-id')).toBe(again.body.batch_id);
    expect(
      await server.db.query('select 1 from batches where developer_id = $1 and quantity = 500', [ada.id]),
    ).toHaveLength(1);
    expect((await generate({ quantity: 501 }, key)).body.code).toBe('idempotency_key_reused');
  });
});
