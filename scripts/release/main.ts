/**
 * `npm run release -- X.Y.Z [--dry-run]`: gives all packages that version and what is unreleased in CHANGELOG.md its heading, keeps a small
 * backup for the tests of later versions and what the contract promises, commits and tags that, and makes what is handed out in
 * `dist/X.Y.Z`. Nothing is published or pushed. With `--dry-run` it shows what it would do, and does nothing.
 * `npm run release -- --keep`: only what is kept of the version that the packages have, anew, until that is released.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { API_VERSION } from '../../packages/server/src/platform/version.ts';
import { buildAll } from '../lib/build.mjs';
import { notesFile, releasedFile } from '../lib/contract-files.ts';
import { artifactsOf, makeArtifacts } from './artifacts.ts';
import { backOnlyByBackup, brokenPromises, isLater, released, releasesIn, unreleased } from './changelog.ts';
import { backupOf, factsOf, hashedMigrations, KEPT, keptReleases, unsafeSince, writeFacts } from './kept.ts';
import { backupOfStory } from './story.ts';
import type { Surface } from './surface.ts';
import { writeVersion } from './versions.ts';

const USAGE = 'usage: npm run release -- X.Y.Z [--dry-run]\n';
const root = path.resolve(import.meta.dirname, '../..');
const log = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
/** The files that are kept of a version. */
const keptOf = (version: string) =>
  [backupOf(version), factsOf(version), fileURLToPath(releasedFile), fileURLToPath(notesFile)].map((file) =>
    path.relative(root, path.resolve(root, file)),
  );
const git = async (...words: string[]) => (await execa('git', words, { cwd: root })).stdout;
const node = (...words: string[]) => execa(process.execPath, words, { cwd: root });

await main().catch((error: Error) => {
  process.stderr.write(`\n  ${error.message}\n\n`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  process.chdir(root);
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, keep: { type: 'boolean' } },
  });
  const [version] = positionals;
  const current = JSON.parse(await readFile('package.json', 'utf8')).version as string;
  const changelog = await readFile('CHANGELOG.md', 'utf8');
  if (values.keep && !version) {
    if (releasesIn(changelog).some((each) => each.version === current))
      throw new Error(`${current} is released, and what is kept of it stays as it is.`);
    await buildAll(process.execPath);
    await keep(current);
    return log(keptOf(current).join('\n'));
  }
  if (!version || !/^\d+\.\d+\.\d+$/.test(version) || positionals.length > 1) {
    process.stderr.write(USAGE);
    process.exitCode = 64;
    return;
  }
  await refuse(version, changelog);
  const day = new Date().toISOString().slice(0, 10);
  const before = (await keptReleases()).findLast((each) => each.version !== version);
  const broken = brokenPromises(JSON.parse(await readFile(notesFile, 'utf8')), API_VERSION);
  const back = before ? backOnlyByBackup(await unsafeSince(before)) : '';
  const after = released(changelog, { version, day }, broken, back);
  if (values['dry-run']) return plan({ version, current, text: after.slice(after.indexOf(`## ${version}`)) });
  const folder = path.join(root, 'dist', version);
  const changed: string[] = ['CHANGELOG.md', 'package-lock.json'];
  try {
    changed.push(...(await writeVersion(root, version)));
    await writeFile('CHANGELOG.md', after);
    log('building …');
    await buildAll(process.execPath);
    log('keeping a backup of it …');
    await keep(version);
    await git('add', ...changed, ...keptOf(version));
    await git('commit', '--quiet', '--message', `release: ${version}`);
  } catch (error) {
    // the tree was clean, so nothing of anybody's is lost
    await git('restore', '--staged', '--worktree', '.');
    await git('clean', '--quiet', '--force', KEPT);
    throw error;
  }
  log('packing …');
  await makeArtifacts({ version, day, api: API_VERSION }, folder);
  // last: a version that has a tag can be handed out
  await git('tag', '--annotate', `v${version}`, '--message', `Tonerow ${version}`);
  log(`\n${version} is committed, tagged v${version}, and in dist/${version}:\n`);
  for (const name of artifactsOf(version)) log(`  ${name}`);
  log('\nNothing was published. The day’s tests should pass before it is: npm test');
}

/** @throws {Error} in words, when this tree cannot be released as that. */
async function refuse(version: string, changelog: string): Promise<void> {
  const [newest] = releasesIn(changelog);
  if (newest && !isLater(version, newest.version))
    throw new Error(`${version} is not later than ${newest.version}, which is released.`);
  if (unreleased(changelog) === '') throw new Error('CHANGELOG.md names nothing that is unreleased.');
  if ((await git('tag', '--list', `v${version}`)) !== '') throw new Error(`There is a tag v${version} already.`);
  if ((await git('status', '--porcelain')) !== '')
    throw new Error('There are changes that are not committed. Commit them, or put them away.');
}

/** Makes the backup of a version, and notes what is in it, what others build on and what its contract promises. */
async function keep(version: string): Promise<void> {
  const facts = await backupOfStory(backupOf(version));
  const { stdout } = await node('--conditions=@tonerow/source', 'scripts/release/surface.ts');
  const surface = JSON.parse(stdout) as Surface;
  await writeFacts({ version, migrations: await hashedMigrations(), surface, told: facts });
  await node('node_modules/@biomejs/biome/bin/biome', 'format', '--write', KEPT);
  await node('scripts/released.ts');
}

function plan({ version, current, text }: { version: string; current: string; text: string }): void {
  log(version === current ? `All packages are ${version} already.` : `All packages: ${current} becomes ${version}.`);
  log(`Kept for later tests: ${keptOf(version).join(', ')}`);
  log(`Commit "release: ${version}", tag v${version}. In dist/${version}:\n`);
  for (const name of artifactsOf(version)) log(`  ${name}`);
  const [own = '', ...others] = text.split(/\n(?=## )/);
  log(
    `\nCHANGELOG.md${others.length > 0 ? ', before what it has already' : ''}:\n\n${own.trim()}\n\nNothing was changed.`,
  );
}
