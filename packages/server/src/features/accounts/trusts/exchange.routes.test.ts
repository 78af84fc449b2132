import { call, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import {
  GITHUB,
  GITLAB,
  githubClaims,
  gitlabClaims,
  type Issuer,
  OWN_GITLAB,
  PROJECT,
  REPOSITORY,
  rotatedKeys,
  signedByEc,
  signedToken,
  startIssuer,
  stranger,
} from '@tonerow/test-support/issuer.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND, TestClock } from '#platform/clock.ts';

const AUDIENCE = 'https://tonerow.example.com';
const SCOPES = ['account:read', 'products:read'];
const clock = new TestClock('2026-03-10T12:00:00Z');
let issuer: Issuer;
let server: TestServer;
let ada: Person;
const trusts: Record<'github' | 'gitlab' | 'own' | 'environment', string> = {
  github: '',
  gitlab: '',
  own: '',
  environment: '',
};

const trust = async (body: object, person = ada): Promise<string> => {
  const form = { name: 'release', scopes: SCOPES, ...body };
  const made = await call(server, 'POST', '/api/developer/trusts', { token: person.token, body: form });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
};

beforeAll(async () => {
  issuer = await startIssuer();
  server = await startServer({ overrides: { clock }, env: { ...issuer.env, TONEROW_PUBLIC_URL: AUDIENCE } });
  ada = await signUp(server);
  trusts.github = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' });
  trusts.gitlab = await trust({ issuer: GITLAB, repository_id: PROJECT, branch: 'main' });
  trusts.own = await trust({ issuer: `${OWN_GITLAB}/`, repository_id: PROJECT, branch: 'main' });
  trusts.environment = await trust({ issuer: GITHUB, repository_id: REPOSITORY, environment: 'production' });
});
afterAll(async () => {
  await server.stop();
  issuer.stop();
});
afterEach(() => {
  issuer.reset();
});

const exchange = (id: string, token: string) =>
  call(server, 'POST', '/api/auth/oidc/exchange', { body: { trust: id, token } });
const github = (claims: object = {}) => ({ ...githubClaims(AUDIENCE, clock.now()), ...claims });
const gitlab = (claims: object = {}, from = GITLAB) => ({ ...gitlabClaims(AUDIENCE, clock.now(), from), ...claims });
const seconds = () => clock.now().getTime() / 1000;
/** So that the issuer may be asked again, and its keys are not kept any longer. */
const anHourLater = () => clock.advance(61 * MINUTE);

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
    const me = () => call(server, 'GET', '/api/auth/me', { token: body.token });
    expect((await me()).body).toMatchObject({ id: ada.id, credential: { type: 'access_token', scopes: SCOPES } });
    const lacking = await call(server, 'POST', '/api/products', { token: body.token, body: { name: 'X' } });
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
      call(server, 'POST', '/api/auth/oidc/exchange', {
        body: { trust: trusts.gitlab, token },
        headers: { 'idempotency-key': key },
      });
    const first = await ask('lost');
    expect([first.status, (await ask('lost')).body]).toEqual([200, first.body]);
    expect((await ask('another')).body.code).toBe('identity_refused');
    // as if the server had ended between its commit and its response, which nobody has seen
    await server.db.query(
      "update idempotency_records set status = null, answer = null, locked_until = 'epoch' where id = $1",
      [first.body.id],
    );
    const again = await ask('lost');
    expect([again.status, again.body]).toEqual([
      200,
      { ...first.body, token: expect.stringMatching(/^tnr_pat_/), expires_in: 900 },
    ]);
    const statuses = [first, again].map(async ({ body }) => {
      return (await call(server, 'GET', '/api/auth/me', { token: body.token })).status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 200]);
  });

  it('is read neither in the database nor in the log', async () => {
    const token = signedToken(github());
    const { body } = await exchange(trusts.github, token);
    const rows = JSON.stringify([
      await server.db.query('select t::text from access_tokens t'),
      await server.db.query('select t::text from spent_identity_tokens t'),
      await server.db.query('select t::text from idempotency_records t'),
    ]);
    const logged = server.logged();
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

describe('an issuer that lies', () => {
  it.each<[string, string, () => Promise<{ status: number; body: { code: string; message: string } }>]>([
    ['is another one', 'of another issuer', () => exchange(trusts.github, signedToken(github({ iss: GITLAB })))],
    [
      'is written otherwise',
      'of another issuer',
      () => exchange(trusts.github, signedToken(github({ iss: `${GITHUB}/` }))),
    ],
    ['has no name', 'of another issuer', () => exchange(trusts.github, signedToken(github({ iss: undefined })))],
    [
      'means another server',
      'is for https://other.example.com, not for this server',
      () => exchange(trusts.github, signedToken(github({ aud: 'https://other.example.com' }))),
    ],
    [
      'means another server as well',
      'not for this server',
      () => exchange(trusts.github, signedToken(github({ aud: [AUDIENCE, 'https://other.example.com'] }))),
    ],
    ['means nobody', 'is for missing', () => exchange(trusts.github, signedToken(github({ aud: undefined })))],
    ['is late', 'has expired', () => exchange(trusts.github, signedToken(github({ exp: seconds() - 60 })))],
    ['never ends', 'expires too late', () => exchange(trusts.github, signedToken(github({ exp: 1e300 })))],
    ['has no end', 'lacks the time', () => exchange(trusts.github, signedToken(github({ exp: undefined })))],
    [
      'has an end in words',
      'lacks the time',
      () => exchange(trusts.github, signedToken(github({ exp: '9999999999' }))),
    ],
    [
      'comes from the future',
      'in the future',
      () => exchange(trusts.github, signedToken(github({ iat: seconds() + 60 }))),
    ],
    ['has no beginning', 'lacks the time', () => exchange(trusts.github, signedToken(github({ iat: undefined })))],
    ['is early', 'not valid yet', () => exchange(trusts.github, signedToken(github({ nbf: seconds() + 60 })))],
    ['has no id', 'has no id', () => exchange(trusts.github, signedToken(github({ jti: undefined })))],
    ['has an empty id', 'has no id', () => exchange(trusts.github, signedToken(github({ jti: '' })))],
    [
      'names another repository',
      'its repository_id is 1',
      () => exchange(trusts.github, signedToken(github({ repository_id: '1' }))),
    ],
    [
      'names a repository of the same name',
      'its repository_id is missing',
      () => exchange(trusts.github, signedToken(github({ repository_id: undefined, project_id: REPOSITORY }))),
    ],
    [
      'is of another branch',
      'its ref is refs/heads/mainline',
      () => exchange(trusts.github, signedToken(github({ ref: 'refs/heads/mainline' }))),
    ],
    [
      'is of a tag of that name',
      'its ref is refs/tags/main',
      () => exchange(trusts.github, signedToken(github({ ref: 'refs/tags/main', ref_type: 'tag' }))),
    ],
    [
      'is of a pull request',
      'its event is pull_request.',
      () => exchange(trusts.github, signedToken(github({ ref: 'refs/pull/7/merge', event_name: 'pull_request' }))),
    ],
    [
      'is of somebody’s pull request onto the branch',
      'its event is pull_request_target.',
      () => exchange(trusts.github, signedToken(github({ event_name: 'pull_request_target' }))),
    ],
    [
      'was started by what a pull request has built',
      'its event is workflow_run.',
      () => exchange(trusts.github, signedToken(github({ event_name: 'workflow_run' }))),
    ],
    [
      'was started by anybody’s comment',
      'its event is issue_comment.',
      () => exchange(trusts.github, signedToken(github({ event_name: 'issue_comment' }))),
    ],
    [
      'is of a pull request that deploys to the environment',
      'its event is pull_request.',
      () =>
        exchange(
          trusts.environment,
          signedToken(github({ environment: 'production', ref: 'refs/pull/7/merge', event_name: 'pull_request' })),
        ),
    ],
    [
      'is of another environment',
      'another environment: staging',
      () => exchange(trusts.environment, signedToken(github({ environment: 'staging' }))),
    ],
    [
      'names another project',
      'its project_id is 4712',
      () => exchange(trusts.gitlab, signedToken(gitlab({ project_id: '4712' }))),
    ],
    [
      'is of another branch at GitLab',
      'of another branch',
      () => exchange(trusts.gitlab, signedToken(gitlab({ ref: 'dev', ref_path: 'refs/heads/dev' }))),
    ],
    [
      'is of a tag of that name at GitLab',
      'of another branch',
      () => exchange(trusts.gitlab, signedToken(gitlab({ ref_type: 'tag', ref_path: 'refs/tags/main' }))),
    ],
    [
      'is of a merge request from a branch of that name',
      'of a merge request',
      () => exchange(trusts.gitlab, signedToken(gitlab({ pipeline_source: 'merge_request_event' }))),
    ],
    [
      'is of what a merge request has started',
      'of a merge request',
      () =>
        exchange(
          trusts.gitlab,
          signedToken(gitlab({ pipeline_source: 'parent_pipeline', ref_path: 'refs/merge-requests/1/head' })),
        ),
    ],
    [
      'is of no branch, whatever it is called',
      'of no branch',
      () => exchange(trusts.gitlab, signedToken(gitlab({ ref_path: 'refs/keep-around/main' }))),
    ],
    [
      'is of gitlab.com, for a GitLab of one’s own',
      'of another issuer',
      () => exchange(trusts.own, signedToken(gitlab())),
    ],
    ['signs nothing', 'not signed by', () => exchange(trusts.github, signedToken(github(), { algorithm: 'none' }))],
    [
      'signs with its public key as a secret',
      'not signed by',
      () => exchange(trusts.github, signedToken(github(), { algorithm: 'HS256' })),
    ],
    [
      'signs by another algorithm',
      'not signed by',
      () => exchange(trusts.github, signedToken(github(), { algorithm: 'RS512' })),
    ],
    [
      'signs with a key of another kind than it says',
      'does not have',
      () => exchange(trusts.github, signedToken(github(), { ...signedByEc, kid: 'rsa' })),
    ],
    [
      'signs with somebody else’s key',
      'signature is wrong',
      () => exchange(trusts.github, signedToken(github(), { key: stranger.privateKey })),
    ],
    [
      'signs with a key that it does not have',
      'does not have',
      () => exchange(trusts.github, signedToken(github(), { kid: 'unknown', key: stranger.privateKey })),
    ],
    [
      'brings its own key',
      'does not have',
      () => {
        const jwk = stranger.publicKey.export({ format: 'jwk' });
        return exchange(
          trusts.github,
          signedToken(github(), { kid: 'own', key: stranger.privateKey, header: { jwk } }),
        );
      },
    ],
    [
      'demands what is not understood',
      'no identity token',
      () => exchange(trusts.github, signedToken(github(), { header: { crit: ['b64'], b64: false } })),
    ],
    [
      'changes what was signed',
      'signature is wrong',
      () => {
        const [header, , signature] = signedToken(github()).split('.');
        const claims = Buffer.from(JSON.stringify(github())).toString('base64url');
        return exchange(trusts.github, `${header}.${claims}.${signature}`);
      },
    ],
    ['sends something else', 'no identity token', () => exchange(trusts.github, 'tnr_pat_x')],
    ['sends a list', 'no identity token', () => exchange(trusts.github, signedToken([] as never))],
    ['names no trust', 'no such trust', () => exchange('00000000-0000-4000-8000-000000000000', signedToken(github()))],
  ])('%s is refused', async (_lie, words, ask) => {
    // keys that are asked for once more, whatever a row before has asked for
    clock.advance(MINUTE);
    const { status, body } = await ask();
    expect([status, body.code, body.message]).toEqual([401, 'identity_refused', expect.stringContaining(words)]);
  });

  it.each<[string, () => void]>([
    [
      'is down',
      () => {
        issuer.state.isDown = true;
      },
    ],
    [
      'describes another issuer',
      () => {
        issuer.state.discovery = () => ({ issuer: GITLAB, jwks_uri: `${GITHUB}/keys` });
      },
    ],
    [
      'has its keys elsewhere',
      () => {
        issuer.state.discovery = (own) => ({ issuer: own, jwks_uri: 'https://evil.example.com/keys' });
      },
    ],
    [
      'has its keys unencrypted',
      () => {
        issuer.state.discovery = (own) => ({ issuer: own, jwks_uri: `${own.replace('https', 'http')}/keys` });
      },
    ],
    [
      'has no address of keys',
      () => {
        issuer.state.discovery = (own) => ({ issuer: own });
      },
    ],
    [
      'describes itself in words',
      () => {
        issuer.state.discovery = () => 'hello';
      },
    ],
    [
      'describes itself without an end',
      () => {
        issuer.state.discovery = (own) => ({ issuer: own, jwks_uri: `${own}/keys`, x: 'x'.repeat(70_000) });
      },
    ],
    [
      'has no list of keys',
      () => {
        issuer.state.keys = {};
      },
    ],
    [
      'has keys without an end',
      () => {
        issuer.state.keysAnswer = (_request, response) => {
          response.end(JSON.stringify({ keys: [], x: 'x'.repeat(300_000) }));
        };
      },
    ],
    [
      'sends whoever asks for its keys elsewhere',
      () => {
        issuer.state.keysAnswer = (_request, response) => {
          response.writeHead(302, { location: `${GITHUB}/others` }).end();
        };
      },
    ],
    [
      'breaks off amid its keys',
      () => {
        issuer.state.keysAnswer = (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' }).write('{"keys":[');
          setImmediate(() => response.destroy());
        };
      },
    ],
  ])('%s has no keys, which is not the job’s fault, and is asked again after a minute', async (_lie, begin) => {
    anHourLater();
    begin();
    const ask = () => exchange(trusts.github, signedToken(github()));
    const refused = await ask();
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.body.message).toContain(`${GITHUB} cannot be asked for its keys`);
    issuer.reset();
    expect((await ask()).status).toBe(503);
    expect(issuer.state.asked).toEqual([]);
    clock.advance(MINUTE);
    expect((await ask()).status).toBe(200);
  });

  it('has keys that are too short, or for encryption, and none of them count', async () => {
    anHourLater();
    const [good] = issuer.state.keys as Record<string, unknown>[];
    issuer.state.keys = [{ ...good, use: 'enc' }, { ...good, kid: 7 }, { ...good, alg: 'RS512' }, null, 'x'];
    const { status, body } = await exchange(trusts.github, signedToken(github()));
    expect([status, body.message]).toEqual([401, expect.stringContaining('does not have')]);
  });
});

describe('an issuer’s keys', () => {
  it('are read once an hour, through the proxy for addresses that accounts choose, and only from the trust’s issuer', async () => {
    anHourLater();
    await exchange(trusts.github, signedToken(github({ iss: 'https://evil.example.com' })));
    expect(issuer.state.asked).toEqual([]);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await exchange(trusts.github, signedToken(github()))).status).toBe(200);
    const host = new URL(GITHUB).host;
    expect(issuer.state.asked).toEqual([`${host}/.well-known/openid-configuration`, `${host}/keys`]);
  });

  it('are read again for a key that is new, at most once a minute, and one that was withdrawn is refused then', async () => {
    anHourLater();
    expect((await exchange(trusts.github, signedToken(github()))).status).toBe(200);
    issuer.state.keys = rotatedKeys();
    const next = () => exchange(trusts.github, signedToken(github(), { kid: 'next' }));
    expect((await next()).status).toBe(401);
    clock.advance(MINUTE);
    expect((await next()).status).toBe(200);
    issuer.state.asked.length = 0;
    expect((await exchange(trusts.github, signedToken(github()))).status).toBe(401);
    expect(issuer.state.asked).toEqual([]);
  });

  it('are read once for all that wait for them', async () => {
    anHourLater();
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(trusts.github, signedToken(github()))));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(issuer.state.asked).toHaveLength(2);
  });
});

