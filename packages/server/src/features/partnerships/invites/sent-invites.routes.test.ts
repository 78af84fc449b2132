import { call, makeProduct, makeSerials, PASSWORD, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';

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
  resellersOf,
  follow,
  invitedId,
  signInAgain,
  emailTo,
  tokenIn,
  unknownAddress,
  emailsTo,
  noticesDone,
} = inviteCalls(() => ({ server, ada, rae }));

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
    const renewed = await invite({ email: rae.email, message: 'Still interested?' });
    expect(renewed.body.invites).toMatchObject([{ id, commission_rate: 20, message: 'Still interested?' }]);
    expect(await sent()).toHaveLength(1);
  });

  it('at another rate is a new invitation, and the old one can no longer be accepted', async () => {
    await strangers();
    const id = await invitedId({ email: rae.email, commission_rate: 20 });
    expect((await invite({ email: rae.email, commission_rate: 5 })).status).toBe(409);
    clock.advance(DAY);
    const renewed = await invite({ email: rae.email, commission_rate: 5 });
    expect(renewed.body.invites).toMatchObject([{ state: 'pending', commission_rate: 5 }]);
    const refused = await respond(rae, id);
    expect([refused.status, refused.body.message]).toEqual([409, 'This invitation was withdrawn.']);
    expect((await received(rae)).map((each: { id: string }) => each.id)).toEqual([renewed.body.invites[0].id]);
    expect(await sent()).toMatchObject([
      { state: 'pending', commission_rate: 5 },
      { id, state: 'withdrawn', commission_rate: 20 },
    ]);
    // the new one counts for the one email a day too
    expect((await invite({ email: rae.email, commission_rate: 7 })).status).toBe(409);
    expect((await respond(rae, renewed.body.invites[0].id)).status).toBe(200);
  });

  it('leaves an acceptance that commits in the same moment as it is', async () => {
    await strangers();
    const product = await makeProduct(server, ada.token);
    await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Plugin Shop' });
    const [shop] = await resellersOf(ada);
    const id = await invitedId({ email: rae.email, partnership_id: shop?.id, commission_rate: 25 });
    clock.advance(DAY);
    const lock = await lockWith(server.db, 'select 1 from partnerships where id = $1 for update', [shop?.id]);
    // holds the invitation, and waits to take over the named reseller
    const accepting = respond(rae, id);
    await lock.untilWaiting(1);
    const inviting = invite({ email: rae.email, commission_rate: 5 });
    await lock.untilWaiting(2);
    await lock.release();
    expect((await accepting).status).toBe(200);
    const refused = await inviting;
    expect([refused.status, refused.body.message]).toEqual([409, 'You already work together.']);
    const rows = await server.db.query('select state, commission_bps, partnership_id from invites where id = $1', [id]);
    expect(rows).toEqual([{ state: 'accepted', commission_bps: 2500, partnership_id: shop?.id }]);
  });

  it('takes it back for good', async () => {
    await strangers();
    const id = await invitedId({ email: rae.email });
    const token = tokenIn((await emailTo(rae.email, 'invites you')).text);
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
    const token = tokenIn((await emailTo(rae.email, 'invites you')).text);
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
  const housekeeping = () => queueJob(server.db, 'expire-records');
  clock.advance(30 * DAY);
  await housekeeping();
  await expect.poll(states, { timeout: 15_000 }).toEqual([{ state: 'expired' }]);
  clock.advance(180 * DAY);
  await housekeeping();
  await expect.poll(states, { timeout: 15_000 }).toEqual([]);
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
    ['a rate over 100%', { email: 'a@example.com', commission_rate: 100.01 }],
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
    const email = await emailTo(rae.email, 'invites you');
    expect(email.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(email.html).not.toMatch(/<script|<img src=x/);
    expect(email.to).toHaveLength(1);
    expect(email.bcc ?? []).toEqual([]);
    expect(email.subject).not.toMatch(/[\r\n]/);
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
