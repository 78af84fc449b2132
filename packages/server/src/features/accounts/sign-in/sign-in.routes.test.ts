import { call, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const login = (email: string, password = PASSWORD) =>
  call(server, 'POST', '/api/auth/login', { body: { email, password } });
const me = (token: string) => call(server, 'GET', '/api/auth/me', { token });

it('gives one answer for a wrong password and an unknown address', async () => {
  const { email } = await signUp(server);
  const wrong = await login(email, 'not the password');
  const unknown = await login('stranger@example.com', 'not the password');
  expect([wrong.status, wrong.body.code, wrong.body.message]).toEqual([
    401,
    'invalid_credentials',
    'Wrong email or password.',
  ]);
  expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
});

it('ends the session at logout', async () => {
  const { token } = await signUp(server);
  expect((await call(server, 'POST', '/api/auth/logout', { token })).body).toEqual({ ok: true });
  expect((await me(token)).status).toBe(401);
});

it.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJzaWQiOiIxIn0.', 'tnr_pat_000000000000000000000000000000000000'])(
  'refuses the token "%s"',
  async (token) => {
    const answer = await call(server, 'GET', '/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  },
);
