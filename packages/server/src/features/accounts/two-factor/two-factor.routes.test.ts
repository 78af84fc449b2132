import { call, PASSWORD, type Person, signUp, verifyEmail } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND, TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const STEP = 30 * SECOND;
const codeOf = (secret: string, offset = 0) =>
  new TOTP({ secret }).generate({ timestamp: clock.now().getTime() + offset });
const post = (person: { token: string }, path: string, body: object, on = server) =>
  call(on, 'POST', `/api/account/two-factor${path}`, { token: person.token, body });
const status = async (person: Person) =>
  (await call(server, 'GET', '/api/account/two-factor', { token: person.token })).body;
const login = (email: string, code?: string, password = PASSWORD, on = server) =>
  call(on, 'POST', '/api/auth/login', { body: { email, password, ...(code === undefined ? {} : { code }) } });
const verdict = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const OPEN = [200, undefined];
const INVALID = [401, 'two_factor_invalid'];

/** An account with two-factor sign-in on; the clock has advanced so that the next code is a fresh one. */
async function secured(): Promise<Person & { secret: string; recovery: string[] }> {
  const person = await signUp(server);
  const { secret } = (await post(person, '/setup', { password: PASSWORD })).body;
  const enabled = await post(person, '/enable', { code: codeOf(secret) });
  expect(enabled.status).toBe(200);
  clock.advance(STEP);
  return { ...person, secret, recovery: enabled.body.recovery_codes };
}

describe('switching it on', () => {
  it('gives a secret, waits for its first code, and shows ten recovery codes once', async () => {
    const ada = await signUp(server);
    expect(await status(ada)).toEqual({ enabled: false, since: null, recovery_codes_left: 0 });
    expect((await post(ada, '/setup', { password: 'wrong password' })).body).toMatchObject({
      code: 'wrong_password',
      errors: [{ path: 'password' }],
    });
    const first = (await post(ada, '/setup', { password: PASSWORD })).body;
    const { secret, otpauth_url, qr_svg } = (await post(ada, '/setup', { password: PASSWORD })).body;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauth_url).toContain(`otpauth://totp/Tonerow:${encodeURIComponent(ada.email)}?`);
    expect(otpauth_url).toContain(secret);
    expect(qr_svg).toMatch(/^<svg .*#ffffff.*#000000.*<\/svg>\s*$/s);

    // a secret that waits changes nothing
    expect(verdict(await login(ada.email))).toEqual(OPEN);
    expect((await status(ada)).enabled).toBe(false);

    const wrong = await post(ada, '/enable', { code: codeOf(first.secret) });
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'code']);
    const { body } = await post(ada, '/enable', { code: codeOf(secret) });
    expect(new Set(body.recovery_codes).size).toBe(10);
    for (const code of body.recovery_codes) expect(code).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/);
    expect(await status(ada)).toEqual({ enabled: true, since: clock.now().toISOString(), recovery_codes_left: 10 });
  });

  it('keeps neither the secret nor a recovery code in the open, nor logs one', async () => {
    const ada = await secured();
    const rows = await server.db.query(
      `select encode(two_factor_secret, 'escape') as secret, (select string_agg(encode(code_hash, 'escape'), ' ')
       from recovery_codes where user_id = u.id) as codes from users u where id = $1`,
      [ada.id],
    );
    const kept = JSON.stringify(rows) + server.logged();
    for (const secret of [ada.secret, ...ada.recovery, ...ada.recovery.map((code) => code.replaceAll('-', ''))]) {
      expect(kept).not.toContain(secret);
    }
  });

  it('is refused twice, and without a secret', async () => {
    const ada = await secured();
    expect(verdict(await post(ada, '/setup', { password: PASSWORD }))).toEqual([409, 'conflict']);
    expect(verdict(await post(ada, '/enable', { code: codeOf(ada.secret) }))).toEqual([409, 'conflict']);
    expect(verdict(await post(await signUp(server), '/enable', { code: '123456' }))).toEqual([409, 'conflict']);
  });

  it('happens once of many simultaneous tries', async () => {
    const ada = await signUp(server);
    const { secret } = (await post(ada, '/setup', { password: PASSWORD })).body;
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(ada, '/enable', { code: codeOf(secret) })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await status(ada)).recovery_codes_left).toBe(10);
  });

  it('keeps the sessions that are open', async () => {
    const ada = await signUp(server);
    const other = (await login(ada.email)).body.token as string;
    const { secret } = (await post(ada, '/setup', { password: PASSWORD })).body;
    await post(ada, '/enable', { code: codeOf(secret) });
    expect((await call(server, 'GET', '/api/auth/me', { token: other })).status).toBe(200);
  });

  it('is for sessions only', async () => {
    const ada = await signUp(server);
    const made = await call(server, 'POST', '/api/account/tokens', {
      token: ada.token,
      body: { name: 'CI', scopes: ['account:read'] },
    });
    const asked = await call(server, 'GET', '/api/account/two-factor', { token: made.body.token });
    expect(asked.status).toBe(403);
  });
});

