import { call, makeProduct, makeSerials, signUpVerified } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { partnerCalls } from '@tonerow/test-support/partner-calls.ts';
import { connectPartners, makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const { profile, change, step, message, seen, developersOf, kinds, emailsTo, stock, sell } = partnerCalls(() => server);

describe('the profile of a reseller', () => {
  it('shows who it is, what was agreed, what it sold and what happened', async () => {
    const partners = await makePartners(server, 12.5);
    await call(server, 'PUT', '/api/account/settings', {
      token: partners.reseller.token,
      body: { company_name: 'Plugin Shop', website_url: 'https://shop.example.com' },
    });
    const [first] = await stock(partners);
    await sell(partners, first);
    const { status, body } = await profile(partners);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: partners.partnershipId,
      name: 'Row Audio',
      company_name: 'Plugin Shop',
      logo_url: null,
      first_name: 'Ada',
      last_name: 'Row',
      email: partners.reseller.email,
      website: 'https://shop.example.com',
      business_address: null,
      tax_id: null,
      commission_rate: 12.5,
      status: 'active',
      since: expect.any(String),
      ended_at: null,
      merged_into: null,
      low_stock_threshold: null,
      low_stock_products: 0,
      total_redemptions: 1,
      total_revenue: 49,
      total_commission: 6.13,
      history: [
        expect.objectContaining({
          kind: 'accepted',
          by: 'reseller',
          commission_rate: 12.5,
          commission_rate_before: null,
        }),
        expect.objectContaining({ kind: 'invited', by: 'developer', commission_rate: null }),
      ],
      history_total: 2,
    });
    const list = await call(server, 'GET', '/api/reseller/developer/resellers', { token: partners.developer.token });
    const { history: _, history_total: __, ...row } = body;
    expect(list.body).toEqual([row]);
  });

  it('of another developer looks like none, on every route', async () => {
    const partners = await makePartners(server);
    const stranger = { ...partners, developer: await signUpVerified(server) };
    const absent = { ...stranger, partnershipId: '01900000-0000-7000-8000-000000000000' };
    for (const ask of [
      profile,
      (who: Partners) => change(who, { commission_rate: 1 }),
      (who: Partners) => step(who, 'pause'),
      (who: Partners) => step(who, 'end'),
      (who: Partners) => message(who, 'hi'),
    ]) {
      const [theirs, none] = [await ask(stranger), await ask(absent)];
      expect([theirs.status, { ...theirs.body, request_id: '' }]).toEqual([404, { ...none.body, request_id: '' }]);
    }
    expect((await profile(partners)).body).toMatchObject({ commission_rate: 20, status: 'active' });
  });

  it('is found by name and state', async () => {
    const partners = await makePartners(server);
    const product = await makeProduct(server, partners.developer.token);
    await makeSerials(server, partners.developer.token, product.id, { new_reseller_name: 'Corner 100% Shop' });
    const names = async (query = '') =>
      (
        await call(server, 'GET', `/api/reseller/developer/resellers${query}`, { token: partners.developer.token })
      ).body.map((each: { name: string }) => each.name);
    expect(await names()).toEqual(['Corner 100% Shop', 'Row Audio']);
    expect(await names('?search=100%25')).toEqual(['Corner 100% Shop']);
    expect(await names('?status=named')).toEqual(['Corner 100% Shop']);
    expect((await developersOf(partners.reseller, '?search=row')).body).toHaveLength(1);
    expect((await developersOf(partners.reseller, '?search=corner')).body).toEqual([]);
    await step(partners, 'end');
    expect(await names()).toEqual(['Corner 100% Shop']);
    expect(await names('?status=ended')).toEqual(['Row Audio']);
    const connected = await call(server, 'GET', '/api/reseller', { token: partners.developer.token });
    expect(connected.body).toEqual([]);
  });
});

