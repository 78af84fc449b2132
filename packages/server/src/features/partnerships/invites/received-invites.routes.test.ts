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
} from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

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

const {
  post,
  get,
  invite,
  ask,
  received,
  sent,
  respond,
  follow,
  resellersOf,
  invitedId,
  emailTo,
  tokenIn,
  unknownAddress,
  emailsTo,
  noticesDone,
} = inviteCalls(() => ({ server, ada, rae }));

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
    const email = await emailTo(rae.email, 'invites you');
    expect(email.text).toContain('for a commission of 12.5%');
    expect(email.text).toContain('April 9, 2026');
    const accepted = await respond(rae, row.id);
    expect([accepted.status, accepted.body]).toEqual([
      200,
      { message: 'Invitation accepted.', state: 'accepted', partnership_id: expect.any(String) },
    ]);
    expect((await respond(rae, row.id)).body).toEqual(accepted.body);
    const other = await respond(rae, row.id, 'reject');
    expect([other.status, other.body.message]).toEqual([409, 'You have already accepted this invitation.']);
    expect(await resellersOf(ada)).toMatchObject([
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
    expect((await emailTo(ada.email, 'accepted your invitation')).text).toContain('/dashboard/resellers');
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
    expect((await emailTo(rae.email, 'accepted your invitation')).text).toContain('/reseller/partners');
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

describe('an account that switched off emails about inquiries', () => {
  beforeAll(strangers);

  it('gets none, and still finds the invitation in its list', async () => {
    await invite({ email: rae.email });
    const { headers } = await emailTo(rae.email, 'invites you');
    const link = headers.find((header) => header.key === 'list-unsubscribe')?.value.replace(/[<>\s]/g, '') as string;
    const off = await post(link.slice(server.url.length), '');
    expect(off.body.message).toContain('no longer receive emails about inquiries');
    const cy = await signUpVerified(server);
    await invite({ email: rae.email }, cy.token);
    await noticesDone();
    expect(await emailsTo(rae.email)).toBe(1);
    expect(await received(rae)).toHaveLength(2);
  });

  it('cannot silence an address that it has not verified', async () => {
    const squatter = await signUp(server, 'reseller');
    const body = { notify_inquiries: false };
    await call(server, 'PUT', '/api/account/settings', { token: squatter.token, body });
    await invite({ email: squatter.email });
    const { headers } = await emailTo(squatter.email, 'invites you');
    expect(headers.find((header) => header.key === 'list-unsubscribe')).toBeUndefined();
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
    const email = await emailTo(bob.email, 'invites you');
    expect(email.text).toContain('is a developer account');
    expect(email.text).not.toContain('/invite?token=');
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
    const token = tokenIn((await emailTo(email, 'invites you')).text);
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
    const token = tokenIn((await emailTo(email, 'invites you')).text);
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
