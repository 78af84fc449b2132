import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { only } from './bill.ts';
import { backOnlyByBackup, brokenPromises, isLater, released, releasesIn, unreleased } from './changelog.ts';
import { hashedMigrations, unsafeSince } from './kept.ts';
import { VERSIONED, writeVersion } from './versions.ts';

/** One that older processes cannot live with, and one that they can. */
const SINCE = ['Migration20261127032503_reseller_developers', 'Migration20261126171407_proven_addresses'];
const CHANGELOG = '# Changelog\n\nWords.\n\n## Unreleased\n\n- New.\n\n## 0.2.0, 2026-12-01\n\n- Old.\n';

describe('the changelog', () => {
  it('gives what is unreleased a heading, and leaves an empty one', () => {
    expect(unreleased(CHANGELOG)).toBe('- New.');
    const after = released(CHANGELOG, { version: '0.3.0', day: '2027-01-05' });
    expect(unreleased(after)).toBe('');
    expect(after).toContain('## Unreleased\n\n## 0.3.0, 2027-01-05\n\n- New.\n\n## 0.2.0');
    expect(releasesIn(after)).toEqual([
      { version: '0.3.0', day: '2027-01-05' },
      { version: '0.2.0', day: '2026-12-01' },
    ]);
  });

  it('names at the end of a release those migrations that the one before cannot live with', async () => {
    const note = backOnlyByBackup(['Migration1_a', 'Migration2_b']);
    const after = released(CHANGELOG, { version: '0.3.0', day: '2027-01-05' }, note);
    expect(after).toContain('- New.\n\n### Rolling back\n\n- The release before cannot live with these migrations');
    expect(after.indexOf('`Migration2_b`')).toBeLessThan(after.indexOf('## 0.2.0'));
    expect(backOnlyByBackup([])).toBe('');
    const all = Object.keys(await hashedMigrations());
    const migrations = Object.fromEntries(all.filter((name) => !SINCE.includes(name)).map((name) => [name, '']));
    expect(await unsafeSince({ migrations })).toEqual([SINCE[0]]);
  });

  it('has what callers of the API have to change, before that', () => {
    const broken = brokenPromises({ 'Thing.note: is gone': 'Read `remarks` instead.' }, '2027-01-05');
    const after = released(
      CHANGELOG,
      { version: '0.3.0', day: '2027-01-05' },
      broken,
      backOnlyByBackup(['Migration1_a']),
    );
    expect(after).toContain(
      '- New.\n\n### API 2027-01-05, which replaces the one before\n\n' +
        '- **Change:** `Thing.note: is gone`: Read `remarks` instead.\n\n### Rolling back\n\n',
    );
    expect(brokenPromises({}, '2027-01-05')).toBe('');
    const plain = released(CHANGELOG, { version: '0.3.0', day: '2027-01-05' }, '', '');
    expect(plain).toContain('- New.\n\n## 0.2.0, 2026-12-01\n\n- Old.\n');
  });

  it('is refused with a heading that is none, or without one for what is unreleased', () => {
    expect(() => releasesIn('## v1\n')).toThrow('"## v1" is not');
    expect(() => unreleased('# Changelog\n')).toThrow('no heading');
  });

  it.each([
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.0', true],
    ['0.2.0', '0.2.0', false],
    ['0.1.9', '0.2.0', false],
  ])('%s is later than %s: %s', (version, than, later) => {
    expect(isLater(version, than)).toBe(later);
  });
});

it('a version is given to every package, to those that need them, to the lock file, the chart and the constants', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-version-'));
  const files = VERSIONED;
  try {
    for (const file of files) await cp(file, path.join(folder, file));
    expect((await writeVersion(folder, '7.8.9')).sort()).toEqual([...files].sort());
    expect(await writeVersion(folder, '7.8.9')).toEqual([]);
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    for (const file of files) {
      const [before, after] = [await readFile(file, 'utf8'), await readFile(path.join(folder, file), 'utf8')];
      const lines = after.split('\n');
      const changed = before.split('\n').flatMap((line, at) => (line === lines[at] ? [] : [line]));
      // nothing else has changed, and each of these lines only in its version
      expect(changed.length, file).toBeGreaterThan(0);
      for (const line of changed) expect(after, file).toContain(line.replace(version, '7.8.9'));
      expect(lines).toHaveLength(before.split('\n').length);
    }
    // the version of the API is another one
    for (const file of ['packages/sdk/src/generated/version.gen.ts', 'packages/server/src/platform/version.ts'])
      expect(await readFile(path.join(folder, file), 'utf8')).toMatch(/API_VERSION = '\d{4}-\d\d-\d\d'/);
    const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8'));
    expect(lock.packages['packages/cli']).toMatchObject({
      version: '7.8.9',
      devDependencies: { '@tonerow/sdk': '7.8.9' },
    });
    expect(lock.packages['node_modules/non-error'].version).not.toBe('7.8.9');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('a bill has what a package is made of and what that needs, and nothing else', () => {
  const component = (ref: string) => ({
    'bom-ref': ref,
    name: ref.split('@')[0] as string,
    version: '1',
    properties: ref === 'react@1' ? [{ name: 'cdx:npm:package:development' }, { name: 'cdx:npm:package:bundled' }] : [],
  });
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: component('tonerow@1') },
    components: ['react@1', 'scheduler@1', 'vite@1', 'react@2'].map(component),
    dependencies: [
      { ref: 'react@1', dependsOn: ['scheduler@1'] },
      { ref: 'scheduler@1', dependsOn: [] },
      { ref: 'vite@1', dependsOn: ['react@2'] },
    ],
  };
  const own = only(bill, { name: '@tonerow/cli', version: '0.3.0' }, ['react@1']);
  expect(own.components.map((each) => each['bom-ref'])).toEqual(['react@1', 'scheduler@1']);
  // it is in the archive, whatever npm takes it for
  expect(own.components[0]?.properties).toEqual([{ name: 'cdx:npm:package:bundled' }]);
  expect(own.metadata.component).toMatchObject({
    name: '@tonerow/cli',
    version: '0.3.0',
    purl: 'pkg:npm/%40tonerow/cli@0.3.0',
  });
  expect(own.dependencies[0]).toEqual({ ref: '@tonerow/cli@0.3.0', dependsOn: ['react@1'] });
  expect(() => only(bill, { name: 'x', version: '1' }, ['ink@1'])).toThrow('npm does not list ink@1');
});
