import { drawCalls, statuses } from '@tonerow/test-support/draw-calls.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { connectPartners, makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
const LATER = '2026-12-31T00:00:00Z';
let server: TestServer;
let pair: Partners;
let productId: string;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  pair = await makePartners(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  productId = (await makeProduct(server, pair.developer.token)).id;
});

const { order, draw, get, giveBack, stock, setStatus } = drawCalls(() => ({ server, pair, productId }));

describe('a draw', () => {
  it('hands out as many codes as asked for, which then are in no list of what is available', async () => {
    const made = await stock({ quantity: 5 });
    const drawn = await draw({ quantity: 3, reference: 'A/1 ü' });
    expect(drawn.status, drawn.text).toBe(201);
    expect(drawn.body).toEqual({
      id: expect.any(String),
      reference: 'A/1 ü',
      developer_id: pair.developer.id,
      product_id: productId,
      batch_tag: null,
      quantity: 3,
      created_at: clock.now().toISOString(),
      codes: made.slice(0, 3).map(({ code }) => code),
      serials: made.slice(0, 3).map(({ code }) => ({ code, expires_at: null, returned_at: null })),
    });
    const left = made.slice(3).map(({ code }) => code);
    const { developer } = pair;
    const codes = (rows: { code: string }[]) => rows.map(({ code }) => code).sort();
    const list = await get(`/api/serials?state=available&product_id=${productId}`, developer);
    expect(codes(list.body.rows)).toEqual([...left].sort());
    const out = await get(`/api/serials?state=handed_out&product_id=${productId}`, developer);
    expect(codes(out.body.rows)).toEqual([...drawn.body.codes].sort());
    expect(out.body.rows[0].handed_out_at).toBe(clock.now().toISOString());
    const csv = await get(`/api/serials?state=available&product_id=${productId}`, developer, 'text/csv');
    for (const code of drawn.body.codes) expect(csv.text).not.toContain(code);
    for (const code of left) expect(csv.text).toContain(code);
    const detail = await get(`/api/reseller/products/${productId}`);
    expect(detail.body.serials.counts.available).toBe(2);
    expect((await get(`/api/products/${productId}`, developer)).body.serials_available).toBe(2);
    const batch = await get(`/api/batches/${list.body.rows[0].batch_id}`, developer);
    expect(batch.body).toMatchObject({ open: 2, handed_out: 3, redeemed: 0, revoked: 0 });
  });

  it('leaves its codes redeemable, and only once', async () => {
    const [one] = await stock({ quantity: 1 });
    await draw();
    expect((await redeem(server, one?.code as string, 'nina@example.com')).status).toBe(200);
    expect((await redeem(server, one?.code as string, 'other@example.com')).status).not.toBe(200);
  });

  it('takes all or nothing, and reports what is left', async () => {
    await stock({ quantity: 2 });
    const refused = await draw({ quantity: 3 });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'out_of_stock', available: 2 });
    expect((await draw({ quantity: 2 })).status).toBe(201);
    expect((await draw()).body).toMatchObject({ code: 'out_of_stock', available: 0 });
  });

  it('takes from the batch that has to be redeemed first, then from the oldest', async () => {
    const [unlimited] = await stock({ quantity: 1 });
    const [younger] = await stock({ quantity: 1 });
    const [december] = await stock({ quantity: 1, expires_at: LATER });
    const [june] = await stock({ quantity: 1, expires_at: '2026-06-30T00:00:00Z' });
    const drawn = [];
    for (let n = 0; n < 4; n += 1) drawn.push((await draw()).body.codes[0]);
    expect(drawn).toEqual([june, december, unlimited, younger].map((each) => each?.code));
  });

  it('keeps to the tag, to deals that have begun and are not over, and to what can be redeemed', async () => {
    await stock({ quantity: 1, batch_tag: 'summer' });
    await stock({ quantity: 1, batch_tag: 'soon', promo_price: 9, promo_start: '2026-04-01T00:00:00Z' });
    await stock({ quantity: 1, batch_tag: 'short', promo_price: 9, promo_expires: '2026-03-12T00:00:00Z' });
    expect((await draw({ batch_tag: 'winter' })).body).toMatchObject({ available: 0 });
    expect((await draw({ batch_tag: 'soon' })).body).toMatchObject({ available: 0 });
    expect((await draw({ batch_tag: 'summer' })).status).toBe(201);
    clock.advance(5 * DAY);
    expect((await draw({ batch_tag: 'short' })).body).toMatchObject({ available: 0 });
    expect((await draw()).body).toMatchObject({ available: 0 });
  });

  it('takes nothing that belongs to the developer, or to another reseller', async () => {
    await makeSerials(server, pair.developer.token, productId, { quantity: 3 });
    await makeSerials(server, pair.developer.token, productId, { quantity: 3, new_reseller_name: 'Shop next door' });
    expect((await draw()).body).toMatchObject({ code: 'out_of_stock', available: 0 });
  });

  it.each([
    [{ quantity: 0 }],
    [{ quantity: 101 }],
    [{ quantity: 1.5 }],
    [{ reference: '' }],
    [{ reference: '..' }],
    [{ reference: 'a\u0000b' }],
    [{ reference: 'x'.repeat(201) }],
    [{ product_id: 'x' }],
    [{ more: 1 }],
  ])('refuses a body with %j', async (body) => {
    expect((await draw(body)).status).toBe(400);
  });

  const lowSince = async () =>
    (await server.db.query('select low_serials_since as at from products where id = $1', [productId]))[0]?.at;

  it.each([1, 2, 3])(
    'reports a product that runs low at the very draw that brings it below its threshold, draw %i',
    async (quantity) => {
      await stock({ quantity: 9 + quantity });
      for (let drawn = 1; drawn < quantity; drawn += 1) {
        await draw();
        expect(await lowSince()).toBeNull();
      }
      await draw();
      expect(await lowSince()).not.toBeNull();
    },
  );

  it('reports no product of which others have enough, and one that a large draw brings below', async () => {
    await stock({ quantity: 3 });
    await makeSerials(server, pair.developer.token, productId, { quantity: 10 });
    await draw({ quantity: 3 });
    expect(await lowSince()).toBeNull();
    await stock({ quantity: 40 });
    await server.db.query('update users set low_serials_threshold = 30 where id = $1', [pair.developer.id]);
    await draw({ quantity: 20 });
    expect(await lowSince()).toBeNull();
    await draw({ quantity: 1 });
    expect(await lowSince()).not.toBeNull();
    await server.db.query('update users set low_serials_threshold = 10 where id = $1', [pair.developer.id]);
  });
});

