import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { folded } from '../db/statements/like.ts';
import { PasswordHash } from '../secrets/password-hash.ts';
import { fold } from './text.ts';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
});
const NFD = 'Jose\u0301';
const NFC = 'Jos\u00e9';
const get = (path: string, { token } = ada) => call(server, 'GET', path, { token });
const post = (path: string, body: object, { token } = ada) => call(server, 'POST', path, { token, body });

it('SQL compares texts as the server does', async () => {
  const texts = [
    NFD,
    NFC,
    'Łukasz Ørsted',
    'STRASSE straße',
    'Æon œuvre Þór',
    'ｗｉｄｅ　ＴＥＸＴ',
    'がぎ',
    '한글',
    'ASCII %_\\',
    '',
  ];
  const rows = await server.db.query<{ text: string; folded: string }>(
    `select text, ${folded('text')} as folded from unnest($1::text[]) as x(text)`,
    [texts],
  );
  expect(rows).toEqual(texts.map((text) => ({ text, folded: fold(text) })));
});

describe('what people type', () => {
  it('is kept in one form, in bodies, forms and addresses alike', async () => {
    const form = new FormData();
    form.set('first_name', NFD);
    form.set('last_name', `${NFD}\u00a0 Row`);
    form.set('email', `form-${randomUUID()}@example.com`);
    form.set('password', 'a fine long password');
    expect((await call(server, 'POST', '/api/auth/register', { body: form })).status).toBe(201);
    const [account] = await server.db.query('select first_name, last_name from users where email = $1', [
      form.get('email'),
    ]);
    expect(account).toEqual({ first_name: NFC, last_name: `${NFC} Row` });

    const product = await makeProduct(server, ada.token, { long_desc: `${NFD}\n  two` });
    expect((await get(`/api/products/${product.id}`)).body.long_desc).toBe(`${NFC}\n  two`);
    const promo = { promo_price: 5, batch_tag: `${NFD}\u00a0fair` };
    await makeSerials(server, ada.token, product.id, { quantity: 2, ...promo });
    const group = encodeURIComponent(`${product.name} · ${NFD} fair`);
    expect((await call(server, 'DELETE', `/api/serials/group/${group}`, { token: ada.token })).body.count).toBe(2);
  });

  it('is found without its accents, and with them in any form, wherever something is searched', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server);
    const word = `Caf\u00e9${randomUUID().slice(0, 8)}`;
    const product = await makeProduct(server, developer.token, { name: `${word} Łead` });
    const [serial] = await makeSerials(server, developer.token, product.id, {
      batch_tag: `${word} tag`,
      promo_price: 5,
      reseller_id: partnershipId,
    });
    const email = `c-${randomUUID()}@example.com`;
    await redeem(server, serial?.code as string, email, developer.id);
    await server.db.query(`update customers set first_name = $2 where email = $1`, [email, `${word}x`]);
    const typed = [word.replace('\u00e9', 'e').toUpperCase(), word.normalize('NFD'), word];
    for (const text of typed) {
      const search = `search=${encodeURIComponent(text)}`;
      const own = { token: developer.token } as Person;
      const counts = await Promise.all([
        get(`/api/products?${search}`, own).then(({ body }) => (body.rows ?? body).length),
        get(`/api/customers/list?${search}`, own).then(({ body }) => (body.rows ?? body.customers ?? body).length),
        get(`/api/serials/redeemed?${search}`, own).then(({ body }) => body.rows.length),
        get(`/api/batches?${search}`, own).then(({ body }) => body.rows.length),
        get(`/api/serials/available?${search}`, own).then(({ body }) => Object.keys(body.promos).length),
        get(`/api/reseller/developer/resellers?search=row%20audio`, own).then(({ body }) => body.length),
        get(`/api/reseller/products?${search}`, reseller).then(({ body }) => body.rows.length),
        get(`/api/reseller/deals?${search}`, reseller).then(({ body }) => body.rows.length),
        get(`/api/reseller/transactions?${search}`, reseller).then(({ body }) => body.rows.length),
      ]);
      expect(counts, text).toEqual(counts.map(() => 1));
      const { body: found } = await get(`/api/search?q=${encodeURIComponent(text)}`, own);
      expect([found.customers.length, found.products.length, found.batches.length], text).toEqual([1, 1, 1]);
    }
  });

  it('names no two products that look the same', async () => {
    const name = `Deep Echo ${randomUUID().slice(0, 8)}`;
    const { id } = await makeProduct(server, ada.token, { name });
    for (const same of [name.replace(' ', '\u00a0'), name.replace('Deep', 'De\u200bep'), name.replace(' ', '  ')]) {
      const { status, body } = await post('/api/products', { name: same, price: 1 });
      expect([status, body.errors?.[0]?.message], same).toEqual([409, 'You already have a product with this name.']);
    }
    const renamed = `${name}\u00a0\u200b2`;
    await call(server, 'PUT', `/api/products/${id}`, { token: ada.token, body: { name: renamed } });
    expect((await get(`/api/products/${id}`)).body.name).toBe(`${name} 2`);
    expect((await post('/api/products', { name: '\u200b\u00a0', price: 1 })).status).toBe(400);
  });
});

