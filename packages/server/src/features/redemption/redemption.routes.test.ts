import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import { systemRandom } from '#platform/random.ts';
import { Secrets, sha256 } from '#platform/secrets/secrets.ts';
import { Downloads } from './downloads/downloads.ts';
import { tables } from './tables.ts';

let server: TestServer;
let ada: Person;
let product: { id: string; name: string };
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({
    overrides: { clock },
    env: { TONEROW_TRUST_PROXY: '127.0.0.1', TONEROW_COUNTRY_HEADER: 'cf-ipcountry' },
  });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, {
    name: 'Chorus',
    price: 30,
    sale_price: 19.99,
    file_urls: [{ name: 'Mac', url: 'https://cdn.example.com/chorus.dmg' }],
  });
});
afterAll(() => server.stop());

const initiate = (body: object, headers: Record<string, string> = {}) =>
  call(server, 'POST', '/api/redeem/initiate', { body, headers });
const complete = (temp_token: string, name: object = { first_name: 'Nina', last_name: 'Simone' }) =>
  call(server, 'POST', '/api/redeem/complete', { body: { temp_token, ...name } });
const serials = (quantity: number, fields: object = {}) =>
  makeSerials(server, ada.token, product.id, { quantity, ...fields });
const ledger = (serialId: string | undefined) =>
  server.db.query('select * from redemptions where serial_id = $1', [serialId]);

describe('a first redemption', () => {
  it('asks for the name, redeems nothing until it has one, then opens the downloads', async () => {
    const [serial] = await serials(1);
    const asked = await initiate(
      { serial: ` ${serial?.code.toLowerCase().replaceAll('-', ' ')} `, email: 'Billie@Example.com' },
      { 'cf-ipcountry': 'de' },
    );
    expect(asked.body).toEqual({ require_name: true, temp_token: expect.any(String) });
    expect(await ledger(serial?.id)).toHaveLength(0);
    const done = await call(server, 'POST', '/api/redeem/complete', {
      body: { temp_token: asked.body.temp_token, first_name: 'Billie', last_name: 'Holiday' },
      headers: { 'cf-ipcountry': 'de' },
    });
    expect(done.body).toMatchObject({
      require_name: false,
      download_token: expect.any(String),
      products: [
        {
          product_name: 'Chorus',
          serial_code: serial?.code,
          revoked: false,
          download_count: 0,
          download_limit: 5,
          files: [{ name: 'Mac' }],
        },
      ],
    });
    expect(await ledger(serial?.id)).toMatchObject([
      { final_price_cents: 1999, commission_cents: 0, country: 'DE', source: 'redeem' },
    ]);
    expect(
      (await call(server, 'POST', '/api/redeem/products', { body: { download_token: done.body.download_token } })).body
        .products,
    ).toHaveLength(1);
  });

  it('does not ask a customer for a name again', async () => {
    const [one, two] = await serials(2);
    const first = await redeem(server, one?.code as string, 'aretha@example.com');
    const second = await initiate({
      serial: two?.code,
      email: 'ARETHA@example.com',
      download_token: first.body.download_token,
    });
    expect(second.body.require_name).toBe(false);
    expect(second.body.products).toHaveLength(2);
  });

  it('fixes price and commission in the ledger: promo before sale before price', async () => {
    const [promo] = await serials(1, { promo_price: 10.05, new_reseller_name: 'Shop' });
    await redeem(server, promo?.code as string, 'price@example.com');
    // 20% of 1005 cents is 201
    expect(await ledger(promo?.id)).toMatchObject([
      { final_price_cents: 1005, commission_bps: 2000, commission_cents: 201 },
    ]);
  });
});

