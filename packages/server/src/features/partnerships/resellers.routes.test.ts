import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, PASSWORD, redeem, signUpVerified } from '../../../../../test/support/http.ts';
import { inviteCalls } from '../../../../../test/support/invites.ts';
import { lockWith } from '../../../../../test/support/lock-with.ts';
import { partnerCalls } from '../../../../../test/support/partner-calls.ts';
import { connectPartners, makePartners, type Partners } from '../../../../../test/support/partners.ts';
import { startServer, type TestServer } from '../../../../../test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const { profile, change, step, message, seen, developersOf } = partnerCalls(() => server);
const kinds = async (partners: Partners) =>
  (await profile(partners)).body.history.map((each: { kind: string }) => each.kind);
const emailsTo = (address: string, subject: string) =>
  server.db
    .query('select 1 from mails where recipient = $1 and subject like $2', [address, subject])
    .then((rows) => rows.length);
/** Codes of a product of 49 dollars that were given to the reseller. */
async function stock({ developer, partnershipId }: Partners, quantity = 3) {
  const product = await makeProduct(server, developer.token);
  return (await makeSerials(server, developer.token, product.id, { quantity, reseller_id: partnershipId })).map(
    ({ code }) => code,
  );
}
const sell = async ({ developer }: Partners, code = '') =>
  expect((await redeem(server, code, `${randomUUID()}@example.com`, developer.id)).status).toBe(200);

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
    const mail = await server.mail(
      (each) => each.to?.[0]?.address === partners.reseller.email && /33\.33/.test(each.subject ?? ''),
    );
    expect(mail.text).toContain('from 20% to 33.33%');
    expect(mail.text).toContain('Earlier redemptions keep their rate.');
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
  it('with more products and history than it shows tells how many there are', async () => {
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

describe('a paused partnership', () => {
  it('shows no products, sells on what is out, and can be resumed', async () => {
    const partners = await makePartners(server);
    const [first] = await stock(partners);
    expect((await seen(partners)).body.products).toHaveLength(1);
    expect((await step(partners, 'pause')).body).toMatchObject({ status: 'paused' });
    expect((await step(partners, 'pause')).body).toMatchObject({ status: 'paused' });
    expect((await seen(partners)).body).toMatchObject({
      status: 'paused',
      products: [],
      email: partners.developer.email,
    });
    await sell(partners, first);
    expect((await profile(partners)).body).toMatchObject({ total_redemptions: 1, total_commission: 9.8 });
    expect((await step(partners, 'resume')).body).toMatchObject({ status: 'active' });
    expect((await step(partners, 'resume')).status).toBe(200);
    expect((await seen(partners)).body.products).toHaveLength(1);
    expect((await kinds(partners)).slice(0, 2)).toEqual(['resumed', 'paused']);
    expect(await emailsTo(partners.reseller.email, '%paused your partnership')).toBe(1);
    expect(await emailsTo(partners.reseller.email, '%resumed your partnership')).toBe(1);
  });

  it('is in one state after a pause and a resume at once, and the history agrees', async () => {
    const partners = await makePartners(server);
    const lock = await lockWith(server.db, 'select 1 from partnerships where id = $1 for update', [
      partners.partnershipId,
    ]);
    const calls = [step(partners, 'pause'), step(partners, 'resume'), step(partners, 'pause')];
    await lock.untilWaiting(3);
    await lock.release();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await profile(partners);
    const steps = body.history.map((each: { kind: string }) => each.kind).slice(0, -2);
    expect(['paused', 'resumed,paused', 'paused,resumed,paused']).toContain(steps.join());
    expect(body.status).toBe(steps[0] === 'resumed' ? 'active' : 'paused');
  });

  it('counts as working together: no new invitation', async () => {
    const partners = await makePartners(server);
    await step(partners, 'pause');
    const { invite } = inviteCalls(() => ({ server, ada: partners.developer, rae: partners.reseller }));
    expect((await invite({ email: partners.reseller.email })).body.message).toBe('You already work together.');
  });
});

describe('an ended partnership', () => {
  it('hides the developer at once; what is out earns the rate of the end', async () => {
    const partners = await makePartners(server, 15);
    const [first, second] = await stock(partners);
    await sell(partners, first);
    expect((await step(partners, 'end')).body).toMatchObject({ status: 'ended', ended_at: expect.any(String) });
    expect((await step(partners, 'end')).status).toBe(200);
    expect((await seen(partners)).status).toBe(404);
    expect((await developersOf(partners.reseller)).body).toEqual([]);
    await sell(partners, second);
    expect((await developersOf(partners.reseller, '?status=ended')).body).toEqual([
      {
        id: partners.developer.id,
        partnership_id: partners.partnershipId,
        name: 'Row Audio',
        company_name: 'Row Audio',
        logo_url: null,
        first_name: null,
        last_name: null,
        email: null,
        website: null,
        business_address: null,
        tax_id: null,
        commission_rate: 15,
        status: 'ended',
        since: expect.any(String),
        ended_at: expect.any(String),
        total_redemptions: 2,
        total_revenue: 98,
        total_commission: 14.7,
      },
    ]);
    const mail = await server.mail(
      (each) => each.to?.[0]?.address === partners.reseller.email && /has ended/.test(each.subject ?? ''),
    );
    expect(mail.text).toContain('commission of 15%');
  });

  it('takes no new rate, pause, message or serials', async () => {
    const partners = await makePartners(server);
    await step(partners, 'end');
    for (const answer of [
      await change(partners, { commission_rate: 50 }),
      await step(partners, 'pause'),
      await step(partners, 'resume'),
      await message(partners, 'hi'),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('has ended')]);
    }
    const product = await makeProduct(server, partners.developer.token);
    const generate = (fields: object) =>
      call(server, 'POST', '/api/serials/generate', {
        token: partners.developer.token,
        body: { product_id: product.id, quantity: 1, ...fields },
      });
    expect((await generate({ new_reseller_name: 'Row Audio' })).body.message).toContain(
      'You no longer work with this reseller.',
    );
    expect((await generate({ reseller_id: partners.partnershipId })).status).toBe(400);
  });

  it('starts again with a new invitation, whose rate counts from then on', async () => {
    const partners = await makePartners(server, 15);
    const [first, second] = await stock(partners);
    await step(partners, 'end');
    await sell(partners, first);
    // an address gets one invitation a day
    await server.db.query("update invites set sent_at = sent_at - interval '2 days' where inviter_id = $1", [
      partners.developer.id,
    ]);
    const { invitedId, respond } = inviteCalls(() => ({ server, ada: partners.developer, rae: partners.reseller }));
    const answer = await respond(
      partners.reseller,
      await invitedId({ email: partners.reseller.email, commission_rate: 30 }),
    );
    expect(answer.body.partnership_id).toBe(partners.partnershipId);
    await sell(partners, second);
    const rows = await server.db.query(
      'select commission_bps from redemptions where developer_id = $1 order by redeemed_at',
      [partners.developer.id],
    );
    expect(rows).toEqual([{ commission_bps: 1500 }, { commission_bps: 3000 }]);
    const { body } = await profile(partners);
    expect(body).toMatchObject({ status: 'active', ended_at: null });
    expect(body.history[0]).toMatchObject({ kind: 'accepted', commission_rate_before: 15, commission_rate: 30 });
  });

  it.each(['developer', 'reseller'] as const)(
    'comes from deleting the %s’s account, and the other is told',
    async (role) => {
      const partners = await makePartners(server);
      const [leaver, stays] =
        role === 'developer' ? [partners.developer, partners.reseller] : [partners.reseller, partners.developer];
      await step(partners, 'pause');
      await call(server, 'DELETE', '/api/account/delete', { token: leaver.token, body: { password: PASSWORD } });
      expect(await emailsTo(stays.email, 'Your partnership with Row Audio has ended')).toBe(1);
      const events = await server.db.query(
        "select actor_id from partnership_events where developer_id = $1 and kind = 'ended'",
        [partners.developer.id],
      );
      expect(events).toEqual([{ actor_id: leaver.id }]);
      if (role === 'reseller') {
        expect((await profile(partners)).body).toMatchObject({ status: 'ended', name: 'Row Audio', email: null });
      } else expect((await developersOf(partners.reseller, '?status=ended')).body).toHaveLength(1);
    },
  );
});

it('an invitation accepted in the moment in which the inviter deletes the account leaves no partner', async () => {
  for (const order of ['deletion first', 'answer first']) {
    const [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
    const { invitedId, respond } = inviteCalls(() => ({ server, ada, rae }));
    const id = await invitedId({ email: rae.email });
    const lock = await lockWith(server.db, 'select 1 from users where id = $1 for update', [ada.id]);
    const acts = [
      () => call(server, 'DELETE', '/api/account/delete', { token: ada.token, body: { password: PASSWORD } }),
      () => respond(rae, id),
    ];
    if (order === 'answer first') acts.reverse();
    const answers: Promise<{ status: number }>[] = [];
    for (const [index, act] of acts.entries()) {
      answers.push(act());
      await lock.untilWaiting(index + 1);
    }
    await lock.release();
    expect(
      (await Promise.all(answers)).every(({ status }) => status < 500),
      order,
    ).toBe(true);
    expect((await developersOf(rae)).body, order).toEqual([]);
  }
});

describe('a reseller without an account', () => {
  it('has a rate, and nothing to pause, end or write to', async () => {
    const ada = await signUpVerified(server);
    const product = await makeProduct(server, ada.token);
    await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Shop' });
    const [named] = (await call(server, 'GET', '/api/reseller/developer/resellers', { token: ada.token })).body;
    const partners = { developer: ada, reseller: ada, partnershipId: named.id };
    expect((await change(partners, { commission_rate: 5 })).body).toMatchObject({
      status: 'named',
      commission_rate: 5,
      since: null,
    });
    for (const answer of [await step(partners, 'pause'), await step(partners, 'end'), await message(partners, 'hi')]) {
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'This reseller has no account yet. Invite them first.',
      ]);
    }
  });
});