describe('a password', () => {
  const typed = 'pa\u0301ssword of\u00a0mine';
  const others = ['p\u00e1ssword of mine', 'ｐ\u00e1ssword of mine'];
  const login = (email: string, password: string) =>
    call(server, 'POST', '/api/auth/login', { body: { email, password } });
  const quick = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  const hashed = (form: string) => hash(form, quick);
  /** An account whose password was hashed as it was typed. */
  const old = async () => {
    const person = await signUp(server);
    await server.db.query('update users set password_hash = $2 where id = $1', [person.id, await hashed(typed)]);
    return person;
  };

  it('is the same from every keyboard', async () => {
    const email = `pw-${randomUUID()}@example.com`;
    const person = { first_name: 'A', last_name: 'B', email, password: typed };
    expect((await post('/api/auth/register', person)).status).toBe(201);
    for (const form of [typed, ...others]) expect((await login(email, form)).status, form).toBe(200);
    expect((await login(email, 'password of mine')).status).toBe(401);
    const short = await post('/api/auth/register', { ...person, email: `s${email}`, password: 'e\u0301'.repeat(6) });
    expect([short.status, short.body.errors?.[0]?.path]).toEqual([400, 'password']);
  });

  it('that was hashed as it was typed still signs in, and is hashed anew', async () => {
    const { email, token } = await signUp(server);
    const stored = async () =>
      (await server.db.query<{ password_hash: string }>('select password_hash from users where email = $1', [email]))[0]
        ?.password_hash as string;
    for (const form of [typed, typed.normalize('NFC')]) {
      await server.db.query('update users set password_hash = $2 where email = $1', [email, await hashed(form)]);
      const before = await stored();
      // by the other keyboard, which the old hash knows nothing of
      expect((await login(email, form.normalize(form === typed ? 'NFC' : 'NFD'))).status).toBe(200);
      expect(await stored()).not.toBe(before);
      expect(await new PasswordHash(quick).renewed(typed, await stored())).toBeNull();
    }
    const last = await stored();
    expect((await login(email, typed)).status).toBe(200);
    expect(await stored()).toBe(last);
    expect((await get('/api/auth/me', { token } as Person)).status).toBe(200);
  });

  it('is right for all that come at once while the first of them hashes it anew', async () => {
    const { email, id } = await old();
    const account = await lockWith(server.db, 'select 1 from users where id = $1 for update', [id]);
    const both = [login(email, typed), login(email, typed.normalize('NFC'))];
    await account.untilWaiting(2);
    await account.release();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    // the one of the account's registration, and these
    expect(await server.db.query('select 1 from sessions where user_id = $1', [id])).toHaveLength(3);
  });

  it('that was hashed anew meanwhile can be changed, and one that was changed opens nothing', async () => {
    const { email, id, token } = await old();
    const [anew, other] = await Promise.all([typed.normalize('NFKC'), 'another fine password'].map(hashed));
    const meanwhile = async <T>(hash: string | undefined, act: () => Promise<T>): Promise<T> => {
      const account = await lockWith(server.db, 'update users set password_hash = $2 where id = $1', [id, hash]);
      const acting = act();
      await account.untilWaiting(1);
      await account.release('commit');
      return acting;
    };
    const change = () =>
      call(server, 'POST', '/api/account/update-password', {
        token,
        body: { oldPassword: typed, newPassword: 'a password of next year' },
      });
    expect((await meanwhile(other, change)).status).toBe(403);
    expect((await meanwhile(await hashed(typed), () => login(email, 'another fine password'))).status).toBe(401);
    const changed = await meanwhile(anew, change);
    expect(changed.status, changed.text).toBe(200);
    expect((await login(email, 'a password of next year')).status).toBe(200);
  });
});

it('a full-width address is the same address', async () => {
  const { email } = await signUp(server);
  const wide = email.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
  const { status } = await call(server, 'POST', '/api/auth/login', {
    body: { email: wide, password: 'a fine long password' },
  });
  expect(status).toBe(200);
});