describe('coming back', () => {
  it('opens the downloads only for the same address, and reveals nothing about the owner to another', async () => {
    const [serial] = await serials(1);
    await redeem(server, serial?.code as string, 'owner@example.com');
    expect((await initiate({ serial: serial?.code, email: 'OWNER@example.com' })).body.products).toHaveLength(1);
    const other = await initiate({ serial: serial?.code, email: 'thief@example.com' });
    expect([other.status, other.body.code]).toEqual([409, 'serial_already_redeemed']);
    expect(other.text).not.toMatch(/owner@|nina/i);
    expect(await ledger(serial?.id)).toHaveLength(1);
  });

  it('shows only what was proven, never what else the address owns', async () => {
    const [one, two] = await serials(2);
    await redeem(server, one?.code as string, 'many@example.com');
    const second = await redeem(server, two?.code as string, 'many@example.com');
    expect(second.body.products.map((card: { serial_code: string }) => card.serial_code)).toEqual([two?.code]);
  });
});

describe('refusals', () => {
  it('names what is wrong', async () => {
    const [future] = await serials(1, { promo_price: 1, promo_start: '2026-04-01' });
    const [expiring] = await serials(1, { expires_at: '2026-03-10' });
    const draft = await makeProduct(server, ada.token, { is_draft: true });
    const [hidden] = await makeSerials(server, ada.token, draft.id);
    clock.advance(24 * 60 * MINUTE);
    const code = async (serial: string | undefined) => (await initiate({ serial, email: 'x@example.com' })).body.code;
    expect(await code(future?.code)).toBe('serial_not_yet_valid');
    expect(await code(expiring?.code)).toBe('serial_expired');
    expect(await code(hidden?.code)).toBe('product_is_draft');
    expect(await code('AAAA-AAAA-AAAA-AAAA')).toBe('serial_not_found');
    expect((await initiate({ serial: '\0', email: 'x@example.com' })).status).toBe(400);
    expect((await initiate({ serial: 'A', email: 'x' })).body.errors[0].path).toBe('email');
  });

  it('sends a code that two developers have to its own page', async () => {
    const bea = await signUp(server);
    const theirs = await makeProduct(server, bea.token);
    const [serial] = await serials(1);
    const [same] = await makeSerials(server, bea.token, theirs.id, { quantity: 1 });
    await server.db.query('update serials set code = $1, code_key = $2 where id = $3', [
      serial?.code,
      serial?.code.replaceAll('-', ''),
      same?.id,
    ]);
    expect((await initiate({ serial: serial?.code, email: 'x@example.com' })).body.code).toBe('ambiguous_serial');
    expect((await initiate({ serial: serial?.code, email: 'x@example.com', dev: bea.id })).body.require_name).toBe(
      true,
    );
  });

  it('takes a ticket once, in time, and with both names', async () => {
    const [one, two] = await serials(2);
    const ticket = (await initiate({ serial: one?.code, email: 'ticket@example.com' })).body.temp_token;
    const nameless = await complete(ticket, { first_name: 'Nina', last_name: ' ' });
    expect([nameless.status, nameless.body.errors[0].message]).toEqual([400, 'Please enter both first and last name']);
    expect((await complete(ticket)).status).toBe(200);
    expect((await complete(ticket)).body.code).toBe('temp_token_invalid');
    const late = (await initiate({ serial: two?.code, email: 'late@example.com' })).body.temp_token;
    clock.advance(15 * MINUTE);
    expect((await complete(late)).body.code).toBe('temp_token_invalid');
    expect(await ledger(two?.id)).toHaveLength(0);
  });

  it('finds a ticket by the account that it names, and one of an older release by itself', async () => {
    const [one, two] = await serials(2);
    const ticket = (await initiate({ serial: one?.code, email: 'named-by@example.com' })).body.temp_token as string;
    const [secret, account] = ticket.split('.');
    expect(account).toBe(ada.id);
    const bea = await signUp(server);
    for (const forged of [`${secret}.${bea.id}`, secret as string])
      expect((await complete(forged)).body.code).toBe('temp_token_invalid');
    expect((await complete(ticket)).status).toBe(200);
    await initiate({ serial: two?.code, email: 'older@example.com' });
    const older = 'o'.repeat(40);
    await server.db.query('update redeem_tickets set token_hash = $2 where serial_id = $1', [two?.id, sha256(older)]);
    expect((await complete(older)).status).toBe(200);
    expect(await ledger(two?.id)).toHaveLength(1);
  });

  it('keeps names as they are: emoji, right to left, markup; and refuses 500 characters', async () => {
    const [one, two] = await serials(2);
    const ticket = (await initiate({ serial: one?.code, email: 'names@example.com' })).body.temp_token;
    expect((await complete(ticket, { first_name: '🎹 שרה', last_name: '<b>O’Neil</b>' })).status).toBe(200);
    const rows = (await call(server, 'GET', '/api/serials/redeemed?search=names@', { token: ada.token })).body.rows;
    expect(rows[0]).toMatchObject({ first_name: '🎹 שרה', last_name: '<b>O’Neil</b>' });
    const long = (await initiate({ serial: two?.code, email: 'long@example.com' })).body.temp_token;
    expect((await complete(long, { first_name: 'x'.repeat(500), last_name: 'y' })).status).toBe(400);
  });
});

