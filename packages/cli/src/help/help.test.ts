import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '#commands/index.ts';
import { saveProfile } from '#config/store.ts';
import { complete } from './completion.ts';
import { groupOf } from './groups.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-help-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const run = (line: string[], env: Record<string, string> = {}) =>
  runCommand(line, { env: { XDG_CONFIG_HOME: home, HOME: home, ...env } });

describe('help', () => {
  it('is in groups, and every command is in one', async () => {
    const { out } = await run(['help', 'help']);
    expect(out).toContain('Usage: tonerow help');
    const all = (await run(['--help'])).out;
    expect(all).toMatch(/Products and serials:\n +products .*\n(.*\n)*? +serials /);
    expect(all).not.toContain('\nCommands:');
    const first = commands.map(({ path: words }) => words.split(' ')[0] as string);
    expect([...new Set(first)].filter((name) => groupOf(name) === undefined)).toEqual([]);
  });

  it('has what all commands have below a command’s own options, and settings beside the options that do the same', async () => {
    const { out } = await run(['help', 'license', 'validate']);
    const [own = '', common = ''] = out.split('Common options:');
    expect(own).toContain('[$TONEROW_PLUGIN_KEY]');
    expect(own).not.toContain('--profile');
    const plain = common.replace(/\s+/g, ' ');
    for (const each of [
      '--profile <name>',
      '[$TONEROW_PROFILE]',
      '[$TONEROW_URL]',
      '[$NO_COLOR, $FORCE_COLOR]',
      '-h, --help',
    ])
      expect(plain).toContain(each);
    expect((await run(['help', 'man'])).out).toContain('[$TONEROW_URL]');
  });

  it('of what does not exist names what was probably meant', async () => {
    const meant = async (...words: string[]) => (await run(['help', ...words])).err;
    expect(await meant('formating')).toContain('Did you mean "tonerow help formatting"?');
    expect(await meant('serials', 'genrate')).toContain('Did you mean "tonerow help serials generate"?');
    expect(await meant('whatever-it-is')).toContain('"tonerow help" lists them.');
  });

  it('names proxies and authorities among the settings', async () => {
    const { out } = await run(['help', 'environment']);
    for (const name of ['HTTPS_PROXY', 'NO_PROXY', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) expect(out).toContain(name);
  });
});

describe('the help of a command', () => {
  it.each([
    ['serials', 'list', '--help'],
    ['help', 'serials', 'list'],
    ['serials', '--help'],
    ['whoami', '--help'],
  ])('has its examples before its options, and names the server in use: %s %s %s', async (...line) => {
    const { code, out } = await run(line, { TONEROW_URL: 'https://licenses.example.com/' });
    expect(code).toBe(0);
    const [examples, options] = ['Examples:\n  tonerow ', 'ptions:\n'].map((text) => out.indexOf(text)) as [
      number,
      number,
    ];
    expect([examples > out.indexOf('Usage: '), examples < options, out.split('Examples:').length]).toEqual([
      true,
      true,
      2,
    ]);
    expect(out).toMatch(/\nMore: https:\/\/licenses\.example\.com\/help \(guides\), \S+\.com\/docs \(API\)\n$/);
  });
});

describe('profiles', () => {
  it('lists the stored sign-ins without their tokens, and marks the one in use', async () => {
    expect((await run(['profiles'])).out).toContain('tonerow login');
    await saveProfile({ XDG_CONFIG_HOME: home }, 'default', { url: 'https://a.example.com', token: 'secret-a' });
    const work = { url: 'https://b.example.com', token: 'secret-b', email: 'ada@example.com' };
    await saveProfile({ XDG_CONFIG_HOME: home }, 'work', work);
    const human = await run(['profiles', '--profile', 'work']);
    expect(human.out).toMatch(
      /default +– +https:\/\/a\.example\.com\s*–?\nwork +ada@example\.com +https:\/\/b\S+ +in use\n/,
    );
    const json = await run(['profiles', '--json'], { TONEROW_TOKEN: 'tnr_pat_x' });
    expect(JSON.parse(json.out)).toEqual([
      { name: 'default', email: null, url: 'https://a.example.com', in_use: false },
      { name: 'work', email: 'ada@example.com', url: 'https://b.example.com', in_use: false },
    ]);
    expect(`${human.out}${json.out}`).not.toContain('secret');
    expect((await run(['profiles'], { TONEROW_TOKEN: 'tnr_pat_x' })).err).toContain('TONEROW_TOKEN is set');
  });
});

describe('completion', () => {
  it('goes on after options that come before the command', async () => {
    const words = async (...line: string[]) => {
      const found = await complete(line, {});
      return found === 'files' ? found : found.map(({ word }) => word);
    };
    expect(await words('--prof')).toEqual(['--profile']);
    expect(await words('--profile', 'studio', 'who')).toEqual(['whoami']);
    expect(await words('--json', 'serials', 'gen')).toEqual(['generate']);
  });

  it('has the names of the stored sign-ins wherever one is named', async () => {
    const env = { XDG_CONFIG_HOME: home };
    await saveProfile(env, 'studio', { url: 'https://c.example.com', token: 'x' });
    const studio = [{ word: 'studio', about: '' }];
    for (const line of ['whoami --profile st', 'profiles --use st'])
      expect(await complete(line.split(' '), env)).toEqual(studio);
    expect(await complete(['profiles', '--use=st'], env)).toEqual(studio);
    expect(await complete(['--profile', 'st'], env)).toEqual(studio);
  });

  it('is there for PowerShell, which asks the client as the others do', async () => {
    const { code, out } = await run(['completion', 'powershell']);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Register-ArgumentCompleter -Native -CommandName tonerow'),
    ]);
    expect(out).toContain("tonerow complete '--' @typed");
    expect(await complete(['completion', 'power'], {})).toEqual([{ word: 'powershell', about: '' }]);
    const wrong = await run(['completion', 'tcsh']);
    expect([wrong.code, wrong.err]).toEqual([64, expect.stringContaining('bash, zsh, fish or powershell')]);
  });
});
