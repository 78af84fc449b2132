import { call, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const GITHUB = 'https://token.actions.githubusercontent.com';
const form = {
  name: 'release',
  issuer: GITHUB,
  repository_id: '123456789',
  branch: 'main',
  scopes: ['account:read', 'serials:write'],
};
let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});

const trusts = (method: string, path = '', body?: object, person = ada) =>
  call(server, method, `/api/developer/trusts${path}`, { token: person.token, ...(body ? { body } : {}) });

describe('trusts', () => {
  it('are created, listed, changed and deleted, with an email and an entry of the audit log', async () => {
    const { status, body } = await trusts('POST', '', form);
    expect([status, body]).toEqual([
      201,
      {
        ...form,
        id: expect.any(String),
        provider: 'github',
        environment: null,
        audience: server.url.replace('localhost', '127.0.0.1'),
        created_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    expect((await trusts('GET', `/${body.id}`)).body).toEqual(body);
    expect((await trusts('GET')).body).toEqual([body]);
    const email = await server.email(({ to, subject }) =>
      Boolean(to?.some(({ address }) => address === ada.email) && subject === 'A new trust for CI was created'),
    );
    expect(email.text).toContain(`Jobs of repository 123456789 at ${GITHUB}, branch main can use`);
    const changed = await trusts('PATCH', `/${body.id}`, { branch: null, environment: 'production' });
    expect(changed.body).toEqual({ ...body, branch: null, environment: 'production' });
    // somebody who had the account for a moment could have it trust a repository of theirs
    const told = await server.email(({ to, subject }) =>
      Boolean(to?.some(({ address }) => address === ada.email) && subject === 'A trust for CI was changed'),
    );
    expect(told.text).toContain(`Jobs of repository 123456789 at ${GITHUB}, environment production can now use`);
    expect((await trusts('DELETE', `/${body.id}`)).status).toBe(200);
    expect((await trusts('GET', `/${body.id}`)).status).toBe(404);
    const log = (await call(server, 'GET', '/api/audit-log', { token: ada.token })).body.rows;
    const actions = log.map(({ action }: { action: string }) => action).filter((each: string) => /^trust_/.test(each));
    expect(actions).toEqual(['trust_deleted', 'trust_changed', 'trust_created']);
  });

  it.each<[string, object, string]>([
    ['no branch and no environment', { branch: null }, 'branch'],
    ['a repository by its name', { repository_id: 'octo/plugins' }, 'repository_id'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['GitHub’s own address', { issuer: 'https://github.com' }, 'issuer'],
    ['an issuer that looks like GitHub’s', { issuer: 'https://evil.githubusercontent.com' }, 'issuer'],
    ['an issuer without encryption', { issuer: 'http://gitlab.example.com' }, 'issuer'],
    ['an issuer inside', { issuer: 'https://127.0.0.1' }, 'issuer'],
    ['an issuer on this machine', { issuer: 'https://localhost' }, 'issuer'],
    ['an issuer with a query', { issuer: 'https://gitlab.example.com/?x=1' }, 'issuer'],
    ['an issuer with a password', { issuer: 'https://a:b@gitlab.example.com' }, 'issuer'],
    ['an issuer that is no address', { issuer: 'github' }, 'issuer'],
  ])('with %s are refused', async (_what, change, path) => {
    const { status, body } = await trusts('POST', '', { ...form, ...change });
    expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
  });

  it('keep a branch or an environment when they are changed', async () => {
    const { body } = await trusts('POST', '', form);
    const { status, body: refused } = await trusts('PATCH', `/${body.id}`, { branch: null });
    expect([status, refused.errors[0].path]).toEqual([400, 'branch']);
  });

  it('are created once under one idempotency key', async () => {
    const eve = await signUp(server);
    const ask = () =>
      call(server, 'POST', '/api/developer/trusts', {
        token: eve.token,
        body: form,
        headers: { 'idempotency-key': 'once' },
      });
    expect((await ask()).body).toEqual((await ask()).body);
    expect((await trusts('GET', '', undefined, eve)).body).toHaveLength(1);
  });

  it('go with the password, and its email names them', async () => {
    const eve = await signUp(server);
    await trusts('POST', '', form, eve);
    const body = { oldPassword: PASSWORD, newPassword: 'another fine password' };
    const { token } = (await call(server, 'POST', '/api/account/update-password', { token: eve.token, body })).body;
    expect((await trusts('GET', '', undefined, { ...eve, token })).body).toEqual([]);
    const email = await server.email(({ to, subject }) =>
      Boolean(to?.some(({ address }) => address === eve.email) && subject === 'Your password was changed'),
    );
    expect(email.text).toContain('These trusts for CI were deleted');
  });
});
