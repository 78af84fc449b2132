import { beside } from '@tonerow/test-support/beside.ts';
import { call, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const form = (email: string, more: object = {}) => ({
  first_name: 'Ada',
  last_name: 'Row',
  email,
  password: PASSWORD,
  ...more,
});
const login = (email: string, password = PASSWORD) =>
  call(server, 'POST', '/api/auth/login', { body: { email, password } });
const change = (token: string, oldPassword: string, newPassword: string) =>
  call(server, 'POST', '/api/account/update-password', { token, body: { oldPassword, newPassword } });
const me = (token: string) => call(server, 'GET', '/api/auth/me', { token });

describe('registration', () => {
  it('stores the password as OWASP recommends', async () => {
    const email = 'stored@example.com';
    // by a process with nothing of the tests
    await beside({ server, clock }, ({ registration }) =>
      registration.register('developer', { ...form(email), password: PASSWORD }, null),
    );
    const [row] = await server.db.query<{ password_hash: string }>('select password_hash from users where email = $1', [
      email,
    ]);
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('makes a developer who can sign in', async () => {
    const answer = await call(server, 'POST', '/api/auth/register', {
      body: form('Ada@Example.com', { brand_color: '#123456' }),
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ message: 'Registration successful!' });
    const { body } = await login('ADA@example.com');
    expect(body.user).toMatchObject({
      email: 'Ada@Example.com',
      role: 'developer',
      is_reseller: false,
      is_admin: false,
      brand_color: '#123456',
      plan: 'free',
    });
    expect((await me(body.token)).body).toMatchObject({
      role: 'developer',
      credential: { type: 'session', scopes: null },
    });
  });

  it('responds the same for an existing address, and informs its owner by email', async () => {
    const before = await call(server, 'POST', '/api/auth/register', { body: form('twice@example.com') });
    const again = await call(server, 'POST', '/api/auth/register', {
      body: form('TWICE@example.com', { password: 'another long password' }),
    });
    expect([again.status, again.body]).toEqual([before.status, before.body]);
    expect((await login('twice@example.com', 'another long password')).status).toBe(401);
    const subject = 'You already have a Tonerow account';
    await server.mail((each) => each.to?.[0]?.address === 'twice@example.com' && each.subject === subject);
  });

  it('makes one account of many simultaneous registrations', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(server, 'POST', '/api/auth/register', { body: form('race@example.com') })),
    );
    expect(answers.every((answer) => answer.status === 201)).toBe(true);
    expect(await server.db.query("select 1 from users where email_key = 'race@example.com'")).toHaveLength(1);
  });

  it.each([
    ['a short password', { password: 'too short' }, 'password'],
    ['a common password', { password: 'password123' }, 'password'],
    ['a password of one letter', { password: 'aaaaaaaaaaaa' }, 'password'],
    ['a bad address', { email: 'nobody' }, 'email'],
    ['an unknown field', { is_admin: true }, 'is_admin'],
    ['a NUL in a name', { first_name: 'A\0da' }, 'first_name'],
    ['a bad colour', { brand_color: 'purple' }, 'brand_color'],
    ['a wrong type', { last_name: 7 }, 'last_name'],
  ])('refuses %s at its field', async (_name, change, path) => {
    const answer = await call(server, 'POST', '/api/auth/register', { body: form('fields@example.com', change) });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ code: 'invalid_request', status: 400, errors: [{ path }] });
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  });

  it('re-encodes a logo and serves it', async () => {
    const sharp = (await import('sharp')).default;
    const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const body = new FormData();
    for (const [name, value] of Object.entries(form('logo@example.com', { company_name: 'Logo & Co' })))
      body.set(name, value as string);
    body.set('logo_url', new File([new Uint8Array(png)], '../../evil.svg', { type: 'image/svg+xml' }));
    expect((await call(server, 'POST', '/api/reseller/register', { body })).status).toBe(201);
    const { user } = (await login('logo@example.com')).body;
    expect(user).toMatchObject({ role: 'reseller', is_reseller: true });
    expect(user.logo_url).toMatch(/^\/media\/images\/[0-9a-f-]{36}\.webp$/);
    const image = await fetch(`${server.url}${user.logo_url}`);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  it('refuses a logo that is really HTML', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(form('html@example.com'))) body.set(name, value as string);
    body.set('logo', new File(['<html><script>alert(1)</script>'], 'logo.png', { type: 'image/png' }));
    const answer = await call(server, 'POST', '/api/auth/register', { body });
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('login', () => {
  it('gives one answer for a wrong password and an unknown address', async () => {
    const { email } = await signUp(server);
    const wrong = await login(email, 'not the password');
    const unknown = await login('stranger@example.com', 'not the password');
    expect([wrong.status, wrong.body.code, wrong.body.message]).toEqual([
      401,
      'invalid_credentials',
      'Wrong email or password.',
    ]);
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
  });

  it('ends the session at logout', async () => {
    const { token } = await signUp(server);
    expect((await call(server, 'POST', '/api/auth/logout', { token })).body).toEqual({ ok: true });
    expect((await me(token)).status).toBe(401);
  });

  it.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJzaWQiOiIxIn0.', 'tnr_pat_000000000000000000000000000000000000'])(
    'refuses the token "%s"',
    async (token) => {
      const answer = await call(server, 'GET', '/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );
});

describe('sessions', () => {
  it('are listed with the current one marked, and revoked by their owner only', async () => {
    const ada = await signUp(server);
    const other = (await login(ada.email)).body.token as string;
    const stranger = await signUp(server);
    const list = (await call(server, 'GET', '/api/account/sessions', { token: ada.token })).body;
    expect(list).toHaveLength(2);
    expect(list.filter((session: { isCurrent: boolean }) => session.isCurrent)).toHaveLength(1);
    const otherId = list.find((session: { isCurrent: boolean }) => !session.isCurrent).id;
    const revoke = (token: string) =>
      call(server, 'POST', '/api/account/revoke-session', { token, body: { id: otherId } });
    expect((await revoke(stranger.token)).status).toBe(404);
    expect((await me(other)).status).toBe(200);
    expect((await revoke(ada.token)).status).toBe(200);
    expect((await me(other)).status).toBe(401);
  });

  it('slide: 30 days without a visit end one, a visit prolongs it', async () => {
    const { token } = await signUp(server);
    clock.advance(29 * DAY);
    expect((await me(token)).status).toBe(200);
    clock.advance(29 * DAY);
    expect((await me(token)).status).toBe(200);
    clock.advance(31 * DAY);
    expect((await me(token)).status).toBe(401);
  });
});

describe('passwords', () => {
  it('change, and with them every session ends but the new one', async () => {
    const ada = await signUp(server);
    const other = (await login(ada.email)).body.token as string;
    const update = (oldPassword: string) =>
      call(server, 'POST', '/api/account/update-password', {
        token: ada.token,
        body: { oldPassword, newPassword: 'quite a new password' },
      });
    expect((await update('wrong password')).body).toMatchObject({
      code: 'wrong_password',
      errors: [{ path: 'oldPassword' }],
    });
    const { body } = await update(PASSWORD);
    expect((await me(other)).status).toBe(401);
    expect((await me(ada.token)).status).toBe(401);
    expect((await me(body.token)).status).toBe(200);
    expect((await login(ada.email)).status).toBe(401);
    expect((await login(ada.email, 'quite a new password')).status).toBe(200);
  });

  it('that change in the middle of a sign-in or of another change win', async () => {
    const person = await signUp(server);
    const meanwhile = async <T>(password: string, other: () => Promise<T>, token = person.token) => {
      const lock = await lockWith(server.db, 'select 1 from users where id = $1 for update', [person.id]);
      const first = change(token, password, 'the first new password');
      await lock.untilWaiting(1);
      const second = other();
      await lock.untilWaiting(2);
      await lock.release();
      return [await first, await second] as const;
    };
    const [changed, signedIn] = await meanwhile(PASSWORD, () => login(person.email));
    expect([changed.status, signedIn.status]).toEqual([200, 401]);
    const { token } = changed.body;
    const twice = () => change(token, 'the first new password', 'the second new password');
    const [one, two] = await meanwhile('the first new password', twice, token);
    expect([one.status, two.status, two.body.code]).toEqual([200, 403, 'wrong_password']);
    expect((await login(person.email, 'the first new password')).status).toBe(200);
  });

  it('come back by mail, once and for an hour', async () => {
    const ada = await signUp(server);
    const forgot = (email: string) => call(server, 'POST', '/api/auth/forgot-password', { body: { email } });
    const known = await forgot(ada.email);
    expect([known.status, (await forgot('nobody@example.com')).body]).toEqual([202, known.body]);
    const mail = await server.mail(
      (each) => each.to?.[0]?.address === ada.email && each.subject === 'Choose a new password',
    );
    const secret = /token=([0-9A-Za-z]+)/.exec(mail.text ?? '')?.[1];
    const reset = () =>
      call(server, 'POST', '/api/auth/reset-password', { body: { token: secret, password: 'found it again' } });
    expect((await reset()).status).toBe(200);
    expect((await reset()).body.code).toBe('reset_token_invalid');
    expect((await login(ada.email, 'found it again')).status).toBe(200);
    expect((await me(ada.token)).status).toBe(401);
  });
});

describe('access tokens', () => {
  const create = (token: string, body: object) => call(server, 'POST', '/api/account/tokens', { token, body });

  it('are shown once, work within their scopes, and die when deleted', async () => {
    const ada = await signUp(server);
    const { body } = await create(ada.token, { name: 'CI', scopes: ['products:read', 'account:read'] });
    expect(body.token).toMatch(/^tnr_pat_[0-9A-Za-z]{36}$/);
    expect(body.hint).toBe(body.token.slice(-4));
    const list = await call(server, 'GET', '/api/account/tokens', { token: ada.token });
    expect(list.text).not.toContain(body.token);
    expect((await call(server, 'GET', '/api/products', { token: body.token })).status).toBe(200);
    expect((await call(server, 'POST', '/api/products', { token: body.token, body: { name: 'X' } })).body.code).toBe(
      'insufficient_scope',
    );
    expect((await call(server, 'GET', '/api/account/sessions', { token: body.token })).status).toBe(403);
    expect((await me(body.token)).body.credential).toMatchObject({
      type: 'access_token',
      scopes: ['products:read', 'account:read'],
    });
    expect((await call(server, 'DELETE', `/api/account/tokens/${body.id}`, { token: ada.token })).status).toBe(200);
    expect((await me(body.token)).status).toBe(401);
    expect(JSON.stringify(await server.db.query('select token_hash::text from access_tokens'))).not.toContain(
      body.token,
    );
  });

  it('expire', async () => {
    const ada = await signUp(server);
    const late = await create(ada.token, {
      name: 'x',
      scopes: ['account:read'],
      expires_at: '9999-12-31T23:00:00-05:00',
    });
    expect([late.status, late.body.errors[0].path]).toEqual([400, 'expires_at']);
    const expires_at = new Date(clock.now().getTime() + DAY).toISOString();
    const { body } = await create(ada.token, { name: 'short', scopes: ['account:read'], expires_at });
    expect((await me(body.token)).status).toBe(200);
    clock.advance(DAY);
    expect((await me(body.token)).status).toBe(401);
  });

  it('repeat the first answer under one idempotency key', async () => {
    const ada = await signUp(server);
    const ask = (name: string) =>
      call(server, 'POST', '/api/account/tokens', {
        token: ada.token,
        body: { name, scopes: ['account:read'] },
        headers: { 'idempotency-key': 'once' },
      });
    const first = await ask('one');
    const again = await ask('one');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await ask('two')).body.code).toBe('idempotency_key_reused');
    expect(
      JSON.stringify(await server.db.query("select encode(answer, 'escape') as a from idempotency_records")),
    ).not.toContain('tnr_pat_');
  });
});

describe('deleting the account', () => {
  it('requires the password, ends everything and frees the address', async () => {
    const ada = await signUp(server);
    const remove = (password: string) =>
      call(server, 'DELETE', '/api/account/delete', { token: ada.token, body: { password } });
    expect((await remove('wrong password')).status).toBe(403);
    expect((await remove(PASSWORD)).body).toEqual({ message: 'Account deleted successfully.' });
    expect((await me(ada.token)).status).toBe(401);
    expect((await login(ada.email)).status).toBe(401);
    const [row] = await server.db.query('select email, first_name, deleted_at from users where id = $1', [ada.id]);
    expect(row).toMatchObject({ email: 'deleted', first_name: '' });
    expect((await call(server, 'POST', '/api/auth/register', { body: form(ada.email) })).status).toBe(201);
    expect((await login(ada.email)).status).toBe(200);
  });
});

it('logs no password, token or address', () => {
  const logged = server.logged();
  expect(logged).toContain('"msg":"request"');
  for (const secret of [PASSWORD, 'tnr_pat_', '@example.com', 'eyJ']) expect(logged).not.toContain(secret);
});
