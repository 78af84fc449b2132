import { call, type Person, signUp, verifyEmail } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const SUBJECT = 'Verify your email address';
const verify = (token: string | undefined) => call(server, 'POST', '/api/auth/verify-email', { body: { token } });
const resend = (email: string, on = server, headers = {}) =>
  call(on, 'POST', '/api/auth/resend-verification', { body: { email }, headers });
const isVerified = async (person: Person) =>
  (await call(server, 'GET', '/api/auth/me', { token: person.token })).body.email_verified;
const takeDomain = (token: string) =>
  call(server, 'POST', '/api/developer/custom-domain', { token, body: { domain: 'app.row.example' } });

/** The token in the newest verification email. */
async function tokenFor(email: string): Promise<string> {
  const { text } = await server.email((message) => message.to?.[0]?.address === email && message.subject === SUBJECT);
  return /\/verify-email\?token=([0-9A-Za-z]+)/.exec(text ?? '')?.[1] as string;
}

describe.each(['developer', 'reseller'] as const)('a new %s', (role) => {
  it('is unverified until the emailed link is followed', async () => {
    const ada = await signUp(server, role);
    expect(await isVerified(ada)).toBe(false);
    const token = await tokenFor(ada.email);
    const answer = await verify(token);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Your email address is verified.' }]);
    expect(await isVerified(ada)).toBe(true);
    // double clicks, and email clients that open links on their own
    expect((await verify(token)).status).toBe(200);
  });
});

it('shows at sign-in whether the address is verified', async () => {
  const ada = await signUp(server);
  const login = async () =>
    (await call(server, 'POST', '/api/auth/login', { body: { email: ada.email, password: 'a fine long password' } }))
      .body.user.email_verified;
  expect(await login()).toBe(false);
  await verify(await tokenFor(ada.email));
  expect(await login()).toBe(true);
});

it('sends an email without anything that a stranger could have typed', async () => {
  const email = 'target@example.com';
  const form = { first_name: 'WIN', last_name: 'https://evil.example', email, password: 'a fine long password' };
  await call(server, 'POST', '/api/auth/register', { body: { ...form, company_name: 'Evil Corp' } });
  const message = await server.email((each) => each.to?.[0]?.address === email);
  expect(message.subject).toBe(SUBJECT);
  expect(message.text).toContain('/forgot-password');
  for (const typed of ['WIN', 'evil', 'Evil']) expect(message.text + (message.html ?? '')).not.toContain(typed);
});

describe('a verification link', () => {
  it('is refused when it is unknown, and after seven days', async () => {
    const ada = await signUp(server);
    const token = await tokenFor(ada.email);
    const unknown = await verify('x'.repeat(40));
    expect([unknown.status, unknown.body.code]).toEqual([422, 'link_invalid']);
    clock.advance(7 * DAY);
    expect((await verify(token)).body.code).toBe('link_invalid');
    expect(await isVerified(ada)).toBe(false);
  });

  it('is stored as a hash only', async () => {
    const ada = await signUp(server);
    const token = await tokenFor(ada.email);
    const rows = await server.db.query('select t::text as text from email_verifications t');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(server.logged()).not.toContain(token);
  });

  it('verifies nothing once the account is deleted', async () => {
    const ada = await signUp(server);
    const token = await tokenFor(ada.email);
    const body = { password: 'a fine long password' };
    await call(server, 'DELETE', '/api/account/delete', { token: ada.token, body });
    expect((await verify(token)).body.code).toBe('link_invalid');
  });
});

it('registering a known address is the same work as an unknown one: one job', async () => {
  const ada = await signUp(server);
  const register = async (email: string) => {
    const form = { first_name: 'Ada', last_name: 'Row', email, password: 'a fine long password' };
    const answer = await call(server, 'POST', '/api/auth/register', { body: form });
    return [answer.status, answer.body];
  };
  const jobs = (email: string) =>
    server.db.query("select name from pgboss.job where data->>'email' = $1 and name = 'account-email'", [email]);
  const before = (await jobs(ada.email)).length;
  expect(await register(ada.email)).toEqual(await register('somebody-new@example.com'));
  expect([(await jobs(ada.email)).length - before, (await jobs('somebody-new@example.com')).length]).toEqual([1, 1]);
});

