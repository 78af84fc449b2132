import { drawCalls, statuses } from '@tonerow/test-support/draw-calls.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

const PAST = '2020-01-01T00:00:00Z';
const FUTURE = '2050-01-01T00:00:00.000Z';
let server: SharedServer;
let pair: Partners;
let productId: string;
let name: string;
beforeAll(async () => {
  server = await sharedServer();
  pair = await makePartners(server);
});
beforeEach(async () => {
  ({ id: productId, name } = await makeProduct(server, pair.developer.token));
});

const { draw, get, giveBack, stock, setStatus } = drawCalls(() => ({ server, pair, productId }));
let sales = 0;
const reference = () => `till-${++sales}`;
const sell = (body: object = {}, person: Person = pair.reseller) =>
  call(server, 'POST', '/api/reseller/serials/sell', {
    token: person.token,
    body: { product_id: productId, reference: reference(), ...body },
  });
const sold = (ref: string, person: Person = pair.reseller) => get(`/api/reseller/serials/sold/${ref}`, person);
const email = (ref: string, body: object, person: Person = pair.reseller) =>
  call(server, 'POST', `/api/reseller/serials/sold/${ref}/email`, { token: person.token, body });
const offers = async (person: Person = pair.reseller) =>
  (await get(`/api/reseller/offers?product_id=${productId}`, person)).body.rows;
const emailsTo = async (address: string) =>
  (
    await server.db.query<{ subject: string; kind: string }>(
      'select subject, kind from mails where recipient = $1 order by id',
      [address],
    )
  ).map(({ kind, subject }) => `${kind}: ${subject}`);
const handedOut = async () =>
  (
    await server.db.query<{ code: string }>(
      `select s.code from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where b.product_id = $1 and s.handed_out_at is not null`,
      [productId],
    )
  ).map(({ code }) => code);

describe('selling one by hand', () => {
  it('takes one code out of stock, keeps what it cost, and answers with the link and the QR code', async () => {
    const [first] = await stock({ quantity: 2, expires_at: FUTURE });
    const answer = await sell({ reference: 'fair-1', price: 49, note: ' Booth 12 ' });
    expect(answer.status, answer.text).toBe(201);
    const { qr_svg, ...sale } = answer.body;
    expect(sale).toEqual({
      reference: 'fair-1',
      developer_id: pair.developer.id,
      developer_name: 'Row Audio',
      developer_time_zone: 'UTC',
      product_id: productId,
      product_name: name,
      price: 49,
      code: first?.code,
      expires_at: FUTURE,
      state: 'handed_out',
      redeemed_at: null,
      returned_at: null,
      note: 'Booth 12',
      email: null,
      sold_at: expect.any(String),
      redeem_url: expect.stringContaining(`/redeem?dev=${pair.developer.id}#serial=${first?.code}`),
    });
    expect(qr_svg).toMatch(/^<svg /);
    expect((await sold('fair-1')).body).toEqual(answer.body);
    // a sale is a draw, which both partners see
    const drawn = await get('/api/reseller/serials/draws/fair-1');
    expect(drawn.body).toMatchObject({ quantity: 1, states: { handed_out: 1 } });
    expect((await offers())[0].available).toBe(1);
    expect((await redeem(server, first?.code as string, 'nina@example.com')).status).toBe(200);
    expect((await sold('fair-1')).body).toMatchObject({ state: 'redeemed', redeemed_at: expect.any(String) });
  });

  it('sends the code to a stranger in our words, with the seller’s address and nothing that anybody wrote', async () => {
    const [one] = await stock({ quantity: 1 });
    const address = `fair-${productId}@example.com`;
    const answer = await sell({ email: ` ${address} `, note: 'Cheap watches', language: 'de' });
    expect(answer.body.email).toEqual({ address, state: expect.stringMatching(/queued|sent/) });
    const email = await server.email(({ to }) => to?.[0]?.address === address);
    expect(email.subject).toBe('Ihr Code für ein Audio-Plugin');
    for (const part of [one?.code as string, pair.reseller.email, `/redeem?dev=${pair.developer.id}&lang=de#serial=`])
      expect(email.text).toContain(part);
    for (const typed of ['Cheap watches', 'Row Audio', name]) expect(email.text).not.toContain(typed);
    await expect.poll(async () => (await sold(answer.body.reference)).body.email.state).toBe('sent');
    // they are the reseller's customers until they redeem
    const log = await get(`/api/email-log?recipient=${address}`, pair.developer);
    expect([log.status, log.body.rows]).toEqual([200, []]);
  });

  it('sends it to a customer of the developer with the names of product, developer and reseller', async () => {
    const [first] = await stock({ quantity: 2 });
    const address = `known-${productId}@example.com`;
    await redeem(server, first?.code as string, address);
    await sell({ email: address });
    const email = await server.email(
      ({ to, subject }) => to?.[0]?.address === address && subject === `Your code for ${name}`,
    );
    expect(email.text).toContain('Row Audio');
  });

  it.each([
    [{ reference: '' }],
    [{ reference: '..' }],
    [{ price: 9.999 }],
    [{ price: -1 }],
    [{ email: 'nobody' }],
    [{ note: 'two\nlines' }],
    [{ quantity: 2 }],
    [{ language: 'xx' }],
  ])('refuses a body with %j', async (body) => {
    await stock({ quantity: 1 });
    expect((await sell(body)).status).toBe(400);
    expect(await handedOut()).toEqual([]);
  });
});