describe('a reference', () => {
  it('gets the same answer forever, whatever became of the codes and of the partnership', async () => {
    const made = await stock({ quantity: 3 });
    const reference = order();
    const first = await draw({ reference, quantity: 2 });
    const again = async () => {
      const { status, body } = await draw({ reference, quantity: 2 });
      expect({ status, body }).toEqual({ status: 201, body: first.body });
    };
    await again();
    await redeem(server, made[0]?.code as string, 'nina@example.com');
    await again();
    await giveBack(reference);
    await draw({ quantity: 2 });
    for (const status of ['active', 'paused', 'ended']) {
      await setStatus(status);
      const { status: code, body } = await draw({ reference, quantity: 2 });
      expect([code, body.codes]).toEqual([201, first.body.codes]);
      // the unredeemed one shows that it was returned: others may have it
      expect(body.serials.map(({ returned_at }: { returned_at: string | null }) => returned_at === null)).toEqual(
        body.codes.map((each: string) => each === made[0]?.code),
      );
    }
    await setStatus('active');
    expect((await draw({ reference })).body.code).toBe('reference_reused');
    expect((await draw({ reference, quantity: 2, batch_tag: 'other' })).status).toBe(422);
    const other = await makeProduct(server, pair.developer.token);
    expect((await draw({ reference, quantity: 2, product_id: other.id })).status).toBe(422);
  });

  it('gets one set of codes for any number of calls at once', async () => {
    await stock({ quantity: 40 });
    const reference = order();
    const answers = await Promise.all(Array.from({ length: 20 }, () => insist(() => draw({ reference, quantity: 2 }))));
    expect(statuses(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await get(`/api/reseller/products/${productId}`)).body.serials.counts.available).toBe(38);
  });

  it('of a refused draw is free again', async () => {
    const reference = order();
    expect((await draw({ reference })).status).toBe(409);
    await stock({ quantity: 1 });
    expect((await draw({ reference })).status).toBe(201);
  });

  it('is a name in its own shop only', async () => {
    const other = await makePartners(server);
    const theirs = await makeProduct(server, other.developer.token);
    const give = { quantity: 1, reseller_id: other.partnershipId };
    const [code] = await makeSerials(server, other.developer.token, theirs.id, give);
    await stock({ quantity: 1 });
    const reference = order();
    await draw({ reference });
    const drawn = await draw({ reference, product_id: theirs.id }, other.reseller);
    expect(drawn.body.codes).toEqual([code?.code]);
  });
});

