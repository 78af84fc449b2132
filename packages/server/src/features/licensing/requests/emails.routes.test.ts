import { call, makeProduct, makeSerials, PASSWORD, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf, juceReply } from '@tonerow/test-support/juce.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

/** One idea of what an address is, wherever it comes in. */

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
let publicKey: string;

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, { name: 'Prism' });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  publicKey = (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token })).text;
});

const codes = async (quantity: number) =>
  (await makeSerials(server, ada.token, product.id, { quantity })).map(({ code }) => code as string);
const activate = (license_key: string | undefined, email: string, machine_id = 'L1') =>
  call(server, 'POST', '/api/license/v1/activate', { token: key, body: { license_key, machine_id, email } });

const found = async (search: string) =>
  (await call(server, 'GET', `/api/customers/list?search=${encodeURIComponent(search)}`, { token: ada.token })).body
    .customers.length;

describe.each([
  ['a&r@label.com', 'A&R@LABEL.COM'],
  ['müller@label.de', 'MU\u0308LLER@label.de'],
  ['jo@münchen.de', 'jo@xn--mnchen-3ya.de'],
  ['用户@例子.广告', '\u200b用户@xn--fsqu00a.xn--4rr70v'],
])('%s', (email, other) => {
  it('redeems, activates and unlocks, however it is written', async () => {
    const [page, plugin, juce, unlocked] = await codes(4);
    expect((await redeem(server, page as string, email, ada.id)).status).toBe(200);
    expect((await redeem(server, page as string, other, ada.id)).status).toBe(200);
    expect((await activate(page, other)).body.status).toBe('active');
    expect((await activate(plugin, email)).body.status).toBe('active');
    expect((await activate(plugin, other, 'L2')).body.status).toBe('active');
    expect((await activate(plugin, `x${email}`)).body.status).toBe('email_mismatch');
    for (const [pw, address] of [
      [juce, email],
      [unlocked, other],
    ]) {
      const body = { product: 'Prism', email: address, pw, mach: 'L1' };
      const answer = await call(server, 'POST', '/api/license/juce/unlock', { token: key, body });
      const reply = juceReply(answer.text);
      expect(reply.error).toBeUndefined();
      expect(juceKeyOf(reply.key as string, publicKey).email?.toLowerCase()).toBe(
        address === email ? email : other.replace('\u200b', '').normalize('NFC').toLowerCase(),
      );
    }
    expect(await found(email)).toBe(1);
  });

  it('is imported, and known again', async () => {
    const people = `Email,First Name\n"${other}",Nina\n"${email}",Nina\n"x${email}",Xenia\n`;
    const form = new FormData();
    form.set('file', new Blob([people]), 'customers.csv');
    const imported = await call(server, 'POST', '/api/customers/import', { token: ada.token, body: form });
    // the customer of the test above, and another one
    expect(imported.body, imported.text).toMatchObject({ success: true, count: 1, rejected: 0 });
    expect(await found(`x${email}`)).toBe(1);
  });

  it('registers, signs in, and is where help is to be had', async () => {
    const person = { first_name: 'Nina', last_name: 'Simone', password: PASSWORD, company_name: 'Row' };
    const body = { ...person, email, support_email: email };
    expect((await call(server, 'POST', '/api/auth/register', { body })).status).toBe(201);
    const { token } = (await call(server, 'POST', '/api/auth/login', { body: { email: other, password: PASSWORD } }))
      .body;
    const settings = '/api/account/settings';
    expect((await call(server, 'GET', settings, { token })).body.support_email).toBe(email);
    const refused = await call(server, 'PUT', settings, { token, body: { support_email: 'nobody' } });
    expect(refused.body.errors).toEqual([{ path: 'support_email', message: 'Enter a valid email address.' }]);
  });
});
