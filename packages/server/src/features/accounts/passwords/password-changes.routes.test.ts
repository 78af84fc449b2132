import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const NEW_PASSWORD = 'the owner’s own password';
const KEYS = '/api/developer/plugin-keys';
const post = (path: string, body: object, token?: string) =>
  call(server, 'POST', path, { body, ...(token ? { token } : {}) });
const me = async (token: string) => (await call(server, 'GET', '/api/auth/me', { token })).status;
const login = (email: string, password: string, code?: string) =>
  post('/api/auth/login', { email, password, ...(code ? { code } : {}) });
const makeToken = async (person: Person, name: string, more: object = {}) =>
  (await post('/api/account/tokens', { name, scopes: ['account:read', 'keys:write'], ...more }, person.token)).body
    .token as string;
const changePassword = (token: string, oldPassword: string, newPassword: string) =>
  post('/api/account/update-password', { oldPassword, newPassword }, token);
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
const message = async (email: string, subject: string) =>
  (await server.email((each) => each.to?.[0]?.address === email && each.subject === subject)).text ?? '';

async function turnOnTwoFactor(person: Person) {
  const { secret } = (await post('/api/account/two-factor/setup', { password: PASSWORD }, person.token)).body;
  const { recovery_codes } = (await post('/api/account/two-factor/enable', { code: codeOf(secret) }, person.token))
    .body;
  return { secret: secret as string, recovery: recovery_codes as string[] };
}

/** The link from the email, which only the owner of the address reads. */
async function resetLink(email: string): Promise<string> {
  await post('/api/auth/forgot-password', { email });
  return /token=([0-9A-Za-z]+)/.exec(await message(email, 'Choose a new password'))?.[1] as string;
}

async function reset(email: string) {
  const answer = await post('/api/auth/reset-password', { token: await resetLink(email), password: NEW_PASSWORD });
  expect(answer.status).toBe(200);
}

describe('passwords', () => {
  it('change, and with them every session ends but the new one', async () => {
    const ada = await signUp(server);
    const other = (await login(ada.email, PASSWORD)).body.token as string;
    const update = (oldPassword: string) => changePassword(ada.token, oldPassword, 'quite a new password');
    expect((await update('wrong password')).body).toMatchObject({
      code: 'wrong_password',
      errors: [{ path: 'oldPassword' }],
    });
    const { body } = await update(PASSWORD);
    expect(await me(other)).toBe(401);
    expect(await me(ada.token)).toBe(401);
    expect(await me(body.token)).toBe(200);
    expect((await login(ada.email, PASSWORD)).status).toBe(401);
    expect((await login(ada.email, 'quite a new password')).status).toBe(200);
  });

  it('that change in the middle of a sign-in or of another change win', async () => {
    const person = await signUp(server);
    const meanwhile = async <T>(password: string, other: () => Promise<T>, token = person.token) => {
      const lock = await lockWith(server.db, 'select 1 from users where id = $1 for update', [person.id]);
      const first = changePassword(token, password, 'the first new password');
      await lock.untilWaiting(1);
      const second = other();
      await lock.untilWaiting(2);
      await lock.release();
      return [await first, await second] as const;
    };
    const [changed, signedIn] = await meanwhile(PASSWORD, () => login(person.email, PASSWORD));
    expect([changed.status, signedIn.status]).toEqual([200, 401]);
    const { token } = changed.body;
    const twice = () => changePassword(token, 'the first new password', 'the second new password');
    const [one, two] = await meanwhile('the first new password', twice, token);
    expect([one.status, two.status, two.body.code]).toEqual([200, 403, 'wrong_password']);
    expect((await login(person.email, 'the first new password')).status).toBe(200);
  });

  it('come back by email, once and for an hour', async () => {
    const ada = await signUp(server);
    const forgot = (email: string) => post('/api/auth/forgot-password', { email });
    const known = await forgot(ada.email);
    expect([known.status, (await forgot('stranger@example.com')).body]).toEqual([202, known.body]);
    const secret = /token=([0-9A-Za-z]+)/.exec(await message(ada.email, 'Choose a new password'))?.[1];
    const choose = () => post('/api/auth/reset-password', { token: secret, password: 'found it again' });
    expect((await choose()).status).toBe(200);
    expect((await choose()).body.code).toBe('reset_token_invalid');
    expect((await login(ada.email, 'found it again')).status).toBe(200);
    expect(await me(ada.token)).toBe(401);
  });
});

