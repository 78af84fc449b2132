import { call, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND, TestClock } from '#platform/clock.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const PROBLEM = {
  type: expect.stringContaining('/problems/'),
  title: expect.any(String),
  detail: expect.any(String),
  request_id: expect.any(String),
};

let server: TestServer;
let limited: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  const env = { TONEROW_TRUST_PROXY: '127.0.0.1', TONEROW_SECRET: TEST_SECRET };
  server = await startServer({ env, overrides: { clock } });
  // the emails of both are sent by the first
  const limits = { ...env, TONEROW_RATE_LIMITS: 'on', TONEROW_ROLE: 'api' };
  limited = await startServer({ db: server.db, env: limits, overrides: { clock } });
});
afterAll(async () => {
  await limited.stop();
  await server.stop();
});

const TERMINAL = { 'user-agent': 'tonerow-cli/1.0.0 node/24.0.0', 'x-forwarded-for': '8.8.8.8' };
const start = async (machine: string | undefined = 'build-07', headers = TERMINAL) =>
  (await call(server, 'POST', '/api/auth/device', { body: { ...(machine ? { machine } : {}) }, headers })).body;
const poll = (device_code: string) =>
  call(server, 'POST', '/api/auth/device/token', { body: { grant_type: GRANT, device_code }, headers: TERMINAL });
/** Asks as soon as the terminal may. */
const pollInTime = (device_code: string, seconds = 5) => {
  clock.advance(seconds * SECOND);
  return poll(device_code);
};
const act = (person: { token: string }, verb: 'find' | 'approve' | 'deny', user_code: string, on = server) =>
  call(on, 'POST', `/api/auth/device/${verb}`, { token: person.token, body: { user_code } });
const sessionsOf = async (person: Person) =>
  (await call(server, 'GET', '/api/account/sessions', { token: person.token })).body as { [field: string]: unknown }[];

