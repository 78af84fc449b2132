import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, TestClock } from '#platform/clock.ts';
import { sha256 } from '#platform/secrets/secrets.ts';

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
    // a customer who owns one already is never locked out by the cap
    const owner = answers.findIndex((answer) => answer.status === 200);
    expect((await initiate({ serial: codes[owner]?.code, email: `fan${owner}@example.com` })).status).toBe(200);
  }, 120_000);
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
