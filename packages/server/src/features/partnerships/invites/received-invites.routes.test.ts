import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUp,
  signUpVerified,
  verifyEmail,
} from '../../../../../../test/support/http.ts';
import { lockWith } from '../../../../../../test/support/lock-with.ts';
import { startServer, type TestServer } from '../../../../../../test/support/server.ts';
import { DAY, HOUR, TestClock } from '../../../platform/clock.ts';

const ABSENT = '01900000-0000-7000-8000-000000000000';
const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
let rae: Person;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

/** A developer and a reseller who don't know each other. */
async function strangers() {
  [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
}
beforeAll(strangers);

const post = (path: string, token: string, body: object = {}, headers: Record<string, string> = {}) =>
  call(server, 'POST', path, { token, body, headers });
const get = (path: string, token: string) => call(server, 'GET', path, { token });
const invite = (body: object, token = ada.token) => post('/api/reseller/developer/invite-reseller', token, body);
const ask = (email: string, token = rae.token) => post('/api/reseller/invite-developer', token, { email });
const received = async (person: Person, role = 'reseller') =>
  (await get(`/api/reseller/invites/${role}`, person.token)).body;
const sent = async (token = ada.token) => (await get('/api/reseller/invites/sent', token)).body.rows;
const respond = (person: Person, invite_id: string, response = 'accept') =>
  post('/api/reseller/invites/respond', person.token, { invite_id, response });
const follow = (person: Person, token: string) => post('/api/reseller/invites/follow', person.token, { token });
const resellersOf = async (person: Person) =>
  (await get('/api/reseller/developer/resellers', person.token)).body as Record<string, unknown>[];
const invitedId = async (body: object, token = ada.token) => {
  const answer = await invite(body, token);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.invites[0].id as string;
};
const signInAgain = async (person: Person) => {
  const body = { email: person.email, password: PASSWORD };
  person.token = (await call(server, 'POST', '/api/auth/login', { body })).body.token;
};
const mailTo = (address: string, subject: string) =>
  server.mail((mail) => mail.to?.[0]?.address?.toLowerCase() === address && (mail.subject ?? '').includes(subject));
const tokenIn = (text = '') => /\/invite\?token=(\S+)/.exec(text)?.[1] as string;
const unknownAddress = () => `nobody-${crypto.randomUUID()}@example.com`;
/** Emails that were queued for an address with a subject like this. */
const emailsTo = async (address: string, subject = '%plugins') =>
  (await server.db.query('select 1 from mails where recipient = $1 and subject like $2', [address, subject])).length;
const noticesDone = () =>
  expect
    .poll(
      async () =>
        (
          await server.db.query(
            "select 1 from pgboss.job where name = 'invite-notice' and state in ('created', 'retry', 'active')",
          )
        ).length,
      { timeout: 10_000 },
    )
    .toBe(0);

describe('an invitation to a reseller', () => {
  beforeAll(strangers);

  it('arrives by email and in the list, is accepted once, and makes the two partners', async () => {
    const answer = await invite({ email: rae.email.toUpperCase(), message: 'Sell it?\r\nYes!', commission_rate: 12.5 });
    expect([answer.status, answer.body.message]).toEqual([201, 'Invitation sent successfully!']);
    const [row] = await received(rae);
    expect(row).toEqual({
      id: answer.body.invites[0].id,
      company_name: 'Row Audio',
      email: ada.email,
      logo_url: null,
      website_url: null,
      message: 'Sell it?\nYes!',
      commission_rate: 12.5,
      created_at: '2026-03-10T12:00:00.000Z',
      expires_at: '2026-04-09T12:00:00.000Z',
    });
    const mail = await mailTo(rae.email, 'invites you');
    expect(mail.text).toContain('for a commission of 12.5 %');
    expect(mail.text).toContain('April 9, 2026');
    const accepted = await respond(rae, row.id);
    expect([accepted.status, accepted.body]).toEqual([
      200,
      { message: 'Invitation accepted.', state: 'accepted', partnership_id: expect.any(String) },
    ]);
    expect((await respond(rae, row.id)).body).toEqual(accepted.body);
    const other = await respond(rae, row.id, 'reject');
    expect([other.status, other.body.message]).toEqual([409, 'You have already accepted this invitation.']);
    expect(await resellersOf(ada)).toEqual([
      {
        id: accepted.body.partnership_id,
        name: 'Row Audio',
        company_name: 'Row Audio',
        commission_rate: 12.5,
        status: 'active',
      },
    ]);
    expect(await received(rae)).toEqual([]);
    expect((await sent())[0]).toMatchObject({ state: 'accepted', answered_at: expect.any(String), resend_after: null });
    expect((await mailTo(ada.email, 'accepted your invitation')).text).toContain('/dashboard/resellers');
    const again = await invite({ email: rae.email });
    expect([again.status, again.body.message]).toEqual([409, 'You already work together.']);
  });

  it('can be rejected, and then only repeated a day later', async () => {
    await strangers();
    const id = await invitedId({ email: rae.email });
    expect((await respond(rae, id, 'reject')).body).toMatchObject({ state: 'rejected', partnership_id: null });
    expect(await resellersOf(ada)).toEqual([]);
    const soon = await invite({ email: rae.email });
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, String(24 * 3600)]);
    clock.advance(DAY);
    expect((await invite({ email: rae.email })).status).toBe(201);
  });

  it('gets one answer, also when both come at once', async () => {
    await strangers();
    const id = await invitedId({ email: rae.email });
    const lock = await lockWith(server.db, 'select 1 from invites where id = $1 for update', [id]);
    const both = [respond(rae, id, 'accept'), respond(rae, id, 'reject')];
    await lock.untilWaiting(2);
    await lock.release();
    const answers = await Promise.all(both);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const [row] = await sent();
    expect(row.state).toBe(answers.find((answer) => answer.status === 200)?.body.state);
    expect(await resellersOf(ada)).toHaveLength(row.state === 'accepted' ? 1 : 0);
  });

  it('is not made twice by a repeat under the same key', async () => {
    const body = { email: unknownAddress() };
    const send = () =>
      post('/api/reseller/developer/invite-reseller', ada.token, body, { 'idempotency-key': 'invite-once' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    // as if the process had died before the answer was stored
    await server.db.query('update idempotency_records set status = null, answer = null, locked_until = $1', [
      new Date(0),
    ]);
    const third = await send();
    expect([third.status, third.body]).toEqual([201, first.body]);
    await noticesDone();
    expect(await emailsTo(body.email)).toBe(1);
  });
});

describe('an invitation to a developer', () => {
  beforeAll(strangers);

  it('is accepted with the default commission, and names the reseller in the developer’s list', async () => {
    expect((await ask(ada.email)).body.message).toBe('Invitation sent successfully!');
    const [row] = await received(ada, 'developer');
    expect(row).toMatchObject({ email: rae.email, commission_rate: 20 });
    expect((await respond(ada, row.id)).status).toBe(200);
    expect(await resellersOf(ada)).toMatchObject([{ commission_rate: 20, status: 'active' }]);
    expect((await mailTo(rae.email, 'accepted your invitation')).text).toContain('/reseller/partners');
  });

  it('and one the other way, both accepted at once, make one partnership', async () => {
    await strangers();
    await ask(ada.email);
    const mine = await invitedId({ email: rae.email });
    const [theirs] = await received(ada, 'developer');
    const answers = await Promise.all([respond(rae, mine), respond(ada, theirs.id)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(answers[0]?.body.partnership_id).toBe(answers[1]?.body.partnership_id);
    expect(await resellersOf(ada)).toHaveLength(1);
  });
});

describe('who may answer', () => {
  beforeAll(strangers);

  it('is only the invited address: to everybody else the invitation is absent', async () => {
    const stranger = await signUpVerified(server, 'reseller');
    const id = await invitedId({ email: rae.email });
    const before = await server.db.query('select * from invites where id = $1', [id]);
    for (const other of [id, ABSENT]) {
      const answer = await respond(stranger, other);
      expect([answer.status, answer.body.message]).toEqual([404, 'Invitation not found.']);
      for (const action of ['withdraw', 'resend']) {
        const refused = await post(`/api/reseller/invites/${other}/${action}`, stranger.token);
        expect([refused.status, refused.body.message]).toEqual([404, 'Invitation not found.']);
      }
    }
    expect(await received(stranger)).toEqual([]);
    expect(await sent(stranger.token)).toEqual([]);
    expect(await server.db.query('select * from invites where id = $1', [id])).toEqual(before);
  });

  it('is only an account of the invited role', async () => {
    const bob = await signUpVerified(server);
    const id = await invitedId({ email: bob.email });
    expect(await received(bob, 'developer')).toEqual([]);
    const refused = await respond(bob, id);
    expect([refused.status, refused.body.message]).toEqual([403, 'This invitation is for resellers.']);
    const mail = await mailTo(bob.email, 'invites you');
    expect(mail.text).toContain('is a developer account');
    expect(mail.text).not.toContain('/invite?token=');
  });

  it('is only an account whose address is verified, which then finds it', async () => {
    const eve = await signUp(server, 'reseller');
    const id = await invitedId({ email: eve.email });
    expect(await received(eve)).toEqual([]);
    expect((await respond(eve, id)).body.code).toBe('email_unverified');
    await verifyEmail(server, eve);
    expect(await received(eve)).toMatchObject([{ id }]);
  });

  it('may not invite before its own address is verified', async () => {
    const eve = await signUp(server);
    expect((await invite({ email: rae.email }, eve.token)).body.code).toBe('email_unverified');
    const shop = await signUp(server, 'reseller');
    expect((await ask(ada.email, shop.token)).body.code).toBe('email_unverified');
  });
});

describe('an invitation to an address without an account', () => {
  beforeAll(strangers);

  it('waits for its registration, and its link verifies the address', async () => {
    const email = unknownAddress();
    const id = await invitedId({ email });
    const token = tokenIn((await mailTo(email, 'invites you')).text);
    const form = { first_name: 'Lee', last_name: 'Shop', email, password: PASSWORD, company_name: 'Lee’s Plugins' };
    expect((await call(server, 'POST', '/api/reseller/register', { body: form })).status).toBe(201);
    const login = await call(server, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    const lee = { id: login.body.user.id, email, token: login.body.token };
    expect(await received(lee)).toEqual([]);
    expect((await respond(lee, id)).body.code).toBe('email_unverified');
    const opened = await follow(lee, token);
    expect([opened.status, opened.body]).toMatchObject([200, { id, state: 'pending', company_name: 'Row Audio' }]);
    expect(await received(lee)).toMatchObject([{ id }]);
    expect((await respond(lee, id)).status).toBe(200);
    expect((await follow(lee, token)).body.state).toBe('accepted');
    expect(await resellersOf(ada)).toMatchObject([{ company_name: 'Lee’s Plugins', status: 'active' }]);
  });

  it('has a link that helps nobody with another address, and no other token passes for one', async () => {
    const email = unknownAddress();
    await invite({ email });
    const token = tokenIn((await mailTo(email, 'invites you')).text);
    const eve = await signUp(server, 'reseller');
    const refused = await follow(eve, token);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(refused.text).not.toContain(email);
    expect((await get('/api/auth/me', eve.token)).body.email_verified).toBe(false);
    for (const forged of [eve.token, `${token}x`, 'x']) {
      expect((await follow(eve, forged)).body.code).toBe('link_invalid');
    }
  });

  it('gets the same answer as one to an address with an account', async () => {
    const answers = [await invite({ email: rae.email }), await invite({ email: unknownAddress() })];
    const [known, unknown] = answers.map(({ status, body }) => ({
      status,
      body: { ...body, invites: body.invites.map((each: object) => ({ ...each, id: '', email: '' })) },
    }));
    expect(unknown).toEqual(known);
  });
});

describe('resending and withdrawing', () => {
  beforeAll(strangers);

  it('emails again once a day, and makes the invitation last', async () => {
    const id = await invitedId({ email: rae.email });
    await noticesDone();
    const resend = () => post(`/api/reseller/invites/${id}/resend`, ada.token);
    clock.advance(DAY - HOUR);
    const early = await resend();
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '3600']);
    expect((await invite({ email: rae.email })).body.message).toContain('already pending');
    clock.advance(HOUR);
    const again = await Promise.all([resend(), resend()]);
    expect(again.map((answer) => answer.status).sort()).toEqual([200, 429]);
    await noticesDone();
    expect(await emailsTo(rae.email)).toBe(2);
    const [row] = await sent();
    expect(Date.parse(row.expires_at) - clock.now().getTime()).toBe(30 * DAY);
    clock.advance(DAY);
    const renewed = await invite({ email: rae.email, commission_rate: 30 });
    expect(renewed.body.invites).toMatchObject([{ id, commission_rate: 30 }]);
    expect(await sent()).toHaveLength(1);
  });

  it('takes it back for good', async () => {
    await strangers();
    const id = await invitedId({ email: rae.email });
    const token = tokenIn((await mailTo(rae.email, 'invites you')).text);
    const withdraw = () => post(`/api/reseller/invites/${id}/withdraw`, ada.token);
    expect((await withdraw()).body.state).toBe('withdrawn');
    expect((await withdraw()).body.state).toBe('withdrawn');
    expect(await received(rae)).toEqual([]);
    expect((await respond(rae, id)).body.message).toBe('This invitation was withdrawn.');
    expect((await follow(rae, token)).body.code).toBe('link_invalid');
    expect((await post(`/api/reseller/invites/${id}/resend`, ada.token)).status).toBe(409);
    // withdrawing and inviting again is no way around the one email a day
    expect((await invite({ email: rae.email })).status).toBe(429);
  });

  it('is over after 30 days, also before housekeeping has run', async () => {
    await strangers();
    const id = await invitedId({ email: rae.email });
    const token = tokenIn((await mailTo(rae.email, 'invites you')).text);
    clock.advance(30 * DAY);
    for (const person of [ada, rae]) await signInAgain(person);
    expect((await respond(rae, id)).body.message).toContain('has expired');
    expect((await follow(rae, token)).body.code).toBe('link_invalid');
    expect(await received(rae)).toEqual([]);
    expect(await sent()).toMatchObject([{ state: 'expired', resend_after: null }]);
    expect(await server.db.query('select state from invites where id = $1', [id])).toEqual([{ state: 'pending' }]);
    const fresh = await invitedId({ email: rae.email });
    expect((await sent()).map((row: { id: string; state: string }) => [row.id, row.state])).toEqual([
      [fresh, 'pending'],
      [id, 'expired'],
    ]);
  });
});

it('housekeeping marks expired invitations, and deletes them half a year later', async () => {
  await strangers();
  const id = await invitedId({ email: rae.email });
  const states = () => server.db.query<{ state: string }>('select state from invites where id = $1', [id]);
  const housekeeping = () => server.db.query("insert into pgboss.job (name, data) values ('expire-records', '{}')");
  clock.advance(30 * DAY);
  await housekeeping();
  await expect.poll(states, { timeout: 15_000 }).toEqual([{ state: 'expired' }]);
  clock.advance(180 * DAY);
  await housekeeping();
  await expect.poll(states, { timeout: 15_000 }).toEqual([]);
});

describe('a named reseller', () => {
  beforeAll(strangers);

  /** A reseller that the developer has only named, with a redeemed and two available serials. */
  async function named() {
    const product = await makeProduct(server, ada.token, { price: 10 });
    const serials = await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Plugin Shop' });
    await redeem(server, serials[0]?.code as string, 'nina@example.com', ada.id);
    const [reseller] = await resellersOf(ada);
    return reseller as { id: string };
  }
  const stockOf = (id: string) =>
    server.db.query<{ batches: number; ledger: number }>(
      `select (select count(*)::int from batches where partnership_id = $1) as batches,
         (select count(*)::int from redemptions where partnership_id = $1) as ledger`,
      [id],
    );

  it('is taken over with its batches and its ledger', async () => {
    const shop = await named();
    const id = await invitedId({ email: rae.email, partnership_id: shop.id, commission_rate: 30 });
    expect((await sent())[0]).toMatchObject({ partnership_id: shop.id, reseller_name: 'Plugin Shop' });
    expect((await respond(rae, id)).body.partnership_id).toBe(shop.id);
    expect(await resellersOf(ada)).toMatchObject([{ id: shop.id, commission_rate: 30, status: 'active' }]);
    expect(await stockOf(shop.id)).toEqual([{ batches: 1, ledger: 1 }]);
    const late = await invite({ email: unknownAddress(), partnership_id: shop.id });
    expect([late.status, late.body.message]).toEqual([409, 'This reseller already has an account.']);
  });

  it('is taken over once when two who were invited accept at once', async () => {
    await strangers();
    const shop = await named();
    const sam = await signUpVerified(server, 'reseller');
    const ids = [
      await invitedId({ email: rae.email, partnership_id: shop.id }),
      await invitedId({ email: sam.email, partnership_id: shop.id }),
    ];
    const lock = await lockWith(server.db, 'select 1 from partnerships where id = $1 for update', [shop.id]);
    const both = [respond(rae, ids[0] as string), respond(sam, ids[1] as string)];
    await lock.untilWaiting(2);
    await lock.release();
    const answers = await Promise.all(both);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect(await resellersOf(ada)).toHaveLength(1);
    const owner = answers[0]?.status === 200 ? rae : sam;
    expect(await server.db.query('select reseller_id from partnerships where id = $1', [shop.id])).toEqual([
      { reseller_id: owner.id },
    ]);
  });

  it('of another developer is as absent as one that does not exist', async () => {
    const shop = await resellersOf(ada);
    const bob = await signUpVerified(server);
    const answers = await Promise.all(
      [shop[0]?.id, ABSENT].map((partnership_id) => invite({ email: unknownAddress(), partnership_id }, bob.token)),
    );
    expect(answers.map((answer) => [answer.status, answer.body.message])).toEqual([
      [400, 'Reseller not found.'],
      [400, 'Reseller not found.'],
    ]);
  });
});

describe('an ended partnership', () => {
  it('is taken up again by a new invitation, and its name can’t be used before', async () => {
    await strangers();
    const first = await respond(rae, await invitedId({ email: rae.email }));
    const { partnership_id } = first.body;
    await server.db.query("update partnerships set status = 'ended', ended_at = now() where id = $1", [partnership_id]);
    const product = await makeProduct(server, ada.token);
    const body = { product_id: product.id, quantity: 1, new_reseller_name: 'Row Audio' };
    const refused = await post('/api/serials/generate', ada.token, body);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'You no longer work with this reseller. Invite them again, or use another name.',
    ]);
    clock.advance(DAY);
    const again = await respond(rae, await invitedId({ email: rae.email, commission_rate: 40 }));
    expect(again.body.partnership_id).toBe(partnership_id);
    expect(await resellersOf(ada)).toMatchObject([{ id: partnership_id, status: 'active', commission_rate: 40 }]);
  });
});

