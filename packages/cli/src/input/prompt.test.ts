import { cliSuite } from '@tonerow/test-support/cli-suite.ts';
import { expect, it } from 'vitest';

const { fake, run: tonerow } = cliSuite();
const BATCH = '01900000-0000-7000-8000-000000000001';
const revoke = `POST /api/batches/${BATCH}/revoke`;
const run = (line: string[], env: Record<string, string> = {}, answer?: string) =>
  tonerow(line, { env, ...(answer === undefined ? {} : { person: {}, stdin: answer }) });

it.each([
  [[], {}, undefined, 'No terminal to prompt on: pass --yes.'],
  [['--no-input'], {}, 'y\n', 'Prompts are off (--no-input): pass --yes.'],
  [[], { TONEROW_PROMPT_DISABLED: '1' }, 'y\n', 'Prompts are off (TONEROW_PROMPT_DISABLED): pass --yes.'],
  [[], { CI: '1' }, 'y\n', 'Nothing is asked where CI is set: pass --yes.'],
])('names why nobody is asked, and asks the server nothing: %j %j', async (options, env, answer, text) => {
  const { code, err } = await run(
    ['serials', 'revoke-batch', BATCH, ...options],
    env as Record<string, string>,
    answer,
  );
  expect([code, err]).toEqual([64, expect.stringContaining(text)]);
  expect(fake.seen).toEqual([]);
});

it('asks with the number of what is lost', async () => {
  fake.answers = { [revoke]: [200, { count: 30_000, dry_run: true }] };
  const { code, err } = await run(['serials', 'revoke-batch', BATCH], {}, 'n\n');
  expect([code, err]).toEqual([2, expect.stringContaining('Revoke 30000 unredeemed serials of this batch? [y/N]')]);
  expect(fake.seen.map(({ url }) => url)).toEqual([expect.stringContaining('dry_run=true')]);
});

const redeemed = { id: BATCH, name: 'Echo', serials_available: 373 };
it.each([
  [
    ['products', 'delete', BATCH, '--force'],
    {
      [`GET /api/products/${BATCH}`]: redeemed,
      [`DELETE /api/products/${BATCH}`]: { serials_deleted: 373, serials_revoked: 435, dry_run: true },
    },
    'Permanently delete Echo and its 373 available serials, and revoke 435 redeemed serials of its customers? [y/N]',
  ],
  [
    ['serials', 'delete', BATCH, BATCH],
    { 'POST /api/serials/bulk': { count: 1, skipped: 1, cost: 0 } },
    'Delete 1 serial for good, 1 would stay as they are? [y/N]',
  ],
  [
    ['serials', 'change-matching', 'revoke', '--status', 'redeemed'],
    { 'POST /api/serials/change': { count: 20, skipped: 2, cost: 0 } },
    'Revoke 20 serials, 2 would stay as they are? [y/N]',
  ],
  [
    ['serials', 'delete-group', 'Echo'],
    { 'DELETE /api/serials/group/Echo': { count: 148, message: '148 serials would be deleted.', dry_run: true } },
    'Are you sure you want to delete all 148 serials in group Echo? [y/N]',
  ],
] as [string[], Record<string, object>, string][])(
  'asks with all that a dry run names: %j',
  async (line, found, text) => {
    fake.answers = Object.fromEntries(Object.entries(found).map(([call, body]) => [call, [200, body]]));
    const { code, err } = await run(line, {}, 'n\n');
    expect([code, err]).toEqual([2, expect.stringContaining(text)]);
    const sent = fake.seen.filter(({ method }) => method !== 'GET');
    expect(sent.map((each) => `${each.url} ${each.body}`)).toEqual([
      expect.stringMatching(/dry_run=true|"dry_run":true/),
    ]);
  },
);

it('shows nothing live in a job of CI', async () => {
  const { code, err } = await run(['ui'], { CI: 'true' }, '');
  expect([code, err]).toEqual([64, expect.stringContaining('Unset CI')]);
});

it.each(['false', '0', 'FALSE', ''])('takes CI=%s for no job of CI', async (CI) => {
  expect((await run(['ui'], { CI }, '')).err).toContain('This requires a terminal.');
  fake.answers = { [revoke]: [200, { count: 2, dry_run: true }] };
  expect((await run(['serials', 'revoke-batch', BATCH], { CI }, 'n\n')).err).toContain('[y/N]');
});
