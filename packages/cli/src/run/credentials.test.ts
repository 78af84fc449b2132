import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { cliSuite } from '@tonerow/test-support/cli-suite.ts';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { describe, expect, it } from 'vitest';

const { fake, home, run } = cliSuite();

describe('signing in', () => {
  it('keeps the token in a file of its owner, by profile, and TONEROW_TOKEN wins over it', async () => {
    fake.answers = {
      'POST /api/auth/login': [200, { token: 'session-1', user: { email: 'ada@example.com' } }],
      'GET /api/products': [200, []],
      'POST /api/auth/logout': [200, { ok: true }],
    };
    const env = { TONEROW_TOKEN: '' };
    expect(
      (
        await run(['login', '--email', 'ada@example.com', '--password-stdin', '--profile', 'work'], {
          env,
          stdin: 'a secret\n',
        })
      ).code,
    ).toBe(0);
    expect(JSON.parse(fake.seen[0]?.body ?? '')).toEqual({ email: 'ada@example.com', password: 'a secret' });
    const file = path.join(home, 'tonerow/config.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.work).toMatchObject({ token: 'session-1', url: fake.url });
    await run(['products', 'list', '--profile', 'work'], { env });
    expect(fake.seen.at(-1)?.authorization).toBe('Bearer session-1');
    await run(['products', 'list'], { env: { TONEROW_PROFILE: 'work' } });
    expect(fake.seen.at(-1)?.authorization).toBe('Bearer tnr_pat_x');
    expect((await run(['logout', '--profile', 'work'], { env })).code).toBe(0);
    expect((await run(['products', 'list', '--profile', 'work'], { env })).code).toBe(4);
  });

  it('shows the server that it is a known device, also after logging out', async () => {
    fake.answers = {
      'POST /api/auth/login': [200, { token: 's', user: { email: 'a@example.com' }, device_token: 'tnr_dev_1' }],
      'POST /api/auth/logout': [200, { ok: true }],
    };
    const login = () =>
      run(['login', '--email', 'a@example.com', '--password-stdin', '--profile', 'known'], {
        env: { TONEROW_TOKEN: '' },
        stdin: 'a secret\n',
      });
    await login();
    await run(['logout', '--profile', 'known'], { env: { TONEROW_TOKEN: '' } });
    await login();
    const bodies = fake.seen
      .filter((each) => each.url.endsWith('/api/auth/login'))
      .map((each) => JSON.parse(each.body));
    expect(bodies.map((body) => body.device_token)).toEqual([undefined, 'tnr_dev_1']);
  });

  it('takes any word for a profile, also one that every object has', async () => {
    fake.answers = { 'GET /api/auth/me': [200, { email: 'ci@example.com' }], 'GET /api/products': [200, []] };
    const env = { TONEROW_TOKEN: '' };
    for (const profile of ['__proto__', 'constructor']) {
      expect((await run(['products', 'list', '--profile', profile], { env })).code).toBe(4);
      const login = ['login', '--with-token', '--profile', profile];
      expect((await run(login, { env, stdin: `tnr_pat_${profile}\n` })).code).toBe(0);
      expect((await run(['products', 'list', '--profile', profile], { env })).code).toBe(0);
      expect(fake.seen.at(-1)?.authorization).toBe(`Bearer tnr_pat_${profile}`);
    }
  });

  it('sends a stored token to no other server than the one it is for', async () => {
    fake.answers = {
      'GET /api/auth/me': [200, { email: 'a@example.com' }],
      'GET /api/products': [200, []],
      'POST /api/auth/logout': [200, { ok: true }],
    };
    const env = { TONEROW_TOKEN: '', TONEROW_URL: '' };
    const other = await startFakeServer();
    other.answers = { 'GET /api/products': [200, []] };
    try {
      const login = ['login', '--with-token', '--profile', 'here', '--url', fake.url];
      expect((await run(login, { env, stdin: 'tnr_ses_mine\n' })).code).toBe(0);
      const list = ['products', 'list', '--profile', 'here'];
      for (const answer of [
        await run([...list, '--url', other.url], { env }),
        await run(list, { env: { ...env, TONEROW_URL: other.url } }),
        await run(['logout', '--profile', 'here', '--url', other.url], { env }),
        await run(['api', 'GET', '/api/products', '--profile', 'here', '--url', other.url], { env }),
      ]) {
        expect([answer.code, answer.out]).toEqual([4, '']);
        expect(answer.err).toContain(`is for ${fake.url}, but `);
        expect(answer.err).toContain(other.url);
      }
      expect(other.seen).toEqual([]);
      for (const same of [[], ['--url', `${fake.url}/`]]) expect((await run([...list, ...same], { env })).code).toBe(0);
      // a credential that is given with the command goes to the command's --url
      expect((await run([...list, '--url', other.url], { env: { TONEROW_TOKEN: 'tnr_pat_x' } })).code).toBe(0);
      expect(other.seen.at(-1)?.authorization).toBe('Bearer tnr_pat_x');
      expect((await run(['logout', '--profile', 'here'], { env })).code).toBe(0);
    } finally {
      other.close();
    }
  });

  it('takes a token from standard input', async () => {
    fake.answers = { 'GET /api/auth/me': [200, { email: 'ci@example.com' }] };
    expect((await run(['login', '--with-token', '--profile', 'ci'], { stdin: 'tnr_pat_abc\n' })).code).toBe(0);
    expect(fake.seen[0]?.authorization).toBe('Bearer tnr_pat_abc');
    expect((await run(['login', '--with-token'], { stdin: '' })).code).toBe(64);
  });
});

it('names the profile that has no sign-in, and those that there are', async () => {
  const env = { TONEROW_TOKEN: '', TONEROW_URL: '' };
  const { code, err } = await run(['whoami', '--profile', 'nope'], { env });
  expect([code, err]).toEqual([4, expect.stringContaining('You are not signed in with profile "nope".')]);
});