describe('what can be invited', () => {
  beforeAll(strangers);

  it('is a list, in which each address that can’t be is named with the reason', async () => {
    const fresh = [unknownAddress(), unknownAddress()];
    const answer = await invite({ emails: [...fresh, fresh[0], ada.email] });
    expect([answer.status, answer.body.message]).toEqual([201, '2 invitations sent.']);
    expect(answer.body.invites.map((each: { email: string }) => each.email)).toEqual(fresh);
    expect(answer.body.skipped).toEqual([{ email: ada.email, message: 'You cannot invite yourself.' }]);
  });

  it.each([
    ['nothing', {}],
    ['an empty address', { email: ' ' }],
    ['no address', { email: 'nobody' }],
    ['an address and a list', { email: 'a@example.com', emails: ['b@example.com'] }],
    ['21 addresses', { emails: Array.from({ length: 21 }, (_, n) => `a${n}@example.com`) }],
    ['a rate over 100 %', { email: 'a@example.com', commission_rate: 100.01 }],
    ['a rate with three decimals', { email: 'a@example.com', commission_rate: 12.345 }],
    ['a long message', { email: 'a@example.com', message: 'x'.repeat(1001) }],
    ['two addresses for one reseller', { emails: ['a@example.com', 'b@example.com'], partnership_id: ABSENT }],
    ['an unknown field', { email: 'a@example.com', role: 'developer' }],
  ])('is not %s', async (_, body) => {
    expect((await invite(body)).status).toBe(400);
  });

  it('is not oneself', async () => {
    expect((await invite({ email: ada.email })).body).toMatchObject({ status: 422, code: 'domain_rule' });
  });

  it('is bounded: 200 can be pending', async () => {
    const bob = await signUpVerified(server);
    const address = (n: number) => `bulk-${bob.id}-${n}@example.com`;
    for (let from = 0; from < 200; from += 20) {
      const emails = Array.from({ length: 20 }, (_, n) => address(from + n));
      expect((await invite({ emails }, bob.token)).status).toBe(201);
    }
    const refused = await invite({ email: address(200) }, bob.token);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'At most 200 invitations can be pending. Withdraw some first.',
    ]);
    const page = await get('/api/reseller/invites/sent?limit=100', bob.token);
    const rest = await get(`/api/reseller/invites/sent?limit=100&cursor=${page.body.next_cursor}`, bob.token);
    expect([page.body.rows.length, rest.body.rows.length, rest.body.next_cursor]).toEqual([100, 100, null]);
  });
});

