/**
 * The files of each release under `test/releases`, by which later versions can prove that they take over its data: a
 * small backup of it, and beside it what is in there, its migrations and what others built on.
 */
import { hash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isLater } from './changelog.ts';
import type { StoryFacts } from './story.ts';
import type { Surface } from './surface.ts';

export const KEPT = 'test/releases';

export interface Kept {
  version: string;
  /** Each migration that the release has, with the hash of its statements. */
  migrations: Record<string, string>;
  surface: Surface;
  /** The content of its backup. */
  told: StoryFacts;
}

/** The releases that are kept, the oldest first. */
export async function keptReleases(folder = KEPT): Promise<Kept[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const all = await Promise.all(
    files.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Kept),
  );
  return all.sort((a, b) => (isLater(a.version, b.version) ? 1 : -1));
}

export const backupOf = (version: string, folder = KEPT) => path.join(folder, `${version}.backup`);
export const factsOf = (version: string, folder = KEPT) => path.join(folder, `${version}.json`);

export async function writeFacts(kept: Kept, folder = KEPT): Promise<void> {
  await writeFile(factsOf(kept.version, folder), `${JSON.stringify(kept, null, 2)}\n`);
}

/** The migrations of a folder by their names, with a hash of each that does not change with its format. */
export async function hashedMigrations(folder = 'migrations'): Promise<Record<string, string>> {
  const files = (await readdir(folder)).filter((name) => /^Migration.*\.ts$/.test(name)).sort();
  const hashed = files.map(async (name) => {
    const text = await readFile(path.join(folder, name), 'utf8');
    return [path.basename(name, '.ts'), hash('sha256', text.replace(/[\s,;]+/g, '')).slice(0, 16)];
  });
  return Object.fromEntries(await Promise.all(hashed));
}

/** The migrations since a release that its processes cannot live with (decision 0022). */
export async function unsafeSince(before: Pick<Kept, 'migrations'>, folder = 'migrations'): Promise<string[]> {
  const names = Object.keys(await hashedMigrations(folder)).filter((name) => !(name in before.migrations));
  const unsafe = names.map(async (name) => {
    const text = await readFile(path.join(folder, `${name}.ts`), 'utf8');
    return /insert into "?rolling_migrations/.test(text) ? [] : [name];
  });
  return (await Promise.all(unsafe)).flat();
}
