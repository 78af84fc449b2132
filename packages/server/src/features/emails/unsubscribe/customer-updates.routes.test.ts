import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';
import { systemRandom } from '#platform/random.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import { CustomerUpdates } from './customer-updates.service.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
const secrets = new Secrets([TEST_SECRET], systemRandom(clock));
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
});
afterAll(() => server.stop());

async function customer(email: string): Promise<string> {
  const product = await makeProduct(server, ada.token);
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await redeem(server, serial?.code as string, email);
  const [row] = await server.db.query<{ id: string }>('select id from customers where email = $1', [email]);
  return row?.id as string;
}
const pathTo = (id: string, developer = ada.id) => {
  const links = new CustomerUpdates({ clock, secrets, publicUrl: server.url, db: undefined as never });
  return links.url(developer, id).slice(server.url.length);
};
const since = async (id: string) =>
  (await call(server, 'GET', `/api/customers/${id}`, { token: ada.token })).body.no_updates_at;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const click = (path: string) => call(server, 'POST', path, { body: 'List-Unsubscribe=One-Click', headers: FORM });
const again = (path: string) =>
  call(server, 'POST', path, { body: 'updates=again', headers: { ...FORM, accept: 'text/html' } });

it('stops updates by one click and never by a look, and a customer can change their mind', async () => {
  const id = await customer('nina@example.com');
  const path = pathTo(id);
  const looked = await call(server, 'GET', path);
  expect([looked.status, looked.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(looked.text).toContain('Stop emails from Row Audio about new versions of what you own?');
  expect(await since(id)).toBeNull();
  const clicked = await click(path);
  expect([clicked.status, clicked.body.message]).toEqual([
    200,
    'Row Audio will no longer email you about new versions. Emails about what you redeem still come.',
  ]);
  const first = await since(id);
  expect(first).toBe(clock.now().toISOString());
  clock.advance(HOUR);
  expect((await click(path)).status).toBe(200);
  expect(await since(id)).toBe(first);
  const stopped = await call(server, 'GET', path);
  expect(stopped.text).toContain('<button>Send them again</button>');
  expect(await since(id)).toBe(first);
  for (let times = 0; times < 2; times += 1) {
    const back = await again(path);
    expect([back.status, back.text]).toEqual([200, expect.stringContaining('Row Audio will email you')]);
    expect(await since(id)).toBeNull();
  }
});

it.each([
  ['de', 'Wieder zuschicken'],
  ['fr', 'Les recevoir à nouveau'],
  ['es', 'Volver a recibirlos'],
  ['ja', '配信を再開する'],
])('is in the language of the customer, and of the browser while that is unknown: %s', async (language, offer) => {
  const id = await customer(`${language}@example.com`);
  await click(pathTo(id));
  const page = () => call(server, 'GET', pathTo(id), { headers: { 'accept-language': `${language}-XX` } });
  expect((await page()).text).toContain(`<html lang="${language}">`);
  await server.db.query('update customers set language = $2 where id = $1', [id, language]);
  const known = await call(server, 'GET', pathTo(id), { headers: { 'accept-language': 'en' } });
  expect(known.text).toContain(`<button>${offer}</button>`);
});

it('escapes the name of a developer', async () => {
  const bob = await signUp(server);
  await call(server, 'PUT', '/api/account/settings', { token: bob.token, body: { company_name: '<b>Bob & Co' } });
  const [row] = await server.db.query<{ company_name: string }>('select company_name from users where id = $1', [
    bob.id,
  ]);
  expect(row?.company_name).toBe('<b>Bob & Co');
  const page = await call(server, 'GET', pathTo(ada.id, bob.id));
  expect(page.text).toContain('<h1 dir="auto">&lt;b&gt;Bob &amp; Co</h1>');
});

it('takes no link of another kind, of somebody else or that was changed', async () => {
  const id = await customer('safe@example.com');
  const token = new URL(`${server.url}${pathTo(id)}`).searchParams.get('token') as string;
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const forged = Buffer.from(JSON.stringify({ developer: ada.id, customer: id, exp: 9e9 })).toString('base64url');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const ofAccount = new TokenMint<object>(secrets, 'unsubscribe', clock).sign(
    { user: ada.id, kind: 'redemptions', developer: ada.id, customer: id },
    DAY,
  );
  const open = new TokenMint<object>(secrets, 'download', clock).sign({ developer: ada.id, customer: id }, DAY);
  const hostile = [`${head}.${forged}.${signature}`, `${none}.${claims}.`, `${token}x`, open, 'x', '..'];
  for (const bad of hostile) {
    const posted = await call(server, 'POST', '/api/unsubscribe', { body: { token: bad } });
    expect([bad, posted.status, posted.body.code]).toEqual([bad, 422, 'link_invalid']);
    expect((await call(server, 'GET', `/api/unsubscribe?token=${encodeURIComponent(bad)}`)).status).toBe(422);
  }
  // an account's link cannot ask for a customer's emails, whatever it claims
  const asked = await call(server, 'POST', '/api/unsubscribe', { body: { token: ofAccount, updates: 'again' } });
  expect([asked.status, asked.body.code]).toEqual([422, 'link_invalid']);
  expect((await call(server, 'POST', '/api/unsubscribe', { body: { token, updates: 'never' } })).status).toBe(400);
  // a customer of somebody else
  const bob = await signUp(server);
  expect((await click(pathTo(id, bob.id))).status).toBe(200);
  expect(await since(id)).toBeNull();
});

it('forgets the wish with the customer, whose link then changes nothing', async () => {
  const id = await customer('gone@example.com');
  await click(pathTo(id));
  await call(server, 'DELETE', `/api/customers/${id}`, { token: ada.token });
  expect(await since(id)).toBeNull();
  expect((await click(pathTo(id))).body.message).toBe('Such emails no longer go to this address.');
  expect((await call(server, 'GET', pathTo(id))).text).not.toContain('<button>');
  expect((await again(pathTo(id))).status).toBe(422);
  expect(await since(id)).toBeNull();
});

it('works for a script, and from an email that is years old', async () => {
  const id = await customer('old@example.com');
  const token = new URL(`${server.url}${pathTo(id)}`).searchParams.get('token');
  clock.advance(5 * 365 * DAY);
  const stops = async () =>
    (await server.db.query<{ no: Date | null }>('select no_updates_at as no from customers where id = $1', [id]))[0]
      ?.no;
  expect((await call(server, 'POST', '/api/unsubscribe', { body: { token } })).status).toBe(200);
  expect(await stops()).toEqual(clock.now());
  expect((await call(server, 'POST', '/api/unsubscribe', { body: { token, updates: 'again' } })).status).toBe(200);
  expect(await stops()).toBeNull();
});
