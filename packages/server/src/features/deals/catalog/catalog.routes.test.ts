import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { connectPartners, makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let pair: Partners;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const get = (path: string, person: Person, accept?: string) =>
  call(server, 'GET', path, { token: person.token, headers: accept ? { accept } : {} });
const products = (query = '', person = pair.reseller) => get(`/api/reseller/products${query}`, person);
const deals = (query = '', person = pair.reseller) => get(`/api/reseller/deals${query}`, person);
const product = (fields: object = {}, person = pair.developer) => makeProduct(server, person.token, fields);
const give = (productId: string, fields: object = {}) =>
  makeSerials(server, pair.developer.token, productId, { reseller_id: pair.partnershipId, ...fields });
const setStatus = (status: string, id = pair.partnershipId) =>
  server.db.query('update partnerships set status = $2 where id = $1', [id, status]);
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const names = (answer: { body: any }) => answer.body.rows.map((row: { name: string }) => row.name);
const freshPair = async (rate?: number) => {
  pair = await makePartners(server, rate);
};

describe('the catalog of products', () => {
  beforeAll(() => freshPair(12.5));

  it('has the submitted products of linked developers, with counts of what the reseller was given', async () => {
    const { id } = await product({ name: 'Prism', price: 80, sale_price: 60 });
    const [code] = await give(id, { quantity: 4 });
    await give(id, { quantity: 2, promo_price: 40, batch_tag: 'Spring' });
    await makeSerials(server, pair.developer.token, id, { quantity: 50 });
    await redeem(server, code?.code as string, 'nina@example.com');
    const { body } = await products();
    expect(body).toEqual({
      rows: [
        {
          product_id: id,
          name: 'Prism',
          product_name: 'Prism',
          developer_id: pair.developer.id,
          developer_name: 'Row Audio',
          developer_time_zone: 'UTC',
          image_url: null,
          batch_tag: null,
          created_at: expect.any(String),
          promo_price: null,
          promo_expires: null,
          price: 80,
          sale_price: 60,
          commission_rate: 12.5,
          total_redemptions: 1,
          available_serials: 5,
          not_for_sale_serials: 0,
          is_expired: false,
        },
      ],
      total: 1,
      next_cursor: null,
    });
  });

  it('sorts by age, name and redemptions, page by page, and refuses the cursor of another order', async () => {
    await freshPair();
    const made: { id: string }[] = [];
    for (const name of ['Beta', 'alpha', 'Gamma']) {
      clock.advance(1000);
      made.push(await product({ name }));
    }
    const [beta, , gamma] = made;
    const [first, second] = await give(gamma?.id as string);
    const [other] = await give(beta?.id as string);
    for (const serial of [first, second, other]) await redeem(server, serial?.code as string, 'nina@example.com');
    expect(names(await products())).toEqual(['Gamma', 'alpha', 'Beta']);
    expect(names(await products('?sort=alphabetical'))).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(names(await products('?sort=popular'))).toEqual(['Gamma', 'Beta', 'alpha']);
    for (const sort of ['recent', 'alphabetical', 'popular']) {
      const whole = names(await products(`?sort=${sort}`));
      const begin = await products(`?sort=${sort}&limit=2`);
      const rest = await products(`?sort=${sort}&limit=2&cursor=${begin.body.next_cursor}`);
      expect([...names(begin), ...names(rest)]).toEqual(whole);
      expect([begin.body.total, rest.body.next_cursor]).toEqual([3, null]);
    }
    const { body } = await products('?limit=1');
    expect((await products(`?sort=popular&cursor=${body.next_cursor}`)).status).toBe(400);
  });

  it('is searched by product, developer and the tag of a batch, and narrowed to a developer', async () => {
    await freshPair();
    const { id } = await product({ name: 'Prism_1' });
    await product({ name: 'Delay' });
    await give(id, { batch_tag: '100% Spring' });
    const other = await signUpVerified(server);
    await server.db.query("update users set company_name = 'Oak Sound' where id = $1", [other.id]);
    await connectPartners(server, other, pair.reseller);
    await product({ name: 'Acorn' }, other);
    expect(names(await products('?search=prism_'))).toEqual(['Prism_1']);
    expect(names(await products('?search=100%25'))).toEqual(['Prism_1']);
    expect(names(await products('?search=oak'))).toEqual(['Acorn']);
    expect(names(await products(`?developer_id=${other.id}`))).toEqual(['Acorn']);
    const stranger = await signUpVerified(server);
    await product({}, stranger);
    expect((await products(`?developer_id=${stranger.id}`)).body).toMatchObject({ rows: [], total: 0 });
  });

  it('never has a draft, a deleted product, or a tag of somebody else’s batch', async () => {
    await freshPair();
    await makeProduct(server, pair.developer.token, { name: 'Draft', is_draft: true });
    const gone = await product({ name: 'Gone' });
    await call(server, 'DELETE', `/api/products/${gone.id}`, { token: pair.developer.token });
    const { id } = await product({ name: 'Kept' });
    await makeSerials(server, pair.developer.token, id, { batch_tag: 'Secret' });
    expect(names(await products())).toEqual(['Kept']);
    expect(names(await products('?search=secret'))).toEqual([]);
  });
});

describe('the list of deals', () => {
  beforeAll(() => freshPair());

  it('has the promotions that the reseller was given, batches with the same terms as one', async () => {
    const { id } = await product({ name: 'Prism' });
    const terms = { promo_price: 29, promo_start: '2026-03-01', promo_expires: '2026-03-20', expires_at: '2026-12-31' };
    const [serial] = await give(id, { ...terms, batch_tag: 'Spring' });
    await give(id, { ...terms, batch_tag: 'Spring', quantity: 5 });
    await give(id, { ...terms, batch_tag: 'Spring', expires_at: '2027-01-31' });
    await give(id);
    await makeSerials(server, pair.developer.token, id, terms);
    await redeem(server, serial?.code as string, 'nina@example.com');
    const { body } = await deals('?sort=popular');
    expect(body.total).toBe(2);
    expect(body.rows[0]).toMatchObject({
      id: expect.any(String),
      product_id: id,
      promo_price: 29,
      promo_start: '2026-03-01T00:00:00.000Z',
      promo_expires: '2026-03-20T23:59:59.999Z',
      expires_at: '2026-12-31T23:59:59.999Z',
      batch_tag: 'Spring',
      total_redemptions: 1,
      available_serials: 7,
      is_expired: false,
    });
    expect(body.rows[1]).toMatchObject({ expires_at: '2027-01-31T23:59:59.999Z', available_serials: 3 });
  });

  it('separates current deals from expired ones by the end of the sale, and by the redeem-by date', async () => {
    await freshPair();
    const { id } = await product();
    await give(id, { promo_price: 9, batch_tag: 'short', promo_expires: '2026-03-12' });
    await give(id, { promo_price: 9, batch_tag: 'endless' });
    await give(id, { promo_price: 9, batch_tag: 'late', expires_at: '2026-03-12' });
    const tags = async (state: string) =>
      (await deals(`?state=${state}&sort=alphabetical`)).body.rows.map((row: { batch_tag: string }) => row.batch_tag);
    expect([(await tags('current')).length, await tags('expired')]).toEqual([3, []]);
    clock.advance(3 * DAY);
    expect([await tags('current'), await tags('expired')]).toEqual([['endless'], ['short', 'late']]);
    expect((await deals('?state=current')).body.total).toBe(1);
    const { rows } = (await deals('?state=expired')).body;
    expect(
      rows.map((row: { available_serials: number; not_for_sale_serials: number }) => [
        row.available_serials,
        row.not_for_sale_serials,
      ]),
    ).toEqual([
      [0, 0],
      [0, 3],
    ]);
  });

  it.each(['recent', 'alphabetical', 'popular'])('is read page by page in the order %s', async (sort) => {
    await freshPair();
    for (const name of ['B', 'A', 'C']) {
      const { id } = await product({ name });
      await give(id, { promo_price: 5 });
      await give(id, { promo_price: 6 });
    }
    const ids = async (query: string) => (await deals(`?sort=${sort}${query}`)).body;
    const whole = (await ids('')).rows.map((row: { id: string }) => row.id);
    const read: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { rows: { id: string }[]; next_cursor: string | null } = await ids(`&limit=4&cursor=${cursor}`);
      read.push(...page.rows.map((row) => row.id));
      cursor = page.next_cursor;
    }
    expect([whole.length, read]).toEqual([6, whole]);
  });
});

