import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Every package is of one version, and so are the constants for run time: a client compares its own with its server's. */
const MANIFESTS = ['.', 'packages/cli', 'packages/sdk', 'packages/server', 'packages/web', 'test/support'];
const CONSTANTS = [
  'packages/cli/src/version.ts',
  'packages/sdk/src/generated/version.gen.ts',
  'packages/server/src/platform/version.ts',
];
const CHART = 'deploy/helm/tonerow/Chart.yaml';

/** Every file that has the version. */
export const VERSIONED = [
  ...MANIFESTS.map((folder) => path.join(folder, 'package.json')),
  'package-lock.json',
  ...CONSTANTS,
  CHART,
];

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Gives all packages a version. @returns the files that have changed */
export async function writeVersion(root: string, version: string): Promise<string[]> {
  const changed: string[] = [];
  const edit = async (file: string, change: (text: string) => string) => {
    const place = path.join(root, file);
    const before = await readFile(place, 'utf8');
    const after = change(before);
    if (after === before) return;
    await writeFile(place, after);
    changed.push(file);
  };
  const own = await Promise.all(MANIFESTS.map((folder) => read(path.join(root, folder))));
  const names = new Set(own.map(({ name }) => name));
  for (const folder of MANIFESTS)
    await edit(path.join(folder, 'package.json'), (text) =>
      // the file keeps its form
      text
        .replace(/^( {2}"version": )"[^"]+"/m, `$1"${version}"`)
        .replace(/^( +"(@tonerow\/[\w-]+)": )"[\d.]+"/gm, (line, start, name) =>
          names.has(name) ? `${start}"${version}"` : line,
        ),
    );
  await edit('package-lock.json', (text) => `${JSON.stringify(inLock(JSON.parse(text), names, version), null, 2)}\n`);
  for (const file of CONSTANTS)
    await edit(file, (text) => text.replace(/(const (?:SDK_)?VERSION = )'[^']+'/, `$1'${version}'`));
  await edit(CHART, (text) => text.replace(/^(version|appVersion): .+$/gm, `$1: ${version}`));
  return changed;
}

const read = async (folder: string) =>
  JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;

interface Lock {
  version: string;
  packages: Record<string, Partial<Manifest>>;
}

function inLock(lock: Lock, names: ReadonlySet<string>, version: string): Lock {
  lock.version = version;
  for (const folder of MANIFESTS) {
    const entry = lock.packages[folder === '.' ? '' : folder];
    if (!entry) throw new Error(`package-lock.json has no ${folder}.`);
    entry.version = version;
    for (const needs of [entry.dependencies, entry.devDependencies])
      for (const name of Object.keys(needs ?? {})) if (needs && names.has(name)) needs[name] = version;
  }
  return lock;
}
