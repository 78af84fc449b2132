import { type Answer, call, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND, TestClock } from '#platform/clock.ts';

let server: TestServer;
let limited: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  const env = { TONEROW_TRUST_PROXY: '127.0.0.1', TONEROW_SECRET: TEST_SECRET };
  server = await startServer({ env, overrides: { clock } });
  limited = await startServer({ db: server.db, env: { ...env, TONEROW_RATE_LIMITS: 'on' }, overrides: { clock } });
});
afterAll(async () => {
  await limited.stop();
  await server.stop();
});

let networks = 0;
/** An address that nobody has used yet. */
const fresh = () => {
  networks += 1;
  return `198.18.${Math.floor(networks / 250)}.${(networks % 250) + 1}`;
};
const login = (email: string, password: string, from: string, more: object = {}, on = limited): Promise<Answer> =>
  call(on, 'POST', '/api/auth/login', { body: { email, password, ...more }, headers: { 'x-forwarded-for': from } });
/** Wrong passwords, each from an address of its own. */
async function guess(email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let tries = 0; tries < times; tries += 1)
    statuses.push((await login(email, 'a wrong password', fresh())).status);
  return statuses;
}
/** An account that has signed in from this address, and the response to that. */
async function signedIn(from = fresh()): Promise<Person & { home: string; device: string }> {
  const person = await signUp(server);
  const { body } = await login(person.email, PASSWORD, from, {}, server);
  return { ...person, home: from, device: body.device_token };
}

describe('strangers who guess', () => {
  it('get ten tries at an account together, however many addresses they have', async () => {
    const ada = await signedIn();
    const statuses = await guess(ada.email, 14);
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    // the right password is no use to them either
    const right = await login(ada.email, PASSWORD, fresh());
    expect([right.status, right.body.code]).toEqual([429, 'rate_limited']);
    expect(right.body.message).toContain('choose a new password by email');
    expect(right.headers.get('ratelimit')).toMatch(/^"login_account";r=0;t=\d+$/);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('get ten attempts even when they all arrive at once', async () => {
    const ada = await signedIn();
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(ada.email, 'a wrong password', fresh())));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
  });

  it('reveal nothing about who has an account', async () => {
    const ada = await signedIn();
    const verdicts = async (email: string) => {
      const all: unknown[] = [];
      for (let tries = 0; tries < 12; tries += 1) {
        const { status, body } = await login(email, 'a wrong password', fresh());
        all.push([status, body.code, body.message?.replace(/\d+ (seconds|minutes)/, '')]);
      }
      return all;
    };
    expect(await verdicts('nobody-at-all@example.com')).toEqual(await verdicts(ada.email));
  });

  it('get thirty tries from one address, at all accounts together', async () => {
    const from = fresh();
    const statuses: number[] = [];
    for (let tries = 0; tries < 32; tries += 1) {
      statuses.push((await login(`victim-${tries}@example.com`, 'a wrong password', from)).status);
    }
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
  });

  it('share the limit of their IPv6 network', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 32; tries += 1) {
      const from = `2001:db8:5:5:${tries.toString(16)}::1`;
      statuses.push((await login(`victim-six-${tries}@example.com`, 'a wrong password', from)).status);
    }
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  it('get a hundred tries at an account in a day', async () => {
    const ada = await signedIn();
    let let_through = 0;
    // as if a quarter of an hour went by between the rounds: only the daily count is left
    for (let round = 0; round < 11; round += 1) {
      await server.db.query("delete from rate_limits where key like 'login_account:%' or key like 'login:%'");
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => login(ada.email, 'a wrong password', fresh())),
      );
      let_through += answers.filter((answer) => answer.status === 401).length;
    }
    expect(let_through).toBe(100);
  });
});

describe('the owner, while strangers guess', () => {
  it('signs in from an address that signed in before', async () => {
    const ada = await signedIn();
    await guess(ada.email, 12);
    expect((await login(ada.email, PASSWORD, ada.home)).status).toBe(200);
    expect((await login(ada.email, PASSWORD, fresh())).status).toBe(429);
  });

  it('signs in with a device that signed in before, from anywhere', async () => {
    const ada = await signedIn();
    await guess(ada.email, 12);
    const answer = await login(ada.email, PASSWORD, fresh(), { device_token: ada.device });
    expect(answer.status).toBe(200);
    expect(answer.body.device_token).toBe(ada.device);
  });

  it('signs in with a known device even behind the address of a guesser', async () => {
    const ada = await signedIn();
    for (let tries = 0; tries < 32; tries += 1) await login(ada.email, 'a wrong password', ada.home);
    expect((await login(ada.email, PASSWORD, ada.home)).status).toBe(429);
    expect((await login(ada.email, PASSWORD, ada.home, { device_token: ada.device })).status).toBe(200);
  });

  it('signs in immediately on a new device after choosing a new password by email', async () => {
    const ada = await signedIn();
    await guess(ada.email, 12);
    const from = fresh();
    const send = (path: string, body: object) =>
      call(limited, 'POST', path, { body, headers: { 'x-forwarded-for': from } });
    await send('/api/auth/forgot-password', { email: ada.email });
    const { text } = await findEmail(ada.email);
    const token = /token=([0-9A-Za-z]+)/.exec(text ?? '')?.[1];
    const reset = await send('/api/auth/reset-password', { token, password: 'found it again' });
    expect(reset.status).toBe(200);
    expect((await login(ada.email, 'found it again', from)).status).toBe(200);
    const device_token = reset.body.device_token;
    expect((await login(ada.email, 'found it again', fresh(), { device_token })).status).toBe(200);
    expect((await login(ada.email, 'found it again', fresh())).status).toBe(429);
  });
});