describe('the list of resellers as CSV', () => {
  it('has all that match the filter, with what a spreadsheet would run made harmless', async () => {
    const partners = await makePartners(server);
    const { token } = partners.developer;
    const product = await makeProduct(server, token);
    for (const new_reseller_name of ['=1+1, "Shop"', 'Corner Shop'])
      await makeSerials(server, token, product.id, { quantity: 1, new_reseller_name });
    const csv = (query = '') =>
      call(server, 'GET', `/api/reseller/developer/resellers${query}`, { token, headers: { accept: 'text/csv' } });
    const all = await csv();
    expect(all.headers.get('content-disposition')).toBe('attachment; filename="resellers.csv"');
    const lines = all.text.split('\r\n');
    expect(lines[0]).toMatch(/^Id,Company,Name,First,Last,Email,.*,Redemptions,Revenue,Commission,/);
    expect(lines[1]).toContain(`,"'=1+1, ""Shop""","'=1+1, ""Shop""",`);
    expect(lines[3]).toMatch(new RegExp(`^${partners.partnershipId},Row Audio,.*,active,.*,20,0,0.00,0.00,,0$`));
    expect(lines[4]).toBe('');
    expect((await csv('?search=corner')).text.split('\r\n')).toHaveLength(3);
    expect((await csv('?status=ended')).text.split('\r\n')).toHaveLength(2);
    const stranger = await signUpVerified(server);
    const none = await call(server, 'GET', '/api/reseller/developer/resellers', {
      token: stranger.token,
      headers: { accept: 'text/csv' },
    });
    expect(none.text.split('\r\n')).toHaveLength(2);
  });
});

describe('a new commission rate', () => {
  it('counts for later redemptions only, is told by email and stays in the history', async () => {
    const partners = await makePartners(server, 20);
    const [first, second] = await stock(partners);
    await sell(partners, first);
    expect((await change(partners, { commission_rate: 33.33 })).body.commission_rate).toBe(33.33);
    await sell(partners, second);
    const rows = await server.db.query(
      'select commission_bps, commission_cents from redemptions where developer_id = $1 order by redeemed_at',
      [partners.developer.id],
    );
    expect(rows).toEqual([
      { commission_bps: 2000, commission_cents: 980 },
      { commission_bps: 3333, commission_cents: 1633 },
    ]);
    const { body } = await profile(partners);
    expect(body.history[0]).toMatchObject({ kind: 'rate_changed', commission_rate_before: 20, commission_rate: 33.33 });
    expect(body).toMatchObject({ total_redemptions: 2, total_commission: 26.13 });
    const email = await server.email(
      (each) => each.to?.[0]?.address === partners.reseller.email && /33\.33/.test(each.subject ?? ''),
    );
    expect(email.text).toContain('from 20% to 33.33%');
    expect(email.text).toContain('Earlier redemptions keep their rate.');
  });

  it('that is the old one changes nothing', async () => {
    const partners = await makePartners(server);
    expect((await change(partners, { commission_rate: 20 })).status).toBe(200);
    expect(await kinds(partners)).toEqual(['accepted', 'invited']);
    expect(await emailsTo(partners.reseller.email, '%changed your commission%')).toBe(0);
  });

  it.each([-0.01, 100.01, 12.345, '20', null])('%s is refused', async (commission_rate) => {
    const partners = await makePartners(server);
    expect((await change(partners, { commission_rate })).status).toBe(400);
  });

  it('set twice at once is set one after the other, and both are in the history', async () => {
    const partners = await makePartners(server, 20);
    const lock = await lockWith(server.db, 'select 1 from partnerships where id = $1 for update', [
      partners.partnershipId,
    ]);
    const both = [change(partners, { commission_rate: 25 }), change(partners, { commission_rate: 30 })];
    await lock.untilWaiting(2);
    await lock.release();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await profile(partners);
    const changes = body.history.filter((each: { kind: string }) => each.kind === 'rate_changed');
    expect(changes).toHaveLength(2);
    const [one, two] = changes as { commission_rate: number; commission_rate_before: number }[];
    const [earlier, later] = one?.commission_rate_before === 20 ? [one, two] : [two, one];
    expect(earlier?.commission_rate_before).toBe(20);
    expect(later?.commission_rate_before).toBe(earlier?.commission_rate);
    expect(body.commission_rate).toBe(later?.commission_rate);
  });
});

it('a rate changed amid redemptions gives each of them one of the two rates', async () => {
  const partners = await makePartners(server, 20);
  const codes = await stock(partners, 12);
  await Promise.all([
    ...codes.slice(0, 6).map((code) => sell(partners, code)),
    change(partners, { commission_rate: 33.33 }),
    ...codes.slice(6).map((code) => sell(partners, code)),
  ]);
  const rows = await server.db.query<{ rate: number; cents: number }>(
    'select commission_bps as rate, commission_cents as cents from redemptions where developer_id = $1',
    [partners.developer.id],
  );
  expect(rows).toHaveLength(12);
  for (const { rate, cents } of rows) expect([rate, cents]).toEqual(rate === 2000 ? [2000, 980] : [3333, 1633]);
});

