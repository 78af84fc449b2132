import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { cliSuite } from '@tonerow/test-support/cli-suite.ts';
import { type FakeAnswer, startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { beforeEach, describe, expect, it } from 'vitest';

const { fake, home } = cliSuite();
beforeEach(() => rm(home, { recursive: true, force: true }));

const STARTED = {
  device_code: 'tnr_dvc_secret',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://licenses.example.com/device',
  verification_uri_complete: 'https://licenses.example.com/device?code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
};
const refused = (code: string, status = 400): FakeAnswer => [status, { code, error: code, message: `It is ${code}.` }];
const DONE: FakeAnswer = [
  200,
  { access_token: 'session-1', token_type: 'Bearer', expires_in: 1, user: { email: 'ada@example.com' } },
];

/** The server's answers to the terminal's questions, one after the other; the last one from then on. */
function answering(...answers: FakeAnswer[]) {
  const left = [...answers];
  fake.answers = {
    'POST /api/auth/device': [200, STARTED],
    get 'POST /api/auth/device/token'() {
      return left.length > 1 ? left.shift() : left[0];
    },
  } as Record<string, FakeAnswer>;
}

interface Given {
  /** The addresses that were opened; without it, there is no browser. */
  opened?: string[];
  /** The seconds that it waited. */
  waited?: number[];
  /** The wait during which the person presses Ctrl-C. */
  cancelAt?: number;
  env?: Record<string, string>;
}

const environment = () => ({
  HOME: home,
  XDG_CONFIG_HOME: path.join(home, 'config'),
  XDG_STATE_HOME: path.join(home, 'state'),
  TONEROW_URL: fake.url,
});

function person(line: string[], { opened, waited = [], cancelAt, env = {} }: Given = {}) {
  const interrupt = new AbortController();
  return runCommand(['login', ...line], {
    env: { ...environment(), ...env },
    signal: interrupt.signal,
    person: {
      async pause(milliseconds, signal) {
        waited.push(milliseconds / 1000);
        if (waited.length === cancelAt) interrupt.abort(new DOMException('Canceled.', 'AbortError'));
        signal.throwIfAborted();
      },
      async openBrowser(address) {
        opened?.push(address);
        return opened !== undefined;
      },
    },
  });
}

const script = (...line: string[]) => runCommand(['login', ...line], { env: environment() });
const asked = () => fake.seen.filter(({ url }) => url === '/api/auth/device/token').map(({ body }) => JSON.parse(body));
const stored = async () => JSON.parse(await readFile(path.join(home, 'config/tonerow/config.json'), 'utf8')).profiles;
const waiting = () => readdir(path.join(home, 'state/tonerow/sign-ins')).catch(() => []);

describe('at a terminal', () => {
  it('opens the browser, and keeps the session when the code is confirmed', async () => {
    answering(refused('authorization_pending'), refused('authorization_pending'), DONE);
    const [opened, waited]: [string[], number[]] = [[], []];
    const { code, out, err } = await person([], { opened, waited });
    expect([code, out]).toEqual([0, '']);
    expect(opened).toEqual([STARTED.verification_uri_complete]);
    expect(err).toContain('Your code is BCDF-GHJK.');
    expect(err).toContain('Signed in as ada@example.com.');
    expect(err).not.toContain('tnr_dvc_secret');
    expect(waited).toEqual([5, 5, 5]);
    const [, first] = fake.seen.map(({ body }) => JSON.parse(body));
    expect(JSON.parse(fake.seen[0]?.body ?? '')).toEqual({ machine: expect.any(String) });
    expect(first).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'tnr_dvc_secret',
    });
    expect((await stored()).default).toEqual({ url: fake.url, token: 'session-1', email: 'ada@example.com' });
    expect(await waiting()).toEqual([]);
  });

  it('prints the address where there is no browser, and with --no-browser', async () => {
    answering(DONE);
    expect((await person([])).err).toContain(
      'Open https://licenses.example.com/device in a browser, on any machine, and enter the code BCDF-GHJK.',
    );
    const opened: string[] = [];
    const { err } = await person(['--no-browser', '--quiet'], { opened });
    expect(opened).toEqual([]);
    expect(err).toContain('enter the code BCDF-GHJK.');
  });

  it('opens nothing but pages of the web', async () => {
    answering(DONE);
    fake.answers['POST /api/auth/device'] = [200, { ...STARTED, verification_uri_complete: 'file:///etc/passwd' }];
    const opened: string[] = [];
    await person([], { opened });
    expect(opened).toEqual([]);
  });

  it('asks as often as the server wants', async () => {
    answering(refused('slow_down'), refused('authorization_pending'), refused('slow_down'), DONE);
    const waited: number[] = [];
    expect((await person([], { waited })).code).toBe(0);
    expect(waited).toEqual([5, 10, 10, 15]);
  });

  it.each([
    ['access_denied', 'The sign-in was denied in the browser.'],
    ['expired_token', 'The code has expired before it was confirmed.'],
    ['invalid_grant', 'The code is no longer valid'],
  ])('ends with %s', async (error, words) => {
    answering(refused('authorization_pending'), refused(error));
    const { code, err } = await person([]);
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
    await expect(stored()).rejects.toThrow('ENOENT');
  });

  it('can be left with Ctrl-C', async () => {
    answering(refused('authorization_pending'));
    const { code, err } = await person([], { cancelAt: 2 });
    expect([code, err]).toEqual([2, expect.stringContaining('Canceled.')]);
    expect(asked()).toHaveLength(1);
    await expect(stored()).rejects.toThrow('ENOENT');
  });
});

