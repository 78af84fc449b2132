import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isInstalled, run } from '@tonerow/test-support/command.ts';
import { BIN } from '@tonerow/test-support/terminal.ts';
import { expect, it } from 'vitest';
import { commands } from '../../packages/cli/src/commands/index.ts';

const page = path.resolve('packages/cli/dist/tonerow.1');
const OVERSTRUCK = new RegExp(`.${String.fromCharCode(8)}`, 'g');
const hasMan = isInstalled('man');
if (!hasMan) console.warn('Skipped: man is not installed (apt-get install man-db groff).');

it.skipIf(!hasMan)('the manual page is one that man shows without a warning, with every command', async () => {
  const shown = await run('man', ['--warnings=w', '-Tutf8', '-l', page], {
    env: { LC_ALL: 'C.UTF-8', MANWIDTH: '200', MANPAGER: 'cat' },
  });
  expect([shown.code, shown.err]).toEqual([0, '']);
  // bold and underlined letters are overstruck
  const text = stripVTControlCharacters(shown.out.replaceAll(OVERSTRUCK, ''));
  const missing = commands.filter(({ path: name }) => !new RegExp(`^ {3}tonerow ${name}( |$)`, 'm').test(text));
  expect(missing.map((command) => command.path)).toEqual([]);
  expect(text).toContain('tonerow serials generate --product "Prism Delay" --quantity 1000 --out serials.csv');
});

it('comes with the client, and from its help', async () => {
  expect((await run(process.execPath, [BIN, 'help', 'man'])).out).toMatch(/^\.TH TONEROW 1 /);
});
