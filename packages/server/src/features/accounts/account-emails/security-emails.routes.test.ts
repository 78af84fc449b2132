import { call, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE, TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const WHEN_AND_WHERE = 'When: March 10, 2026 at 12:00 PM (UTC). Device: Firefox on Windows, address 127.0.0.1.';

/**
 * Subjects queued for an address except the verification email, oldest first. An unwanted one would appear immediately.
 */
const emails = async (email: string): Promise<string[]> =>
  (
    await server.db.query<{ subject: string }>(
      `select data->>'subject' as subject from pgboss.job where name = 'mail' and data->>'to' = $1
         and data->>'subject' <> 'Verify your email address' order by created_on`,
      [email],
    )
  ).map((row) => row.subject);
const message = (email: string, subject: string) =>
  server.email((each) => each.to?.[0]?.address === email && each.subject === subject);
const send = (method: string, path: string, token: string, body: object) =>
  call(server, method, path, { token, body, headers: { 'user-agent': FIREFOX } });
const login = (email: string, agent: string, more: object = {}) =>
  call(server, 'POST', '/api/auth/login', {
    body: { email, password: PASSWORD, ...more },
    headers: { 'user-agent': agent },
  });

it('report a device that was not signed in before, except the first', async () => {
  const ada = await signUp(server);
  await login(ada.email, 'node');
  expect(await emails(ada.email)).toEqual([]);
  await login(ada.email, FIREFOX);
  await login(ada.email, FIREFOX.replaceAll('140', '141'));
  expect(await emails(ada.email)).toEqual(['A new device signed in to your account']);
  const { text } = await message(ada.email, 'A new device signed in to your account');
  expect(text).toContain(WHEN_AND_WHERE);
  expect(text).toContain('If it was not you, choose a new password');
  expect(text).toContain('/forgot-password');
});

it('report a new access token by its name, once', async () => {
  const ada = await signUp(server);
  const create = () =>
    call(server, 'POST', '/api/account/tokens', {
      token: ada.token,
      body: { name: 'CI <b>', scopes: ['account:read'] },
      headers: { 'user-agent': FIREFOX, 'idempotency-key': 'one-email' },
    });
  const { body } = await create();
  await create();
  expect(await emails(ada.email)).toEqual(['A new access token was created']);
  const { text, html } = await message(ada.email, 'A new access token was created');
  expect(text).toContain('"CI <b>"');
  expect(text).toContain(WHEN_AND_WHERE);
  expect(html).not.toContain('<b>');
  expect(text).not.toContain(body.token);
});

it('report every change to two-factor sign-in', async () => {
  const ada = await signUp(server);
  const at = (path: string, body: object) => send('POST', `/api/account/two-factor${path}`, ada.token, body);
  const { secret } = (await at('/setup', { password: PASSWORD })).body;
  await at('/enable', { code: 'wrong' });
  expect(await emails(ada.email)).toEqual([]);
  const code = () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
  await at('/enable', { code: code() });
  const { recovery_codes } = (await at('/recovery-codes', { password: PASSWORD })).body;
  await login(ada.email, 'node', { code: recovery_codes[0] });
  await login(ada.email, 'node', { code: recovery_codes[0] });
  await at('/disable', { password: PASSWORD, code: recovery_codes[1] });
  const subjects = [
    'Two-factor sign-in was switched on',
    'Your recovery codes were renewed',
    'A recovery code was used to sign in',
    'Two-factor sign-in was switched off',
  ];
  expect(await emails(ada.email)).toEqual(subjects);
  for (const subject of subjects) {
    const { text } = await message(ada.email, subject);
    expect(text).toContain('When: March 10, 2026 at 12:00 PM (UTC). Device: ');
    expect(text).toContain('If it was not you');
    for (const kept of [secret, ...recovery_codes]) expect(text).not.toContain(kept);
  }
});

it('report nothing for a sign-in with a wrong code', async () => {
  const ada = await signUp(server);
  const { secret } = (await send('POST', '/api/account/two-factor/setup', ada.token, { password: PASSWORD })).body;
  const code = () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
  await send('POST', '/api/account/two-factor/enable', ada.token, { code: code() });
  clock.advance(MINUTE);
  await login(ada.email, FIREFOX, { code: '000000' });
  await login(ada.email, FIREFOX);
  expect(await emails(ada.email)).toHaveLength(1);
  await login(ada.email, FIREFOX, { code: code() });
  expect(await emails(ada.email)).toHaveLength(2);
  clock.advance(-MINUTE);
});

it('report the deletion of the account, to the address it had', async () => {
  const ada = await signUp(server);
  await send('DELETE', '/api/account/delete', ada.token, { password: 'wrong password' });
  expect(await emails(ada.email)).toEqual([]);
  await send('DELETE', '/api/account/delete', ada.token, { password: PASSWORD });
  const { text } = await message(ada.email, 'Your account was deleted');
  expect(text).toContain(WHEN_AND_WHERE);
  expect(text).toContain('If it was not you');
});