describe('a sale whose answer was lost', () => {
  it('is the same sale when it is repeated, with one email', async () => {
    await stock({ quantity: 5 });
    const address = `lost-${productId}@example.com`;
    const body = { reference: 'lost-1', price: 49, email: address, note: 'x' };
    const first = await sell(body);
    const again = await sell(body);
    expect([again.status, again.body.code]).toEqual([201, first.body.code]);
    expect(await handedOut()).toEqual([first.body.code]);
    expect(await emailsTo(address)).toEqual(['sale: Your code for an audio plugin']);
    // the answer has its state of now, and it stays one sale
    await redeem(server, first.body.code, address);
    expect((await sell(body)).body).toMatchObject({ code: first.body.code, state: 'redeemed' });
  });

  it('is one sale for any number of calls at once', async () => {
    await stock({ quantity: 10 });
    const address = `many-${productId}@example.com`;
    const body = { reference: reference(), email: address };
    const answers = await Promise.all(Array.from({ length: 8 }, () => sell(body)));
    expect(statuses(answers)).toEqual({ 201: 8 });
    expect(await handedOut()).toEqual([answers[0]?.body.code]);
    expect(await emailsTo(address)).toHaveLength(1);
  });

  it.each([
    ['another price', { price: 9 }],
    ['another note', { note: 'other' }],
    ['another address', { email: 'other@example.com' }],
  ])('is refused with %s, because that is another sale', async (_what, change) => {
    await stock({ quantity: 3 });
    await stock({ quantity: 3, promo_price: 9 });
    const body = { reference: reference(), price: 49, note: 'x', email: `same-${productId}@example.com` };
    expect((await sell(body)).status).toBe(201);
    const other = await sell({ ...body, ...change });
    expect([other.status, other.body.code]).toEqual([422, 'reference_reused']);
    expect(await handedOut()).toHaveLength(1);
  });

  it('is refused under the reference of a draw', async () => {
    await stock({ quantity: 3 });
    await draw({ reference: 'program-1' });
    expect((await sell({ reference: 'program-1' })).body.code).toBe('reference_reused');
    expect((await sold('program-1')).status).toBe(404);
  });
});

it('of many who sell at once, as many get a code as there are, and each its own', async () => {
  await stock({ quantity: 3 });
  const address = `race-${productId}@example.com`;
  const answers = await Promise.all(Array.from({ length: 6 }, () => sell({ price: 49, email: address })));
  expect(statuses(answers)).toEqual({ 201: 3, 409: 3 });
  expect(new Set(answers.flatMap(({ body }) => (body.state ? [body.code] : []))).size).toBe(3);
  // customers who got no code were sent nothing
  expect(await emailsTo(address)).toHaveLength(3);
});

describe('the price that the customer was told', () => {
  beforeEach(async () => {
    await stock({ quantity: 1 });
    // both end before the regular code, and would go first
    await stock({ quantity: 2, promo_price: 29, batch_tag: 'fair', expires_at: FUTURE, promo_expires: FUTURE });
  });

  it('is the price of the code: a deal’s or the product’s', async () => {
    expect((await offers()).map((offer: object) => ({ ...offer, product_id: 0, product_name: '' }))).toEqual([
      {
        product_id: 0,
        product_name: '',
        developer_id: pair.developer.id,
        developer_name: 'Row Audio',
        developer_time_zone: 'UTC',
        image_url: null,
        price: 29,
        regular_price: 49,
        available: 2,
        sell_until: FUTURE,
      },
      expect.objectContaining({ price: 49, regular_price: null, available: 1, sell_until: null }),
    ]);
    const [dear, cheap, any] = [await sell({ price: 49 }), await sell({ price: 29 }), await sell()];
    expect([dear, cheap, any].map(({ body }) => [body.price, body.expires_at])).toEqual([
      [49, null],
      [29, FUTURE],
      [29, FUTURE],
    ]);
  });

  it('is refused once it has changed, with what it costs now, and nothing is taken', async () => {
    await server.db.query('update batches set promo_expires = $2 where product_id = $1 and promo_price_cents = 2900', [
      productId,
      PAST,
    ]);
    const over = await sell({ price: 29, email: `over-${productId}@example.com` });
    expect([over.status, over.body.code, over.body.message]).toEqual([
      409,
      'price_changed',
      `No code of "${name}" is left at $29.00. It costs $49.00 now.`,
    ]);
    expect(await handedOut()).toEqual([]);
    expect(await emailsTo(`over-${productId}@example.com`)).toEqual([]);
    expect((await sell({ price: 49 })).status).toBe(201);
    const none = await sell();
    expect([none.body.code, none.body.available, none.body.message]).toEqual([
      'out_of_stock',
      0,
      `The deal of "${name}" is over or has not begun, so its codes can't be sold now.`,
    ]);
  });
});

