import { readFile } from 'node:fs/promises';
import { spawn as spawnPty } from '@lydell/node-pty';
import { run } from '@tonerow/test-support/command.ts';
import { makeProduct, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { BIN, openTerminal } from '@tonerow/test-support/terminal.ts';
import { untilWorking } from '@tonerow/test-support/working.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// These tests need a process of its own: they show how the built command starts and ends, what passes through its
// pipes, and how it behaves on a terminal. All other tests run the command in their own process.

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
  await makeProduct(server, ada.token, { name: 'Prism Delay' });
});
afterAll(() => terminal.close());

const generate = (quantity: number, ...more: string[]) => [
  'serials',
  'generate',
  '--product',
  'Prism Delay',
  '--quantity',
  String(quantity),
  ...more,
];
const made = async () => (await terminal.json('serials', 'available')).total as number;

describe('from a shell', () => {
  /** A line as it is typed into a shell, where `tonerow` is the built command. */
  const shell = (line: string) =>
    run('sh', ['-c', `tonerow() { '${process.execPath}' '${BIN}' "$@"; }\n${line}`], {
      env: terminal.environment(),
      extendEnv: false,
      cwd: terminal.home,
      input: '',
      // a test that times out does not show what was written until then
      timeout: 50_000,
    });

  it.each([
    ['a success', 'tonerow whoami', 0],
    ['a refusal', 'tonerow emails log', 1],
    ['a usage error', 'tonerow products list --nonsense', 64],
    ['a credential that is not valid', 'TONEROW_TOKEN=tnr_pat_wrong tonerow whoami', 4],
  ])(
    '%s has its exit code, its result on standard output and its message on standard error',
    async (_what, line, code) => {
      const ended = await shell(line);
      expect([ended.code, ended.out === '', ended.err === ''], ended.output).toEqual([code, code !== 0, code === 0]);
    },
  );

  it('reads a password from a pipe, keeps the sign-in for the next command, and writes files where it is called', async () => {
    const config = `export XDG_CONFIG_HOME="$HOME/piped"; unset TONEROW_TOKEN`;
    const login = `printf '%s' '${PASSWORD}' | tonerow login --email ${ada.email} --password-stdin`;
    const ended = await shell(
      `${config}; ${login} && ${`tonerow ${generate(3, '--out', 'here.csv')
        .map((word) => `'${word}'`)
        .join(' ')}`}`,
    );
    expect(ended.code, ended.output).toBe(0);
    expect((await readFile(terminal.file('here.csv'), 'utf8')).trim().split('\r\n')).toHaveLength(4);
  });

  it('is not in the way of a reader that has seen enough', async () => {
    // more than a pipe holds
    expect((await terminal.start(generate(2000, '--quiet')).ended).code).toBe(0);
    const list = `tonerow serials list --all`;
    const ended = await shell(`{ ${list}; echo "code $?" >&2; } | head -n 2`);
    expect([ended.out.trim().split('\n').length, ended.err]).toEqual([2, 'code 0\n']);
  });

  it('passes 5 MB through a pipe whole', async () => {
    const answer = await terminal.start(generate(150_000, '--quiet')).ended;
    expect(answer.code).toBe(0);
    expect(answer.out.length).toBeGreaterThan(5_000_000);
    expect(answer.out.trim().split('\r\n')).toHaveLength(150_001);
    expect(answer.err).toBe('');
  });

  it('stops at Ctrl-C with code 2, and nothing of the batch is made', async () => {
    const before = await made();
    const { child, ended } = terminal.start(generate(1_000_000, '--out', 'never.csv'));
    await untilWorking(server.db, 'copy serials');
    child.kill('SIGINT');
    expect((await ended).code).toBe(2);
    await expect(readFile(terminal.file('never.csv'))).rejects.toThrow();
    await expect.poll(made, { timeout: 20_000 }).toBe(before);
  });
});

describe('on a terminal', () => {
  function pty(args: string[], env: Record<string, string> = {}) {
    let screen = '';
    const program = spawnPty(process.execPath, [BIN, ...args], {
      cols: 100,
      rows: 30,
      cwd: terminal.home,
      env: { ...terminal.environment(), TERM: 'xterm-256color', ...env },
    });
    program.onData((text) => {
      screen += text;
    });
    const ended = new Promise<number>((resolve) => program.onExit(({ exitCode }) => resolve(exitCode)));
    const shows = (text: string) => expect.poll(() => screen, { timeout: 15_000 }).toContain(text);
    return { write: (keys: string) => program.write(keys), ended, shows, screen: () => screen };
  }

  it('asks for the password without showing it', async () => {
    const { write, ended, shows, screen } = pty(['login', '--email', ada.email], {
      XDG_CONFIG_HOME: terminal.file('pty'),
    });
    await shows('Password: ');
    write(`${PASSWORD}\r`);
    expect(await ended).toBe(0);
    expect(screen()).toContain(`Signed in as ${ada.email}`);
    expect(screen()).not.toContain(PASSWORD);
  });

  it('can be left with Ctrl-C', async () => {
    const { write, ended, shows } = pty(['login', '--no-browser'], { XDG_CONFIG_HOME: terminal.file('pty2') });
    await shows('Ctrl-C cancels');
    write('\u0003');
    expect(await ended).toBe(2);
  });

  it('leaves the browser with Ctrl-C also while a search is typed', async () => {
    const { write, shows, ended } = pty(['ui']);
    await shows('Prism Delay');
    write('/');
    await shows('Search:');
    write('\u0003');
    expect(await ended).toBe(0);
  });

  it('shows the twelve cells while a batch arrives, in color but for NO_COLOR', async () => {
    const magenta = '\u001b[35m';
    for (const [env, colored] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
    ] as const) {
      const { ended, screen } = pty(generate(20_000, '--force', '--out', 'live.csv'), env);
      expect(await ended).toBe(0);
      expect(screen()).toMatch(/[■□]{1,12}/);
      expect(screen()).toContain('20000 serials are in');
      expect(screen().includes(magenta)).toBe(colored);
    }
  });
});