describe('at once', () => {
  it('redeems a serial for exactly one of a hundred', async () => {
    const [serial] = await serials(1);
    const racers = Array.from({ length: 100 }, (_, i) => ({ serial: serial?.code, email: `racer${i}@example.com` }));
    const tickets = await Promise.all(
      racers.map(async (racer) => (await insist(() => initiate(racer))).body.temp_token as string),
    );
    const answers = await Promise.all(
      tickets.map(async (ticket, i) => {
        const answer = await insist(() => complete(ticket));
        // customers without a timely answer enter the serial again, as the message asks
        return answer.body.code === 'temp_token_invalid' ? insist(() => initiate(racers[i] as object)) : answer;
      }),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.code === 'serial_already_redeemed')).toHaveLength(99);
    expect(await ledger(serial?.id)).toHaveLength(1);
  }, 120_000);

  it('stops at fifty of sixty on Starter, and usage equals the ledger', async () => {
    const bea = await signUp(server);
    const theirs = await makeProduct(server, bea.token);
    const codes = await makeSerials(server, bea.token, theirs.id, { quantity: 60 });
    const answers = await Promise.all(
      codes.map((serial, i) => insist(() => redeem(server, serial.code, `fan${i}@example.com`))),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(50);
    const blocked = answers.filter((answer) => answer.status !== 200);
    expect(new Set(blocked.map((answer) => answer.body.code))).toEqual(new Set(['quota_reached']));
    expect(await server.db.query('select 1 from redemptions where developer_id = $1', [bea.id])).toHaveLength(50);
    expect(await server.db.query('select redemptions from usage_months where developer_id = $1', [bea.id])).toEqual([
      { redemptions: 50 },
    ]);
    expect(
      await server.db.query('select 1 from serials where developer_id = $1 and redeemed_at is not null', [bea.id]),
    ).toHaveLength(50);
    // who owns one already is never locked out by the cap
    const owner = answers.findIndex((answer) => answer.status === 200);
    expect((await initiate({ serial: codes[owner]?.code, email: `fan${owner}@example.com` })).status).toBe(200);
  }, 120_000);

  it('counts five of twenty simultaneous downloads of as many files', async () => {
    const file_urls = Array.from({ length: 20 }, (_, n) => ({ url: `https://cdn.example.com/chorus.dmg?${n}` }));
    const many = await makeProduct(server, ada.token, { file_urls });
    const [serial] = await makeSerials(server, ada.token, many.id, { quantity: 1 });
    const { body } = await redeem(server, serial?.code as string, 'loader@example.com');
    const links: URL[] = body.products[0].files.map(({ url }: { url: string }) => new URL(url));
    const clicks = await Promise.all(
      links.map((link) => insist(() => call(server, 'GET', link.pathname + link.search))),
    );
    const through = clicks.filter((answer) => answer.status === 302);
    expect(through).toHaveLength(5);
    expect(through[0]?.headers.get('location')).toMatch(/^https:\/\/cdn\.example\.com\/chorus\.dmg\?\d+$/);
    expect(clicks.find((answer) => answer.status === 403)?.body.message).toBe(
      'Download limit reached. Request a reset.',
    );
    expect(server.logged()).not.toContain(links[0]?.searchParams.get('token') as string);
  });
});

