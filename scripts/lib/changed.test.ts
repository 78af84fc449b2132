import { globSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedTests, rules, testsFor } from './changed.ts';
import { testGlobs } from './kinds.ts';

const tests = globSync(testGlobs);
const chosen = (...changed: string[]) => [...testsFor(changed, tests).files.keys()];
const within = (folder: string) => tests.filter((file) => file.startsWith(folder));
const others = (files: string[], ...folders: string[]) =>
  files.filter((file) => !folders.some((folder) => file.startsWith(folder)));

describe('a change', () => {
  it('of a feature of the server runs that feature, and what guards access, tables and the contract', () => {
    const files = chosen('packages/server/src/features/products/list.queries.ts');
    expect(files).toEqual(expect.arrayContaining(within('packages/server/src/features/products/')));
    expect(files).toEqual(
      expect.arrayContaining([
        'test/access/access.test.ts',
        'test/gates/table-owners.test.ts',
        'test/gates/contract.test.ts',
      ]),
    );
    expect(others(files, 'packages/server/src/features/products/', 'test/access/', 'test/gates/')).toEqual([]);
    expect(files).not.toContain('test/gates/tools.test.ts');
    expect(files).not.toContain('test/gates/hostile-input.test.ts');
  });

  it('of routes also runs what every operation must pass', () => {
    const files = chosen('packages/server/src/features/products/products.routes.ts');
    expect(files).toContain('test/gates/hostile-input.test.ts');
  });

  it('of a feature of the dashboard runs its components and the browser tests that show it', () => {
    const files = chosen('packages/web/src/features/webhooks/webhook-page.tsx');
    expect(within('test/browser/').filter((file) => files.includes(file))).toEqual(
      ['undo', 'webhook-screens', 'webhooks'].map((name) => `test/browser/${name}.test.ts`),
    );
    expect(chosen('packages/web/src/features/keys/snippets.ts')).toContain(
      'packages/web/src/features/keys/snippets.test.ts',
    );
  });

  it('of a command runs the terminal tests of its noun', () => {
    const files = chosen('packages/cli/src/commands/deals/list.ts');
    expect(within('test/cli/').filter((file) => files.includes(file))).toEqual(
      ['deals', 'reseller-month'].map((name) => `test/cli/${name}.test.ts`),
    );
  });

  it('of a test runs that test, and a removed one nothing', () => {
    expect(chosen('test/browser/deals.test.ts')).toEqual(['test/browser/deals.test.ts']);
    expect(chosen('test/browser/gone.test.ts')).toEqual([]);
  });

  it.each([
    'package-lock.json',
    'packages/server/src/platform/db/database.ts',
    'test/support/server.ts',
    'nowhere.xyz',
  ])('of %s runs the packages, access and the gates', (file) => {
    expect(chosen(file)).toEqual(
      expect.arrayContaining([...within('packages/'), ...within('test/access/'), ...within('test/gates/')]),
    );
  });

  it('that no rule is about is reported', () => {
    expect(testsFor(['nowhere.xyz', 'README.md'], tests).unknown).toEqual(['nowhere.xyz']);
  });
});

describe('the table of rules', () => {
  /** Globs that a source leads to, with any part in place of `$1`. */
  const globs = [...new Set(rules.flatMap((rule) => rule.tests.filter((glob) => glob !== '$1')))].map((glob) =>
    glob.replace('features/$1', 'features/*').replace('src/$1', 'src/*/*').replace('$1', '*'),
  );

  it('names only tests that there are', () => {
    // a folder of commands may be without any
    const empty = globs.filter((glob) => !tests.some((file) => path.posix.matchesGlob(file, glob)));
    expect(empty.filter((glob) => !glob.startsWith('packages/cli/src/*/'))).toEqual([]);
  });

  it('leads to every test of the browser, the terminal, access, the examples, the guides, the packages and the gates', () => {
    const led = (file: string) => globs.some((glob) => path.posix.matchesGlob(file, glob));
    expect(others(tests, 'test/resilience/').filter((file) => !led(file))).toEqual([]);
  });

  it.each([
    ['feature of the dashboard', 'packages/web/src/features', 'test/browser/', 'x.tsx'],
    ['folder of the dashboard', 'packages/web/src', 'test/browser/', 'x.tsx'],
    ['noun of the terminal client', 'packages/cli/src/commands', 'test/cli/', 'x.ts'],
  ])('knows every %s', (_what, folder, kind, file) => {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const unknown = folders
      .map(({ name }) => (name === 'features' ? `${name}/products` : name))
      .filter((name) => !chosen(`${folder}/${name}/${file}`).some((test) => test.startsWith(kind)));
    expect(unknown).toEqual([]);
  });
});

describe('in a working tree', () => {
  let root: string;
  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  };
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: root });

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'tonerow-changed-'));
    await git('init', '--quiet');
    await write('test/support/a.ts', 'export const a = 1;\n');
    await write('test/support/b.ts', "export { a } from './a.ts';\n");
    await write('test/cli/uses.test.ts', "import { a } from '../support/b.ts';\n");
    await write('test/cli/other.test.ts', "import { expect } from 'vitest';\n");
    await write('packages/server/src/uses.test.ts', "import { a } from '@tonerow/test-support/b.ts';\n");
    await write('packages/web/package.json', '{ "imports": { "#lib/*": "./src/lib/*" } }\n');
    await write('packages/web/src/lib/x.ts', 'export const x = 1;\n');
    await write('packages/web/src/features/y/y.ts', "export * from '#lib/x.ts';\n");
    await write('packages/web/src/features/y/y.test.ts', "const y = import('./y.ts');\n");
    await write('scripts/x.ts', '\n');
    await write('packages/cli/src/main.ts', '\n');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'x');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('nothing runs when nothing has changed', async () => {
    expect(await changedTests(root)).toEqual(new Map());
  });

  it('what imports a changed helper runs, through other helpers too, and what is new', async () => {
    await write('test/support/a.ts', 'export const a = 2;\n');
    await write('test/cli/new.test.ts', '\n');
    expect(await changedTests(root)).toEqual(
      new Map([
        ['test/cli/new.test.ts', 'test/cli/new.test.ts'],
        ['packages/server/src/uses.test.ts', 'test/support/a.ts'],
        ['test/cli/uses.test.ts', 'test/support/a.ts'],
      ]),
    );
  });

  it('what imports a changed file by its address runs', async () => {
    await write('packages/web/src/lib/x.ts', 'export const x = 2;\n');
    expect((await changedTests(root)).get('packages/web/src/features/y/y.test.ts')).toBe('packages/web/src/lib/x.ts');
  });

  it('what was committed since a given commit counts as well', async () => {
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'y');
    expect((await changedTests(root)).size).toBe(0);
    expect((await changedTests(root, 'HEAD~1')).size).toBe(4);
  });
});
