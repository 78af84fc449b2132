import { call, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { GITHUB, OWN_GITLAB, PROJECT, REPOSITORY, signedByEc, signedToken } from '@tonerow/test-support/issuer.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { SCOPES, trustScene } from '@tonerow/test-support/trust-scene.ts';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '#platform/clock.ts';

const scene = trustScene();
const { clock, exchange, github, gitlab, seconds, trust, trusts } = scene;

describe('a job’s identity token', () => {
  it.each([
    ['GitHub’s', () => exchange(trusts.github, signedToken(github())), 'release (octo/plugins, run 8001)'],
    ['GitLab’s', () => exchange(trusts.gitlab, signedToken(gitlab())), 'release (octo/plugins, job 9001)'],
    [
      'a GitLab of one’s own, signed by an elliptic curve',
      () => exchange(trusts.own, signedToken(gitlab({ project_id: Number(PROJECT) }, OWN_GITLAB), signedByEc)),
      'release (octo/plugins, job 9001)',
    ],
  ])('of %s becomes an access token for 15 minutes, with the scopes of the trust', async (_whose, ask, name) => {
    const { status, body } = await ask();
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        token: expect.stringMatching(/^tnr_pat_[0-9A-Za-z]{36}$/),
        name,
        scopes: SCOPES,
        expires_at: new Date(clock.now().getTime() + 15 * MINUTE).toISOString(),
        expires_in: 900,
      },
    ]);
    const me = () => call(scene.server, 'GET', '/api/auth/me', { token: body.token });
    expect((await me()).body).toMatchObject({ id: scene.ada.id, credential: { type: 'access_token', scopes: SCOPES } });
    const lacking = await call(scene.server, 'POST', '/api/products', { token: body.token, body: { name: 'X' } });
    expect(lacking.body.code).toBe('insufficient_scope');
    clock.advance(15 * MINUTE - SECOND);
    expect((await me()).status).toBe(200);
    clock.advance(SECOND);
    expect((await me()).status).toBe(401);
  });

  it('is exchanged once, and another of the same issuer all the same', async () => {
    const token = signedToken(github());
    expect((await exchange(trusts.github, token)).status).toBe(200);
    const again = await exchange(trusts.github, token);
    expect([again.status, again.body.code, again.body.message]).toEqual([
      401,
      'identity_refused',
      'The token was already exchanged. Each can be exchanged once.',
    ]);
    expect((await exchange(trusts.github, signedToken(github()))).status).toBe(200);
  });

  it('is exchanged once of many times at once', async () => {
    const token = signedToken(github());
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(trusts.github, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
  });

  it('of a job whose response was lost is answered again, and is no second token', async () => {
    const token = signedToken(gitlab());
    const ask = (key: string) =>
      call(scene.server, 'POST', '/api/auth/oidc/exchange', {
        body: { trust: trusts.gitlab, token },
        headers: { 'idempotency-key': key },
      });
    const first = await ask('lost');
    expect([first.status, (await ask('lost')).body]).toEqual([200, first.body]);
    expect((await ask('another')).body.code).toBe('identity_refused');
    // as if the server had ended between its commit and its response, which nobody has seen
    await scene.server.db.query(
      "update idempotency_records set status = null, answer = null, locked_until = 'epoch' where id = $1",
      [first.body.id],
    );
    const again = await ask('lost');
    expect([again.status, again.body]).toEqual([
      200,
      { ...first.body, token: expect.stringMatching(/^tnr_pat_/), expires_in: 900 },
    ]);
    const statuses = [first, again].map(async ({ body }) => {
      return (await call(scene.server, 'GET', '/api/auth/me', { token: body.token })).status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 200]);
  });

  it('is read neither in the database nor in the log', async () => {
    const token = signedToken(github());
    const { body } = await exchange(trusts.github, token);
    const rows = JSON.stringify([
      await scene.server.db.query('select t::text from access_tokens t'),
      await scene.server.db.query('select t::text from spent_identity_tokens t'),
      await scene.server.db.query('select t::text from idempotency_records t'),
    ]);
    const logged = scene.server.logged();
    expect(logged).toContain('/api/auth/oidc/exchange');
    for (const secret of [token, token.split('.')[1] as string, body.token]) {
      expect(rows).not.toContain(secret);
      expect(logged).not.toContain(secret);
    }
  });

  it('may be half a minute off by the server’s clock, and no more', async () => {
    const now = seconds();
    for (const claims of [{ exp: now - 29 }, { iat: now + 30, nbf: now + 30 }])
      expect((await exchange(trusts.github, signedToken(github(claims)))).status).toBe(200);
    for (const claims of [{ exp: now - 30 }, { iat: now + 31 }, { nbf: now + 31 }])
      expect((await exchange(trusts.github, signedToken(github(claims)))).status).toBe(401);
  });

  it('of an environment is enough for a trust that names one', async () => {
    const of = (claims: object) => exchange(trusts.environment, signedToken(github(claims)));
    expect((await of({ environment: 'production', ref: 'refs/heads/hotfix' })).status).toBe(200);
    expect((await of({})).body.message).toBe('The token is of another environment: missing.');
  });
});

