import { randomUUID } from 'node:crypto';
import { call, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const shown = (dev: string) => call(server, 'GET', `/api/developer/branding?dev=${dev}`);
const own = (token: string) => call(server, 'GET', '/api/developer/branding/private', { token });
const change = (token: string, body: unknown, method = 'POST') =>
  call(server, method, '/api/developer/branding/update', { token, body });
const reset = (token: string) => call(server, 'POST', '/api/developer/branding/reset', { token });
const logo_url = '/media/images/0190a1b2-0000-7000-8000-000000000000.webp';
const look = {
  logo_url,
  brand_color: '#12abEF',
  dark_mode: true,
  support_email: 'help@row.example',
  support_url: 'https://row.example/help?a=b#c',
};
const settings = {
  send_customer_emails: false,
  notify_redemptions: false,
  notify_low_serials: false,
  notify_webhook_fail: false,
  notify_announcements: false,
};
const start = (ada: Person) => ({
  user_id: ada.id,
  logo_url: null,
  brand_color: '#000000',
  dark_mode: false,
  support_email: null,
  support_url: null,
});

it('shows everybody the look and the contact, and nothing else', async () => {
  const ada = await signUp(server);
  expect((await shown(ada.id)).body).toEqual({
    ...start(ada),
    company_name: 'Row Audio',
    closed: false,
    unlocked: false,
  });
  await change(ada.token, { ...look, ...settings }, 'PUT');
  const answer = await shown(ada.id);
  expect(answer.body).toEqual({ ...look, user_id: ada.id, company_name: 'Row Audio', closed: false, unlocked: false });
  expect(answer.text).not.toContain(ada.email);
});

it('shows the developer who is signed in their own look, without an id', async () => {
  const [ada, bea] = [await signUp(server), await signUp(server)];
  await change(ada.token, look);
  const mine = (token?: string, query = '') =>
    call(server, 'GET', `/api/developer/branding${query}`, token ? { token } : {});
  const own = await mine(ada.token);
  expect(own.body).toEqual({ ...look, user_id: ada.id, company_name: 'Row Audio', closed: false, unlocked: false });
  // an id wins, and needs no credential that can be used
  expect((await mine(bea.token, `?dev=${ada.id}`)).body).toEqual(own.body);
  expect((await mine('made-up', `?dev=${ada.id}`)).body).toEqual(own.body);
  const answers = await Promise.all([
    mine(),
    mine('made-up'),
    mine((await signUp(server, 'reseller')).token),
    mine(ada.token, '?dev=x'),
  ]);
  expect(answers.map(({ status, body }) => [status, body.code, body.message])).toEqual([
    [400, 'invalid_request', 'dev is required.'],
    [401, 'invalid_token', expect.any(String)],
    [403, 'forbidden', 'This is for developers.'],
    [400, 'invalid_request', 'dev must be an id.'],
  ]);
});

it('shows its owner all of it', async () => {
  const ada = await signUp(server);
  expect((await own(ada.token)).body).toEqual({
    ...start(ada),
    send_customer_emails: true,
    notify_redemptions: true,
    notify_low_serials: true,
    notify_webhook_fail: true,
    notify_announcements: true,
    custom_domain: null,
    domain_status: 'not_registered',
    dns_target: '127.0.0.1',
    redeem_url: expect.stringMatching(new RegExp(`^http://127.0.0.1:\\d+/redeem\\?dev=${ada.id}$`)),
  });
});

it('shows that a deleted account is closed, and finds no page for a reseller or an unknown id', async () => {
  const [reseller, gone] = [await signUp(server, 'reseller'), await signUp(server)];
  expect((await shown(gone.id)).body.closed).toBe(false);
  await call(server, 'DELETE', '/api/account/delete', { token: gone.token, body: { password: PASSWORD } });
  for (const id of [reseller.id, randomUUID()]) expect((await shown(id)).status).toBe(404);
  const closed = await shown(gone.id);
  expect([closed.status, closed.body]).toMatchObject([200, { closed: true, company_name: null, support_email: null }]);
  for (const query of ['?dev=x', '', '?dev=', `?dev=${gone.id}'--`, `?dev=${gone.id}&dev=${gone.id}`]) {
    expect((await call(server, 'GET', `/api/developer/branding${query}`)).status).toBe(400);
  }
});

it('changes what is named, answers it, and leaves the rest', async () => {
  const ada = await signUp(server);
  const before = (await own(ada.token)).body;
  const answer = await change(ada.token, look);
  expect([answer.status, answer.body]).toEqual([
    200,
    { message: 'Branding saved successfully!', branding: { ...before, ...look } },
  ]);
  expect((await change(ada.token, {})).body.branding).toEqual({ ...before, ...look });
  const put = await change(ada.token, { ...settings, dark_mode: false }, 'PUT');
  expect(put.body).toEqual({
    message: 'Branding saved successfully!',
    branding: { ...before, ...look, ...settings, dark_mode: false },
  });
  const emptied = await change(ada.token, { logo_url: null, support_email: '', support_url: '' });
  expect(emptied.body.branding).toMatchObject({ logo_url: null, support_email: null, support_url: null });
  expect((await own(ada.token)).body).toEqual(emptied.body.branding);
});

it('takes addresses as people write them, and shows only whole ones', async () => {
  const ada = await signUp(server);
  const taken = async (body: object) => (await change(ada.token, body)).body.branding;
  expect((await taken({ support_url: ' row.example/help ' })).support_url).toBe('https://row.example/help');
  expect((await taken({ logo_url: 'HTTP://row.example/a.png' })).logo_url).toBe('HTTP://row.example/a.png');
  await call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { support_url: 'row.example' } });
  expect((await shown(ada.id)).body.support_url).toBe('https://row.example');
  expect((await own(ada.token)).body.support_url).toBe('https://row.example');
});

