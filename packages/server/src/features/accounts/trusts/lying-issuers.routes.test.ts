import {
  GITHUB,
  GITLAB,
  REPOSITORY,
  rotatedKeys,
  signedByEc,
  signedToken,
  stranger,
} from '@tonerow/test-support/issuer.ts';
import { AUDIENCE, trustScene } from '@tonerow/test-support/trust-scene.ts';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '#platform/clock.ts';

const scene = trustScene();
const { anHourLater, clock, exchange, github, gitlab, seconds, trusts } = scene;

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
        scene.issuer.state.isDown = true;
      },
    ],
    [
      'describes another issuer',
      () => {
        scene.issuer.state.discovery = () => ({ issuer: GITLAB, jwks_uri: `${GITHUB}/keys` });
      },
    ],
    [
      'has its keys elsewhere',
      () => {
        scene.issuer.state.discovery = (own) => ({ issuer: own, jwks_uri: 'https://evil.example.com/keys' });
      },
    ],
    [
      'has its keys unencrypted',
      () => {
        scene.issuer.state.discovery = (own) => ({ issuer: own, jwks_uri: `${own.replace('https', 'http')}/keys` });
      },
    ],
    [
      'has no address of keys',
      () => {
        scene.issuer.state.discovery = (own) => ({ issuer: own });
      },
    ],
    [
      'describes itself in words',
      () => {
        scene.issuer.state.discovery = () => 'hello';
      },
    ],
    [
      'describes itself without an end',
      () => {
        scene.issuer.state.discovery = (own) => ({ issuer: own, jwks_uri: `${own}/keys`, x: 'x'.repeat(70_000) });
      },
    ],
    [
      'has no list of keys',
      () => {
        scene.issuer.state.keys = {};
      },
    ],
    [
      'has keys without an end',
      () => {
        scene.issuer.state.keysAnswer = (_request, response) => {
          response.end(JSON.stringify({ keys: [], x: 'x'.repeat(300_000) }));
        };
      },
    ],
    [
      'sends whoever asks for its keys elsewhere',
      () => {
        scene.issuer.state.keysAnswer = (_request, response) => {
          response.writeHead(302, { location: `${GITHUB}/others` }).end();
        };
      },
    ],
    [
      'breaks off amid its keys',
      () => {
        scene.issuer.state.keysAnswer = (_request, response) => {
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
    scene.issuer.reset();
    expect((await ask()).status).toBe(503);
    expect(scene.issuer.state.asked).toEqual([]);
    clock.advance(MINUTE);
    expect((await ask()).status).toBe(200);
  });

  it('has keys that are too short, or for encryption, and none of them count', async () => {
    anHourLater();
    const [good] = scene.issuer.state.keys as Record<string, unknown>[];
    scene.issuer.state.keys = [{ ...good, use: 'enc' }, { ...good, kid: 7 }, { ...good, alg: 'RS512' }, null, 'x'];
    const { status, body } = await exchange(trusts.github, signedToken(github()));
    expect([status, body.message]).toEqual([401, expect.stringContaining('does not have')]);
  });
});

describe('an issuer’s keys', () => {
  it('are read once an hour, through the proxy for addresses that accounts choose, and only from the trust’s issuer', async () => {
    anHourLater();
    await exchange(trusts.github, signedToken(github({ iss: 'https://evil.example.com' })));
    expect(scene.issuer.state.asked).toEqual([]);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await exchange(trusts.github, signedToken(github()))).status).toBe(200);
    const host = new URL(GITHUB).host;
    expect(scene.issuer.state.asked).toEqual([`${host}/.well-known/openid-configuration`, `${host}/keys`]);
  });

  it('are read again for a key that is new, at most once a minute, and one that was withdrawn is refused then', async () => {
    anHourLater();
    expect((await exchange(trusts.github, signedToken(github()))).status).toBe(200);
    scene.issuer.state.keys = rotatedKeys();
    const next = () => exchange(trusts.github, signedToken(github(), { kid: 'next' }));
    expect((await next()).status).toBe(401);
    clock.advance(MINUTE);
    expect((await next()).status).toBe(200);
    scene.issuer.state.asked.length = 0;
    expect((await exchange(trusts.github, signedToken(github()))).status).toBe(401);
    expect(scene.issuer.state.asked).toEqual([]);
  });

  it('are read once for all that wait for them', async () => {
    anHourLater();
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(trusts.github, signedToken(github()))));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(scene.issuer.state.asked).toHaveLength(2);
  });
});