describe('what a trust issued', () => {
  const me = (token: string) => call(scene.server, 'GET', '/api/auth/me', { token });

  it('is listed beside access tokens, and recorded', async () => {
    const eve = await signUp(scene.server);
    const id = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' }, eve);
    const { body } = await exchange(id, signedToken(github()));
    const [listed] = (await call(scene.server, 'GET', '/api/account/tokens', { token: eve.token })).body;
    expect(listed).toMatchObject({ id: body.id, name: body.name, trust_id: id, expires_at: body.expires_at });
    const [entry] = (await call(scene.server, 'GET', '/api/audit-log?action=trust_used', { token: eve.token })).body
      .rows;
    expect(entry).toMatchObject({ detail: 'release (octo/plugins, run 8001)', object_id: id, via: null });
    const [used] = (await call(scene.server, 'GET', '/api/developer/trusts', { token: eve.token })).body;
    expect(used.last_used_at).toBe(clock.now().toISOString());
  });

  it('is forgotten a day after its end, and an identity token once it has expired', async () => {
    const eve = await signUp(scene.server);
    const id = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' }, eve);
    await exchange(id, signedToken(github()));
    const issued = () => scene.server.db.query('select id from access_tokens where trust_id = $1', [id]);
    clock.advance(DAY);
    await queueJob(scene.server.db, 'expire-records');
    await expect.poll(() => scene.server.db.query('select hash from spent_identity_tokens')).toEqual([]);
    expect(await issued()).toHaveLength(1);
    clock.advance(15 * MINUTE);
    await queueJob(scene.server.db, 'expire-records');
    await expect.poll(issued).toEqual([]);
  });

  it.each<[string, (id: string, person: Person) => Promise<unknown>]>([
    ['the trust is deleted', (id, { token }) => call(scene.server, 'DELETE', `/api/developer/trusts/${id}`, { token })],
    [
      'the trust is changed',
      (id, { token }) =>
        call(scene.server, 'PATCH', `/api/developer/trusts/${id}`, { token, body: { scopes: ['account:read'] } }),
    ],
    [
      'the password is changed',
      (_id, { token }) =>
        call(scene.server, 'POST', '/api/account/update-password', {
          token,
          body: { oldPassword: 'a fine long password', newPassword: 'another fine password' },
        }),
    ],
    [
      'the account is deleted',
      (_id, { token }) => call(scene.server, 'DELETE', '/api/account/delete', { token, body: { password: PASSWORD } }),
    ],
  ])('ends when %s', async (_when, change) => {
    const eve = await signUp(scene.server);
    const id = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' }, eve);
    const { token } = (await exchange(id, signedToken(github()))).body;
    expect((await me(token)).status).toBe(200);
    await change(id, eve);
    expect((await me(token)).status).toBe(401);
  });

  it.each<[string, (person: Person) => Promise<{ status: number }>]>([
    [
      'a new password',
      ({ token }) =>
        call(scene.server, 'POST', '/api/account/update-password', {
          token,
          body: { oldPassword: PASSWORD, newPassword: 'another fine password' },
        }),
    ],
    [
      'the end of the account',
      ({ token }) => call(scene.server, 'DELETE', '/api/account/delete', { token, body: { password: PASSWORD } }),
    ],
  ])('does not outlive %s in the same moment', async (_what, end) => {
    for (let turn = 0; turn < 4; turn += 1) {
      const eve = await signUp(scene.server);
      const id = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' }, eve);
      const [issued, ended] = await Promise.all([exchange(id, signedToken(github())), end(eve)]);
      expect([ended.status, [200, 401].includes(issued.status)], issued.text).toEqual([200, true]);
      expect(await scene.server.db.query('select id from access_tokens where user_id = $1', [eve.id])).toEqual([]);
    }
  });
});
