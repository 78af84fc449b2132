import { randomUUID } from 'node:crypto';
import { call, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url }));
});
afterAll(async () => {
  await terminal.close();
});

it('shows which access tokens a new password deletes, before it is entered', async () => {
  const { piped, tonerow, json } = terminal;
  expect((await piped(PASSWORD, 'login', '--email', ada.email, '--password-stdin')).code).toBe(0);
  const made = await tonerow('tokens', 'create', 'nightly build', '--scope', 'account:read');
  const token = made.out.trim();
  const body = { headers: { authorization: `Bearer ${token}` } };
  expect((await call(server, 'GET', '/api/auth/me', body)).status).toBe(200);
  // without a prompt, it stops there
  const asked = await tonerow('account', 'change-password');
  expect([asked.code, asked.err]).toEqual([64, expect.stringContaining('delete the access token nightly build')]);
  expect((await call(server, 'GET', '/api/auth/me', body)).status).toBe(200);

  const changed = await piped(`${PASSWORD}\nanother fine password\n`, 'account', 'change-password', '--password-stdin');
  expect([changed.code, changed.err]).toEqual([0, expect.stringContaining('Password updated.')]);
  expect((await call(server, 'GET', '/api/auth/me', body)).status).toBe(401);
  // the session that changed it stays valid
  expect(await json('tokens', 'list')).toEqual([]);
});

it('chooses a new password with the token from the email', async () => {
  const { piped, tonerow } = terminal;
  expect((await tonerow('account', 'forgot-password', ada.email)).err).toContain('on its way');
  const email = await server.email(
    ({ to, subject }) => to?.[0]?.address === ada.email && subject === 'Choose a new password',
  );
  const token = /token=([0-9A-Za-z]+)/.exec(email.text ?? '')?.[1];
  const reset = await piped(`${token}\nquite another password\n`, 'account', 'reset-password', '--password-stdin');
  expect([reset.code, reset.err]).toEqual([0, expect.stringContaining('delete every access token')]);
  expect((await tonerow('whoami')).code).toBe(4);
  expect((await piped('quite another password', 'login', '--email', ada.email, '--password-stdin')).code).toBe(0);
  expect((await terminal.json('whoami')).email_verified).toBe(true);
});

it('gives a reseller a token with scopes of resellers only, and the settings of resellers', async () => {
  const rae = await signUp(server, 'reseller');
  const theirs = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: rae.token }));
  const refused = await theirs.tonerow('tokens', 'create', 'shop', '--scope', 'keys:write');
  expect([refused.code, refused.err]).toEqual([64, expect.stringContaining('keys:write is of no use to a reseller.')]);
  expect(refused.err).toContain('stock:write');
  const made = await theirs.json('tokens', 'create', 'shop', '--scope', 'stock:write', '--scope', 'sales:read');
  expect(made.scopes).toEqual(['stock:write', 'sales:read']);
  const changed = await theirs.tonerow('account', 'set', '--tax-id', 'MI-12345', '--notify-deals', 'off');
  expect([changed.code, changed.err]).toEqual([0, expect.stringContaining('Settings saved!')]);
  const settings = await theirs.json('account', 'settings');
  expect(settings).toMatchObject({ tax_id: 'MI-12345', notify_deals: false });
  expect(settings).not.toHaveProperty('low_serials_threshold');
  await theirs.close();
});

it('registers with the zone of this machine or another one, and reads and shows dates in it', async () => {
  const theirs = await openTerminal(() => ({ TONEROW_URL: server.url }));
  const register = (...more: string[]) => {
    const person = ['--email', `zone-${randomUUID()}@example.com`, '--first-name', 'Ada', '--last-name', 'Row'];
    return theirs.piped(PASSWORD, 'register', 'developer', ...person, '--password-stdin', ...more);
  };
  expect((await register()).code).toBe(0);
  expect((await theirs.json('whoami')).time_zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);

  const made = await register('--time-zone', 'America/Los_Angeles');
  expect([made.code, made.err]).toEqual([0, expect.stringContaining('Dates are in America/Los_Angeles.')]);
  expect((await theirs.json('whoami')).time_zone).toBe('America/Los_Angeles');
  const token = await theirs.json('tokens', 'create', 'CI', '--scope', 'serials:read', '--expires', '2099-12-05');
  expect(token.expires_at).toBe('2099-12-06T07:59:59.999Z');
  expect((await theirs.tonerow('tokens', 'list')).out).toContain('2099-12-05');
  expect((await theirs.tonerow('account', 'sessions')).out).toMatch(/T\d\d:\d\d:\d\d\.\d{3}-0[78]:00/);
  await theirs.close();
});
