import { call, PASSWORD, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const login = (email: string) => call(server, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } });
const me = (token: string) => call(server, 'GET', '/api/auth/me', { token });

describe('sessions', () => {
  it('are listed with the current one marked, and revoked by their owner only', async () => {
    const ada = await signUp(server);
    const other = (await login(ada.email)).body.token as string;
    const stranger = await signUp(server);
    const list = (await call(server, 'GET', '/api/account/sessions', { token: ada.token })).body;
    expect(list).toHaveLength(2);
    expect(list.filter((session: { isCurrent: boolean }) => session.isCurrent)).toHaveLength(1);
    const otherId = list.find((session: { isCurrent: boolean }) => !session.isCurrent).id;
    const revoke = (token: string) =>
      call(server, 'POST', '/api/account/revoke-session', { token, body: { id: otherId } });
    expect((await revoke(stranger.token)).status).toBe(404);
    expect((await me(other)).status).toBe(200);
    expect((await revoke(ada.token)).status).toBe(200);
    expect((await me(other)).status).toBe(401);
  });

  it('slide: 30 days without a visit end one, a visit prolongs it', async () => {
    const { token } = await signUp(server);
    clock.advance(29 * DAY);
    expect((await me(token)).status).toBe(200);
    clock.advance(29 * DAY);
    expect((await me(token)).status).toBe(200);
    clock.advance(31 * DAY);
    expect((await me(token)).status).toBe(401);
  });
});

describe('access tokens', () => {
  const create = (token: string, body: object) => call(server, 'POST', '/api/account/tokens', { token, body });

  it('are shown once, work within their scopes, and die when deleted', async () => {
    const ada = await signUp(server);
    const { body } = await create(ada.token, { name: 'CI', scopes: ['products:read', 'account:read'] });
    expect(body.token).toMatch(/^tnr_pat_[0-9A-Za-z]{36}$/);
    expect(body.hint).toBe(body.token.slice(-4));
    const list = await call(server, 'GET', '/api/account/tokens', { token: ada.token });
    expect(list.text).not.toContain(body.token);
    expect((await call(server, 'GET', '/api/products', { token: body.token })).status).toBe(200);
    expect((await call(server, 'POST', '/api/products', { token: body.token, body: { name: 'X' } })).body.code).toBe(
      'insufficient_scope',
    );
    expect((await call(server, 'GET', '/api/account/sessions', { token: body.token })).status).toBe(403);
    expect((await me(body.token)).body.credential).toMatchObject({
      type: 'access_token',
      scopes: ['products:read', 'account:read'],
    });
    expect((await call(server, 'DELETE', `/api/account/tokens/${body.id}`, { token: ada.token })).status).toBe(200);
    expect((await me(body.token)).status).toBe(401);
    expect(JSON.stringify(await server.db.query('select token_hash::text from access_tokens'))).not.toContain(
      body.token,
    );
  });

  it('expire', async () => {
    const ada = await signUp(server);
    const late = await create(ada.token, {
      name: 'x',
      scopes: ['account:read'],
      expires_at: '9999-12-31T23:00:00-05:00',
    });
    expect([late.status, late.body.errors[0].path]).toEqual([400, 'expires_at']);
    const expires_at = new Date(clock.now().getTime() + DAY).toISOString();
    const { body } = await create(ada.token, { name: 'short', scopes: ['account:read'], expires_at });
    expect((await me(body.token)).status).toBe(200);
    clock.advance(DAY);
    expect((await me(body.token)).status).toBe(401);
  });

  it('repeat the first answer under one idempotency key', async () => {
    const ada = await signUp(server);
    const ask = (name: string) =>
      call(server, 'POST', '/api/account/tokens', {
        token: ada.token,
        body: { name, scopes: ['account:read'] },
        headers: { 'idempotency-key': 'once' },
      });
    const first = await ask('one');
    const again = await ask('one');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await ask('two')).body.code).toBe('idempotency_key_reused');
    expect(
      JSON.stringify(await server.db.query("select encode(answer, 'escape') as a from idempotency_records")),
    ).not.toContain('tnr_pat_');
  });
});

it('logs no password, token or address', () => {
  const logged = server.logged();
  expect(logged).toContain('"msg":"request"');
  for (const secret of [PASSWORD, 'tnr_pat_', '@example.com', 'eyJ']) expect(logged).not.toContain(secret);
});