describe('a terminal that signs in with a code', () => {
  it('waits until the code is confirmed, and gets a session that is named after its machine', async () => {
    const ada = await signUp(server);
    const begun = await start();
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^tnr_dvc_[0-9A-Za-z]{36}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: expect.stringMatching(/\/device$/),
      verification_uri_complete: `${begun.verification_uri}?code=${begun.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const waiting = await pollInTime(begun.device_code);
    expect([waiting.status, waiting.headers.get('content-type'), waiting.body]).toEqual([
      400,
      expect.stringContaining('application/problem+json'),
      {
        ...PROBLEM,
        status: 400,
        code: 'authorization_pending',
        error: 'authorization_pending',
        message: 'The code has not been confirmed in the browser yet.',
      },
    ]);

    const typed = begun.user_code.toLowerCase().replace('-', ' ');
    expect((await act(ada, 'find', typed)).body).toEqual({
      user_code: begun.user_code,
      machine: 'build-07',
      device: 'Tonerow CLI',
      ip: '8.8.8.8',
      country: 'US',
      same_network: false,
      state: 'pending',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      expires_in: 595,
    });
    expect((await act(ada, 'approve', typed)).body).toEqual({ ok: true });
    expect((await act(ada, 'find', typed)).body.state).toBe('approved');

    const done = await pollInTime(begun.device_code);
    expect([done.status, done.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(done.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 30 * 24 * 60 * 60,
      user: { email: ada.email },
    });
    const me = await call(server, 'GET', '/api/auth/me', { token: done.body.access_token });
    expect(me.body).toMatchObject({ id: ada.id, credential: { type: 'session' } });
    expect(await sessionsOf(ada)).toContainEqual(
      expect.objectContaining({ machine: 'build-07', device: 'Tonerow CLI', ip: '8.8.8.8', isCurrent: false }),
    );
    const { text } = await server.email(
      (each) => each.to?.[0]?.address === ada.email && /terminal/.test(`${each.subject}`),
    );
    expect(text).toContain('the machine "build-07"');
    const log = (await call(server, 'GET', '/api/audit-log', { token: ada.token })).body;
    expect(JSON.stringify(log)).toContain('terminal_signed_in');
  });

  it('gets its session once, however often it asks', async () => {
    const ada = await signUp(server);
    const { device_code, user_code } = await start();
    await act(ada, 'approve', user_code);
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(device_code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error))).toEqual(
      new Set(['invalid_grant']),
    );
    expect(await sessionsOf(ada)).toHaveLength(2);
    expect((await poll(device_code)).body).toMatchObject({ code: 'invalid_grant', error: 'invalid_grant' });
  });

  it('gets the same session again when the response was lost', async () => {
    const ada = await signUp(server);
    const { device_code, user_code } = await start();
    const ask = (key: string) =>
      call(server, 'POST', '/api/auth/device/token', {
        body: { grant_type: GRANT, device_code },
        headers: { ...TERMINAL, 'idempotency-key': key },
      });
    expect((await ask('first')).body.error).toBe('authorization_pending');
    await act(ada, 'approve', user_code);
    // a refusal is not kept under its key
    const answered = await ask('first');
    expect([answered.status, (await ask('first')).body]).toEqual([200, answered.body]);
    expect((await ask('second')).body.error).toBe('invalid_grant');
    expect(await sessionsOf(ada)).toHaveLength(2);
  });

  it('is slowed down by five seconds each time that it asks too soon', async () => {
    const { device_code } = await start();
    const errors = [];
    // after less than 5 seconds, then less than 10, then 15
    for (const seconds of [0, 4, 9, 15, 15]) errors.push((await pollInTime(device_code, seconds)).body.error);
    expect(errors).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
      'authorization_pending',
    ]);
    expect((await pollInTime(device_code, 1)).body).toMatchObject({
      code: 'slow_down',
      message: 'Wait 20 seconds between two calls.',
    });
  });

  it('is refused when its owner denies it, or nobody answers for ten minutes', async () => {
    const ada = await signUp(server);
    const denied = await start();
    expect((await act(ada, 'deny', denied.user_code)).status).toBe(200);
    expect((await pollInTime(denied.device_code)).body).toMatchObject({ status: 400, error: 'access_denied' });
    expect((await act(ada, 'approve', denied.user_code)).status).toBe(404);

    const late = await start();
    clock.advance(10 * MINUTE);
    expect((await poll(late.device_code)).body).toMatchObject({ status: 400, error: 'expired_token' });
    for (const verb of ['find', 'approve', 'deny'] as const)
      expect((await act(ada, verb, late.user_code)).body.code, verb).toBe('not_found');

    // approved at the last moment: the next question, a minute later at the latest, is answered
    const close = [await start(), await start()] as const;
    clock.advance(10 * MINUTE - SECOND);
    for (const { user_code } of close) expect((await act(ada, 'approve', user_code)).status).toBe(200);
    expect((await pollInTime(close[0].device_code, 60)).status).toBe(200);
    expect((await pollInTime(close[1].device_code, 1)).body.error).toBe('expired_token');
  });

  it('speaks to clients of OAuth: forms in, errors in their words', async () => {
    const form = (path: string, fields: Record<string, string>) =>
      call(server, 'POST', path, {
        body: new URLSearchParams(fields).toString(),
        headers: { ...TERMINAL, 'content-type': 'application/x-www-form-urlencoded' },
      });
    // an empty parameter counts as not sent, and an unknown one is ignored
    const begun = await form('/api/auth/device', { client_id: '', scope: 'openid', machine: '' });
    expect(begun.status).toBe(200);
    const ask = (grant_type: string, device_code = begun.body.device_code) =>
      form('/api/auth/device/token', { client_id: 'any', grant_type, device_code });
    const waiting = await ask(GRANT);
    expect([waiting.body.error, waiting.headers.get('content-type')]).toEqual([
      'authorization_pending',
      expect.stringMatching(/^application\/json\b/),
    ]);
    expect((await ask('password')).body).toMatchObject({ status: 400, error: 'unsupported_grant_type' });
    expect((await ask(GRANT, 'tnr_dvc_made_up')).body).toMatchObject({ status: 400, error: 'invalid_grant' });
    const empty = await form('/api/auth/device/token', {});
    expect(empty.body).toMatchObject({ status: 400, code: 'invalid_request', error: 'invalid_request' });
    const doubled = await call(server, 'POST', '/api/auth/device', {
      body: 'client_id=a&client_id=b',
      headers: { ...TERMINAL, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(doubled.body).toMatchObject({ status: 400, error: 'invalid_request' });
    // elsewhere there is no such member
    expect((await call(server, 'GET', '/api/auth/me')).body).not.toHaveProperty('error');
  });

  it('is no page on the web, which would ask from the network of whoever looks at it', async () => {
    const onPage = { ...TERMINAL, origin: 'https://evil.example' };
    const begun = await call(server, 'POST', '/api/auth/device', { body: {}, headers: onPage });
    const asked = await call(server, 'POST', '/api/auth/device/token', {
      body: { grant_type: GRANT, device_code: begun.body.device_code },
      headers: onPage,
    });
    expect([begun.status, asked.body.error]).toEqual([200, 'authorization_pending']);
    for (const { headers } of [begun, asked]) expect(headers.get('access-control-allow-origin')).toBeNull();
    const me = await call(server, 'GET', '/api/auth/me', { headers: onPage });
    expect(me.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('shows of its machine’s name nothing that could be an address or a command', async () => {
    const ada = await signUp(server);
    const { user_code } = await start('Call https://evil.example/ <b>now</b>');
    expect((await act(ada, 'find', user_code)).body.machine).toBe('Call https evil.example b');
    expect((await act(ada, 'find', (await start('')).user_code)).body.machine).toBeNull();
  });
});

describe('whoever else has a code', () => {
  it('neither sees nor changes what somebody has answered', async () => {
    const [ada, bea] = [await signUp(server), await signUp(server)];
    const { device_code, user_code } = await start();
    await act(ada, 'approve', user_code);
    for (const verb of ['find', 'approve', 'deny'] as const) {
      const { status, body } = await act(bea, verb, user_code);
      const unknown = await act(bea, verb, 'BBBB-BBBB');
      expect([status, { ...body, request_id: '' }], verb).toEqual([404, { ...unknown.body, request_id: '' }]);
    }
    expect((await poll(device_code)).body.user.email).toBe(ada.email);
  });

  it('is one of two who approve it at once', async () => {
    const people = [await signUp(server), await signUp(server)];
    const { device_code, user_code } = await start();
    const statuses = await Promise.all(people.map(async (person) => (await act(person, 'approve', user_code)).status));
    expect(statuses.toSorted()).toEqual([200, 404]);
    expect((await poll(device_code)).body.user.email).toBe(people[statuses.indexOf(200)]?.email);
  });

  it('gets ten wrong guesses, also all at once, and right ones count as none', async () => {
    const ada = await signUp(server);
    for (let times = 0; times < 12; times += 1) {
      const { user_code } = await start();
      expect((await act(ada, 'find', user_code, limited)).status).toBe(200);
    }
    const guesses = await Promise.all(Array.from({ length: 15 }, () => act(ada, 'find', 'BBBB-BBBB', limited)));
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(404), ...Array(5).fill(429)]);
    const { user_code } = await start();
    for (const verb of ['find', 'approve', 'deny'] as const)
      expect((await act(ada, verb, user_code, limited)).status, verb).toBe(429);
  });

  it('finds nothing without the eight characters', async () => {
    const ada = await signUp(server);
    const { body } = await act(ada, 'find', 'BCDF-GHJ');
    expect([body.code, body.errors]).toEqual([
      'invalid_request',
      [{ path: 'user_code', message: 'Enter the eight characters that the terminal shows, such as BCDF-GHJK.' }],
    ]);
  });
});

describe('what was approved, before the terminal has taken it up', () => {
  it.each([
    ['is signed out', (token: string) => call(server, 'POST', '/api/auth/logout', { token })],
    [
      'has another password',
      (token: string) =>
        call(server, 'POST', '/api/account/update-password', {
          token,
          body: { oldPassword: PASSWORD, newPassword: 'quite a new password' },
        }),
    ],
    [
      'deletes the account',
      (token: string) => call(server, 'DELETE', '/api/account/delete', { token, body: { password: PASSWORD } }),
    ],
    [
      'revokes that session',
      async (token: string) => {
        const { id } = (await call(server, 'GET', '/api/account/sessions', { token })).body[0];
        return call(server, 'POST', '/api/account/revoke-session', { token, body: { id } });
      },
    ],
  ])('ends when its owner %s', async (_, end) => {
    const ada = await signUp(server);
    const { device_code, user_code } = await start();
    await act(ada, 'approve', user_code);
    expect((await end(ada.token)).status).toBe(200);
    expect((await poll(device_code)).body).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('leaves no session behind when the account is deleted in the same moment', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const ada = await signUp(server);
      const { device_code, user_code } = await start();
      await act(ada, 'approve', user_code);
      const [asked, deleted] = await Promise.all([
        poll(device_code),
        call(server, 'DELETE', '/api/account/delete', { token: ada.token, body: { password: PASSWORD } }),
      ]);
      expect(deleted.status).toBe(200);
      expect(asked.status === 200 || asked.body.error === 'invalid_grant', asked.text).toBe(true);
      expect(await server.db.query('select id from sessions where user_id = $1', [ada.id])).toEqual([]);
    }
  });
});

describe('strangers', () => {
  it('start twenty in ten minutes from one address', async () => {
    const begin = () =>
      call(limited, 'POST', '/api/auth/device', { body: {}, headers: { 'x-forwarded-for': '203.0.113.9' } });
    const statuses = (await Promise.all(Array.from({ length: 22 }, begin))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(20).fill(200), 429, 429]);
    expect((await begin()).body).toMatchObject({ code: 'rate_limited', error: 'slow_down' });
  });

  it('fill no more rows than twenty thousand, which go when they have expired', async () => {
    await server.db.query(
      `insert into device_sign_ins (id, device_code_hash, user_code_hash, ip, interval_seconds, created_at, expires_at)
       select gen_random_uuid(), decode(md5('d' || n), 'hex'), decode(md5('u' || n), 'hex'), '203.0.113.1', 5, $1, $2
       from generate_series(1, 20000) n`,
      [clock.now(), new Date(clock.now().getTime() + 10 * MINUTE)],
    );
    const full = await call(server, 'POST', '/api/auth/device', { body: {} });
    expect([full.status, full.body.code, full.body.error]).toEqual([429, 'busy', 'temporarily_unavailable']);
    clock.advance(10 * MINUTE);
    expect((await call(server, 'POST', '/api/auth/device', { body: {} })).status).toBe(200);
    // ten minutes later, so that terminals hear of it
    clock.advance(10 * MINUTE);
    await queueJob(server.db, 'expire-records');
    const rows = () => server.db.query('select 1 from device_sign_ins');
    await expect.poll(async () => (await rows()).length, { timeout: 15_000 }).toBe(1);
  });

  it('read no code in the database or the log', async () => {
    const { device_code, user_code } = await start();
    await poll(device_code);
    const rows = JSON.stringify(
      await server.db.query(
        "select row_to_json(d)::text || encode(user_code_hash, 'escape') as text from device_sign_ins d",
      ),
    );
    const logged = server.logged();
    expect(logged).toContain('"msg":"request"');
    for (const secret of [device_code, user_code, user_code.replace('-', '')]) {
      expect(rows).not.toContain(secret);
      expect(logged).not.toContain(secret);
    }
  });
});
