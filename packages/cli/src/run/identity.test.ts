import { rm } from 'node:fs/promises';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { cliSuite } from '@tonerow/test-support/cli-suite.ts';
import type { FakeAnswer } from '@tonerow/test-support/fake-server.ts';
import { beforeEach, describe, expect, it } from 'vitest';

const MINUTE = 60_000;
const TRUST = '01900000-0000-7000-8000-000000000001';
const ME = { id: TRUST, email: 'ada@example.com', role: 'developer', credential: { scopes: ['account:read'] } };
const REFUSED: FakeAnswer = [401, { code: 'identity_refused', message: 'The token was already exchanged.' }];

const { fake, home } = cliSuite();
/** This machine's clock. */
let now: number;
/** The answers to an identity token, one after the other. After them, each exchange returns another token. */
let exchanged: (FakeAnswer | Promise<FakeAnswer>)[];
beforeEach(async () => {
  await rm(home, { recursive: true, force: true });
  now = Date.parse('2026-03-10T12:00:00Z');
  exchanged = [];
  let issued = 0;
  fake.answers = {
    'GET /api/auth/me': [200, ME],
    'GET /token': [200, { value: 'of-github' }],
    get 'POST /api/auth/oidc/exchange'(): FakeAnswer | Promise<FakeAnswer> {
      issued += 1;
      return exchanged.shift() ?? [200, { token: `issued-${issued}`, expires_in: 900 }];
    },
  };
});
const github = () => ({
  GITHUB_ACTIONS: 'true',
  ACTIONS_ID_TOKEN_REQUEST_URL: `${fake.url}/token?v=2`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
});
const gitlab = (...tokens: string[]) =>
  Object.fromEntries(tokens.map((token, at) => [`TONEROW_ID_TOKEN${at === 0 ? '' : `_${at + 1}`}`, token]));
const tonerow = (settings: Record<string, string>, ...line: string[]) =>
  runCommand(line, {
    env: { HOME: home, XDG_CONFIG_HOME: home, TONEROW_URL: fake.url, TONEROW_TRUST: TRUST, ...settings },
    now: () => now,
  });
/** The identity tokens that were sent to be exchanged. */
const sent = () =>
  fake.seen.filter(({ url }) => url === '/api/auth/oidc/exchange').map(({ body }) => JSON.parse(body).token);
/** The tokens that calls of a path were made with. */
const usedFor = (called: string) =>
  fake.seen.filter(({ url }) => url.startsWith(called)).map(({ authorization }) => authorization);

describe('a job at GitHub', () => {
  it('asks for one token for all of its commands, and for another before that one ends', async () => {
    for (const minutes of [0, 13.9, 0.2]) {
      now += minutes * MINUTE;
      expect((await tonerow(github(), 'whoami')).code).toBe(0);
    }
    expect(usedFor('/api/auth/me')).toEqual(['Bearer issued-1', 'Bearer issued-1', 'Bearer issued-2']);
    expect(sent()).toEqual(['of-github', 'of-github']);
  });

  it('gets another token amid a command that takes longer than one works', async () => {
    let page = 0;
    Object.defineProperty(fake.answers, 'GET /api/rows', {
      get(): FakeAnswer {
        page += 1;
        now += 10 * MINUTE;
        return [200, [page], page < 4 ? { 'x-next-cursor': `c${page}` } : {}];
      },
    });
    const { code, out } = await tonerow(github(), 'api', 'GET', '/api/rows', '--paginate', '--jq', 'add');
    expect([code, out.trim()]).toEqual([0, '10']);
    expect(usedFor('/api/rows')).toEqual(
      ['issued-1', 'issued-1', 'issued-2', 'issued-2'].map((token) => `Bearer ${token}`),
    );
  });

  it('does not mind a clock that is wrong, nor one that is set back', async () => {
    exchanged = [[200, { token: 'early', expires_in: 900, expires_at: new Date(now - 60 * MINUTE).toISOString() }]];
    for (const minutes of [0, 5, -60]) {
      now += minutes * MINUTE;
      expect((await tonerow(github(), 'whoami')).code).toBe(0);
    }
    expect(usedFor('/api/auth/me')).toEqual(['Bearer early', 'Bearer early', 'Bearer issued-2']);
  });

  it('gets another token after the server has refused the one it had', async () => {
    await tonerow(github(), 'whoami');
    fake.answers['GET /api/auth/me'] = [401, { code: 'invalid_token', message: 'The token is unknown.' }];
    expect((await tonerow(github(), 'whoami')).code).toBe(4);
    fake.answers['GET /api/auth/me'] = [200, ME];
    expect((await tonerow(github(), 'whoami')).code).toBe(0);
    expect(usedFor('/api/auth/me').at(-1)).toBe('Bearer issued-2');
  });

  it('asks GitHub by the proxy for GitHub, whichever way the server is reached', async () => {
    const settings = {
      ...github(),
      ACTIONS_ID_TOKEN_REQUEST_URL: 'https://pipelines.example.com/token',
      HTTPS_PROXY: 'http://127.0.0.1:1',
    };
    const { code, err } = await tonerow(settings, 'whoami');
    expect([code, err]).toEqual([1, expect.stringContaining('through the proxy http://127.0.0.1:1 from HTTPS_PROXY')]);
  });
});

it('has its token for other programs, which the log of the job does not show', async () => {
  const { code, out, err } = await tonerow(github(), 'trust', 'token');
  expect([code, out, err]).toEqual([0, 'issued-1\n', '::add-mask::issued-1\n']);
  const refused = await tonerow({ TONEROW_TOKEN: 'tnr_pat_x' }, 'trust', 'token');
  expect([refused.code, refused.out]).toEqual([4, '']);
  expect(refused.err).toContain('TONEROW_TRUST. Here the credential is from TONEROW_TOKEN.');
});

describe('a job at GitLab', () => {
  it('goes on with the token of the command that was faster', async () => {
    const [faster, slower] = [Promise.withResolvers<FakeAnswer>(), Promise.withResolvers<FakeAnswer>()];
    exchanged = [faster.promise, slower.promise];
    const both = [1, 2].map(() => tonerow(gitlab('one'), 'whoami'));
    await expect.poll(() => sent().length).toBe(2);
    faster.resolve([200, { token: 'first', expires_in: 900 }]);
    await Promise.race(both);
    slower.resolve(REFUSED);
    expect((await Promise.all(both)).map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect([sent(), usedFor('/api/auth/me')]).toEqual([
      ['one', 'one'],
      ['Bearer first', 'Bearer first'],
    ]);
  });

  it('goes on with its next identity token when it takes longer', async () => {
    await tonerow(gitlab('one', 'two'), 'whoami');
    now += 14.5 * MINUTE;
    exchanged = [REFUSED];
    expect((await tonerow(gitlab('one', 'two'), 'whoami')).code).toBe(0);
    expect(sent()).toEqual(['one', 'one', 'two']);
  });

  it('uses up the last minute of the only token that it gets, and then reports why there is no other', async () => {
    await tonerow(gitlab('one'), 'whoami');
    now += 14.5 * MINUTE;
    exchanged = [REFUSED, REFUSED];
    expect((await tonerow(gitlab('one'), 'whoami')).code).toBe(0);
    now += MINUTE;
    const { code, err } = await tonerow(gitlab('one'), 'whoami');
    expect([code, err]).toEqual([4, expect.stringContaining('The token was already exchanged.')]);
  });
});