describe('what is refused', () => {
  it('shows why: none left, a pause, the end, a draft', async () => {
    expect((await sell()).body).toMatchObject({
      code: 'out_of_stock',
      available: 0,
      message: `No codes of "${name}" are left to sell. Ask the developer for more.`,
    });
    await stock({ quantity: 2 });
    await setStatus('paused');
    expect((await sell()).body.code).toBe('partner_paused');
    expect(await offers()).toEqual([]);
    await setStatus('ended');
    expect((await sell()).status).toBe(404);
    await setStatus('active');
    const draft = await makeProduct(server, pair.developer.token, { is_draft: true });
    await makeSerials(server, pair.developer.token, draft.id, { quantity: 1, reseller_id: pair.partnershipId });
    expect((await sell({ product_id: draft.id })).status).toBe(404);
    expect((await sell()).status).toBe(201);
  });

  it('is whatever another reseller holds or sold', async () => {
    await stock({ quantity: 1 });
    const { body } = await sell({ reference: 'mine' });
    const stranger = await makePartners(server);
    expect((await sell({}, stranger.reseller)).status).toBe(404);
    expect((await sold('mine', stranger.reseller)).status).toBe(404);
    expect((await email('mine', { email: 'eve@example.com' }, stranger.reseller)).status).toBe(404);
    expect(await offers(stranger.reseller)).toEqual([]);
    const list = await get('/api/reseller/serials/sold', stranger.reseller);
    expect([list.body.rows, list.text.includes(body.code)]).toEqual([[], false]);
  });
});

describe('sending the code of a sale', () => {
  it('goes to any address while the code is nobody’s yet', async () => {
    await stock({ quantity: 1 });
    await sell({ reference: 'later-1' });
    const [wrong, right] = [`wrong-${productId}@example.com`, `right-${productId}@example.com`];
    expect((await email('later-1', { email: wrong })).body.email.address).toBe(wrong);
    expect((await email('later-1', { email: right })).body.email.address).toBe(right);
    expect([await emailsTo(wrong), await emailsTo(right)]).toEqual([
      ['sale: Your code for an audio plugin'],
      ['sale: Your code for an audio plugin'],
    ]);
    expect((await email('later-2', { email: right })).status).toBe(404);
    expect((await email('later-1', { email: 'nobody' })).status).toBe(400);
  });

  it.each<[string, (code: string) => Promise<unknown>, RegExp]>([
    ['redeemed', (code) => redeem(server, code, 'nina@example.com'), /has redeemed/],
    ['returned', () => giveBack('gone-1'), /was undone/],
    [
      'revoked',
      (code) => server.db.query('update serials set revoked_at = now() where code = $1', [code]),
      /revoked this code/,
    ],
  ])('is refused once the code is %s', async (_state, act, message) => {
    const other = await makePartners(server);
    const product = await makeProduct(server, other.developer.token);
    const give = { quantity: 1, reseller_id: other.partnershipId };
    await makeSerials(server, other.developer.token, product.id, give);
    const made = await sell({ product_id: product.id, reference: 'gone-1' }, other.reseller);
    if (_state === 'returned') await giveBack('gone-1', {}, other.reseller);
    else await act(made.body.code);
    const refused = await email('gone-1', { email: `gone-${product.id}@example.com` }, other.reseller);
    expect([refused.status, refused.body.code]).toEqual([422, 'domain_rule']);
    expect(refused.body.message).toMatch(message);
    expect(await emailsTo(`gone-${product.id}@example.com`)).toEqual([]);
  });

  it('forgets the address with the customer', async () => {
    await stock({ quantity: 1 });
    const address = `erased-${productId}@example.com`;
    const { body } = await sell({ reference: 'erased-1', email: address });
    await redeem(server, body.code, address);
    const { customers } = (
      await call(server, 'GET', `/api/customers/list?search=${address}`, { token: pair.developer.token })
    ).body;
    await call(server, 'DELETE', `/api/customers/${customers[0].id}`, { token: pair.developer.token });
    expect((await sold('erased-1')).body.email.address).toBe('');
    // the shop's program can still repeat the call
    expect((await sell({ reference: 'erased-1', email: address })).body.code).toBe(body.code);
  });
});