describe('resetting the password of an account that was never verified', () => {
  it('leaves nothing to a person who registered the address before its owner', async () => {
    const intruder = await signUp(server);
    const product = await makeProduct(server, intruder.token);
    const [serial] = await makeSerials(server, intruder.token, product.id);
    await redeem(server, serial?.code as string, 'nina@example.com', intruder.id);
    const token = await makeToken(intruder, 'back door');
    const { key, plaintext } = (await post(KEYS, {}, intruder.token)).body;
    const { recovery } = await turnOnTwoFactor(intruder);

    await reset(intruder.email);

    expect([await me(intruder.token), await me(token)]).toEqual([401, 401]);
    expect((await login(intruder.email, PASSWORD, recovery[0])).body.code).toBe('invalid_credentials');
    const owner = (await login(intruder.email, NEW_PASSWORD)).body;
    expect(owner.user.email_verified).toBe(true);
    const factor = await call(server, 'GET', '/api/account/two-factor', { token: owner.token });
    expect(factor.body).toEqual({ enabled: false, since: null, recovery_codes_left: 0 });
    expect((await call(server, 'GET', '/api/account/tokens', { token: owner.token })).body).toEqual([]);

    // the owner never sees a secret that the intruder knows; plugins that carry it keep working
    const shown = await call(server, 'GET', `${KEYS}/${key.id}/secret`, { token: owner.token });
    expect([shown.status, shown.body.message]).toEqual([404, expect.stringContaining('Rotate')]);
    expect(shown.text).not.toContain(plaintext);
    const listed = (await call(server, 'GET', KEYS, { token: owner.token })).body.keys[0];
    expect(listed).toMatchObject({ id: key.id, can_reveal: false, isActive: true });
    const plugin = { license_key: serial?.code, machine_id: 'studio' };
    expect((await post('/api/license/v1/activate', plugin, plaintext)).body.status).toBe('active');
    const rotated = (await post(`${KEYS}/${key.id}/rotate`, {}, owner.token)).body;
    const again = await call(server, 'GET', `${KEYS}/${rotated.key.id}/secret`, { token: owner.token });
    expect([again.body.plaintext, rotated.key.can_reveal]).toEqual([rotated.plaintext, true]);
  });

  it('deletes a second factor that was still waiting for its first code', async () => {
    const intruder = await signUp(server);
    await post('/api/account/two-factor/setup', { password: PASSWORD }, intruder.token);
    await reset(intruder.email);
    const [row] = await server.db.query('select two_factor_secret from users where id = $1', [intruder.id]);
    expect(row).toEqual({ two_factor_secret: null });
  });

  it('informs the owner what has ended and what to review', async () => {
    const intruder = await signUp(server);
    await makeToken(intruder, 'back door');
    await reset(intruder.email);
    const text = await message(intruder.email, 'Your password was changed');
    expect(text).toContain('"back door"');
    expect(text).toContain('Nobody had verified this address before');
    expect(text).toContain('two-factor sign-in');
    expect(text).toContain('plugin keys');
  });
});

describe('resetting the password of a verified account', () => {
  it('ends sessions and access tokens, and leaves the second factor and the plugin keys', async () => {
    const ada = await signUpVerified(server);
    const token = await makeToken(ada, 'CI');
    const { key, plaintext } = (await post(KEYS, {}, ada.token)).body;
    const { recovery } = await turnOnTwoFactor(ada);
    await reset(ada.email);
    expect([await me(ada.token), await me(token)]).toEqual([401, 401]);
    expect((await login(ada.email, NEW_PASSWORD)).body.code).toBe('two_factor_required');
    const signedIn = (await login(ada.email, NEW_PASSWORD, recovery[0])).body.token;
    const shown = await call(server, 'GET', `${KEYS}/${key.id}/secret`, { token: signedIn });
    expect(shown.body.plaintext).toBe(plaintext);
    const text = await message(ada.email, 'Your password was changed');
    expect(text).not.toContain('Nobody had verified');
  });

  it('is announced in the email with the link', async () => {
    const ada = await signUpVerified(server);
    await resetLink(ada.email);
    expect(await message(ada.email, 'Choose a new password')).toContain('deletes every access token');
  });
});