it('links to files without telling where they are, and only while the product has them', async () => {
  const { token } = await signUp(server);
  const address = 'https://cdn.example.com/secret-build.dmg';
  const product = await makeProduct(server, token, { file_urls: [{ name: 'Mac', url: address }] });
  const [serial] = await makeSerials(server, token, product.id, { quantity: 1 });
  const { body } = await redeem(server, serial?.code as string, 'curious@example.com');
  const link = new URL(body.products[0].files[0].url);
  const readable = link.search.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(readable.join()).not.toContain('secret-build');
  const click = () => call(server, 'GET', link.pathname + link.search);
  expect((await click()).headers.get('location')).toBe(address);
  await server.db.query(`update products set file_urls = '[]' where id = $1`, [product.id]);
  expect((await click()).body.code).toBe('not_found');
  const [row] = await server.db.query('select download_count as n from serials where id = $1', [serial?.id]);
  expect(row?.n).toBe(1);
});

it('asks for both names in the page’s own wording, whatever is missing', async () => {
  const [serial] = await serials(1);
  const { body } = await call(server, 'POST', '/api/redeem/initiate', {
    body: { serial: serial?.code, email: 'nameless@example.com' },
  });
  for (const names of [
    {},
    { first_name: 'Nina' },
    { first_name: '', last_name: ' ' },
    { first_name: 'Nina', last_name: 5 },
  ]) {
    const answer = await call(server, 'POST', '/api/redeem/complete', {
      body: { temp_token: body.temp_token, ...names },
    });
    const messages = [
      answer.body.message,
      answer.body.detail,
      ...answer.body.errors.map((each: { message: string }) => each.message),
    ];
    expect([answer.status, ...new Set(messages)]).toEqual([400, 'Please enter both first and last name']);
  }
});

describe('a file in our own storage', () => {
  const content = Buffer.from('0123456789'.repeat(1000));
  let link: URL;
  let serialId: string;
  const click = () => call(server, 'GET', link.pathname + link.search);
  const count = async () =>
    (await server.db.query('select download_count as n from serials where id = $1', [serialId]))[0]?.n;
  beforeAll(async () => {
    // the clock was moved: the first session may be over
    const { token } = await signUp(server);
    const begun = await call(server, 'POST', '/api/files', {
      token,
      body: { name: 'Flanger.zip', size: content.length },
    });
    const sent = await call(server, 'PATCH', `/api/files/${begun.body.id}`, {
      token,
      body: content.toString(),
      headers: { 'content-type': 'application/octet-stream', 'upload-offset': '0' },
    });
    const flanger = await makeProduct(server, token, { file_urls: [{ name: '', url: sent.body.url }] });
    const [serial] = await makeSerials(server, token, flanger.id, { quantity: 1 });
    serialId = serial?.id as string;
    const { body } = await redeem(server, serial?.code as string, 'flanger@example.com');
    expect(body.products[0].files[0].name).toBe('Flanger.zip');
    link = new URL(body.products[0].files[0].url);
  });

  it('is counted at the click, and resumed by Range without another count', async () => {
    const clicked = await click();
    expect(clicked.status).toBe(302);
    const address = clicked.headers.get('location') as string;
    expect(address).toMatch(/\/media\/files\/[^/]+\/Flanger\.zip$/);
    const first = await fetch(address, { headers: { range: 'bytes=0-3999' } });
    const rest = await fetch(address, {
      headers: { range: 'bytes=4000-', 'if-range': first.headers.get('etag') ?? '' },
    });
    expect([first.status, rest.status]).toEqual([206, 206]);
    expect((await first.text()) + (await rest.text())).toBe(content.toString());
    expect(await count()).toBe(1);
    clock.advance(15 * MINUTE);
    const late = await fetch(address);
    expect([late.status, (await late.json()).code]).toEqual([401, 'download_token_invalid']);
    expect((await click()).status).toBe(302);
    expect(await count()).toBe(1);
  });

  it('costs nothing when it is gone', async () => {
    const before = await count();
    const random = systemRandom(clock);
    const downloads = new Downloads({
      db: tables.of(server.db as never),
      clock,
      secrets: new Secrets([TEST_SECRET], random),
      fileLinks: { signedUrl: async () => Promise.reject(notFound('File')) },
    } as never);
    const refusal = await downloads.follow(link.searchParams.get('token') as string).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'not_found', status: 404 });
    expect(await count()).toBe(before);
  });
});