/** Whichever of the two servers sent it. */
const findEmail = (email: string) => {
  const fits = (message: { to?: { address?: string }[]; subject?: string }) =>
    message.to?.[0]?.address === email && message.subject === 'Choose a new password';
  return Promise.any([server.email(fits as never), limited.email(fits as never)]);
};

describe('a known device', () => {
  it('is a guesser too after ten wrong passwords', async () => {
    const ada = await signedIn();
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      statuses.push((await login(ada.email, 'a wrong password', fresh(), { device_token: ada.device })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    // and takes nothing from the others
    expect((await login(ada.email, PASSWORD, ada.home)).status).toBe(200);
    expect((await login(ada.email, PASSWORD, fresh())).status).toBe(200);
  });

  it('is known to accounts that it signed in to, and to no other', async () => {
    const [ada, ben] = [await signedIn(), await signedIn()];
    await guess(ben.email, 12);
    expect((await login(ben.email, PASSWORD, fresh(), { device_token: ada.device })).status).toBe(429);
    // two people at one computer
    const shared = await login(ben.email, PASSWORD, ben.home, { device_token: ada.device });
    expect(shared.body.device_token).toBe(ada.device);
    expect((await login(ben.email, PASSWORD, fresh(), { device_token: ada.device })).status).toBe(200);
  });

  it('can’t be made up', async () => {
    const ada = await signUp(server);
    const made_up = 'tnr_dev_000000000000000000000000000000000000';
    const answer = await login(ada.email, PASSWORD, fresh(), { device_token: made_up });
    expect(answer.body.device_token).not.toBe(made_up);
    expect(answer.body.device_token).toMatch(/^tnr_dev_[0-9A-Za-z]{36}$/);
    await guess(ada.email, 12);
    expect((await login(ada.email, PASSWORD, fresh(), { device_token: made_up })).status).toBe(429);
  });

  it('opens nothing by its token, of which only a hash is stored', async () => {
    const ada = await signedIn();
    expect((await call(server, 'GET', '/api/auth/me', { token: ada.device })).status).toBe(401);
    const rows = await server.db.query("select encode(hash, 'escape') as hash from known_places");
    expect(JSON.stringify(rows)).not.toContain(ada.device);
    expect(server.logged() + limited.logged()).not.toContain(ada.device);
  });

  it('is one of the twenty most recent that an account remembers', async () => {
    const ada = await signedIn();
    for (let signs = 0; signs < 21; signs += 1) {
      clock.advance(SECOND);
      await login(ada.email, PASSWORD, fresh(), {}, server);
    }
    const kinds = await server.db.query(
      'select kind, count(*)::int as count from known_places where user_id = $1 group by kind order by kind',
      [ada.id],
    );
    expect(kinds).toEqual([
      { kind: 'address', count: 20 },
      { kind: 'device', count: 20 },
    ]);
    await guess(ada.email, 12);
    expect((await login(ada.email, PASSWORD, fresh(), { device_token: ada.device })).status).toBe(429);
  });

  it('is forgotten when the owner of an unverified address takes over the account', async () => {
    const intruder = await signedIn();
    await call(server, 'POST', '/api/auth/forgot-password', { body: { email: intruder.email } });
    const token = /token=([0-9A-Za-z]+)/.exec((await findEmail(intruder.email)).text ?? '')?.[1];
    const body = { token, password: 'the owner’s password' };
    await call(server, 'POST', '/api/auth/reset-password', { body, headers: { 'x-forwarded-for': fresh() } });
    await guess(intruder.email, 12);
    expect((await login(intruder.email, 'a guess', fresh(), { device_token: intruder.device })).status).toBe(429);
    expect((await login(intruder.email, 'a guess', intruder.home)).status).toBe(429);
  });
});

describe('sign-ins that succeed', () => {
  it('do not count as guesses, nor forgive those of strangers', async () => {
    const ada = await signedIn();
    for (let signs = 0; signs < 12; signs += 1) {
      expect((await login(ada.email, PASSWORD, fresh())).status).toBe(200);
    }
    await guess(ada.email, 6);
    expect((await login(ada.email, PASSWORD, fresh())).status).toBe(200);
    expect(await guess(ada.email, 6)).toEqual([401, 401, 401, 401, 429, 429]);
  });

  it('are limited too, because each makes a session', async () => {
    const ada = await signedIn();
    const sign = () => login(ada.email, PASSWORD, fresh(), { device_token: ada.device });
    for (let signs = 0; signs < 60; signs += 1) expect((await sign()).status).toBe(200);
    expect((await sign()).status).toBe(429);
    expect((await login(ada.email, PASSWORD, ada.home)).status).toBe(200);
  });
});

describe('guesses at the second factor', () => {
  it('are limited to ten for all strangers who have the password, and do not affect the owner’s device', async () => {
    const ada = await signedIn();
    const post = (path: string, body: object) =>
      call(server, 'POST', `/api/account/two-factor${path}`, { token: ada.token, body });
    const { secret } = (await post('/setup', { password: PASSWORD })).body;
    const code = () => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    await post('/enable', { code: code() });
    clock.advance(30 * SECOND);
    const verdicts: unknown[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      verdicts.push((await login(ada.email, PASSWORD, fresh(), { code: '000000' })).body.code);
    }
    expect(verdicts).toEqual([...Array(10).fill('two_factor_invalid'), 'rate_limited', 'rate_limited']);
    // asking without a code is no guess
    expect((await login(ada.email, PASSWORD, fresh())).body.code).toBe('two_factor_required');
    expect((await login(ada.email, PASSWORD, fresh(), { code: code() })).status).toBe(429);
    expect((await login(ada.email, PASSWORD, fresh(), { code: code(), device_token: ada.device })).status).toBe(200);
  });
});
