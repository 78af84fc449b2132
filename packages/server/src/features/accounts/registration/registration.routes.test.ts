import { randomUUID } from 'node:crypto';
import { beside } from '@tonerow/test-support/beside.ts';
import { call, PASSWORD } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const newAddress = () => `ada-${randomUUID()}@example.com`;
const form = (email: string, more: object = {}) => ({
  first_name: 'Ada',
  last_name: 'Row',
  email,
  password: PASSWORD,
  ...more,
});
const register = (email: string, more: object = {}) =>
  call(server, 'POST', '/api/auth/register', { body: form(email, more) });
const login = (email: string, password = PASSWORD) =>
  call(server, 'POST', '/api/auth/login', { body: { email, password } });

it('stores the password as OWASP recommends', async () => {
  const email = newAddress();
  // by a process with nothing of the tests
  await beside({ server, clock: systemClock }, ({ registration }) =>
    registration.register('developer', form(email), null),
  );
  const [row] = await server.db.query<{ password_hash: string }>('select password_hash from users where email = $1', [
    email,
  ]);
  expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it('makes a developer who can sign in', async () => {
  const email = newAddress().replace('ada', 'Ada');
  const answer = await register(email, { brand_color: '#123456' });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({ message: 'Registration successful!' });
  const { body } = await login(email.toUpperCase());
  expect(body.user).toMatchObject({
    email,
    role: 'developer',
    is_reseller: false,
    is_admin: false,
    brand_color: '#123456',
    plan: 'free',
  });
  const me = await call(server, 'GET', '/api/auth/me', { token: body.token });
  expect(me.body).toMatchObject({ role: 'developer', credential: { type: 'session', scopes: null } });
});

it('responds the same for an existing address, and informs its owner by email', async () => {
  const email = newAddress();
  const before = await register(email);
  const again = await register(email.toUpperCase(), { password: 'another long password' });
  expect([again.status, again.body]).toEqual([before.status, before.body]);
  expect((await login(email, 'another long password')).status).toBe(401);
  const subject = 'You already have a Tonerow account';
  await server.email((each) => each.to?.[0]?.address === email && each.subject === subject);
});

it('makes one account of many simultaneous registrations', async () => {
  const email = newAddress();
  const answers = await Promise.all(Array.from({ length: 8 }, () => register(email)));
  expect(answers.every((answer) => answer.status === 201)).toBe(true);
  expect(await server.db.query('select 1 from users where email_key = $1', [email])).toHaveLength(1);
});

it('makes the account later, with the same answer, while a machine of a distributed database is away', async () => {
  const own = await startServer();
  try {
    const email = newAddress();
    // as Citus reports it
    await own.db.query(`
      create function machine_away() returns trigger language plpgsql as $$
      begin raise exception 'connection to the remote node worker-2:5432 failed' using errcode = '08006'; end $$`);
    await own.db.query(
      'create trigger machine_away before insert on users for each row execute function machine_away()',
    );
    const answer = await call(own, 'POST', '/api/auth/register', { body: form(email) });
    expect([answer.status, answer.body]).toEqual([201, { message: 'Registration successful!' }]);
    const [job] = await own.db.query<{ data: { sealed: string } }>(
      "select data from pgboss.job where name = 'late-registration'",
    );
    expect(Buffer.from(job?.data.sealed ?? '', 'base64').toString()).not.toContain(email);
    await own.db.query('drop trigger machine_away on users');
    await own.email((each) => each.to?.[0]?.address === email && /verify/i.test(each.subject ?? ''));
    const signedIn = await call(own, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    expect(signedIn.status).toBe(200);
  } finally {
    await own.stop();
  }
});

it.each([
  ['a short password', { password: 'too short' }, 'password'],
  ['a common password', { password: 'password123' }, 'password'],
  ['a password of one letter', { password: 'aaaaaaaaaaaa' }, 'password'],
  ['a bad address', { email: 'nobody' }, 'email'],
  ['an unknown field', { is_admin: true }, 'is_admin'],
  ['a NUL in a name', { first_name: 'A\0da' }, 'first_name'],
  ['a bad color', { brand_color: 'purple' }, 'brand_color'],
  ['a wrong type', { last_name: 7 }, 'last_name'],
])('refuses %s at its field', async (_name, change, path) => {
  const answer = await register(newAddress(), change);
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
  const email = newAddress();
  const body = new FormData();
  for (const [name, value] of Object.entries(form(email, { company_name: 'Logo & Co' })))
    body.set(name, value as string);
  body.set('logo_url', new File([new Uint8Array(png)], '../../evil.svg', { type: 'image/svg+xml' }));
  expect((await call(server, 'POST', '/api/reseller/register', { body })).status).toBe(201);
  const { user: account } = (await login(email)).body;
  expect(account).toMatchObject({ role: 'reseller', is_reseller: true });
  expect(account.logo_url).toMatch(/^\/media\/images\/[0-9a-f-]{36}\.webp$/);
  const image = await fetch(`${server.url}${account.logo_url}`);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp']);
});

it('refuses a logo that is really HTML', async () => {
  const body = new FormData();
  for (const [name, value] of Object.entries(form(newAddress()))) body.set(name, value as string);
  body.set('logo', new File(['<html><script>alert(1)</script>'], 'logo.png', { type: 'image/png' }));
  const answer = await call(server, 'POST', '/api/auth/register', { body });
  expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
});
