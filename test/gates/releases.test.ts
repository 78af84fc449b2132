import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLater, releasesIn, unreleased } from '../../scripts/release/changelog.ts';
import { hashedMigrations, type Kept, keptReleases } from '../../scripts/release/kept.ts';
import { type Surface, surface, undocumented } from '../../scripts/release/surface.ts';

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const releases = releasesIn(changelog);
const kept = await keptReleases();

/** Instructions for the author of a change. */
const instructions = (lacking: readonly string[]) => `
Others see what has changed, and CHANGELOG.md does not name it. In the commit that changes it, add a line for people under "## Unreleased",
with each of these names between backticks (CONTRIBUTING.md, "Releases"):

${lacking.map((name) => `- … \`${name}\` …`).join('\n')}

One that ends with … names all that begin like it, such as \`tonerow trust …\`.
`;

/** Migrations that a release has run on somebody's data, and that are not as they were. */
const changed = ({ migrations }: Pick<Kept, 'migrations'>, now: Record<string, string>) =>
  Object.keys(migrations).filter((name) => now[name] !== migrations[name]);

describe('the changelog', () => {
  it('has the newest release first, and none that is later than the packages', () => {
    const versions = releases.map((each) => each.version);
    const sorted = versions.toSorted((a, b) => (isLater(a, b) ? -1 : 1));
    expect(versions).toEqual(sorted);
    expect(versions.filter((each) => isLater(each, version))).toEqual([]);
  });

  it('has a heading for every release that is kept, but for the one that is coming, and the other way around', () => {
    const headed = new Set(releases.map((each) => each.version)).add(version);
    expect(kept.map((each) => each.version).filter((each) => !headed.has(each))).toEqual([]);
    const there = kept.map((each) => each.version);
    expect(releases.map((each) => each.version).filter((each) => !there.includes(each))).toEqual([]);
  });

  it('names what is new and gone since the last release: operations, their fields, commands and options', async () => {
    const before = (kept.at(-1) as Kept).surface;
    expect(Object.keys(before.commands).length).toBeGreaterThan(100);
    const lacking = undocumented(before, await surface(before.operations), unreleased(changelog));
    expect(lacking, instructions(lacking)).toEqual([]);
  });

  it('knows fields at every depth, those of a new operation with it', async () => {
    const all = await surface();
    expect(all.fields).toEqual(expect.arrayContaining(['max_activations', 'hidden_columns', 'cursor']));
    expect((await surface([])).fields).toEqual([]);
    const views = await surface(all.operations.filter((each) => each.endsWith('/api/views')));
    expect(views.fields).toContain('hidden_columns');
    expect(views.fields).not.toContain('max_activations');
  });

  const before: Surface = {
    operations: ['GET /api/a'],
    fields: ['id', 'note'],
    commands: { 'tonerow a list': ['--all'], 'tonerow b': [] },
  };
  const now: Surface = {
    operations: ['GET /api/a', 'POST /api/a', 'POST /api/trust/{id}'],
    fields: ['id', 'support_url'],
    commands: { 'tonerow a list': ['--all', '--limit'], 'tonerow trust add': ['--name'] },
  };
  it.each([
    [
      'all of it',
      'We changed `things`.',
      [
        'POST /api/a',
        'POST /api/trust/{id}',
        'note',
        'support_url',
        'tonerow b',
        'tonerow trust add',
        'tonerow a list --limit',
      ],
    ],
    [
      'a part of it',
      '`tonerow trust add NAME`, `--limit=N`, `POST /api/a`, `product.support_url`',
      ['POST /api/trust/{id}', 'note', 'tonerow b'],
    ],
    [
      'nothing, by words for several',
      '`/api/…`, `support_url`, `note`, `tonerow trust …`, `tonerow b`, `tonerow a list --limit`',
      [],
    ],
    [
      'what is named outside of code',
      'tonerow b, `note` and `support_url`, `tonerow trust …`, `--limit`, `/api/a`, `/api/trust/{id}`',
      ['tonerow b'],
    ],
  ])('is found to lack %s', (_, text, lacking) => {
    expect(undocumented(before, now, text)).toEqual(lacking);
  });
});

describe('migrations are history:', () => {
  it.each(kept)('those of $version are as they were', async (release) => {
    const now = await hashedMigrations();
    expect(Object.keys(release.migrations).length).toBeGreaterThan(50);
    expect(
      changed(release, now),
      `Data was migrated by these as they were at ${release.version}. Put them back, and write another migration: npm run migration NAME`,
    ).toEqual([]);
  });

  it('one that is changed, renamed or merged into another is found', () => {
    const migrations = { Migration1_a: 'x', Migration2_b: 'y', Migration3_c: 'z' };
    expect(changed({ migrations }, { Migration1_a: 'x', Migration2_b: 'other', Migration4_c: 'z' })).toEqual([
      'Migration2_b',
      'Migration3_c',
    ]);
  });
});
