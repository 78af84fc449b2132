import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run as runProcess } from '@tonerow/test-support/command.ts';
import { SMTPServer } from 'smtp-server';
import { expect, it } from 'vitest';
import { runServerCommand } from './index.ts';

async function run(line: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const said = { out: '', err: '' };
  const code = await runServerCommand(line, {
    env,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

it.each([
  [['doctro'], 'There is no command "doctro". Did you mean "tonerow-server doctor"?\n'],
  [['constructor'], 'Usage: tonerow-server <command>'],
  [['collection', 'release', 'now'], 'Usage: tonerow-server <command>'],
  [
    ['admin', 'grant'],
    `Usage: tonerow-server <command>

  admin grant EMAIL     make an account an admin
  admin revoke EMAIL    take that back
`,
  ],
  [['migrate', '--nothing'], 'See: tonerow-server --help'],
])('%j is misused: 64, and why', async (line, why) => {
  expect(await run(line)).toEqual({ code: 64, out: '', err: expect.stringContaining(why) });
});

it.each([
  [['backup', '--schedule', 'nightly'], 64, '“nightly” is no schedule'],
  [['backup', '--keep', '0', '--to', '/tmp/x'], 64, '--keep takes a whole number'],
  [['backup', 'a.backup', '--to', '/tmp/x'], 64, 'go without a file'],
  [['backup', '--to', 'ftp://x'], 1, 'neither a folder nor a bucket'],
  [['backup'], 1, 'Name a file, or a place by --to'],
  [['backup', 's3://elsewhere/x.backup'], 1, 'backup --to s3://elsewhere/x.backup'],
])('%j is refused with the reason', async (line, code, words) => {
  const refused = await run(line, { TONEROW_DATA_DIR: '/nowhere' });
  expect(refused).toEqual({ code, out: '', err: expect.stringContaining(words) });
});

it.each([['doctor'], ['--help']])('the file that starts the server takes no words: %s', async (word) => {
  const { code, out, err } = await runProcess(process.execPath, ['packages/server/src/main.ts', word]);
  expect([code, out, err]).toEqual([64, '', expect.stringContaining(`tonerow-server ${word}`)]);
});

/** A mail server that takes what is for its own domain. */
async function mailServer() {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address.endsWith('@example.com') ? null : new Error('Relaying denied')),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => done(null, String(received.push(Buffer.concat(chunks).toString()))));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { host: `127.0.0.1:${port}`, received, close };
}

it('a test email goes to the mail server of the settings, and what that refuses is told in its words', async () => {
  const { host, received, close } = await mailServer();
  try {
    const env = { SMTP_URL: `smtp://${host}`, TONEROW_DATA_DIR: '/nowhere' };
    const taken = await run(['emails', 'test', 'ops@example.com'], env);
    expect(taken).toEqual({ code: 0, out: expect.stringContaining(`${host} took the email`), err: '' });
    expect(received).toEqual([expect.stringMatching(/^To: ops@example\.com\r$/m)]);
    const refused = await run(['emails', 'test', 'ops@elsewhere.example'], env);
    expect(refused).toEqual({ code: 1, out: '', err: expect.stringContaining('Relaying denied') });
    // TLS that is required and not offered
    const unsafe = await run(['emails', 'test', 'ops@example.com'], {
      ...env,
      SMTP_URL: `smtp://${host}/?requireTLS=true`,
    });
    expect(unsafe).toEqual({ code: 1, out: '', err: expect.stringMatching(/did not take the email: .*STARTTLS/i) });
    expect(received).toHaveLength(1);
  } finally {
    await close();
  }
});

it('a test email without a mail server is a file that is named', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-emails-'));
  try {
    const { code, out } = await run(['emails', 'test', 'ops@example.com'], { TONEROW_DATA_DIR: folder });
    expect([code, out]).toEqual([0, expect.stringContaining(path.join(folder, 'outbox'))]);
    expect(await readFile(/: (\S+\.eml)/.exec(out)?.[1] as string, 'utf8')).toContain('ops@example.com');
    expect(await run(['emails', 'test', 'nobody'])).toMatchObject({ code: 64, err: 'nobody is no email address.\n' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