describe('signing in', () => {
  it('asks for the code only after the password', async () => {
    const ada = await secured();
    expect(verdict(await login(ada.email, undefined, 'not the password'))).toEqual([401, 'invalid_credentials']);
    expect(verdict(await login(ada.email, codeOf(ada.secret), 'not the password'))).toEqual([
      401,
      'invalid_credentials',
    ]);
    const asked = await login(ada.email);
    expect([...verdict(asked), asked.body.message]).toEqual([
      401,
      'two_factor_required',
      'Enter the code from your authenticator app.',
    ]);
    expect(verdict(await login(ada.email, ''))).toEqual([401, 'two_factor_required']);
    const { body } = await login(ada.email, ` ${codeOf(ada.secret).replace(/^.../, '$& ')} `);
    expect((await call(server, 'GET', '/api/auth/me', { token: body.token })).status).toBe(200);
  });

  it('takes a code once, and no code before it after that', async () => {
    const ada = await secured();
    clock.advance(2 * STEP);
    const [earlier, code] = [codeOf(ada.secret, -STEP), codeOf(ada.secret)];
    expect(verdict(await login(ada.email, code))).toEqual(OPEN);
    const again = await login(ada.email, code);
    expect([...verdict(again), again.body.message]).toEqual([
      ...INVALID,
      'This code is wrong or has already been used.',
    ]);
    expect(verdict(await login(ada.email, earlier))).toEqual(INVALID);
    clock.advance(STEP);
    expect(verdict(await login(ada.email, codeOf(ada.secret)))).toEqual(OPEN);
  });

  it('takes the codes one step around now', async () => {
    const ada = await secured();
    clock.advance(10 * STEP);
    expect(verdict(await login(ada.email, codeOf(ada.secret, -2 * STEP)))).toEqual(INVALID);
    expect(verdict(await login(ada.email, codeOf(ada.secret, 2 * STEP)))).toEqual(INVALID);
    expect(verdict(await login(ada.email, codeOf(ada.secret, -STEP)))).toEqual(OPEN);
    expect(verdict(await login(ada.email, codeOf(ada.secret, STEP)))).toEqual(OPEN);
  });

  it('does not take the code that switched it on', async () => {
    const ada = await signUp(server);
    const { secret } = (await post(ada, '/setup', { password: PASSWORD })).body;
    const code = codeOf(secret);
    await post(ada, '/enable', { code });
    expect(verdict(await login(ada.email, code))).toEqual(INVALID);
  });

  it.each(['a code', 'a recovery code'])('lets exactly one in of many with %s', async (kind) => {
    const ada = await secured();
    const code = kind === 'a code' ? codeOf(ada.secret) : ada.recovery[0];
    const answers = await Promise.all(Array.from({ length: 8 }, () => login(ada.email, code)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const answer of answers.filter((each) => each.status !== 200)) expect(verdict(answer)).toEqual(INVALID);
    const sessions = await server.db.query('select 1 from sessions where user_id = $1', [ada.id]);
    expect(sessions).toHaveLength(2);
  });

  it('accepts each recovery code once, however it is typed, and nobody else’s', async () => {
    const [ada, stranger] = [await secured(), await secured()];
    const [first = '', second = ''] = ada.recovery;
    expect(verdict(await login(stranger.email, first))).toEqual(INVALID);
    expect(verdict(await login(ada.email, first))).toEqual(OPEN);
    expect(verdict(await login(ada.email, first))).toEqual(INVALID);
    expect(verdict(await login(ada.email, second.toUpperCase().replaceAll('-', ' ')))).toEqual(OPEN);
    expect((await status(ada)).recovery_codes_left).toBe(8);
    const email = await server.email(
      (each) => each.to?.[0]?.address === ada.email && /Codes left: 9/.test(each.text ?? ''),
    );
    expect(email.subject).toBe('A recovery code was used to sign in');
  });

  it('still asks for the code after the password of a verified account was reset', async () => {
    const ada = await secured();
    await verifyEmail(server, ada);
    await call(server, 'POST', '/api/auth/forgot-password', { body: { email: ada.email } });
    const email = await server.email(
      (each) => each.to?.[0]?.address === ada.email && each.subject === 'Choose a new password',
    );
    const token = /token=([0-9A-Za-z]+)/.exec(email.text ?? '')?.[1];
    const password = 'found it again';
    const reset = await call(server, 'POST', '/api/auth/reset-password', { body: { token, password } });
    expect(reset.status).toBe(200);
    expect(verdict(await login(ada.email, undefined, password))).toEqual([401, 'two_factor_required']);
    expect(verdict(await login(ada.email, codeOf(ada.secret), password))).toEqual(OPEN);
  });

  it('counts wrong codes, and the right password does not forgive them', async () => {
    const ada = await secured();
    const limited = await startServer({
      db: server.db,
      overrides: { clock },
      env: { TONEROW_RATE_LIMITS: 'on' },
    });
    try {
      for (let tries = 0; tries < 10; tries += 1) {
        expect(verdict(await login(ada.email, undefined, PASSWORD, limited))).toEqual([401, 'two_factor_required']);
        expect(verdict(await login(ada.email, '000000', PASSWORD, limited))).toEqual(INVALID);
      }
      expect((await login(ada.email, codeOf(ada.secret), PASSWORD, limited)).status).toBe(429);
      // the guesses at switching it off have a count of their own, with the right password each time
      const off = () => post(ada, '/disable', { password: PASSWORD, code: '000000' }, limited);
      for (let tries = 0; tries < 10; tries += 1) expect((await off()).status).toBe(400);
      expect((await off()).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe('switching it off', () => {
  const off = (person: Person, code: string, password = PASSWORD) => post(person, '/disable', { password, code });

  it('requires the password and a code, and deletes the secret and the recovery codes', async () => {
    const ada = await secured();
    expect(verdict(await off(ada, codeOf(ada.secret), 'wrong password'))).toEqual([403, 'wrong_password']);
    const wrong = await off(ada, '000000');
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'code']);
    expect((await off(ada, codeOf(ada.secret))).body).toEqual({ ok: true });
    expect(await status(ada)).toEqual({ enabled: false, since: null, recovery_codes_left: 0 });
    expect(await kept(ada.id)).toEqual({ secret: null, step: null, codes: 0 });
    expect(verdict(await login(ada.email))).toEqual(OPEN);
    expect(verdict(await off(ada, codeOf(ada.secret)))).toEqual([409, 'conflict']);
  });

  it('works with a recovery code, and then on again with a new secret', async () => {
    const ada = await secured();
    expect((await off(ada, ada.recovery[3] as string)).status).toBe(200);
    const { secret } = (await post(ada, '/setup', { password: PASSWORD })).body;
    expect(secret).not.toBe(ada.secret);
    expect((await post(ada, '/enable', { code: codeOf(secret) })).status).toBe(200);
    expect(verdict(await login(ada.email, ada.recovery[4]))).toEqual(INVALID);
  });

  it('comes with the end of the account', async () => {
    const ada = await secured();
    const removed = await call(server, 'DELETE', '/api/account/delete', {
      token: ada.token,
      body: { password: PASSWORD },
    });
    expect(removed.status).toBe(200);
    expect(await kept(ada.id)).toEqual({ secret: null, step: null, codes: 0 });
  });

  const kept = async (id: string) =>
    (
      await server.db.query(
        `select two_factor_secret as secret, two_factor_step as step,
           (select count(*)::int from recovery_codes where user_id = $1) as codes from users where id = $1`,
        [id],
      )
    )[0];
});

describe('renewing the recovery codes', () => {
  it('requires the password, and invalidates the old ones', async () => {
    const ada = await secured();
    await login(ada.email, ada.recovery[0]);
    expect(verdict(await post(ada, '/recovery-codes', { password: 'wrong password' }))).toEqual([
      403,
      'wrong_password',
    ]);
    const { body } = await post(ada, '/recovery-codes', { password: PASSWORD });
    expect(body.recovery_codes).toHaveLength(10);
    expect((await status(ada)).recovery_codes_left).toBe(10);
    expect(verdict(await login(ada.email, ada.recovery[1]))).toEqual(INVALID);
    expect(verdict(await login(ada.email, body.recovery_codes[1]))).toEqual(OPEN);
  });

  it('needs two-factor sign-in to be on', async () => {
    const ada = await signUp(server);
    expect(verdict(await post(ada, '/recovery-codes', { password: PASSWORD }))).toEqual([409, 'conflict']);
  });
});