describe('a profile', () => {
  it('with more products and history than it lists shows how many there are', async () => {
    const partners = await makePartners(server);
    await stock(partners);
    expect((await seen(partners)).body).toMatchObject({ products_total: 1, history_total: 2 });
    await server.db.query(
      `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
       select gen_random_uuid(), $1, 'Plug ' || n, 'plug ' || n, '[]', '[]', false, 100, 1, now(), now() from generate_series(1, 501) n`,
      [partners.developer.id],
    );
    await server.db.query(
      `insert into partnership_events (developer_id, id, partnership_id, kind, actor_id, happened_at)
       select $1, gen_random_uuid(), $2, 'paused', $1, now() from generate_series(1, 200)`,
      [partners.developer.id, partners.partnershipId],
    );
    const { body } = await seen(partners);
    expect([body.products.length, body.products_total, body.history.length, body.history_total]).toEqual([
      ...[500, 502, 200, 202],
    ]);
    expect((await profile(partners)).body).toMatchObject({ history_total: 202 });
  });
});

it('resellers of one name are told apart without their email addresses', async () => {
  const { developer } = await makePartners(server);
  for (let n = 0; n < 3; n += 1) await connectPartners(server, developer, await signUpVerified(server, 'reseller'));
  const list = await call(server, 'GET', '/api/reseller/developer/resellers', { token: developer.token });
  const names = list.body.map((each: { name: string }) => each.name);
  const withId = expect.stringMatching(/^Row Audio \([0-9a-f-]{36}\)$/);
  expect(names).toHaveLength(4);
  expect(names).toEqual(expect.arrayContaining(['Row Audio', 'Row Audio 2', 'Row Audio 3', withId]));
});

it('a reseller sees a developer only as a partner', async () => {
  const [one, other] = [await makePartners(server), await makePartners(server)];
  const stranger = { ...one, reseller: other.reseller };
  const absent = { ...stranger, developer: { ...one.developer, id: '01900000-0000-7000-8000-000000000000' } };
  const [theirs, none] = [await seen(stranger), await seen(absent)];
  expect([theirs.status, { ...theirs.body, request_id: '' }]).toEqual([404, { ...none.body, request_id: '' }]);
  expect((await developersOf(one.reseller)).body).toMatchObject([{ id: one.developer.id, status: 'active' }]);
  const draft = await makeProduct(server, one.developer.token, { is_draft: true });
  const shown = await makeProduct(server, one.developer.token);
  const ids = (await seen(one)).body.products.map((each: { id: string }) => each.id);
  expect(ids).toContain(shown.id);
  expect(ids).not.toContain(draft.id);
});

describe('the developers of a reseller', () => {
  it('are a CSV too, of the same filter', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server, 12.5);
    const body = { company_name: '=Lowpass, Inc.', business_address: '1 Row\nBerlin' };
    await call(server, 'PUT', '/api/account/settings', { token: developer.token, body });
    const csv = async (query = '') => {
      const headers = { accept: 'text/csv' };
      const answer = await call(server, 'GET', `/api/reseller/developers${query}`, { token: reseller.token, headers });
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="developers.csv"');
      return answer.text;
    };
    const [head, row] = [(await csv()).split('\r\n')[0], (await csv()).slice((await csv()).indexOf('\r\n') + 2)];
    expect(head).toBe(
      'Company,First,Last,Email,Website,Business Address,Tax ID,Status,Since,Ended,Commission %,Redemptions,Revenue,Commission',
    );
    expect(row).toContain(`"'=Lowpass, Inc.",`);
    expect(row).toContain(',"1 Row\nBerlin",,active,');
    expect(row.trimEnd()).toMatch(/Z,,12\.5,0,0\.00,0\.00$/);
    expect(await csv('?search=nobody')).toBe(`${head}\r\n`);
    await server.db.query("update partnerships set status = 'ended', ended_at = now() where id = $1", [partnershipId]);
    expect(await csv()).toBe(`${head}\r\n`);
    expect(await csv('?status=ended')).toContain(`"'=Lowpass, Inc.",,,,,,,ended,`);
  });
});
