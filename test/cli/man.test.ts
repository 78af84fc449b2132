import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { commands } from '../../packages/cli/src/commands/index.ts';
import { BIN } from '../support/terminal.ts';

const page = path.resolve('packages/cli/dist/tonerow.1');
const OVERSTRUCK = new RegExp(`.${String.fromCharCode(8)}`, 'g');
const hasMan = spawnSync('man', ['--version']).status === 0;
if (!hasMan) console.warn('Skipped: man is not installed (apt-get install man-db groff).');

it.skipIf(!hasMan)('the manual page is one that man shows without a warning, with every command', () => {
  const shown = spawnSync('man', ['--warnings=w', '-Tutf8', '-l', page], {
    env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '200', MANPAGER: 'cat' },
  });
  expect([shown.status, shown.stderr.toString()]).toEqual([0, '']);
  // bold and underlined letters are overstruck
  const text = stripVTControlCharacters(shown.stdout.toString().replaceAll(OVERSTRUCK, ''));
  const missing = commands.filter(({ path: name }) => !new RegExp(`^ {3}tonerow ${name}( |$)`, 'm').test(text));
  expect(missing.map((command) => command.path)).toEqual([]);
  expect(text).toContain('tonerow serials generate --product "Prism Delay" --quantity 1000 --out serials.csv');
});

it('comes with the client, and from its help', () => {
  const text = execFileSync(process.execPath, [BIN, 'help', 'man']).toString();
  expect(text).toMatch(/^\.TH TONEROW 1 /);
});
