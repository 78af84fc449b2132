import { readFile, stat } from 'node:fs/promises';
import { makeProduct, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import {
  gitlabClaims,
  type Issuer,
  PROJECT,
  REPOSITORY,
  signedToken,
  startIssuer,
} from '@tonerow/test-support/issuer.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { openRunner, readSteps, runSteps } from '@tonerow/test-support/workflow.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

let issuer: Issuer;
let server: TestServer;
let ada: Person;
let own: Awaited<ReturnType<typeof openTerminal>>;
const jobs: Awaited<ReturnType<typeof openTerminal>>[] = [];
beforeAll(async () => {
  issuer = await startIssuer();
  server = await startServer({ env: issuer.env });
  ada = await signUp(server);
  own = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
  await makeProduct(server, ada.token, { name: 'Prism Delay', price: 99 });
});
afterAll(async () => {
  for (const each of [own, ...jobs]) await each.close();
  await server.stop();
  issuer.stop();
});

const scopesOf = (text: string) => [...text.matchAll(/--scope (\S+)/g)].map(([, scope]) => scope as string);
const trust = async (scopes: string[], ...where: string[]): Promise<string> => {
  const options = scopes.flatMap((scope) => ['--scope', scope]);
  const made = await own.tonerow('trust', 'add', 'release', ...where, ...options);
  expect(made.code, made.err).toBe(0);
  return made.out.trim();
};
const atGitHub = ['--github', REPOSITORY, '--branch', 'main'];
const atGitLab = ['--gitlab', PROJECT, '--branch', 'main'];

/** A machine of a CI service, with nothing of anybody's on it. */
async function job(settings: Record<string, string>) {
  const terminal = await openTerminal(() => ({ TONEROW_URL: server.url, ...settings }));
  jobs.push(terminal);
  return terminal;
}

describe('trusts at a terminal', () => {
  it('are added, listed and removed', async () => {
    const id = await trust(['account:read'], ...atGitHub, '--environment', 'production');
    const [listed] = await own.json('trust', 'list');
    expect(listed).toMatchObject({
      id,
      name: 'release',
      provider: 'github',
      branch: 'main',
      environment: 'production',
    });
    expect((await own.tonerow('trust', 'list')).out).toContain(REPOSITORY);
    const moved = await own.json('trust', 'update', 'release', '--environment', '', '--scope', 'products:read');
    expect(moved).toMatchObject({ id, branch: 'main', environment: null, scopes: ['products:read'] });
    expect(await own.json('trust', 'show', 'release')).toEqual(moved);
    expect((await own.tonerow('trust', 'show', id)).out).toContain(`TONEROW_TRUST=${id}`);
    const unchanged = await own.tonerow('trust', 'update', id);
    expect([unchanged.code, unchanged.err]).toEqual([64, expect.stringContaining('Give --name')]);
    expect((await own.tonerow('trust', 'remove', id, '--yes')).err).toBe('The trust has been deleted.\n');
    expect((await own.tonerow('trust', 'list')).out).toContain('No trusts yet.');
  });

  it.each([
    ['no service', ['--branch', 'main', '--scope', 'account:read'], 'Give either --github or --gitlab.'],
    ['two services', [...atGitHub, '--gitlab', '1', '--scope', 'account:read'], 'Give either --github or --gitlab.'],
    ['no branch', ['--github', '1', '--scope', 'account:read'], 'Give --branch, --environment, or both.'],
    ['no scope', atGitHub, 'Give at least one --scope'],
    [
      'an issuer of GitHub',
      [...atGitHub, '--issuer', 'https://git.example.com', '--scope', 'account:read'],
      '--issuer goes with --gitlab',
    ],
  ])('with %s are refused before anything is sent', async (_what, options, words) => {
    const { code, err } = await own.tonerow('trust', 'add', 'x', ...options);
    expect([code, err]).toEqual([64, expect.stringContaining(words)]);
  });

  it('are named before a new password deletes them', async () => {
    const id = await trust(['account:read'], ...atGitHub);
    const asked = await own.tonerow('account', 'change-password');
    expect([asked.code, asked.err]).toEqual([64, expect.stringContaining('delete the trust release')]);
    await own.tonerow('trust', 'remove', id, '--yes');
  });
});

describe('a job', () => {
  it('at GitHub signs in by itself, once for all of its commands, and leaves a file that only it can read', async () => {
    const id = await trust(['account:read'], ...atGitHub);
    const { tonerow, json, file } = await job({ ...issuer.job, TONEROW_TRUST: id, RUNNER_TEMP: '' });
    expect((await tonerow('whoami')).out).toContain('access token from TONEROW_TRUST');
    expect(await json('whoami')).toMatchObject({ email: ada.email, credential: { scopes: ['account:read'] } });
    const issued = (await own.json('tokens', 'list')).filter((each: { trust_id: string }) => each.trust_id === id);
    expect(issued.map(({ name }: { name: string }) => name)).toEqual(['release (octo/plugins, run 8001)']);
    expect((await stat(file('.local/state/tonerow/tonerow-trust.json'))).mode & 0o077).toBe(0);
    await own.tonerow('trust', 'remove', id, '--yes');
  });

  it('at GitLab exchanges its one token, and goes on with what it got', async () => {
    const id = await trust(['account:read'], ...atGitLab);
    const token = signedToken(gitlabClaims(server.url, new Date()));
    const { tonerow } = await job({ TONEROW_TRUST: id, TONEROW_ID_TOKEN: token });
    for (let turn = 0; turn < 2; turn += 1) expect((await tonerow('whoami')).code).toBe(0);
    // another machine of the same job has nothing to go on with
    const { code, err } = await (await job({ TONEROW_TRUST: id, TONEROW_ID_TOKEN: token })).tonerow('whoami');
    expect([code, err]).toEqual([4, expect.stringContaining('The token was already exchanged.')]);
    await own.tonerow('trust', 'remove', id, '--yes');
  });

  it('of another branch is refused with what its token has', async () => {
    const id = await trust(['account:read'], ...atGitHub);
    issuer.state.job = { ref: 'refs/heads/dev' };
    const { code, err } = await (await job({ ...issuer.job, TONEROW_TRUST: id })).tonerow('whoami');
    issuer.reset();
    expect([code, err]).toEqual([
      4,
      expect.stringContaining('The token is of another branch: its ref is refs/heads/dev.'),
    ]);
    expect(err).toContain('::error title=tonerow whoami::');
    await own.tonerow('trust', 'remove', id, '--yes');
  });

  it.each([
    ['GitHub', { GITHUB_ACTIONS: 'true' }, 'Give it "permissions: id-token: write".'],
    ['GitLab', {}, 'give the job an id token TONEROW_ID_TOKEN with "aud: http://127.0.0.1:'],
  ])('without an identity token is told how to get one from %s', async (_service, settings, words) => {
    const { tonerow } = await job({ ...settings, TONEROW_TRUST: '00000000-0000-4000-8000-000000000000' });
    const { code, err } = await tonerow('whoami');
    expect([code, err]).toEqual([4, expect.stringContaining(words)]);
  });

  it('whose service gives no token reports that', async () => {
    const settings = { ...issuer.job, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'wrong', TONEROW_TRUST: ada.id };
    const { code, err } = await (await job(settings)).tonerow('whoami');
    expect([code, err]).toEqual([1, expect.stringContaining('GitHub gave no identity token (HTTP 401).')]);
  });

  it('has the token of TONEROW_TOKEN where both are set', async () => {
    const settings = { ...issuer.job, TONEROW_TRUST: ada.id, TONEROW_TOKEN: ada.token };
    expect((await (await job(settings)).tonerow('whoami')).out).toContain('session from TONEROW_TOKEN');
  });
});

describe('a documented workflow', { timeout: 180_000 }, () => {
  const inputs = {
    PRODUCT: 'Prism Delay',
    QUANTITY: '25',
    TAG: 'Nightly',
    GITHUB_RUN_ID: '4711',
    GRACE: '7d',
    KEY: '',
  };

  it.each([
    ['docs/examples/generate-batch.yml', 'generate'],
    ['docs/examples/rotate-key.yml', 'rotate'],
  ])('%s runs by a trust with the scopes that it asks for, and needs each of them', async (file, name) => {
    const { key } = await own.json('keys', 'create', 'In the field');
    const steps = await readSteps(file, name);
    const scopes = scopesOf(await readFile(file, 'utf8'));
    const run = async (held: string[]) => {
      const id = await trust(held, ...atGitHub);
      const terminal = await job({ ...issuer.job, TONEROW_TRUST: id });
      const environment = { ...(await openRunner(terminal)), ...inputs, KEY: key.id };
      return { log: await runSteps(steps, environment, terminal.home), summary: terminal.file('summary.md') };
    };
    for (const scope of scopes) await expect(run(scopes.filter((each) => each !== scope)), scope).rejects.toThrow();
    const { summary } = await run(scopes);
    expect(await readFile(summary, 'utf8')).toContain(name === 'generate' ? '25 serials for Prism Delay' : key.id);
  });

  it('by the action has the client and both variables', async () => {
    const id = await trust(['account:read'], ...atGitHub);
    const { runs } = parse(await readFile('docs/examples/action/action.yml', 'utf8'));
    const terminal = await job(issuer.job);
    const { TONEROW_URL: _, ...runner } = await openRunner(terminal);
    const environment = { ...runner, URL: `${server.url}/`, TRUST: id, GITHUB_ENV: terminal.file('env') };
    await runSteps(runs.steps, environment, terminal.home);
    const set = Object.fromEntries(
      (await readFile(terminal.file('env'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    expect(set).toEqual({ TONEROW_URL: server.url, TONEROW_TRUST: id });
    const output = await runSteps([{ run: 'tonerow whoami' }], { ...environment, ...set }, terminal.home);
    expect(output).toContain('access token from TONEROW_TRUST');
  });

  it('of GitLab runs by a trust with the scopes that it asks for', async () => {
    const text = await readFile('docs/examples/gitlab.yml', 'utf8');
    const { '.tonerow': base, generate } = parse(text);
    expect(base.id_tokens).toEqual({ TONEROW_ID_TOKEN: { aud: '$TONEROW_URL' } });
    const id = await trust(scopesOf(text), ...atGitLab);
    const token = signedToken(gitlabClaims(server.url, new Date()));
    const terminal = await job({ TONEROW_TRUST: id, TONEROW_ID_TOKEN: token });
    const environment = { ...(await openRunner(terminal)), ...inputs, CI_PIPELINE_ID: '12', GITHUB_STEP_SUMMARY: '' };
    const lines = [...base.before_script, ...generate.script].map((run: string) => ({ run }));
    await runSteps(lines, environment, terminal.home);
    expect((await readFile(terminal.file(generate.artifacts.paths[0]), 'utf8')).split('\r\n')).toHaveLength(27);
  });
});

it('a job’s token ends with the account’s password', async () => {
  const eve = await signUp(server);
  const theirs = await openTerminal(() => ({ TONEROW_URL: server.url }));
  jobs.push(theirs);
  await theirs.piped(PASSWORD, 'login', '--email', eve.email, '--password-stdin');
  const made = await theirs.json('trust', 'add', 'x', ...atGitHub, '--scope', 'account:read');
  const { tonerow } = await job({ ...issuer.job, TONEROW_TRUST: made.id });
  expect((await tonerow('whoami')).code).toBe(0);
  await theirs.piped(`${PASSWORD}\nanother fine password\n`, 'account', 'change-password', '--password-stdin');
  expect((await tonerow('whoami')).code).toBe(4);
});
