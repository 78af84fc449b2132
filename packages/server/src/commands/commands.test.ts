import { expect, it } from 'vitest';
import { runServerCommand } from './index.ts';

async function run(...line: string[]) {
  const said = { out: '', err: '' };
  const code = await runServerCommand(line, {
    env: {},
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
  expect(await run(...line)).toEqual({ code: 64, out: '', err: expect.stringContaining(why) });
});
