import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let pair: Partners;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  pair = await makePartners(server);
  product = await makeProduct(server, pair.developer.token, { name: 'Prism' });
});

const get = (path: string, person: Person = pair.reseller) => call(server, 'GET', path, { token: person.token });
const give = (fields: object = {}) =>
  makeSerials(server, pair.developer.token, product.id, { reseller_id: pair.partnershipId, ...fields });
const download = (query = '', person?: Person) =>
  get(`/api/reseller/download-serials?product_id=${product.id}${query}`, person);
const draw = (quantity: number) =>
  call(server, 'POST', '/api/reseller/serials/draw', {
    token: pair.reseller.token,
    body: { product_id: product.id, reference: crypto.randomUUID(), quantity },
  });
const setStatus = (status: string) =>
  server.db.query('update partnerships set status = $2 where id = $1', [pair.partnershipId, status]);
const linesOf = (csv: string) => csv.trimEnd().split('\r\n');

describe('a file of stock', () => {
  it('has the available codes of the product, without the notes of the developer', async () => {
    const made = await give({ quantity: 3, batch_tag: '=x', notes: 'for our eyes only', promo_price: 9.5 });
    await makeSerials(server, pair.developer.token, product.id, { quantity: 2 });
    const csv = await download();
    expect(csv.status, csv.text).toBe(200);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="serials.csv"');
    expect(linesOf(csv.text)).toEqual([
      'Serial,Product,Promo Price,Promo Expires,Active From,Active To,Batch Tag',
      ...made.map(({ code }) => `${code},Prism,9.5,,,,'=x`).reverse(),
    ]);
  });

  it('takes nothing out of stock, and has nothing that was handed out', async () => {
    await give({ quantity: 4 });
    await download();
    const { body } = await draw(3);
    const csv = await download();
    expect(linesOf(csv.text)).toHaveLength(2);
    for (const code of body.codes) expect(csv.text).not.toContain(code);
    expect((await get(`/api/reseller/products/${product.id}`)).body.serials.counts.available).toBe(1);
  });

  it('is narrowed down to a tag or a deal', async () => {
    await give({ quantity: 1 });
    await give({ quantity: 2, batch_tag: 'spring', promo_price: 9 });
    await give({ quantity: 3, batch_tag: 'summer', promo_price: 9 });
    const deals = (await get('/api/reseller/deals')).body.rows as { id: string; batch_tag: string }[];
    const count = async (query: string) => linesOf((await download(query)).text).length - 1;
    expect(await count('')).toBe(6);
    expect(await count('&batch_tag=spring')).toBe(2);
    expect(await count(`&deal=${deals.find((each) => each.batch_tag === 'summer')?.id}`)).toBe(3);
    expect(await count('&promo=false')).toBe(1);
    expect((await download(`&deal=${product.id}`)).status).toBe(404);
  });

  it('is recorded for both sides: who, when, and how many codes of which batch', async () => {
    await give({ quantity: 3, batch_tag: 'spring' });
    await give({ quantity: 2 });
    const [open] = await give({ quantity: 1, batch_tag: 'gone' });
    await redeem(server, open?.code as string, 'nina@example.com');
    await download();
    clock.advance(DAY);
    await download('&batch_tag=spring');
    const mine = (await get('/api/reseller/stock-downloads')).body.rows;
    expect(mine).toEqual([
      {
        id: expect.any(String),
        downloaded_at: clock.now().toISOString(),
        developer_id: pair.developer.id,
        developer_name: 'Row Audio',
        reseller_id: pair.partnershipId,
        reseller_name: 'Row Audio',
        product_id: product.id,
        product_name: 'Prism',
        codes: 3,
        batches: [{ batch_id: expect.any(String), batch_tag: 'spring', codes: 3 }],
      },
      expect.objectContaining({ codes: 5 }),
    ]);
    const theirs = (query = '') => get(`/api/reseller/developer/stock-downloads?${query}`, pair.developer);
    expect((await theirs()).body.rows).toEqual(mine);
    expect((await theirs(`reseller_id=${pair.partnershipId}`)).body.rows).toHaveLength(2);
    const [{ batch_id }] = mine[0].batches;
    const ofBatch = (await theirs(`batch_id=${batch_id}`)).body.rows;
    expect(ofBatch.map((row: { codes: number }) => row.codes)).toEqual([3, 3]);
    const first = await theirs('limit=1');
    expect((await theirs(`limit=1&cursor=${first.body.next_cursor}`)).body.rows[0].codes).toBe(5);
  });

  it('is on record as CSV too, with a line for each batch', async () => {
    await give({ quantity: 3, batch_tag: '=spring' });
    await give({ quantity: 2 });
    await download();
    const other = await makeProduct(server, pair.developer.token, { name: 'Needle' });
    const csv = (query = '') =>
      call(server, 'GET', `/api/reseller/stock-downloads${query}`, {
        token: pair.reseller.token,
        headers: { accept: 'text/csv' },
      });
    const all = await csv();
    expect(all.headers.get('content-disposition')).toBe('attachment; filename="stock_downloads.csv"');
    const line = `${clock.now().toISOString()},Row Audio,Prism`;
    expect(linesOf(all.text)).toEqual([
      'Downloaded,Developer,Product,Batch Tag,Codes',
      `${line},'=spring,3`,
      `${line},,2`,
    ]);
    expect(linesOf((await csv(`?product_id=${other.id}`)).text)).toHaveLength(1);
  });

  it('without codes is not recorded, and neither is a HEAD request', async () => {
    await download();
    await give({ quantity: 1 });
    const path = `/api/reseller/download-serials?product_id=${product.id}`;
    await call(server, 'HEAD', path, { token: pair.reseller.token });
    expect((await get('/api/reseller/stock-downloads')).body.rows).toEqual([]);
  });
});

