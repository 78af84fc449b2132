import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn as spawnPty } from '@lydell/node-pty';
import { isInstalled, run } from '@tonerow/test-support/command.ts';
import { BIN } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-shell-'));
  await mkdir(path.join(home, 'bin'));
  await writeFile(path.join(home, 'bin/tonerow'), `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`);
  await chmod(path.join(home, 'bin/tonerow'), 0o755);
  await mkdir(path.join(home, 'work'));
  for (const name of ['sales october.csv', 'machine.txt']) await writeFile(path.join(home, 'work', name), '');
  await mkdir(path.join(home, 'tonerow'));
  await writeFile(path.join(home, 'tonerow/config.json'), '{"profiles":{"studio":{"url":"http://x","token":"t"}}}');
});
afterAll(() => rm(home, { recursive: true, force: true }));

const shells = {
  bash: { start: ['--norc', '--noprofile', '-i'], load: 'eval "$(tonerow completion bash)"' },
  zsh: { start: ['-f', '-i'], load: 'autoload -Uz compinit && compinit -u && eval "$(tonerow completion zsh)"' },
  fish: { start: ['--no-config', '-i'], load: 'tonerow completion fish | source' },
};

function isThere(shell: string): boolean {
  const there = isInstalled(shell);
  if (!there) console.warn(`Skipped: ${shell} is not installed (apt-get install ${shell}).`);
  return there;
}

/** A shell that has loaded the completion script, and its screen. */
async function open(shell: keyof typeof shells) {
  const pty = spawnPty(shell, shells[shell].start, {
    env: { PATH: `${home}/bin:${process.env.PATH}`, HOME: home, XDG_CONFIG_HOME: home, TERM: 'xterm', LANG: 'C.UTF-8' },
    cols: 200,
    rows: 50,
    cwd: path.join(home, 'work'),
  });
  let screen = '';
  pty.onData((text) => {
    screen += text;
    // fish asks what kind of terminal this is, and waits for the answer
    if (text.includes('\u001b[c') || text.includes('\u001b[0c')) pty.write('\u001b[?1;2c');
  });
  const shown = () => stripVTControlCharacters(screen);
  const see = (text: string) => expect.poll(shown, { timeout: 20_000 }).toContain(text);
  pty.write(`${shells[shell].load}; echo rea""dy\r`);
  await expect.poll(shown, { timeout: 20_000 }).toMatch(/ready\s/);
  return {
    /** Begins a line, presses tab, waits for the expected text, and discards the line. */
    complete: async (begun: string, expected: string) => {
      screen = '';
      pty.write(`${begun}\t`);
      await see(expected);
      // not Ctrl-C, with which a terminal drops what was typed already
      pty.write('\u0015');
    },
    close: () => pty.kill(),
  };
}

describe.each(Object.keys(shells) as (keyof typeof shells)[])('%s', (shell) => {
  it.skipIf(!isThere(shell))('completes commands, options, their values and file names', async () => {
    const { complete, close } = await open(shell);
    await complete('tonerow cust', 'tonerow customers ');
    await complete('tonerow serials gen', 'tonerow serials generate ');
    await complete('tonerow serials list --bat', 'tonerow serials list --batch ');
    await complete('tonerow serials list --state av', 'tonerow serials list --state available ');
    await complete('tonerow serials list --state=av', 'tonerow serials list --state=available ');
    await complete('tonerow tokens create ci --scope serials:w', 'tonerow tokens create ci --scope serials:write ');
    await complete('tonerow keys list --fields id,lab', 'tonerow keys list --fields id,label ');
    await complete('tonerow keys list --json=id,lab', 'tonerow keys list --json=id,label ');
    await complete('tonerow whoami --profile st', 'tonerow whoami --profile studio ');
    await complete('tonerow profiles --use st', 'tonerow profiles --use studio ');
    await complete('tonerow serials import av', 'tonerow serials import available ');
    await complete('tonerow serials import available sal', 'tonerow serials import available sales\\ october.csv ');
    await complete('tonerow customers import "sal', 'tonerow customers import "sales october.csv"');
    await complete('tonerow license time --key-file mach', 'tonerow license time --key-file machine.txt ');
    await complete('tonerow license time --key-file=mach', 'tonerow license time --key-file=machine.txt ');
    await complete('tonerow help serials ref', 'tonerow help serials refresh ');
    close();
  });
});

it('never answers a shell with an error', async () => {
  const complete = async (...words: string[]) => (await run(process.execPath, [BIN, 'complete', '--', ...words])).out;
  expect(await complete('nonsense', 'of', 'any', 'kind')).toBe('');
  expect(await complete('serials', 'revoke', '')).toBe('');
  expect(await complete('serials', 'list', '--state', '')).toBe('available\t\nhanded_out\t\nredeemed\t\nrevoked\t\n');
  expect(await complete('')).toContain('serials\tGenerate, import, export');
});
