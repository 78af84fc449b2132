import { runCommand } from '@tonerow/test-support/cli.ts';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { commands } from '#commands/index.ts';
import { optionsOf } from '#define/options.ts';
import { OR_STDIN } from './given-token.ts';

let fake: Awaited<ReturnType<typeof startFakeServer>>;
beforeAll(async () => {
  fake = await startFakeServer();
});
afterAll(() => fake.close());
beforeEach(() => fake.reset());

const id = '01900000-0000-7000-8000-000000000001';
const run = (line: string[], stdin: string) =>
  runCommand(line, {
    env: {
      HOME: '/nowhere',
      XDG_CONFIG_HOME: '/nowhere',
      TONEROW_URL: fake.url,
      TONEROW_TOKEN: 'x',
      TONEROW_PLUGIN_KEY: 'k',
    },
    stdin,
  });

it.each([
  'downloads open -',
  'downloads open-order -',
  `downloads release - ${id}`,
  `downloads offline - ABCD-EFGH ${import.meta.filename}`,
  `downloads release-offline - ABCD-EFGH ${import.meta.filename}`,
  'downloads device BCDF-GHJK --token -',
  'invites follow -',
  'invites preview -',
  'emails unsubscribe -',
  'verify-email -',
  'license seats ABCD-EFGH --machine m --validation-token -',
])('%s sends what standard input has', async (line) => {
  await run(line.split(' '), 'the-token\n');
  expect(fake.seen.map(({ body }) => body).join()).toMatch(/oken":"the-token"/);
  fake.reset();
  const { code, err } = await run(line.split(' '), '');
  expect([code, err, fake.seen]).toEqual([64, expect.stringContaining('Standard input was empty.'), []]);
});

it('can be done with every token on a command line, and the help names it', () => {
  const named = commands.filter(({ path }) => path !== 'tokens delete');
  const tokens = named.flatMap((command) => [
    ...command.args.filter(([name]) => name === '<token>').map(([, about]) => `${command.path}: ${about}`),
    ...optionsOf(command)
      .filter(({ flags }) => flags.endsWith('<token>'))
      .map(({ flags, about }) => `${command.path} ${flags}: ${about}`),
  ]);
  expect(tokens.filter((each) => !each.endsWith(OR_STDIN))).toEqual([]);
  expect(tokens.length).toBeGreaterThan(8);
});