describe('changing the password', () => {
  const change = (person: Person) =>
    post('/api/account/update-password', { oldPassword: PASSWORD, newPassword: NEW_PASSWORD }, person.token);

  it('ends access tokens too, and names in the email those that still worked', async () => {
    const ada = await signUp(server);
    const tokens = [await makeToken(ada, 'CI'), await makeToken(ada, 'Deploy <b>')];
    await makeToken(ada, 'old one');
    await server.db.query("update access_tokens set expires_at = $1 where name = 'old one'", [clock.now()]);
    expect((await change(ada)).status).toBe(200);
    expect(await Promise.all(tokens.map(me))).toEqual([401, 401]);
    const text = await message(ada.email, 'Your password was changed');
    expect(text).toContain('"CI", "Deploy <b>"');
    expect(text).not.toContain('old one');
  });

  it('names at most twenty access tokens, and does not mention them if there were none', async () => {
    const [many, none] = [await signUp(server), await signUp(server)];
    for (let made = 0; made < 23; made += 1) await makeToken(many, `token ${made}`);
    await Promise.all([change(many), change(none)]);
    const text = await message(many.email, 'Your password was changed');
    expect(text.match(/"token \d+"/g)).toHaveLength(20);
    expect(text).toContain('and 3 more');
    expect(await message(none.email, 'Your password was changed')).not.toContain('access token');
  });

  it('keeps the second factor, even of an unverified account: it was done from a session', async () => {
    const ada = await signUp(server);
    await turnOnTwoFactor(ada);
    expect((await change(ada)).status).toBe(200);
    expect((await login(ada.email, NEW_PASSWORD)).body.code).toBe('two_factor_required');
  });
});

describe('a session’s request at the moment of a reset', () => {
  const cases: [string, (person: Person) => Promise<unknown>, string][] = [
    ['an access token', (person) => makeToken(person, 'late'), 'select 1 from access_tokens where user_id = $1'],
    ['a plugin key', (person) => post(KEYS, {}, person.token), 'select 1 from plugin_keys where developer_id = $1'],
  ];
  it.each(cases)('is refused when it comes after the reset: %s', async (_what, ask, left) => {
    const intruder = await signUp(server);
    const link = await resetLink(intruder.email);
    const lock = await lockWith(server.db, 'select 1 from users where id = $1 for update', [intruder.id]);
    const resetting = post('/api/auth/reset-password', { token: link, password: NEW_PASSWORD });
    await lock.untilWaiting(1);
    const asking = ask(intruder);
    await lock.untilWaiting(2);
    await lock.release();
    expect((await resetting).status).toBe(200);
    await asking;
    expect(await server.db.query(left, [intruder.id])).toEqual([]);
  });

  it('is refused: switching on a second factor that waited for its code', async () => {
    const ada = await signUpVerified(server);
    const { secret } = (await post('/api/account/two-factor/setup', { password: PASSWORD }, ada.token)).body;
    const link = await resetLink(ada.email);
    const lock = await lockWith(server.db, 'select 1 from users where id = $1 for update', [ada.id]);
    const resetting = post('/api/auth/reset-password', { token: link, password: NEW_PASSWORD });
    await lock.untilWaiting(1);
    const enabling = post('/api/account/two-factor/enable', { code: codeOf(secret) }, ada.token);
    await lock.untilWaiting(2);
    await lock.release();
    expect([(await resetting).status, (await enabling).status]).toEqual([200, 401]);
    expect((await login(ada.email, NEW_PASSWORD)).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  it('does the same work for every address: one job, which finds the account', async () => {
    const ada = await signUp(server);
    // any lookup would wait for these locked tables
    const lock = await lockWith(
      server.db,
      'lock table users, password_resets, email_verifications in access exclusive mode',
    );
    const forgot = async (email: string) => {
      const { status, body } = await post('/api/auth/forgot-password', { email });
      const jobs = await server.db.query(
        `select name, data->>'kind' as kind from pgboss.job where data->>'email' = $1 and data->>'kind' = 'reset'`,
        [email],
      );
      return { status, body, jobs };
    };
    const [known, unknown] = [await forgot(ada.email), await forgot('nobody@example.com')];
    await lock.release();
    expect(known).toEqual(unknown);
    expect(known).toMatchObject({ status: 202, jobs: [{ name: 'account-email', kind: 'reset' }] });
  });
});