describe('what a trust issued', () => {
  const me = (token: string) => call(server, 'GET', '/api/auth/me', { token });

  it('is listed beside access tokens, and recorded', async () => {
    const eve = await signUp(server);
    const id = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' }, eve);
    const { body } = await exchange(id, signedToken(github()));
    const [listed] = (await call(server, 'GET', '/api/account/tokens', { token: eve.token })).body;
    expect(listed).toMatchObject({ id: body.id, name: body.name, trust_id: id, expires_at: body.expires_at });
    const [entry] = (await call(server, 'GET', '/api/audit-log?action=trust_used', { token: eve.token })).body.rows;
    expect(entry).toMatchObject({ detail: 'release (octo/plugins, run 8001)', object_id: id, via: null });
    const [used] = (await call(server, 'GET', '/api/developer/trusts', { token: eve.token })).body;
    expect(used.last_used_at).toBe(clock.now().toISOString());
  });

  it('is forgotten a day after its end, and an identity token once it has expired', async () => {
    const eve = await signUp(server);
    const id = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' }, eve);
    await exchange(id, signedToken(github()));
    const issued = () => server.db.query('select id from access_tokens where trust_id = $1', [id]);
    clock.advance(DAY);
    await queueJob(server.db, 'expire-records');
    await expect.poll(() => server.db.query('select hash from spent_identity_tokens')).toEqual([]);
    expect(await issued()).toHaveLength(1);
    clock.advance(15 * MINUTE);
    await queueJob(server.db, 'expire-records');
    await expect.poll(issued).toEqual([]);
  });

  it.each<[string, (id: string, person: Person) => Promise<unknown>]>([
    ['the trust is deleted', (id, { token }) => call(server, 'DELETE', `/api/developer/trusts/${id}`, { token })],
    [
      'the trust is changed',
      (id, { token }) =>
        call(server, 'PATCH', `/api/developer/trusts/${id}`, { token, body: { scopes: ['account:read'] } }),
    ],
    [
      'the password is changed',
      (_id, { token }) =>
        call(server, 'POST', '/api/account/update-password', {
          token,
          body: { oldPassword: 'a fine long password', newPassword: 'another fine password' },
        }),
    ],
    [
      'the account is deleted',
      (_id, { token }) => call(server, 'DELETE', '/api/account/delete', { token, body: { password: PASSWORD } }),
    ],
  ])('ends when %s', async (_when, change) => {
    const eve = await signUp(server);
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
        call(server, 'POST', '/api/account/update-password', {
          token,
          body: { oldPassword: PASSWORD, newPassword: 'another fine password' },
        }),
    ],
    [
      'the end of the account',
      ({ token }) => call(server, 'DELETE', '/api/account/delete', { token, body: { password: PASSWORD } }),
    ],
  ])('does not outlive %s in the same moment', async (_what, end) => {
    for (let turn = 0; turn < 4; turn += 1) {
      const eve = await signUp(server);
      const id = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' }, eve);
      const [issued, ended] = await Promise.all([exchange(id, signedToken(github())), end(eve)]);
      expect([ended.status, [200, 401].includes(issued.status)], issued.text).toEqual([200, true]);
      expect(await server.db.query('select id from access_tokens where user_id = $1', [eve.id])).toEqual([]);
    }
  });
});
