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
