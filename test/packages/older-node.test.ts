import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa, execaSync } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeOf } from './support.ts';

const old = nodeOf(20);
if (!old) console.warn('Skipped: commands by path on Node 20, which is not installed.');

const commands = {
  'packages/server/bin/tonerow-server.mjs': ['tonerow-server needs Node 24 or newer; this is v20.', 'dist/bin.js'],
  'packages/cli/bin/tonerow.cjs': ['tonerow needs Node 22 or newer; this is v20.', 'dist/cli.cjs'],
} as const;

describe.skipIf(!old).each(Object.entries(commands))('%s on Node 20', (file, [refusal, main]) => {
  let folder: string;
  const bundled = () => path.join(folder, 'node_modules/.bin/node');

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tonerow-older-node-'));
    for (const place of ['node_modules/.bin', path.dirname(file), path.join(path.dirname(file), '../dist')])
      mkdirSync(path.join(folder, place), { recursive: true });
    cpSync(file, path.join(folder, file));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const holds = (text: string) => writeFileSync(path.join(folder, path.dirname(file), '..', main), text);
  const run = (...args: string[]) => execa(String(old), [path.join(folder, file), ...args], { reject: false });

  it('names the version where there is no newer one', async () => {
    const { exitCode, stdout, stderr } = await run('--help');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^${refusal.replaceAll('.', '\\.')}[\\d.]+$`));
  });

  it('starts itself with the one of the checkout, and ends as that does', async () => {
    symlinkSync(process.execPath, bundled());
    holds('console.log(process.version, ...process.argv.slice(2)); process.exitCode = 7;');
    const { exitCode, stdout, stderr } = await run('--flag', 'a word');
    expect([exitCode, stdout, stderr]).toEqual([7, `${process.version} --flag a word`, '']);
  });

  it('shows it is not built', async () => {
    rmSync(path.join(folder, path.dirname(file), '..', main));
    const { exitCode, stderr } = await run('--help');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is not built yet. Run "npm start" once')]);
  });

  // the client is a command of its terminal, whose Ctrl-C reaches both
  if (!file.includes('server')) return;
  it.each([
    ['ends in good order', "process.on('SIGTERM', () => process.exit(5));", 5, undefined],
    ['is ended', '', undefined, 'SIGTERM'],
  ])('passes a signal on to a server that %s', async (_how, handler, exitCode, signal) => {
    holds(`setInterval(() => {}, 1000); ${handler} console.log('ready');`);
    const server = run('start');
    await new Promise((resolve) => server.stdout.once('data', resolve));
    server.kill('SIGTERM');
    const ended = await server;
    expect([ended.exitCode, ended.signal]).toEqual([exitCode, signal]);
  });
});

it.skipIf(!old)('the real one starts by its path', () => {
  const { stdout, stderr } = execaSync(String(old), ['packages/server/bin/tonerow-server.mjs', '--help']);
  expect([stdout.split('\n')[0], stderr]).toEqual(['Usage: tonerow-server <command>', '']);
});
