import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa, execaSync } from 'execa';

/** The lines after each `@example` of a declaration file. */
export function documentedExamples(declarations: string): string[] {
  return [...declarations.matchAll(/@example\n(.*?)\n\s*\*\//gs)].map(([, lines = '']) =>
    lines.replace(/^\s*\* ?/gm, ''),
  );
}

/** The blocks of JavaScript in a Markdown file. */
export function fencedExamples(markdown: string): string[] {
  return [...markdown.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
}

/** Packs a package and installs it in a project of its own in this folder, without a registry. */
export async function install(folder: string, name: 'sdk' | 'cli'): Promise<void> {
  const project = path.join(folder, name);
  mkdirSync(project);
  // another npm may have started these tests, whose settings are not for this one
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_')));
  const npm = (cwd: string, ...line: string[]) => execa('npm', line, { cwd, env, extendEnv: false });
  // other tests use the built terminal client meanwhile, so that one is packed as it is
  const asBuilt = name === 'cli' ? ['--ignore-scripts'] : [];
  await npm(path.resolve('packages', name), 'pack', '--pack-destination', folder, ...asBuilt);
  const { version } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  const dependencies: Record<string, string> = { [`@tonerow/${name}`]: `file:../tonerow-${name}-${version}.tgz` };
  if (name === 'sdk')
    for (const other of ['undici', '@types/node']) dependencies[other] = `file:${path.resolve('node_modules', other)}`;
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await npm(project, 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
  if (name === 'cli') return;
  cpSync(path.resolve('test/packages/project'), project, { recursive: true });
  for (const kind of ['mts', 'cts']) cpSync(path.join(project, 'typed.ts'), path.join(project, `typed.${kind}`));
  const call = (load: string) => `journey(sdk, () => ${load}('@tonerow/sdk/node'));\n`;
  const modules = "import * as sdk from '@tonerow/sdk';\nimport journey from './journey.cjs';\n";
  writeFileSync(path.join(project, 'use.mjs'), `${modules}await ${call('import')}`);
  const required = "const [sdk, journey] = [require('@tonerow/sdk'), require('./journey.cjs')];\n";
  writeFileSync(path.join(project, 'use.cjs'), `${required}${call('require')}`);
}

/** A Node of this major version: the one that runs the tests, one on the PATH, or one of a version manager. */
export function nodeOf(major: number): string | undefined {
  const candidates = [
    process.execPath,
    ...(process.env.PATH ?? '').split(path.delimiter).map((place) => path.join(place, 'node')),
    '/usr/bin/node',
    '/usr/local/bin/node',
    ...versionsIn(path.join(process.env.NVM_DIR ?? path.join(process.env.HOME ?? '/', '.nvm'), 'versions/node')),
    ...versionsIn('/opt/hostedtoolcache/node', 'x64'),
  ];
  return candidates.find((each) => {
    const version = existsSync(each) ? execaSync(each, ['--version'], { reject: false }).stdout : undefined;
    return version?.startsWith(`v${major}.`);
  });
}

/** Bun or Deno: one on the PATH, or where its own installer puts it. */
export function runtimeOf(name: 'bun' | 'deno'): string | undefined {
  const places = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    path.join(process.env.HOME ?? '/', `.${name}/bin`),
  ];
  return places.map((place) => path.join(place, name)).find((each) => existsSync(each));
}

function versionsIn(place: string, ...inside: string[]): string[] {
  return existsSync(place) ? readdirSync(place).map((name) => path.join(place, name, ...inside, 'bin/node')) : [];
}