describe('without anyone at a terminal', () => {
  it('prints the code as JSON and ends as pending; --complete waits for the answer', async () => {
    answering(DONE);
    const begun = await script();
    expect(begun.code).toBe(8);
    const { device_code: _, ...shown } = STARTED;
    const next_step = `tonerow login --complete --url ${fake.url}`;
    expect(JSON.parse(begun.out)).toEqual({ ...shown, next_step });
    expect(begun.err).toContain('enter the code BCDF-GHJK');
    expect(`${begun.out}${begun.err}`).not.toContain('tnr_dvc_secret');
    expect(asked()).toEqual([]);
    const [file] = await waiting();
    expect((await stat(path.join(home, 'state/tonerow/sign-ins', file ?? ''))).mode & 0o777).toBe(0o600);

    // as if its five seconds had gone by
    const completed = await person(['--complete']);
    expect([completed.code, completed.err]).toEqual([0, expect.stringContaining('Signed in as ada@example.com.')]);
    expect(asked().map(({ device_code }) => device_code)).toEqual(['tnr_dvc_secret']);
    expect((await stored()).default.token).toBe('session-1');
    const again = await script('--complete');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('Run "tonerow login" first.')]);
  });

  it('does so too with --json at a terminal, in CI and with --no-input', async () => {
    answering(DONE);
    const json = await person(['--json=user_code,next_step', '--profile', 'work']);
    expect([json.code, JSON.parse(json.out)]).toEqual([
      8,
      { user_code: 'BCDF-GHJK', next_step: `tonerow login --complete --url ${fake.url} --profile work` },
    ]);
    expect(JSON.parse(json.err)).toMatchObject({ code: 'pending' });
    expect((await person([], { env: { CI: 'true' } })).code).toBe(8);
    expect((await person(['--no-input'])).code).toBe(8);
    expect(asked()).toEqual([]);
  });

  it('forgets a code that was denied, and one that was left waiting stays', async () => {
    answering(refused('access_denied'));
    await script();
    const interrupted = await person(['--complete'], { cancelAt: 1 });
    expect([interrupted.code, await waiting()]).toEqual([2, ['default.json']]);
    const denied = await person(['--complete']);
    expect([denied.code, denied.err]).toEqual([1, expect.stringContaining('denied')]);
    expect(await waiting()).toEqual([]);
  });

  it('sends the code to no other server than the one it is from', async () => {
    answering(DONE);
    await script();
    const other = await startFakeServer();
    try {
      const completed = await script('--complete', '--url', other.url);
      expect([completed.code, completed.err]).toEqual([
        1,
        expect.stringContaining(`is for ${fake.url}, not ${other.url}`),
      ]);
      expect(other.seen).toEqual([]);
    } finally {
      other.close();
    }
  });
});

it('signs in one way at a time', async () => {
  for (const line of [
    ['--with-token', '--complete'],
    ['--complete', '--email', 'ada@example.com'],
    ['--with-token', '--email', 'ada@example.com'],
  ])
    expect((await script(...line)).code, line.join(' ')).toBe(64);
  expect(fake.seen).toEqual([]);
});