it.each([
  [{ brand_color: 'red' }, 'brand_color'],
  [{ brand_color: '#fff' }, 'brand_color'],
  [{ brand_color: '#9a04bf;}' }, 'brand_color'],
  [{ brand_color: '#9a04bf\n' }, 'brand_color'],
  [{ brand_color: null }, 'brand_color'],
  [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
  [{ logo_url: 'data:image/png;base64,AA==' }, 'logo_url'],
  [{ logo_url: '//evil.example/a.png' }, 'logo_url'],
  [{ logo_url: 'row.example/a.png' }, 'logo_url'],
  [{ logo_url: '/media/images/../../etc/passwd' }, 'logo_url'],
  [{ logo_url: `${logo_url}?x` }, 'logo_url'],
  [{ support_url: 'javascript:alert(1)' }, 'support_url'],
  [{ support_url: 'JaVaScRiPt:alert(1)//row.example' }, 'support_url'],
  [{ support_url: 'java\nscript:alert(1)' }, 'support_url'],
  [{ support_url: '\u0001javascript:alert(1)' }, 'support_url'],
  [{ support_url: 'data:text/html,x.y' }, 'support_url'],
  [{ support_url: 'ftp://row.example' }, 'support_url'],
  [{ support_url: 'mailto:ada@row.example' }, 'support_url'],
  [{ support_url: 'https://row.example/a\nb' }, 'support_url'],
  [{ support_url: 'https://row.example/a b' }, 'support_url'],
  [{ support_url: 'https://nodot' }, 'support_url'],
  [{ support_url: `https://row.example/${'a'.repeat(500)}` }, 'support_url'],
  [{ support_email: 'nobody' }, 'support_email'],
  [{ support_email: 'help@row.example\nBcc: all@row.example' }, 'support_email'],
  [{ support_email: 'help@row.example,all@row.example' }, 'support_email'],
  [{ dark_mode: 'yes' }, 'dark_mode'],
  [{ send_customer_emails: false }, 'send_customer_emails'],
  [{ notify_redemptions: false }, 'notify_redemptions'],
  [{ company_name: 'Other' }, 'company_name'],
  [{ custom_domain: 'app.row.example' }, 'custom_domain'],
  [{ is_admin: true }, 'is_admin'],
])('refuses %j at its field, and changes nothing', async (body, path) => {
  const ada = await signUp(server);
  const before = (await own(ada.token)).body;
  const answer = await change(ada.token, { support_email: 'new@row.example', ...body });
  expect([answer.status, answer.body.code, answer.body.errors?.[0]?.path]).toEqual([400, 'invalid_request', path]);
  expect((await own(ada.token)).body).toEqual(before);
});

it('refuses unknown settings too', async () => {
  const ada = await signUp(server);
  for (const body of [{ notify_deals: false }, { notify_redemptions: 'no' }, { send_customer_emails: null }, []]) {
    expect((await change(ada.token, body, 'PUT')).status).toBe(400);
  }
});

it('resets to the defaults, and leaves emails unchanged', async () => {
  const ada = await signUp(server);
  const before = (await change(ada.token, { ...look, ...settings }, 'PUT')).body.branding;
  const answer = await reset(ada.token);
  const after = { ...before, ...start(ada), brand_color: '#9a04bf' };
  expect([answer.status, answer.body.branding]).toEqual([200, after]);
  expect((await reset(ada.token)).body.branding).toEqual(after);
  expect((await shown(ada.id)).body.brand_color).toBe('#9a04bf');
});

it('is one’s own, and a developer’s', async () => {
  const [ada, ben, reseller] = [await signUp(server), await signUp(server), await signUp(server, 'reseller')];
  const before = (await own(ben.token)).body;
  await change(ada.token, look);
  await reset(ada.token);
  expect((await own(ben.token)).body).toEqual(before);
  for (const answer of [await own(reseller.token), await change(reseller.token, look), await reset(reseller.token)]) {
    expect(answer.status).toBe(403);
  }
});

it('is read with one scope of an access token, and changed with another', async () => {
  const ada = await signUp(server);
  const token = async (scope: string) =>
    (await call(server, 'POST', '/api/account/tokens', { token: ada.token, body: { name: 'CI', scopes: [scope] } }))
      .body.token as string;
  const [reading, writing] = [await token('account:read'), await token('account:write')];
  expect([(await own(reading)).status, (await own(writing)).status]).toEqual([200, 403]);
  expect([(await change(reading, look)).status, (await change(writing, look)).status]).toEqual([403, 200]);
  expect([(await reset(reading)).status, (await reset(writing)).status]).toEqual([403, 200]);
});