describe('a message', () => {
  it('arrives as plain text, and the answer goes to the developer', async () => {
    const partners = await makePartners(server);
    expect((await message(partners, '<b>Hello</b>\r\nfriend')).body).toEqual({ message: 'Message sent.' });
    const mail = await server.mail(
      (each) => each.to?.[0]?.address === partners.reseller.email && /^Message from/.test(each.subject ?? ''),
    );
    expect(mail.text).toContain('<b>Hello</b>\nfriend');
    expect(mail.html).toContain('&lt;b&gt;Hello');
    expect(mail.replyTo?.[0]?.address).toBe(partners.developer.email);
    expect(mail.text).toContain('Unsubscribe:');
  });

  it('is refused when the reseller wants none, when it is empty, and beyond five a day', async () => {
    const limited = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
    try {
      const partners = await makePartners(limited);
      const calls = partnerCalls(() => limited);
      expect((await calls.message(partners, ' ')).status).toBe(400);
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) statuses.push((await calls.message(partners, `Message ${n}`)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      const others = await makePartners(limited);
      await call(limited, 'PUT', '/api/account/settings', {
        token: others.reseller.token,
        body: { notify_inquiries: false },
      });
      const refused = await calls.message(others, 'hi');
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'This reseller has turned off emails about inquiries.',
      ]);
    } finally {
      await limited.stop();
    }
  });
});