it('refuses any change to the ledger', async () => {
  await expect(server.db.query('update redemptions set final_price_cents = 0')).rejects.toThrow('append-only');
  await expect(server.db.query('delete from redemptions')).rejects.toThrow('append-only');
});

it('guessing serials with another person’s email address does not keep the owner from redeeming', async () => {
  const limited = await startServer({
    db: server.db,
    env: { TONEROW_RATE_LIMITS: 'on', TONEROW_TRUST_PROXY: '127.0.0.1' },
  });
  try {
    const [serial] = await serials(1);
    const from = (ip: string, code: string | undefined) =>
      call(limited, 'POST', '/api/redeem/initiate', {
        headers: { 'x-forwarded-for': ip },
        body: { serial: code, email: 'owner@example.com' },
      });
    const tries = [];
    for (let n = 0; n < 31; n += 1) tries.push((await from('203.0.113.7', 'AAAA-AAAA-AAAA-AAAA')).status);
    expect(new Set(tries.slice(0, 30))).toEqual(new Set([404]));
    expect(tries[30]).toBe(429);
    expect((await from('198.51.100.9', serial?.code)).status).toBe(200);
  } finally {
    await limited.stop();
  }
});

describe('a file’s address outside ASCII', () => {
  const cases = [
    ['https://cdn.example.com/Łódź.zip', 'https://cdn.example.com/%C5%81%C3%B3d%C5%BA.zip', 'Łódź.zip'],
    ['https://cdn.example.com/音.zip?v=ü', 'https://cdn.example.com/%E9%9F%B3.zip?v=%C3%BC', '音.zip'],
    ['https://löwe.example/🎹/a%20b.zip', 'https://xn--lwe-sna.example/%F0%9F%8E%B9/a%20b.zip', 'a b.zip'],
  ] as const;

  it('is saved as browsers send it, and leads there with one count, also where it was saved before', async () => {
    const { token } = await signUp(server);
    const made = await makeProduct(server, token, {
      file_urls: cases.map(([url]) => ({ url })),
      image_url: 'https://cdn.example.com/ü.png',
    });
    const { body: saved } = await call(server, 'GET', `/api/products/${made.id}`, { token });
    expect(saved.file_urls).toEqual(cases.map(([, url, name]) => ({ name, url })));
    expect(saved.image_url).toBe('https://cdn.example.com/%C3%BC.png');
    const [serial] = await makeSerials(server, token, made.id, { quantity: 1 });
    const count = async () =>
      (await server.db.query('select download_count as n from serials where id = $1', [serial?.id]))[0]?.n;
    const open = async () => (await redeem(server, serial?.code as string, 'lodz@example.com')).body.products[0].files;
    const click = ({ url }: { url: string }) => call(server, 'GET', url.slice(server.url.length));
    const before = await open();
    // as the release before saved them
    await server.db.query('update products set file_urls = $2::jsonb where id = $1', [
      made.id,
      JSON.stringify(cases.map(([url, , name]) => ({ name, url }))),
    ]);
    for (const [index, [, url]] of cases.entries()) {
      for (const files of [before, await open()]) {
        const answer = await click(files[index]);
        expect([answer.status, answer.headers.get('location')]).toEqual([302, url]);
      }
      expect(await count()).toBe(index + 1);
    }
    // what cannot be sent costs nothing
    await server.db.query('update products set file_urls = $2::jsonb where id = $1', [
      made.id,
      JSON.stringify([{ name: 'Broken', url: 'no address, ü' }]),
    ]);
    expect((await click((await open())[0])).status).toBe(404);
    expect(await count()).toBe(cases.length);
  });

  it('is refused when it is too long to be sent', async () => {
    const { token } = await signUp(server);
    const url = `https://cdn.example.com/${'音'.repeat(400)}`;
    const refused = await call(server, 'POST', '/api/products', {
      token,
      body: { name: 'Long', file_urls: [{ url }] },
    });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'file_urls.0.url']);
  });
});