describe('the page of a product', () => {
  beforeAll(() => freshPair());

  it('has what it is, and the serials that were given, available and redeemed', async () => {
    const { id } = await product({
      name: 'Prism',
      short_desc: 'A delay',
      long_desc: 'Long',
      feature_list: ['Fast'],
    });
    const serials = await give(id, { batch_tag: 'Regular' });
    await makeSerials(server, pair.developer.token, id);
    await redeem(server, serials[0]?.code as string, 'nina@example.com');
    const { status, body } = await get(`/api/reseller/products/${id}`, pair.reseller);
    expect(status).toBe(200);
    expect(body.product).toMatchObject({
      name: 'Prism',
      short_desc: 'A delay',
      long_desc: 'Long',
      feature_list: ['Fast'],
      file_size_gb: null,
      is_draft: false,
      available_serials: 2,
      total_redemptions: 1,
    });
    expect(body.serials.counts).toEqual({ available: 2, redeemed: 1 });
    expect(body.serials.available.map((row: { code: string }) => row.code)).toEqual(
      [serials[2], serials[1]].map((serial) => serial?.code),
    );
    expect(body.serials.redeemed).toEqual([
      {
        id: expect.any(String),
        code: serials[0]?.code,
        first_name: 'Nina',
        last_name: 'Simone',
        email: 'nina@example.com',
        redeemed_at: expect.any(String),
        batch_tag: 'Regular',
        revoked: false,
      },
    ]);
    expect(body.deal).toBeNull();
  });

  it('narrows the serials to a deal, by its id or by the fields of its row', async () => {
    const { id } = await product();
    await give(id, { quantity: 2 });
    await give(id, { quantity: 3, promo_price: 9, batch_tag: 'A', promo_expires: '2026-06-01' });
    await give(id, { quantity: 4, promo_price: 9, batch_tag: 'A', promo_expires: '2026-07-01' });
    const row = (await deals(`?search=A`)).body.rows.find(
      (each: { product_id: string; available_serials: number }) =>
        each.product_id === id && each.available_serials === 3,
    );
    const count = async (query: string) => {
      const { body } = await get(`/api/reseller/products/${id}?${query}`, pair.reseller);
      return [body.serials.counts.available, body.serials.available.length];
    };
    expect(await count('')).toEqual([9, 9]);
    expect(await count('promo=false')).toEqual([2, 2]);
    expect(await count('promo=true')).toEqual([7, 7]);
    expect(await count(`deal=${row.id}`)).toEqual([3, 3]);
    expect(await count(`promo=true&promo_price=9&promo_expires=${row.promo_expires}&batch_tag=A`)).toEqual([3, 3]);
    expect(await count('batch_tag=B')).toEqual([0, 0]);
    const { body } = await get(`/api/reseller/products/${id}?deal=${row.id}`, pair.reseller);
    expect(body.deal).toEqual(row);
    const other = await product();
    expect((await get(`/api/reseller/products/${other.id}?deal=${row.id}`, pair.reseller)).status).toBe(404);
  });

  it('lists all serials page by page, searched by code and customer, and exports what was redeemed', async () => {
    const { id } = await product();
    const serials = await give(id, { quantity: 5, batch_tag: '=1+1' });
    for (const [at, name] of ['nina', 'nat', 'otis'].entries()) {
      clock.advance(1000);
      await redeem(server, serials[at]?.code as string, `${name}@example.com`);
    }
    const read = async (list: string, query = '') => {
      const codes: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await get(`/api/reseller/products/${id}/${list}?limit=2&cursor=${cursor}${query}`, pair.reseller);
        expect(page.status, page.text).toBe(200);
        codes.push(...page.body.rows.map((row: { code: string }) => row.code));
        cursor = page.body.next_cursor;
      }
      return codes.map((code) => serials.findIndex((serial) => serial.code === code));
    };
    expect(await read('available')).toEqual([4, 3]);
    expect(await read('redeemed')).toEqual([2, 1, 0]);
    expect(await read('redeemed', '&search=otis')).toEqual([2]);
    expect(await read('redeemed', `&search=${serials[1]?.code.toLowerCase()}`)).toEqual([1]);
    expect(await read('available', `&search=${serials[3]?.code.slice(0, 9)}`)).toEqual([3]);
    const found = await get(`/api/reseller/products/${id}?search=otis`, pair.reseller);
    expect(found.body.serials.counts).toEqual({ available: 0, redeemed: 1 });
    expect(found.body.product).toMatchObject({ available_serials: 2, total_redemptions: 3 });
    const csv = await get(`/api/reseller/products/${id}/redeemed`, pair.reseller, 'text/csv');
    const lines = csv.text.trim().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(3))).toEqual([
      ['Email', 'Serial', 'Batch Tag'],
      ['otis@example.com', serials[2]?.code, "'=1+1"],
      ['nat@example.com', serials[1]?.code, "'=1+1"],
      ['nina@example.com', serials[0]?.code, "'=1+1"],
    ]);
    const { headers } = csv;
    expect(headers.get('content-disposition')).toBe('attachment; filename="redeemed_serials.csv"');
    const refused = await get(`/api/reseller/products/${id}/redeemed`, pair.reseller, 'application/x-ndjson');
    expect(refused.status).toBe(406);
  });

  it('leaves out what was revoked and what can no longer be redeemed', async () => {
    const { id } = await product();
    const [serial] = await give(id, { expires_at: '2026-12-31' });
    await call(server, 'PATCH', `/api/serials/revoke/${serial?.id}`, { token: pair.developer.token });
    const available = async () => (await get(`/api/reseller/products/${id}/available`, pair.reseller)).body;
    expect(await available()).toMatchObject({ total: 2, total_exact: true });
    await server.db.query("update batches set expires_at = '2026-01-01' where product_id = $1", [id]);
    expect(await available()).toEqual({ rows: [], total: 0, total_exact: true, next_cursor: null });
  });
});