describe('returning', () => {
  it('takes back what is neither redeemed nor revoked, as often as it is asked to', async () => {
    const made = await stock({ quantity: 4 });
    const reference = order();
    const { body } = await draw({ reference, quantity: 4 });
    const [one, two, three, four] = body.codes as [string, string, string, string];
    await redeem(server, one, 'nina@example.com');
    const revoked = made.find(({ code }) => code === two)?.id;
    await call(server, 'PATCH', `/api/serials/revoke/${revoked}`, { token: pair.developer.token });
    const wanted = {
      reference,
      returned: [three],
      not_returned: [
        { code: one, state: 'redeemed' },
        { code: two, state: 'revoked' },
      ],
    };
    for (let n = 0; n < 2; n += 1) {
      const answer = await giveBack(reference, { codes: [one, two, three.toLowerCase().replaceAll('-', '')] });
      expect(answer.body).toEqual(wanted);
    }
    expect((await giveBack(reference)).body.returned).toEqual([three, four]);
    expect((await giveBack(reference, { codes: ['AAAA-AAAA-AAAA-AAAA'] })).status).toBe(400);
    const record = await get(`/api/reseller/serials/draws/${reference}`);
    expect(record.body.states).toEqual({ handed_out: 0, redeemed: 1, revoked: 1, returned: 2 });
  });

  it('puts codes back into stock, where the next draw finds them', async () => {
    await stock({ quantity: 1 });
    const reference = order();
    const first = await draw({ reference });
    expect((await draw()).status).toBe(409);
    await giveBack(reference);
    const next = await draw();
    expect(next.body.codes).toEqual(first.body.codes);
    // the first draw can no longer return it
    expect((await giveBack(reference)).body.returned).toEqual(first.body.codes);
    expect((await get(`/api/reseller/serials/draws/${next.body.reference}`)).body.states.handed_out).toBe(1);
    await redeem(server, next.body.codes[0], 'nina@example.com');
    const record = (await get(`/api/reseller/serials/draws/${reference}`)).body;
    expect(record.serials).toEqual([expect.objectContaining({ state: 'returned', redeemed_at: null })]);
  });

  it('puts them before those that come later, at once, and before a shop is refused also those returned elsewhere', async () => {
    const made = (await stock({ quantity: 16 })).map(({ code }) => code);
    const reference = order();
    expect((await draw({ reference, quantity: 2 })).body.codes).toEqual(made.slice(0, 2));
    expect((await draw()).body.codes).toEqual(made.slice(2, 3));
    await giveBack(reference);
    expect((await draw({ quantity: 3 })).body.codes).toEqual([made[0], made[1], made[3]]);
    // as another process would
    await server.db.query('update serials set handed_out_at = null, draw_id = null where code = any($1)', [
      made.slice(0, 2),
    ]);
    expect((await draw({ quantity: 14 })).body.codes).toEqual([...made.slice(0, 2), ...made.slice(4)]);
    expect((await draw()).body).toMatchObject({ available: 0 });
  });
});

describe('the list of draws', () => {
  it('has each with the state of its codes, and finds them', async () => {
    await stock({ quantity: 5 });
    const [a, b] = [order(), order()];
    await draw({ reference: a, quantity: 2 });
    const { body } = await draw({ reference: b });
    await redeem(server, body.codes[0], 'nina@example.com');
    const list = (query: string) => get(`/api/reseller/serials/draws?product_id=${productId}${query}`);
    const all = await list('');
    expect(all.body.total).toBe(2);
    expect(all.body.rows.map((row: { reference: string }) => row.reference)).toEqual([b, a]);
    expect(all.body.rows[0]).toMatchObject({
      developer_name: 'Row Audio',
      developer_time_zone: 'UTC',
      states: { handed_out: 0, redeemed: 1, revoked: 0, returned: 0 },
      serials: [{ code: body.codes[0], state: 'redeemed', redeemed_at: clock.now().toISOString() }],
    });
    const found = async (query: string) =>
      (await list(query)).body.rows.map((row: { reference: string }) => row.reference);
    expect(await found('&state=handed_out')).toEqual([a]);
    expect(await found('&state=redeemed')).toEqual([b]);
    expect(await found(`&search=${body.codes[0].slice(0, 9)}`)).toEqual([b]);
    const page = await list('&limit=1');
    expect(await found(`&limit=1&cursor=${page.body.next_cursor}`)).toEqual([a]);
    const csv = await get(`/api/reseller/serials/draws?product_id=${productId}`, pair.reseller, 'text/csv');
    expect(csv.text.trim().split('\r\n')).toHaveLength(4);
    expect(csv.text).toContain(`${body.codes[0]},redeemed,`);
  });

  it('exports what a spreadsheet does not run', async () => {
    await stock({ quantity: 1 });
    await draw({ reference: '=1+1,"x"' });
    const csv = await get(`/api/reseller/serials/draws?product_id=${productId}`, pair.reseller, 'text/csv');
    expect(csv.text).toContain(`"'=1+1,""x""",`);
    const lines = await get('/api/reseller/serials/draws', pair.reseller, 'application/x-ndjson');
    expect([lines.status, lines.body.code]).toEqual([406, 'not_acceptable']);
  });
});