describe('a customer’s download of one file', () => {
  it('counts once within six hours, whatever its resumes, segments and a full count', async () => {
    const { token, id } = await signUp(server);
    const files = Array.from({ length: 6 }, (_, n) => ({ name: `Part ${n}`, url: `https://cdn.example.com/${n}.zip` }));
    const made = await makeProduct(server, token, { file_urls: files });
    const [serial] = await makeSerials(server, token, made.id, { quantity: 1 });
    const { body } = await redeem(server, serial?.code as string, 'segments@example.com', id);
    const click = async (n: number, method = 'GET') => {
      const headers = { range: `bytes=${n}-` };
      return (await call(server, method, body.products[0].files[n].url.slice(server.url.length), { headers })).status;
    };
    const state = async () => {
      const [row] = await server.db.query(
        `select download_count as n, (select count(*)::int from serial_events e where e.developer_id = s.developer_id and e.serial_id = s.id and kind = 'downloaded') as noted
         from serials s where id = $1`,
        [serial?.id],
      );
      return [row?.n, row?.noted];
    };
    const segments = await Promise.all(Array.from({ length: 8 }, () => click(0)));
    expect(new Set(segments)).toEqual(new Set([302]));
    expect(await state()).toEqual([1, 1]);
    for (const n of [1, 2, 3, 4]) expect(await click(n)).toBe(302);
    expect(await state()).toEqual([5, 5]);
    // at the limit, a file that has begun can be finished; another one cannot begin
    expect([await click(0), await click(0, 'HEAD'), await click(5), await click(5, 'HEAD')]).toEqual([
      302, 200, 403, 403,
    ]);
    expect(await state()).toEqual([5, 5]);
    clock.advance(6 * HOUR);
    expect(await click(0)).toBe(403);
    await call(server, 'PATCH', `/api/serials/refresh/${serial?.id}`, { token });
    expect(await click(0)).toBe(302);
    clock.advance(6 * HOUR - MINUTE);
    expect(await click(0)).toBe(302);
    expect((await state())[0]).toBe(1);
    clock.advance(MINUTE);
    expect(await click(0)).toBe(302);
    expect((await state())[0]).toBe(2);
    // the next owner's is another download
    const to = { email: 'next@example.com' };
    await server.db.query(
      `with other as (insert into customers (developer_id, id, email, email_key, first_name, last_name, created_at)
         select developer_id, gen_random_uuid(), $2, $2, 'Nia', 'Next', created_at from customers where developer_id = $3 limit 1 returning id)
       update serials set customer_id = (select id from other) where developer_id = $3 and id = $1`,
      [serial?.id, to.email, id],
    );
    expect(await click(0)).toBe(302);
    expect((await state())[0]).toBe(3);
  });
});
