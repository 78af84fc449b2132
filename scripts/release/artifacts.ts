/** The files of a release: three archives, what each is made of, what announces it, and the checksums of all. */
import { hash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { billOf } from './bill.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Files that the server needs beside its packages. `docs/operations.md` describes how it is installed. */
const SERVER = [
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'packages/cli/package.json',
  'packages/cli/bin',
  'packages/cli/dist',
  'packages/sdk/package.json',
  'packages/server/package.json',
  'packages/server/bin',
  'packages/server/dist',
  'packages/web/package.json',
  'packages/web/dist',
  'test/support/package.json',
  'migrations',
  'deploy',
  'docs/operations.md',
  'docs/scaling.md',
];

/** Their names, in the folder of a release. */
export const artifactsOf = (version: string) => [
  ...['cli', 'sdk', 'server'].flatMap((name) => [
    `tonerow-${name}-${version}.tgz`,
    `tonerow-${name}-${version}.cdx.json`,
  ]),
  'latest.json',
  'SHA256SUMS',
];

interface Announced {
  version: string;
  day: string;
  /** The version of the API. */
  api: string;
}

/** Makes them of what is built. @throws {Error} unless all of them are there. */
export async function makeArtifacts({ version, day, api }: Announced, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // the terminal client is packed as it is built; the SDK is built for it
  await npm(['pack', '--pack-destination', folder, '--ignore-scripts'], 'packages/cli');
  await npm(['pack', '--pack-destination', folder], 'packages/sdk');
  await packServer(version, folder);
  for (const name of ['cli', 'sdk', 'server'] as const)
    await writeFile(
      path.join(folder, `tonerow-${name}-${version}.cdx.json`),
      `${JSON.stringify(await billOf(name), null, 2)}\n`,
    );
  // for TONEROW_RELEASE_FEED of the servers that are to learn of it
  const announced = { name: 'tonerow', version, released: day, api_version: api };
  await writeFile(path.join(folder, 'latest.json'), `${JSON.stringify(announced, null, 2)}\n`);
  await writeFile(path.join(folder, 'SHA256SUMS'), await sumsOf(folder));
  const there = await readdir(folder);
  const missing = artifactsOf(version).filter((name) => !there.includes(name));
  if (missing.length > 0) throw new Error(`Not made: ${missing.join(', ')}.`);
}

async function packServer(version: string, folder: string): Promise<void> {
  const name = `tonerow-server-${version}`;
  const draft = path.join(folder, name);
  for (const each of SERVER)
    await cp(path.join(root, each), path.join(draft, each), {
      recursive: true,
      filter: (place) => !/[/\\]\.built$|[/\\]migrations[/\\]snapshot\.json$/.test(place),
    });
  // the same commit makes the same archive, with the tar of Linux
  const { stdout: moment } = await execa('git', ['log', '-1', '--format=%ct'], { cwd: root });
  const same = ['--sort=name', `--mtime=@${moment}`, '--owner=0', '--group=0', '--numeric-owner'];
  const archive = path.join(folder, `${name}.tar`);
  await execa('tar', [...same, '-cf', archive, '-C', folder, name]);
  await execa('gzip', ['-9n', archive]);
  await rename(`${archive}.gz`, path.join(folder, `${name}.tgz`));
  await rm(draft, { recursive: true });
}

/** As `sha256sum --check` reads it. */
async function sumsOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const lines = names.map(async (name) => `${hash('sha256', await readFile(path.join(folder, name)))}  ${name}\n`);
  return (await Promise.all(lines)).join('');
}

/** Runs npm without the settings of an npm that runs this. */
async function npm(words: string[], folder = '.'): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_')));
  const { stdout } = await execa('npm', words, { cwd: path.join(root, folder), env, extendEnv: false });
  return stdout;
}