describe('circulation', () => {
  it('counts what was given, handed out, redeemed, revoked, refunded and taken as files, by batch', async () => {
    await give({ quantity: 10, batch_tag: 'spring' });
    await give({ quantity: 5 });
    await makeSerials(server, pair.developer.token, product.id, { quantity: 7 });
    await download('&batch_tag=spring');
    const { body } = await draw(4);
    await redeem(server, body.codes[0], 'nina@example.com');
    const [serial] = (await get(`/api/serials?search=${body.codes[1]}`, pair.developer)).body.rows;
    await call(server, 'PATCH', `/api/serials/revoke/${serial.id}`, { token: pair.developer.token });
    const [sold] = (await get(`/api/serials?search=${body.codes[0]}`, pair.developer)).body.rows;
    await call(server, 'POST', `/api/serials/${sold.id}/refund`, {
      token: pair.developer.token,
      body: { amount: 0.5, reason: 'Late update' },
    });
    const answer = await get(`/api/reseller/developer/resellers/${pair.partnershipId}/circulation`, pair.developer);
    expect(answer.body).toEqual({
      totals: {
        given: 15,
        open: 11,
        handed_out: 2,
        redeemed: 1,
        revoked: 1,
        refunds: 1,
        refunded: 0.5,
        refund_rate: 100,
      },
      rows: [
        expect.objectContaining({
          batch_tag: null,
          given: 5,
          open: 5,
          in_files: 0,
          downloaded_at: null,
          refund_rate: 0,
        }),
        {
          batch_id: expect.any(String),
          product_id: product.id,
          product_name: 'Prism',
          batch_tag: 'spring',
          created_at: expect.any(String),
          given: 10,
          open: 6,
          handed_out: 2,
          redeemed: 1,
          revoked: 1,
          refunds: 1,
          refunded: 0.5,
          refund_rate: 100,
          in_files: 10,
          downloaded_at: clock.now().toISOString(),
        },
      ],
      next_cursor: null,
    });
    const history = (await get(`/api/serials/${serial.id}`, pair.developer)).body.history;
    expect(history.find((each: { kind: string }) => each.kind === 'handed_out').detail).toBe(body.reference);
  });
});

describe('the dashboard of the reseller', () => {
  it('counts what was handed out and not redeemed, and what is in files and not sold yet', async () => {
    await give({ quantity: 10, batch_tag: 'spring' });
    await give({ quantity: 5 });
    await download('&batch_tag=spring');
    const { body } = await draw(12);
    await redeem(server, body.codes[0], 'nina@example.com');
    const { stats, serialGroups } = (await get('/api/reseller/dashboard')).body;
    const out = body.codes.length - 1;
    // the oldest batch went first
    expect(stats).toMatchObject({ availableSerials: 3, handedOutSerials: out, serialsInFiles: 0, totalRedemptions: 1 });
    await download();
    await draw(1);
    const after = (await get('/api/reseller/dashboard')).body;
    expect(after.stats).toMatchObject({ availableSerials: 2, handedOutSerials: out + 1, serialsInFiles: 2 });
    expect(serialGroups).toMatchObject([{ total: 15, redeemed: 1, handed_out: out, remaining: 3, in_files: 0 }]);
    expect(after.serialGroups).toMatchObject([{ total: 15, remaining: 2, in_files: 2 }]);
  });
});

describe('partners', () => {
  it('who paused, ended or never began get no file; the record of files stays', async () => {
    await give({ quantity: 2 });
    await download();
    for (const [status, wanted] of [
      ['paused', 409],
      ['ended', 404],
    ] as const) {
      await setStatus(status);
      expect((await download()).status, status).toBe(wanted);
      expect((await get('/api/reseller/stock-downloads')).body.rows).toHaveLength(1);
      expect((await get('/api/reseller/developer/stock-downloads', pair.developer)).body.rows).toHaveLength(1);
    }
    await setStatus('active');
    const unlinked = await signUp(server, 'reseller');
    const stranger = await makePartners(server);
    for (const other of [unlinked, stranger.reseller]) {
      expect((await download('', other)).status).toBe(404);
      expect((await get('/api/reseller/stock-downloads', other)).body.rows).toEqual([]);
    }
    const circulation = `/api/reseller/developer/resellers/${pair.partnershipId}/circulation`;
    expect((await get(circulation, stranger.developer)).status).toBe(404);
    const filtered = `/api/reseller/developer/stock-downloads?reseller_id=${pair.partnershipId}`;
    expect((await get(filtered, stranger.developer)).body.rows).toEqual([]);
  });
});