describe('bad moments', () => {
  beforeAll(strangers);

  it('a message and a company name full of markup stay text', async () => {
    await server.db.query('update users set company_name = $2 where id = $1', [
      ada.id,
      '=HYPERLINK("http://x")<img src=x>\r\nBcc: a@example.com',
    ]);
    await invite({ email: rae.email, message: '<script>alert(1)</script>' });
    const mail = await mailTo(rae.email, 'invites you');
    expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(mail.html).not.toMatch(/<script|<img src=x/);
    expect(mail.to).toHaveLength(1);
    expect(mail.bcc ?? []).toEqual([]);
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });

  it('an account that is deleted leaves no invitations, sent or received', async () => {
    await strangers();
    await invite({ email: rae.email });
    await ask(ada.email);
    const gone = await call(server, 'DELETE', '/api/account/delete', {
      token: ada.token,
      body: { password: PASSWORD },
    });
    expect(gone.status, gone.text).toBe(200);
    expect(await received(rae)).toEqual([]);
    expect(await sent(rae.token)).toEqual([]);
    expect(await server.db.query('select 1 from invites where email = $1', [ada.email])).toEqual([]);
  });

  it('without a mail server invitations are still sent, answered and listed', async () => {
    const broken = {
      send: () => Promise.reject(new Error('the mail server is down')),
      close: () => undefined,
    };
    const down = await startServer({ overrides: { mailer: broken } });
    try {
      const [bob, sam] = [await signUpVerified(down), await signUpVerified(down, 'reseller')];
      const path = '/api/reseller/developer/invite-reseller';
      const made = await call(down, 'POST', path, { token: bob.token, body: { email: sam.email } });
      expect(made.status).toBe(201);
      const list = await call(down, 'GET', '/api/reseller/invites/reseller', { token: sam.token });
      expect(list.body).toHaveLength(1);
      const body = { invite_id: list.body[0].id, response: 'accept' };
      const answer = await call(down, 'POST', '/api/reseller/invites/respond', { token: sam.token, body });
      expect(answer.status).toBe(200);
    } finally {
      await down.stop();
    }
  });

  it('one account can send 100 emails a day, and one address gets 10', async () => {
    const limited = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
    try {
      const path = '/api/reseller/developer/invite-reseller';
      const address = unknownAddress();
      for (let n = 0; n < 11; n += 1) {
        const { token } = await signUpVerified(limited);
        expect((await call(limited, 'POST', path, { token, body: { email: address } })).status).toBe(201);
      }
      const rows = (text: string) => limited.db.query(text).then(({ length }) => length);
      const done = "select 1 from pgboss.job where name = 'invite-notice' and state = 'completed'";
      await expect.poll(() => rows(done), { timeout: 10_000 }).toBe(11);
      expect(await rows(`select 1 from mails where recipient = '${address}'`)).toBe(10);
      const bob = await signUpVerified(limited);
      const send = (emails: string[]) => call(limited, 'POST', path, { token: bob.token, body: { emails } });
      const statuses: number[] = [];
      for (let call = 0; call < 6; call += 1)
        statuses.push((await send(Array.from({ length: 20 }, unknownAddress))).status);
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    } finally {
      await limited.stop();
    }
  });
});