describe('partners', () => {
  const routes: [string, (person?: Person) => ReturnType<typeof get>, Record<string, number>][] = [
    ['draw', (person) => draw({ reference: order() }, person), { paused: 409, ended: 404, stranger: 404 }],
    [
      'get',
      (person) => get(`/api/reseller/serials/draws/${drawn}`, person),
      { paused: 200, ended: 200, stranger: 404 },
    ],
    ['return', (person) => giveBack(drawn, {}, person), { paused: 200, ended: 404, stranger: 404 }],
  ];
  let drawn: string;

  it.each(routes)('who paused, ended or never began: %s', async (_what, act, wanted) => {
    await stock({ quantity: 3 });
    drawn = order();
    await draw({ reference: drawn });
    for (const status of ['paused', 'ended'] as const) {
      await setStatus(status);
      expect((await act()).status, status).toBe(wanted[status]);
    }
    await setStatus('active');
    const stranger = await makePartners(server);
    expect((await act(stranger.reseller)).status, 'stranger').toBe(wanted.stranger);
    const unlinked = await signUp(server, 'reseller');
    expect((await act(unlinked)).status, 'unlinked').toBe(wanted.stranger);
  });

  it('of several developers share one list, each with their own products', async () => {
    await stock({ quantity: 1 });
    const second = await makePartners(server);
    await connectPartners(server, second.developer, pair.reseller);
    const [link] = await server.db.query('select id from partnerships where developer_id = $1 and reseller_id = $2', [
      second.developer.id,
      pair.reseller.id,
    ]);
    const theirs = await makeProduct(server, second.developer.token);
    await makeSerials(server, second.developer.token, theirs.id, { quantity: 1, reseller_id: link?.id });
    await draw();
    const other = await draw({ product_id: theirs.id });
    expect(other.body.developer_id).toBe(second.developer.id);
    const of = async (id: string) => (await get(`/api/reseller/serials/draws?developer_id=${id}`)).body.total;
    expect(await of(second.developer.id)).toBe(1);
    expect((await get('/api/reseller/serials/draws', second.reseller)).body.total).toBe(0);
  });
});

describe('the developer', () => {
  it('cannot delete a product while its codes are with buyers, unless forced, which revokes them', async () => {
    await stock({ quantity: 2 });
    const { body } = await draw();
    const remove = (query = '') =>
      call(server, 'DELETE', `/api/products/${productId}${query}`, { token: pair.developer.token });
    const refused = await remove();
    expect(refused.body.code).toBe('product_has_redeemed_serials');
    expect(refused.body.message).toContain('1 that resellers have handed out');
    expect((await remove('?force=true')).status).toBe(200);
    const record = await get(`/api/reseller/serials/draws/${body.reference}`);
    expect(record.body.serials[0].state).toBe('revoked');
  });

  it('redeems a handed-out serial by importing it as redeemed', async () => {
    const [one] = await stock({ quantity: 1 });
    const { body } = await draw();
    const { name } = (await get(`/api/products/${productId}`, pair.developer)).body;
    const form = new FormData();
    form.set('file', new Blob([`Serial,Product,Email\r\n${one?.code},${name},nina@example.com\r\n`]), 'r.csv');
    const imported = await call(server, 'POST', '/api/serials/import-redeemed', {
      token: pair.developer.token,
      body: form,
    });
    expect(imported.body.count, imported.text).toBe(1);
    expect((await get(`/api/reseller/serials/draws/${body.reference}`)).body.states.redeemed).toBe(1);
  });
});
