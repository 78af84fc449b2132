import { answering } from '@tonerow/test-support/command.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase({ whole: true });
});
afterAll(() => db.drop());

const command = (...words: string[]) =>
  execa(process.execPath, ['packages/server/dist/bin.js', 'partition', ...words], {
    env: { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET, TONEROW_DATA_DIR: inject('folder') },
    stdin: 'ignore',
    ...answering,
  });
const partitioned = () =>
  db.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace",
  );
beforeEach(async () => {
  expect(await partitioned()).toEqual([]);
});

it('shows with --dry-run what it would do, and does not', async () => {
  const { stdout, exitCode } = await command('--by', '16', '--dry-run');
  expect(stdout).toMatch(/^\d+ tables with .* get 16 partitions each\./);
  expect(stdout).toMatch(/time {4}about .* seconds/);
  expect([stdout.endsWith('Nothing was changed.\n'), exitCode]).toEqual([true, 0]);
});

it('does not begin where nobody can be asked', async () => {
  const { stderr, exitCode } = await command('--by', '16');
  expect([stderr, exitCode]).toEqual(['Nobody can be asked here. Add --yes to go on.\n', 1]);
});

it('refuses more partitions than there may be', async () => {
  const { stderr, exitCode } = await command('--by', '129', '--yes');
  expect([stderr, exitCode]).toEqual(['--by takes a whole number from 2 to 128. 16 is a good one.\n', 64]);
});

it('stops at Ctrl-C, leaves nothing behind that costs, and names the command that continues', async () => {
  const running = command('--by', '2', '--yes');
  let isStopped = false;
  running.stdout.on('data', (text: Buffer) => {
    // a table is done, and the next one has begun; a second Ctrl-C would end it amid its cleaning up
    if (isStopped || !/ rows, /.test(text.toString())) return;
    isStopped = true;
    running.kill('SIGINT');
  });
  const { stderr, exitCode } = await running;
  expect([stderr, exitCode]).toEqual(['Stopped. Go on with: tonerow-server partition --by 2\n', 1]);
  const done = await db.query("select 1 from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace");
  expect(done.length).toBeGreaterThan(0);
  expect(await db.query("select 1 from pg_trigger where tgname like 'partitioning%'")).toEqual([]);
  expect(
    await db.query("select 1 from pg_class where relkind = 'p' and relnamespace = 'partitioning'::regnamespace"),
  ).toEqual([]);
});