describe('what was sold', () => {
  let shop: Partners;
  let item: { id: string };
  beforeAll(async () => {
    shop = await makePartners(server);
    item = await makeProduct(server, shop.developer.token, { price: 20.1 });
    const give = { reseller_id: shop.partnershipId };
    await makeSerials(server, shop.developer.token, item.id, { ...give, quantity: 5 });
    await makeSerials(server, shop.developer.token, item.id, { ...give, quantity: 5, promo_price: 10.2 });
  });
  const own = (query = '') => get(`/api/reseller/serials/sold${query}`, shop.reseller);

  it('is listed newest first and added up, without what was returned', async () => {
    const make = (ref: string, price: number) => sell({ product_id: item.id, reference: ref, price }, shop.reseller);
    for (const [ref, price] of [
      ['s-1', 20.1],
      ['s-2', 10.2],
      ['s-3', 10.2],
    ] as const)
      expect((await make(ref, price)).status).toBe(201);
    // by a program, which is no sale by hand
    await draw({ product_id: item.id }, shop.reseller);
    await giveBack('s-3', {}, shop.reseller);
    const list = await own();
    expect(list.body.rows.map((row: { reference: string; state: string }) => [row.reference, row.state])).toEqual([
      ['s-3', 'returned'],
      ['s-2', 'handed_out'],
      ['s-1', 'handed_out'],
    ]);
    expect(list.body.totals).toEqual({ sales: 2, revenue: 30.3, returned: 1 });
    const page = await own('?limit=2');
    const rest = await own(`?limit=2&cursor=${page.body.next_cursor}`);
    expect(rest.body.rows.map((row: { reference: string }) => row.reference)).toEqual(['s-1']);
    expect([rest.body.totals, rest.body.next_cursor]).toEqual([list.body.totals, null]);
    expect((await own('?cursor=x')).status).toBe(400);
  });

  it('is that of today in the account’s time zone, unless asked otherwise', async () => {
    await server.db.query('update users set time_zone = $2 where id = $1', [shop.reseller.id, 'Pacific/Kiritimati']);
    const [{ since }] = [(await own()).body];
    // midnight there is 10:00 UTC
    expect(since).toMatch(/T10:00:00\.000Z$/);
    await server.db.query('update draws set created_at = $2 where reseller_id = $1 and reference = $3', [
      shop.reseller.id,
      new Date(Date.parse(since) - 1),
      's-1',
    ]);
    const references = async (query = '') =>
      (await own(query)).body.rows.map((row: { reference: string }) => row.reference);
    expect(await references()).not.toContain('s-1');
    expect(await references('?since=2026-01-01T00:00:00Z')).toContain('s-1');
  });

  it('is of no concern to developers', async () => {
    const unlinked = await signUpVerified(server, 'reseller');
    expect((await own()).status).toBe(200);
    expect((await get('/api/reseller/serials/sold', unlinked)).body.totals).toEqual({
      sales: 0,
      revenue: 0,
      returned: 0,
    });
    expect((await get('/api/reseller/serials/sold', shop.developer)).status).toBe(403);
  });
});

it('offers come page by page, each once', async () => {
  const shop = await makePartners(server);
  for (const [title, prices] of [
    ['Echo', [30, 20]],
    ['Bass', [10]],
  ] as const) {
    const { id } = await makeProduct(server, shop.developer.token, { name: title, price: 50 });
    for (const promo_price of prices)
      await makeSerials(server, shop.developer.token, id, {
        quantity: 2,
        reseller_id: shop.partnershipId,
        promo_price,
      });
  }
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await get(`/api/reseller/offers?limit=1${cursor}`, shop.reseller);
    for (const { product_name, price } of body.rows) seen.push(`${product_name} ${price}`);
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen).toEqual(['Bass 10', 'Echo 20', 'Echo 30']);
  expect((await get('/api/reseller/offers?search=ech', shop.reseller)).body.rows).toHaveLength(2);
  expect((await get('/api/reseller/offers?cursor=x', shop.reseller)).status).toBe(400);
});