it('a reseller gets ten emails a day about pauses and new rates; past that, changes happen without one', async () => {
  const limited = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  try {
    const partners = await makePartners(limited);
    const calls = partnerCalls(() => limited);
    for (let n = 0; n < 5; n += 1) {
      expect((await calls.step(partners, 'pause')).status).toBe(200);
      expect((await calls.step(partners, 'resume')).status).toBe(200);
    }
    expect((await calls.step(partners, 'pause')).body.status).toBe('paused');
    expect((await calls.change(partners, { commission_rate: 30 })).body.commission_rate).toBe(30);
    const about = async (subject: string) =>
      (
        await limited.db.query('select 1 from mails where recipient = $1 and subject like $2', [
          partners.reseller.email,
          subject,
        ])
      ).length;
    expect([await about('%paused your partnership'), await about('%resumed your partnership')]).toEqual([5, 5]);
    expect(await about('%commission%')).toBe(0);
    expect((await calls.step(partners, 'end')).status).toBe(200);
    expect(await about('%has ended%')).toBe(1);
  } finally {
    await limited.stop();
  }
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

it('a mail server that is down keeps nobody from changing, pausing or writing', async () => {
  const broken = { send: () => Promise.reject(new Error('the mail server is down')), close: () => undefined };
  const down = await startServer({ overrides: { mailer: broken } });
  try {
    const partners = await makePartners(down);
    const calls = partnerCalls(() => down);
    for (const answer of [
      await calls.change(partners, { commission_rate: 1 }),
      await calls.step(partners, 'pause'),
      await calls.message(partners, 'hi'),
      await calls.step(partners, 'end'),
    ])
      expect(answer.status).toBe(200);
  } finally {
    await down.stop();
  }
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
    expect(row.trimEnd()).toMatch(/Z,,12\.5,0,0,0$/);
    expect(await csv('?search=nobody')).toBe(`${head}\r\n`);
    await server.db.query("update partnerships set status = 'ended', ended_at = now() where id = $1", [partnershipId]);
    expect(await csv()).toBe(`${head}\r\n`);
    expect(await csv('?status=ended')).toContain(`"'=Lowpass, Inc.",,,,,,,ended,`);
  });
});