it('shows the owner of a registered address how to take over an unverified account', async () => {
  const stranger = await signUp(server);
  const form = { first_name: 'Ada', last_name: 'Row', email: stranger.email, password: 'another long password' };
  await call(server, 'POST', '/api/auth/register', { body: form });
  const subject = 'You already have a Tonerow account';
  const { text } = await server.email(
    (email) => email.to?.[0]?.address === stranger.email && email.subject === subject,
  );
  expect(text).toContain('If you did not create it, choose a new password');
  expect(text).toContain('/forgot-password');
});

describe('asking for another link', () => {
  it('gives one answer to everybody, and does the same work for everybody', async () => {
    const [unverified, verified] = [await signUp(server), await signUp(server)];
    await verifyEmail(server, verified);
    await tokenFor(unverified.email);
    const queued = async (email: string) =>
      server.db.query<{ name: string; kind: string }>(
        "select name, data->>'kind' as kind from pgboss.job where data->>'email' = $1 order by created_on",
        [email],
      );
    const answers: unknown[] = [];
    for (const email of [unverified.email, verified.email, 'nobody@example.com']) {
      const before = await queued(email);
      const { status, body } = await resend(email);
      answers.push([status, body]);
      // one job each: finding the account is up to the job
      expect(await queued(email)).toEqual([...before, { name: 'account-email', kind: 'verify' }]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([202, { message: expect.stringContaining('on its way') }]);
  });

  it('sends it to unverified accounts only', async () => {
    const [unverified, verified] = [await signUp(server), await signUp(server)];
    const people = [unverified, verified];
    for (const { email } of people) await tokenFor(email);
    await verifyEmail(server, verified);
    for (const { email } of people) await resend(email);
    const emails = people.map(({ email }) => email);
    const done = async () =>
      (
        await server.db.query("select 1 from pgboss.job where data->>'email' = any($1) and state = 'completed'", [
          emails,
        ])
      ).length;
    await expect.poll(done, { timeout: 10_000 }).toBe(4);
    const sent = async (email: string) =>
      (await server.db.query('select 1 from mails where recipient = $1 and subject = $2', [email, SUBJECT])).length;
    expect([await sent(unverified.email), await sent(verified.email)]).toEqual([2, 1]);
  });

  it('is limited for each address, known or not, in the same words', async () => {
    const limited = await startServer({
      db: server.db,
      overrides: { clock },
      env: { TONEROW_RATE_LIMITS: 'on', TONEROW_TRUST_PROXY: '127.0.0.1', TONEROW_SECRET: TEST_SECRET },
    });
    try {
      const ada = await signUp(server);
      const verdicts = async (email: string, place: number) => {
        const all: unknown[] = [];
        for (let tries = 0; tries < 4; tries += 1) {
          const from = { 'x-forwarded-for': `198.51.100.${place + tries}` };
          const { status, body } = await resend(email, limited, from);
          all.push([status, body.code]);
        }
        return all;
      };
      const known = await verdicts(ada.email, 1);
      expect(known.at(-1)).toEqual([429, 'rate_limited']);
      expect(await verdicts('nobody-at-all@example.com', 101)).toEqual(known);
    } finally {
      await limited.stop();
    }
  });
});

describe('an unverified account', () => {
  it('cannot use a custom domain, and learns what to do', async () => {
    const ada = await signUp(server);
    const refused = await takeDomain(ada.token);
    expect([refused.status, refused.body.code]).toEqual([403, 'email_unverified']);
    expect(refused.body.message).toContain('Verify your email address');
    await verify(await tokenFor(ada.email));
    expect((await takeDomain(ada.token)).status).toBe(200);
  });

  it('can’t get around it with an access token', async () => {
    const ada = await signUp(server);
    const body = { name: 'CI', scopes: ['account:write'] };
    const made = await call(server, 'POST', '/api/account/tokens', { token: ada.token, body });
    expect((await takeDomain(made.body.token)).body.code).toBe('email_unverified');
  });

  it('can’t send announcements', async () => {
    const admin = await signUp(server);
    await server.db.query('update users set is_admin = true where id = $1', [admin.id]);
    const body = { subject: 'Hello', body: 'News.', audience: 'everybody' };
    const send = () => call(server, 'POST', '/api/admin/announcements', { token: admin.token, body });
    expect((await send()).body.code).toBe('email_unverified');
    await verifyEmail(server, admin);
    expect((await send()).status).toBe(201);
  });
});