it('leaves out what the reseller has handed out, in counts and lists', async () => {
  await freshPair();
  const { id } = await product();
  await give(id, { promo_price: 5 });
  const drawn = await call(server, 'POST', '/api/reseller/serials/draw', {
    token: pair.reseller.token,
    body: { product_id: id, quantity: 1, reference: 'order-1' },
  });
  expect(drawn.status, drawn.text).toBe(201);
  const { body } = await get(`/api/reseller/products/${id}`, pair.reseller);
  expect([body.product.available_serials, body.serials.counts.available, body.serials.available.length]).toEqual([
    2, 2, 2,
  ]);
  expect(JSON.stringify(body)).not.toContain(drawn.body.serials[0].code);
  expect((await products()).body.rows[0].available_serials).toBe(2);
  expect((await deals()).body.rows[0].available_serials).toBe(2);
});

describe('what a reseller may not see', () => {
  it('looks absent to strangers, and to partners who are paused or have ended', async () => {
    await freshPair();
    const { id } = await product();
    await give(id, { promo_price: 5 });
    const stranger = (await makePartners(server)).reseller;
    const paths = ['', '/available', '/redeemed'].map((rest) => `/api/reseller/products/${id}${rest}`);
    const closed = async (person: Person) => {
      for (const path of paths) expect((await get(path, person)).status, path).toBe(404);
      expect((await products('', person)).body).toEqual({ rows: [], total: 0, next_cursor: null });
      expect((await deals('', person)).body).toEqual({ rows: [], total: 0, next_cursor: null });
    };
    await closed(stranger);
    expect((await get(paths[0] as string, pair.reseller)).status).toBe(200);
    for (const status of ['paused', 'ended']) {
      await setStatus(status);
      await closed(pair.reseller);
    }
    await setStatus('active');
    expect((await products()).body.total).toBe(1);
    await server.db.query('update users set deleted_at = now() where id = $1', [pair.developer.id]);
    await closed(pair.reseller);
  });

  it('includes a draft under its id', async () => {
    await freshPair();
    const { id } = await makeProduct(server, pair.developer.token, { is_draft: true });
    await give(id, { promo_price: 5 });
    expect((await get(`/api/reseller/products/${id}`, pair.reseller)).status).toBe(404);
    expect((await deals()).body.total).toBe(0);
  });
});
